/* SPDX-License-Identifier: MIT */
/* Which registers an operand reaches at a step of a repeat, with a0.x known or not. */
#ifndef ISA_IR3_TIMING_REACH_H
#define ISA_IR3_TIMING_REACH_H

#include "isa/ir3/timing/scoreboard.h"

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
    int first, count, stride; /* relative: numbers in the file, of which the count is */
    int parts;                /* 2: each register is two halves in the row */
    bool merged;              /* they are halves there */
};

static inline bool a3xx_is_general(const struct a3xx_access *access)
{
    return access->file == A3XX_FILE_FULL || access->file == A3XX_FILE_HALF;
}

/* From where on, and how many, an operand reaches where a0.x has several values. */
static inline void a3xx_range_spread(struct a3xx_range *range, const struct a3xx_reached *reached, int number)
{
    int low = reached->low + number, high = reached->high + number, limit = A3XX_A0;
    if (range->merged && range->reach == A3XX_REACH_ANY)
        limit = SHADER_SHARED;
    range->stride = reached->step;
    if (low < 0)
        low += (-low + reached->step - 1) / reached->step * reached->step;
    high = high < limit ? high : limit - 1;
    range->first = low;
    range->count = high < low ? 0 : ((high - low) / reached->step + 1) * range->parts;
}

/* `state` null: a0.x is not known. */
static inline struct a3xx_range a3xx_range_of(const struct shader_family *family, const struct a3xx_access *access,
                                              unsigned step, const struct a3xx_scoreboard *state, bool follow)
{
    static const struct a3xx_reached all = {INT16_MIN, INT16_MAX, 1};
    struct a3xx_range range = {.access = access, .step = step, .stride = 1};
    range.merged = family->mixed && a3xx_is_general(access);
    range.parts = range.merged && access->file == A3XX_FILE_FULL ? 2 : 1;
    range.count = access->count * range.parts;
    if (!access->relative)
        return range;
    range.reach = state && state->path.address_known ? A3XX_REACH_ADDED : follow ? A3XX_REACH_ANY : A3XX_REACH_TRACE;
    range.count = 0;
    if (a3xx_is_general(access) && range.reach != A3XX_REACH_TRACE)
        a3xx_range_spread(&range, state ? &state->path.reached : &all,
                          access->number + (access->steps ? (int)step : 0));
    return range;
}

/* -1: there is none. */
static inline int a3xx_range_at(const struct a3xx_range *range, int index)
{
    bool half = range->access->file == A3XX_FILE_HALF;
    int reg, part = range->merged ? index % range->parts : 0, place = range->merged ? index / range->parts : index;
    if (range->reach == A3XX_REACH_NAMED)
        reg = a3xx_register_at(range->access, range->step, (unsigned)place);
    else
        reg = range->first + place * range->stride + (half ? A3XX_HALF_0 : A3XX_FULL_0);
    return reg < 0 || !range->merged ? reg
                                     : shader_half((unsigned)(half ? reg - A3XX_HALF_0 : reg), half, (unsigned)part);
}

#endif
