/* SPDX-License-Identifier: MIT */
/*
 * How many issue slots a result needs before it can be read, and which unit computes it. The checker, the scheduler and
 * the machine's strict timing take these from here alone.
 */
#ifndef ISA_IR3_TIMING_DELAY_H
#define ISA_IR3_TIMING_DELAY_H

#include "isa/ir3/family.h"

/*
 * Registers in one row: full, half, a0, predicates, and what is waited for as a register. Where half registers lie in
 * the file of the full ones, the row begins with the halves: those of r0.x, those of r0.y.
 */
enum {
    A3XX_FULL_0 = 0,
    A3XX_HALF_0 = A3XX_A0,
    A3XX_ADDRESS = 2 * A3XX_A0,
    A3XX_PREDICATE_0,
    A3XX_ADDRESS_1 = A3XX_PREDICATE_0 + 4,
    A3XX_ORDER_0,
    A3XX_REGISTERS = A3XX_ORDER_0 + 2
};
/* Registers that a wave has once, by number; a3xx has none that are different. */
enum { SHADER_SHARED = 48 * 4, SHADER_SHARED_END = 56 * 4 };

/* Which unit computes a result of A3XX, and so what its readers wait for. */
enum a3xx_unit {
    A3XX_ARITHMETIC,   /* categories 1 to 3: issue slots */
    A3XX_SPECIAL,      /* category 4: (ss) */
    A3XX_LOCAL_RESULT, /* local memory: (ss) */
    A3XX_LONG_LATENCY, /* textures, global and private memory: (sy) */
};
enum a3xx_unit a3xx_unit(const struct gpucode_insn *insn);

#define A3XX_DELAY_MAX 6
#define A3XX_DELAY_ADDRESS 6 /* from a0.x to operands relative to it */
/* Slots that must lie between an arithmetic result of A3XX and this source. */
unsigned a3xx_delay(const struct gpucode_insn *insn, const struct a3xx_access *access);

/* Number in the row of registers with half registers apart, -1: none, or relative. */
int a3xx_register_at(const struct a3xx_access *access, unsigned step, unsigned component);
/* Where half of a full register, or a half register, stands in the other row. */
static inline int shader_half(unsigned number, bool half, unsigned part)
{
    unsigned unit = !half                    ? 2 * number + part
                    : number < SHADER_SHARED ? number
                                             : 2 * SHADER_SHARED + (number - SHADER_SHARED);
    return unit < 2 * SHADER_SHARED_END ? (int)unit : -1;
}

/* A set of registers. */
struct a3xx_set {
    uint64_t bits[(A3XX_REGISTERS + 63) / 64];
};
static inline void a3xx_set_add(struct a3xx_set *set, int reg)
{
    set->bits[reg / 64] |= UINT64_C(1) << reg % 64;
}
static inline bool a3xx_set_has(const struct a3xx_set *set, int reg)
{
    return set->bits[reg / 64] >> reg % 64 & 1;
}
static inline bool a3xx_set_is_empty(const struct a3xx_set *set)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < sizeof set->bits / sizeof *set->bits; i++)
        any |= set->bits[i];
    return !any;
}

#endif
