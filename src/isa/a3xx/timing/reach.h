/* SPDX-License-Identifier: MIT */
/* Which registers an operand reaches at a step of a repeat, with a0.x known or not. */
#ifndef ISA_A3XX_TIMING_REACH_H
#define ISA_A3XX_TIMING_REACH_H

#include "isa/a3xx/timing/scoreboard.h"

enum a3xx_reach {
    A3XX_REACH_NAMED, /* the registers that the operand names */
    A3XX_REACH_ADDED, /* a0.x is known */
    A3XX_REACH_ANY,   /* all of its file that a0.x may reach */
    A3XX_REACH_TRACE  /* not known; what operands of the same offset did is */
};

/* Registers of one access at one step, one after the other. */
struct a3xx_range {
    const struct a3xx_access *access;
    unsigned step;
    enum a3xx_reach reach;
    int first, count, stride;
};

static inline bool a3xx_is_general(const struct a3xx_access *access)
{
    return access->file == A3XX_FILE_FULL || access->file == A3XX_FILE_HALF;
}

/* From where on, and how many, an operand reaches where a0.x has several values. */
static inline void a3xx_range_spread(struct a3xx_range *range, const struct a3xx_reached *reached, int number)
{
    int low = reached->low + number, high = reached->high + number;
    range->stride = reached->step;
    if (low < 0)
        low += (-low + reached->step - 1) / reached->step * reached->step;
    high = high < A3XX_A0 ? high : A3XX_A0 - 1;
    range->first += low;
    range->count = high < low ? 0 : (high - low) / reached->step + 1;
}

/* `state` null: a0.x is not known. */
static inline struct a3xx_range a3xx_range_of(const struct a3xx_access *access, unsigned step,
                                              const struct a3xx_scoreboard *state, bool follow)
{
    struct a3xx_range range = {.access = access, .step = step, .count = access->count, .stride = 1};
    if (!access->relative)
        return range;
    range.reach = state && state->path.address_known ? A3XX_REACH_ADDED : follow ? A3XX_REACH_ANY : A3XX_REACH_TRACE;
    range.first = access->file == A3XX_FILE_HALF ? A3XX_HALF_0 : A3XX_FULL_0;
    static const struct a3xx_reached all = {INT16_MIN, INT16_MAX, 1};
    int number = access->number + (access->steps ? (int)step : 0);
    range.count = 0;
    if (a3xx_is_general(access) && range.reach != A3XX_REACH_TRACE)
        a3xx_range_spread(&range, state ? &state->path.reached : &all, number);
    return range;
}

static inline int a3xx_range_at(const struct a3xx_range *range, int index)
{
    return range->reach == A3XX_REACH_NAMED ? a3xx_register_at(range->access, range->step, (unsigned)index)
                                            : range->first + index * range->stride;
}

#endif
