/* SPDX-License-Identifier: MIT */
/* How the scoreboard changes: slots pass, sync bits wait, paths join. */
#include "isa/ir3/timing/scoreboard.h"

#include "base/text.h"

#include <stdlib.h>

void a3xx_scoreboard_start(struct a3xx_scoreboard *state)
{
    memset(state, 0, sizeof *state);
    memset(state->age, A3XX_READY, sizeof state->age);
    state->path.varyings = A3XX_VARYINGS_NONE;
    state->path.reached = (struct a3xx_reached){INT16_MIN, INT16_MAX, 1};
}

/* Adds a trace, or makes that of the same operand younger; the oldest goes when there are too many. True: new. */
bool a3xx_scoreboard_add_trace(struct a3xx_scoreboard *state, struct a3xx_trace trace)
{
    unsigned place = state->path.traces;
    for (unsigned i = 0; i < state->path.traces; i++) {
        const struct a3xx_trace *old = &state->path.trace[i];
        if (old->offset != trace.offset || old->half != trace.half || old->used != trace.used)
            continue;
        if (old->age <= trace.age)
            return false;
        place = i;
    }
    if (place == A3XX_TRACES) {
        place = 0;
        for (unsigned i = 1; i < A3XX_TRACES; i++)
            place = state->path.trace[i].age > state->path.trace[place].age ? i : place;
        if (state->path.trace[place].age <= trace.age)
            return false;
    }
    state->path.trace[place] = trace;
    if (place == state->path.traces)
        state->path.traces++;
    return true;
}

static bool join_wait(struct a3xx_scoreboard *into, const struct a3xx_scoreboard *from, unsigned reg)
{
    static const uint8_t bits[A3XX_BY_COUNT] = {0, A3XX_NEEDS_SS, A3XX_NEEDS_SY, A3XX_USES};
    unsigned more = from->wait[reg] & ~into->wait[reg];
    for (unsigned row = 1; row < A3XX_BY_COUNT; row++)
        if (more & bits[row])
            into->by[row][reg] = from->by[row][reg];
    into->wait[reg] |= (uint8_t)more;
    return more != 0;
}

static bool is_pending(const struct a3xx_scoreboard *state, unsigned reg)
{
    return state->age[reg] < A3XX_READY || state->wait[reg];
}

/* Which width a register that is not ready was written with: of two paths both. */
static bool join_width(struct a3xx_scoreboard *into, const struct a3xx_scoreboard *from, unsigned reg)
{
    const struct a3xx_set *const theirs[] = {&from->path.wide, &from->path.narrow};
    struct a3xx_set *const ours[] = {&into->path.wide, &into->path.narrow};
    uint64_t bit = UINT64_C(1) << reg % 64;
    bool worse = false;
    for (unsigned w = 0; w < 2; w++) {
        uint64_t kept = is_pending(into, reg) ? ours[w]->bits[reg / 64] & bit : 0;
        uint64_t more = theirs[w]->bits[reg / 64] & bit;
        worse |= more & ~kept;
        ours[w]->bits[reg / 64] = (ours[w]->bits[reg / 64] & ~bit) | kept | more;
    }
    return worse;
}

/* Eight registers from here have nothing that a join would take over. */
static bool is_idle(const struct a3xx_scoreboard *state, unsigned first)
{
    static const uint64_t ready = UINT64_C(0x0101010101010101) * A3XX_READY;
    uint64_t age, wait;
    if (first % 8 || first + 8 > A3XX_REGISTERS)
        return false;
    memcpy(&age, state->age + first, sizeof age);
    memcpy(&wait, state->wait + first, sizeof wait);
    return age == ready && !wait;
}

bool a3xx_scoreboard_save(const struct a3xx_scoreboard *state, struct a3xx_saved_scoreboard **saved)
{
    unsigned count = 0;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        count += is_pending(state, i);
    if (!*saved || count > (*saved)->room) {
        struct a3xx_saved_scoreboard *more = realloc(*saved, sizeof **saved + count * sizeof *(*saved)->pending);
        if (!more)
            return false;
        *saved = more;
        more->room = count;
    }
    (*saved)->path = state->path;
    (*saved)->count = count;
    struct a3xx_scoreboard_entry *pending = (*saved)->pending;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        if (state->age[i] == A3XX_READY && !state->wait[i])
            continue;
        *pending = (struct a3xx_scoreboard_entry){.reg = (uint16_t)i, .age = state->age[i], .wait = state->wait[i]};
        for (unsigned row = 0; row < A3XX_BY_COUNT; row++)
            pending->by[row] = state->by[row][i];
        pending++;
    }
    return true;
}

void a3xx_scoreboard_load(struct a3xx_scoreboard *state, const struct a3xx_saved_scoreboard *saved)
{
    a3xx_scoreboard_start(state);
    state->path = saved->path;
    for (unsigned i = 0; i < saved->count; i++) {
        const struct a3xx_scoreboard_entry *pending = &saved->pending[i];
        state->age[pending->reg] = pending->age;
        state->wait[pending->reg] = pending->wait;
        for (unsigned row = 0; row < A3XX_BY_COUNT; row++)
            state->by[row][pending->reg] = pending->by[row];
    }
}

static bool join_reached(struct a3xx_reached *into, const struct a3xx_reached *from)
{
    struct a3xx_reached both = {into->low < from->low ? into->low : from->low,
                                into->high > from->high ? into->high : from->high,
                                into->step < from->step ? into->step : from->step};
    while ((into->low - from->low) & (both.step - 1))
        both.step /= 2;
    bool worse = both.low != into->low || both.high != into->high || both.step != into->step;
    *into = both;
    return worse;
}

bool a3xx_scoreboard_join(struct a3xx_scoreboard *into, const struct a3xx_scoreboard *from)
{
    bool worse = (from->path.varyings & ~into->path.varyings) || (from->path.stored && !into->path.stored) ||
                 (from->path.released && !into->path.released);
    if (from->path.varyings & ~into->path.varyings)
        into->path.varyings_by = from->path.varyings_by;
    if (from->path.released && !into->path.released)
        into->path.released_by = from->path.released_by;
    if (from->path.barrier & ~into->path.barrier) {
        into->path.barrier |= from->path.barrier;
        into->path.barrier_by = from->path.barrier_by;
        worse = true;
    }
    into->path.varyings |= from->path.varyings;
    into->path.stored |= from->path.stored;
    into->path.released |= from->path.released;
    if (into->path.address_known && !(from->path.address_known && from->path.address == into->path.address)) {
        into->path.address_known = false;
        worse = true;
    }
    worse |= join_reached(&into->path.reached, &from->path.reached);
    for (unsigned i = 0; i < sizeof into->path.written.bits / sizeof *into->path.written.bits; i++) {
        worse |= (from->path.written.bits[i] & ~into->path.written.bits[i]) != 0;
        into->path.written.bits[i] |= from->path.written.bits[i];
    }
    for (unsigned i = 0; i < from->path.traces; i++)
        worse |= a3xx_scoreboard_add_trace(into, from->path.trace[i]);
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        if (is_idle(from, i)) { /* a look at eight at once */
            i += 7;
            continue;
        }
        if (is_pending(from, i))
            worse |= join_width(into, from, i);
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

bool a3xx_scoreboard_join_shared(struct a3xx_scoreboard *into, const struct a3xx_scoreboard *from, bool merged)
{
    unsigned places[2][2] = {{A3XX_FULL_0 + SHADER_SHARED, A3XX_FULL_0 + SHADER_SHARED_END},
                             {A3XX_HALF_0 + SHADER_SHARED, A3XX_HALF_0 + SHADER_SHARED_END}};
    bool worse = false;
    if (merged) {
        places[0][0] = 2 * SHADER_SHARED;
        places[0][1] = places[1][0] = places[1][1] = 2 * SHADER_SHARED_END;
    }
    for (unsigned p = 0; p < 2; p++)
        for (unsigned i = places[p][0]; i < places[p][1]; i++)
            if (from->wait[i]) {
                worse |= join_width(into, from, i);
                worse |= join_wait(into, from, i);
            }
    return worse;
}

void a3xx_scoreboard_pass_slots(struct a3xx_scoreboard *state, unsigned slots)
{
    unsigned kept = 0;
    if (!slots)
        return;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++)
        state->age[i] = (int8_t)(state->age[i] + (int)slots < A3XX_READY ? state->age[i] + (int)slots : A3XX_READY);
    for (unsigned i = 0; i < state->path.traces; i++) {
        struct a3xx_trace trace = state->path.trace[i];
        trace.age = (uint8_t)(trace.age + slots < A3XX_READY ? trace.age + slots : A3XX_READY);
        if (trace.used || trace.age < A3XX_READY)
            state->path.trace[kept++] = trace;
    }
    state->path.traces = (uint8_t)kept;
}

void a3xx_scoreboard_sync(struct a3xx_scoreboard *state, bool ss, bool sy)
{
    if (ss)
        a3xx_scoreboard_sync_before(state, 0, 0);
    for (unsigned i = 0; sy && i < A3XX_REGISTERS; i++)
        state->wait[i] &= (uint8_t)~A3XX_WAITS_SY;
    state->path.stored &= !sy;
    state->path.barrier &= (uint8_t) ~((ss ? A3XX_NEEDS_SS : 0) | (sy ? A3XX_NEEDS_SY : 0));
}

void a3xx_scoreboard_sync_before(struct a3xx_scoreboard *state, uint32_t carrier, uint32_t at)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < A3XX_REGISTERS; i++) {
        uint32_t by = state->by[A3XX_BY_SS][i], user = state->by[A3XX_BY_USER][i];
        if (by < carrier || by >= at)
            state->wait[i] &= (uint8_t) ~(A3XX_NEEDS_SS | A3XX_FROM_LOCAL | A3XX_FROM_SCALAR);
        if (user < carrier || user >= at)
            state->wait[i] &= (uint8_t) ~(A3XX_USED | A3XX_USED_EITHER | A3XX_USED_BY_SCALAR);
    }
    for (unsigned i = 0; i < state->path.traces; i++)
        if (!state->path.trace[i].used || (state->path.trace[i].by >= carrier && state->path.trace[i].by < at))
            state->path.trace[kept++] = state->path.trace[i];
    state->path.traces = (uint8_t)kept;
}

/* Registers in one row: their numbers and names, and sets of them that instructions use. */

int a3xx_register_at(const struct a3xx_access *access, unsigned step, unsigned component)
{
    unsigned number = (unsigned)access->number + (access->steps ? step : 0) + component;
    if (access->relative || (access->mask && !(access->mask >> component & 1)))
        return -1;
    switch (access->file) {
    case A3XX_FILE_FULL:
        return number < A3XX_A0 ? (int)(A3XX_FULL_0 + number) : -1;
    case A3XX_FILE_HALF:
        return number < A3XX_A0 ? (int)(A3XX_HALF_0 + number) : -1;
    case A3XX_FILE_ADDRESS:
        return !number ? A3XX_ADDRESS : number == 1 ? A3XX_ADDRESS_1 : -1;
    case A3XX_FILE_PREDICATE:
        return number < 4 ? (int)(A3XX_PREDICATE_0 + number) : -1;
    case A3XX_FILE_ORDER:
        return A3XX_ORDER_0 + (int)number;
    default:
        return -1;
    }
}

static char *put_place(char *at, const char *file, unsigned number)
{
    at = text_decimal(text_string(at, file), number >> 2);
    *at++ = '.';
    *at++ = "xyzw"[number & 3];
    return at;
}

const char *a3xx_register_name(const struct gpucode_insn *insn, int reg, bool half, char text[40])
{
    unsigned number = (unsigned)reg;
    bool merged = shader_family(insn)->mixed && reg < 2 * SHADER_SHARED_END;
    if (merged && half)
        number = number < 2 * SHADER_SHARED ? number : number - SHADER_SHARED;
    char *at = reg == A3XX_ADDRESS       ? text_string(text, "a0.x")
               : reg == A3XX_ADDRESS_1   ? text_string(text, "a1.x")
               : reg == A3XX_ORDER_0     ? text_string(text, "the const file")
               : reg > A3XX_ORDER_0      ? text_string(text, "everything")
               : reg >= A3XX_PREDICATE_0 ? put_place(text, "p", number - A3XX_PREDICATE_0)
               : merged                  ? put_place(text, half ? "hr" : "r", half ? number : number / 2)
               : reg >= A3XX_HALF_0      ? put_place(text, "hr", number - A3XX_HALF_0)
                                         : put_place(text, "r", number);
    *at = 0;
    return text;
}

void a3xx_uses(const struct gpucode_insn *insn, struct a3xx_set *read, struct a3xx_set *written)
{
    struct a3xx_access access[A3XX_ACCESS_MAX];
    const struct shader_family *family = shader_family(insn);
    unsigned count = family->accesses(insn, access);
    *read = *written = (struct a3xx_set){{0}};
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k <= family->repeat(insn); k++) {
            struct a3xx_set *set = access[i].write ? written : read;
            struct a3xx_range range = a3xx_range_of(family, &access[i], k, NULL, true);
            for (int n = 0, reg; n < range.count; n++)
                if ((reg = a3xx_range_at(&range, n)) >= 0)
                    a3xx_set_add(set, reg);
        }
}

bool a3xx_set_meets(const struct a3xx_set *a, const struct a3xx_set *b)
{
    uint64_t common = 0;
    for (unsigned i = 0; i < sizeof a->bits / sizeof *a->bits; i++)
        common |= a->bits[i] & b->bits[i];
    return common != 0;
}
