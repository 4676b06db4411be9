/* SPDX-License-Identifier: MIT */
/* What is pending, and how the passing of slots, sync bits and the meeting of paths change it. */
#include "isa/a3xx/timing/hazard.h"

#include <stdlib.h>

void a3xx_pending_start(struct a3xx_pending *state)
{
    memset(state, 0, sizeof *state);
    memset(state->age, A3XX_READY, sizeof state->age);
    state->whole.varyings = A3XX_VARYINGS_NONE;
}

/* Adds a trace, or makes that of the same operand younger; the oldest goes when there are too many. True: new. */
bool a3xx_pending_trace(struct a3xx_pending *state, struct a3xx_trace trace)
{
    unsigned place = state->whole.traces;
    for (unsigned i = 0; i < state->whole.traces; i++) {
        const struct a3xx_trace *old = &state->whole.trace[i];
        if (old->offset != trace.offset || old->half != trace.half || old->used != trace.used)
            continue;
        if (old->age <= trace.age)
            return false;
        place = i;
    }
    if (place == A3XX_TRACES) {
        place = 0;
        for (unsigned i = 1; i < A3XX_TRACES; i++)
            place = state->whole.trace[i].age > state->whole.trace[place].age ? i : place;
        if (state->whole.trace[place].age <= trace.age)
            return false;
    }
    state->whole.trace[place] = trace;
    if (place == state->whole.traces)
        state->whole.traces++;
    return true;
}

static bool join_wait(struct a3xx_pending *into, const struct a3xx_pending *from, unsigned reg)
{
    static const uint8_t bits[A3XX_BY_COUNT] = {0, A3XX_NEEDS_SS, A3XX_NEEDS_SY, A3XX_USED};
    unsigned more = from->wait[reg] & ~into->wait[reg];
    for (unsigned row = 1; row < A3XX_BY_COUNT; row++)
        if (more & bits[row])
            into->by[row][reg] = from->by[row][reg];
    into->wait[reg] |= (uint8_t)more;
    return more != 0;
}

/* Eight registers from here have nothing that a join would take over. */
static bool is_idle(const struct a3xx_pending *state, unsigned first)
{
    static const uint64_t ready = UINT64_C(0x0101010101010101) * A3XX_READY;
    uint64_t age, wait;
    if (first % 8 || first + 8 > A3XX_REGISTERS)
        return false;
    memcpy(&age, state->age + first, sizeof age);
    memcpy(&wait, state->wait + first, sizeof wait);
    return age == ready && !wait;
}

bool a3xx_pending_save(const struct a3xx_pending *state, struct a3xx_saved **saved)
{
    unsigned count = 0;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        count += state->age[i] < A3XX_READY || state->wait[i];
    if (!*saved || count > (*saved)->room) {
        struct a3xx_saved *more = realloc(*saved, sizeof **saved + count * sizeof *(*saved)->pending);
        if (!more)
            return false;
        *saved = more;
        more->room = count;
    }
    (*saved)->whole = state->whole;
    (*saved)->count = count;
    struct a3xx_pending_register *pending = (*saved)->pending;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        if (state->age[i] == A3XX_READY && !state->wait[i])
            continue;
        *pending = (struct a3xx_pending_register){.reg = (uint16_t)i, .age = state->age[i], .wait = state->wait[i]};
        for (unsigned row = 0; row < A3XX_BY_COUNT; row++)
            pending->by[row] = state->by[row][i];
        pending++;
    }
    return true;
}

void a3xx_pending_load(struct a3xx_pending *state, const struct a3xx_saved *saved)
{
    a3xx_pending_start(state);
    state->whole = saved->whole;
    for (unsigned i = 0; i < saved->count; i++) {
        const struct a3xx_pending_register *pending = &saved->pending[i];
        state->age[pending->reg] = pending->age;
        state->wait[pending->reg] = pending->wait;
        for (unsigned row = 0; row < A3XX_BY_COUNT; row++)
            state->by[row][pending->reg] = pending->by[row];
    }
}

bool a3xx_pending_join(struct a3xx_pending *into, const struct a3xx_pending *from)
{
    bool worse = (from->whole.varyings & ~into->whole.varyings) || (from->whole.stored && !into->whole.stored) ||
                 (from->whole.released && !into->whole.released);
    if (from->whole.varyings & ~into->whole.varyings)
        into->whole.varyings_by = from->whole.varyings_by;
    if (from->whole.released && !into->whole.released)
        into->whole.released_by = from->whole.released_by;
    into->whole.varyings |= from->whole.varyings;
    into->whole.stored |= from->whole.stored;
    into->whole.released |= from->whole.released;
    if (into->whole.address_known && !(from->whole.address_known && from->whole.address == into->whole.address)) {
        into->whole.address_known = false;
        worse = true;
    }
    for (unsigned i = 0; i < sizeof into->whole.written.bits / sizeof *into->whole.written.bits; i++) {
        worse |= (from->whole.written.bits[i] & ~into->whole.written.bits[i]) != 0;
        into->whole.written.bits[i] |= from->whole.written.bits[i];
    }
    for (unsigned i = 0; i < from->whole.traces; i++)
        worse |= a3xx_pending_trace(into, from->whole.trace[i]);
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        if (is_idle(from, i)) { /* a look at eight at once */
            i += 7;
            continue;
        }
        if (from->age[i] < into->age[i]) {
            into->age[i] = from->age[i];
            into->by[A3XX_BY_WRITER][i] = from->by[A3XX_BY_WRITER][i];
            worse = true;
        }
        if (from->wait[i])
            worse |= join_wait(into, from, i);
    }
    return worse;
}

void a3xx_pending_slots(struct a3xx_pending *state, unsigned slots)
{
    unsigned kept = 0;
    if (!slots)
        return;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        state->age[i] = (uint8_t)(state->age[i] + slots < A3XX_READY ? state->age[i] + slots : A3XX_READY);
    for (unsigned i = 0; i < state->whole.traces; i++) {
        struct a3xx_trace trace = state->whole.trace[i];
        trace.age = (uint8_t)(trace.age + slots < A3XX_READY ? trace.age + slots : A3XX_READY);
        if (trace.used || trace.age < A3XX_READY)
            state->whole.trace[kept++] = trace;
    }
    state->whole.traces = (uint8_t)kept;
}

void a3xx_pending_sync(struct a3xx_pending *state, bool ss, bool sy)
{
    if (ss)
        a3xx_pending_sync_before(state, 0, 0);
    for (unsigned i = 0; sy && i < A3XX_REGISTERS; i++)
        state->wait[i] &= (uint8_t)~A3XX_NEEDS_SY;
    state->whole.stored &= !sy;
}

void a3xx_pending_sync_before(struct a3xx_pending *state, uint32_t carrier, uint32_t at)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        uint32_t by = state->by[A3XX_BY_SS][i], user = state->by[A3XX_BY_USER][i];
        if (by < carrier || by >= at)
            state->wait[i] &= (uint8_t) ~(A3XX_NEEDS_SS | A3XX_FROM_NEAR);
        if (user < carrier || user >= at)
            state->wait[i] &= (uint8_t)~A3XX_USED;
    }
    for (unsigned i = 0; i < state->whole.traces; i++)
        if (!state->whole.trace[i].used || (state->whole.trace[i].by >= carrier && state->whole.trace[i].by < at))
            state->whole.trace[kept++] = state->whole.trace[i];
    state->whole.traces = (uint8_t)kept;
}
