/* SPDX-License-Identifier: MIT */
/* What the actions of insn.def are written in; the run loop and afuc_evaluate() add what A, B, D and the rest are. */
#ifndef ISA_AFUC_MACHINE_ACTION_H
#define ISA_AFUC_MACHINE_ACTION_H

#include <stdint.h>

/* Does the row's bit pattern have a field of that letter? A constant for the compiler. */
#define HAS(bits, letter) (__builtin_strchr(bits, letter) != NULL)

/* LONG has a comma where an action has none: ROW_KIND() gives ROW_function or ROW_action. */
#define LONG ~, ROW_function
#define ROW_KIND(...) ROW_KIND_OF(__VA_ARGS__, ROW_action, ~)
#define ROW_KIND_OF(first, second, ...) second

#define CARRY p->carry
#define SHIFT_LEFT(a, b) ((b) < 32 ? (a) << (b) : m->setup->shift_zero ? 0 : (a) << ((b)&31))
#define SHIFT_RIGHT(a, b) ((b) < 32 ? (a) >> (b) : m->setup->shift_zero ? 0 : (a) >> ((b)&31))
#define SHIFT_RIGHT_SIGNED(a, b) shift_right_signed(a, (b) < 32 ? (b) : m->setup->shift_zero ? 31 : (b)&31)
#define ROTATE_LEFT(a, b) ((a) << ((b)&31) | (a) >> (-(b)&31))
#define COMPARE(a, b) ((a) > (b) ? 0x00 : (a) == (b) ? 0x2b : 0x1e)
#define SET_BIT_TO(a, b) (((a) & ~(UINT32_C(1) << ((b) >> 1 & 31))) | ((b)&1) << ((b) >> 1 & 31))
#define HIGHEST_BIT(b) ((b) ? 31 - (uint32_t)__builtin_clz(b) : 0)
#define BIT_COUNT(b) ((uint32_t)__builtin_popcount(b))
#define FIELD_GET(a, low, high) ((a) >> (low)&field_mask(low, high))
#define FIELD_SET(d, a, low, high)                                                                                     \
    ((m->setup->bfi_or ? (d) : (d) & ~(field_mask(low, high) << (low))) | ((a)&field_mask(low, high)) << (low))

static inline uint32_t shift_right_signed(uint32_t value, uint32_t count)
{
    return value >> count | (value & UINT32_C(0x80000000) && count ? ~UINT32_C(0) << (32 - count) : 0);
}

/* As many ones as the field has bits; none when its ends are the wrong way round. */
static inline uint32_t field_mask(uint32_t low, uint32_t high)
{
    return high < low ? 0 : ~UINT32_C(0) >> (31 - (high - low));
}

#endif
