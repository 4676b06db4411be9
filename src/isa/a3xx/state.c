/* SPDX-License-Identifier: MIT */
/* What is pending, and how the passing of slots, sync bits and the meeting of paths change it. */
#include "isa/a3xx/hazard.h"

#define READY (A3XX_DELAY_MAX + 1) /* slots after which no consumer must wait */

void a3xx_state_start(struct a3xx_state *state)
{
    memset(state, 0, sizeof *state);
    memset(state->age, READY, sizeof state->age);
    state->varyings = A3XX_VARYINGS_NONE;
}

/* Adds a trace, or makes that of the same operand younger; the oldest goes when there are too many. True: new. */
bool a3xx_state_trace(struct a3xx_state *state, struct a3xx_trace trace)
{
    unsigned place = state->traces;
    for (unsigned i = 0; i < state->traces; i++) {
        const struct a3xx_trace *old = &state->trace[i];
        if (old->offset != trace.offset || old->half != trace.half || old->used != trace.used)
            continue;
        if (old->age <= trace.age)
            return false;
        place = i;
    }
    if (place == A3XX_TRACES) {
        place = 0;
        for (unsigned i = 1; i < A3XX_TRACES; i++)
            place = state->trace[i].age > state->trace[place].age ? i : place;
        if (state->trace[place].age <= trace.age)
            return false;
    }
    state->trace[place] = trace;
    if (place == state->traces)
        state->traces++;
    return true;
}

static bool join_wait(struct a3xx_state *into, const struct a3xx_state *from, unsigned reg)
{
    static const uint8_t bits[A3XX_BY_COUNT] = {0, A3XX_NEEDS_SS, A3XX_NEEDS_SY, A3XX_USED};
    unsigned more = from->wait[reg] & ~into->wait[reg];
    for (unsigned row = 1; row < A3XX_BY_COUNT; row++)
        if (more & bits[row])
            into->by[row][reg] = from->by[row][reg];
    into->wait[reg] |= (uint8_t)more;
    return more != 0;
}

bool a3xx_state_join(struct a3xx_state *into, const struct a3xx_state *from)
{
    bool worse =
        (from->varyings & ~into->varyings) || (from->stored && !into->stored) || (from->released && !into->released);
    if (from->varyings & ~into->varyings)
        into->varyings_by = from->varyings_by;
    if (from->released && !into->released)
        into->released_by = from->released_by;
    into->varyings |= from->varyings;
    into->stored |= from->stored;
    into->released |= from->released;
    if (into->address_known && !(from->address_known && from->address == into->address)) {
        into->address_known = false;
        worse = true;
    }
    for (unsigned i = 0; i < sizeof into->written.bits / sizeof *into->written.bits; i++) {
        worse |= (from->written.bits[i] & ~into->written.bits[i]) != 0;
        into->written.bits[i] |= from->written.bits[i];
    }
    for (unsigned i = 0; i < from->traces; i++)
        worse |= a3xx_state_trace(into, from->trace[i]);
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
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

void a3xx_state_slots(struct a3xx_state *state, unsigned slots)
{
    unsigned kept = 0;
    if (!slots)
        return;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        state->age[i] = (uint8_t)(state->age[i] + slots < READY ? state->age[i] + slots : READY);
    for (unsigned i = 0; i < state->traces; i++) {
        struct a3xx_trace trace = state->trace[i];
        trace.age = (uint8_t)(trace.age + slots < READY ? trace.age + slots : READY);
        if (trace.used || trace.age < READY)
            state->trace[kept++] = trace;
    }
    state->traces = (uint8_t)kept;
}

void a3xx_state_sync(struct a3xx_state *state, bool ss, bool sy)
{
    if (ss)
        a3xx_state_sync_before(state, 0, 0);
    for (unsigned i = 0; sy && i < A3XX_REGISTERS; i++)
        state->wait[i] &= (uint8_t)~A3XX_NEEDS_SY;
    state->stored &= !sy;
}

void a3xx_state_sync_before(struct a3xx_state *state, uint32_t carrier, uint32_t at)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        uint32_t by = state->by[A3XX_BY_SS][i], user = state->by[A3XX_BY_USER][i];
        if (by < carrier || by >= at)
            state->wait[i] &= (uint8_t) ~(A3XX_NEEDS_SS | A3XX_FROM_NEAR);
        if (user < carrier || user >= at)
            state->wait[i] &= (uint8_t)~A3XX_USED;
    }
    for (unsigned i = 0; i < state->traces; i++)
        if (!state->trace[i].used || (state->trace[i].by >= carrier && state->trace[i].by < at))
            state->trace[kept++] = state->trace[i];
    state->traces = (uint8_t)kept;
}
