/* SPDX-License-Identifier: MIT */
/*
 * What the actions of the rows calculate with, on bit patterns. Machines run an action for one thread (exec.c) or for
 * many in a loop (lane_actions.c), which a compiler makes vectors of: therefore there are selections here and no
 * branches. `half`: values stand in the low 16 bits. `flush`: denormals in and out are zeros. NaN results are
 * canonical.
 */
#ifndef ISA_IR3_MACHINE_ARITHMETIC_H
#define ISA_IR3_MACHINE_ARITHMETIC_H

#include "isa/ir3/machine/number.h"

#include <math.h>

/* --- floats ------------------------------------------------------------------------------------------------------ */

A3XX_INLINE uint32_t a3xx_flush_if(bool flush, uint32_t bits, bool half)
{
    return flush ? a3xx_flush(bits, half) : bits;
}

/* The float of a value of either width. */
A3XX_INLINE float a3xx_float_value(uint32_t bits, bool half)
{
    return a3xx_float_of(half ? a3xx_widen(bits) : bits);
}

/* A result, rounded to nearest even. A half one that was rounded to a float before is as if it had been rounded once.
 */
A3XX_INLINE uint32_t a3xx_finish(float value, bool half, bool flush)
{
    uint32_t bits = a3xx_bits_of(value);
    bits = half ? a3xx_narrow_float(bits, true) : a3xx_is_nan(bits, false) ? A3XX_NAN : bits;
    return a3xx_flush_if(flush, bits, half);
}

A3XX_INLINE uint32_t a3xx_add(uint32_t a, uint32_t b, bool half, bool flush)
{
    float x = a3xx_float_value(a3xx_flush_if(flush, a, half), half);
    float y = a3xx_float_value(a3xx_flush_if(flush, b, half), half);
    return a3xx_finish(x + y, half, flush);
}

A3XX_INLINE uint32_t a3xx_multiply(uint32_t a, uint32_t b, bool half, bool flush)
{
    float x = a3xx_float_value(a3xx_flush_if(flush, a, half), half);
    float y = a3xx_float_value(a3xx_flush_if(flush, b, half), half);
    return a3xx_finish(x * y, half, flush);
}

A3XX_INLINE uint32_t a3xx_mad(uint32_t a, uint32_t b, uint32_t c, bool half, bool flush, bool fused)
{
    if (fused)
        return a3xx_fused(a, b, c, half, flush);
    uint32_t product = a3xx_multiply(a, b, half, flush);
    return a3xx_add(product, c, half, flush);
}

/* Float to whole numbers, in the float's own format. */
enum a3xx_integer_rounding {
    A3XX_INTEGER_FLOOR,
    A3XX_INTEGER_CEIL,
    A3XX_INTEGER_EVEN,
    A3XX_INTEGER_AWAY,
    A3XX_INTEGER_TRUNC
};

A3XX_INLINE uint32_t a3xx_round_to_integer(uint32_t bits, enum a3xx_integer_rounding how, bool half, bool flush)
{
    float value = a3xx_float_value(a3xx_flush_if(flush, bits, half), half);
    uint32_t sign = a3xx_bits_of(value) & 0x80000000;
    float size = a3xx_float_of(a3xx_bits_of(value) ^ sign);
    bool whole = !(size < 0x1p23f); /* NaN too */
    int32_t number = (int32_t)(whole ? 0 : size);
    float cut = (float)number, rest = size - cut;
    float up = how == A3XX_INTEGER_FLOOR  ? (float)(sign >> 31)
               : how == A3XX_INTEGER_CEIL ? (float)(1 - (sign >> 31))
               : how == A3XX_INTEGER_EVEN ? rest > 0.5f   ? 1.0f
                                            : rest < 0.5f ? 0.0f
                                                          : (float)(number & 1)
               : how == A3XX_INTEGER_AWAY ? rest >= 0.5f ? 1.0f : 0.0f
                                          : 0.0f;
    up = rest > 0 ? up : 0.0f;
    uint32_t result = a3xx_bits_of(whole ? size : cut + up) | sign; /* -0.25 becomes -0 */
    return a3xx_finish(a3xx_float_of(result), half, flush);
}

/* The lesser one, or the greater one; -0 is less than +0. */
A3XX_INLINE uint32_t a3xx_choose(uint32_t a, uint32_t b, bool greater, bool half, bool flush, bool nan_wins)
{
    bool nan_a = a3xx_is_nan(a, half), nan_b = a3xx_is_nan(b, half);
    uint32_t x = a3xx_flush_if(flush, a, half), y = a3xx_flush_if(flush, b, half);
    int32_t i = a3xx_order(x, half), k = a3xx_order(y, half);
    uint32_t number = (greater ? i >= k : i < k) ? x : y;
    number = nan_a ? y : nan_b ? x : number;
    bool nan = nan_wins ? nan_a | nan_b : nan_a & nan_b;
    return nan ? half ? A3XX_HALF_NAN : A3XX_NAN : number;
}

A3XX_INLINE uint32_t a3xx_sign(uint32_t a, bool half, bool flush)
{
    uint32_t sign = half ? 0x8000 : 0x80000000, one = half ? 0x3c00 : 0x3f800000;
    uint32_t flushed = a3xx_flush_if(flush, a, half);
    uint32_t value = flushed & ~sign ? (flushed & sign) | one : flushed;
    return a3xx_is_nan(a, half) ? half ? A3XX_HALF_NAN : A3XX_NAN : value;
}

/* --- category 4 -------------------------------------------------------------------------------------------------- */

enum a3xx_function { A3XX_RCP_OF, A3XX_RSQ_OF, A3XX_LOG2_OF, A3XX_EXP2_OF, A3XX_SIN_OF, A3XX_COS_OF, A3XX_SQRT_OF };

A3XX_INLINE double a3xx_function_of(enum a3xx_function function, double x)
{
    switch (function) {
    case A3XX_RCP_OF:
        return 1 / x;
    case A3XX_RSQ_OF:
        return 1 / sqrt(x);
    case A3XX_LOG2_OF:
        return log2(x);
    case A3XX_EXP2_OF:
        return exp2(x);
    case A3XX_SIN_OF:
        return sin(x);
    case A3XX_COS_OF:
        return cos(x);
    default:
        return sqrt(x);
    }
}

/*
 * The hardware's accuracy is not known: these are calculated in double precision and rounded to nearest, so that they
 * are at most a hair above half a unit in the last place away from the exact value.
 */
A3XX_INLINE uint32_t a3xx_special(enum a3xx_function function, uint32_t bits, bool half, bool flush)
{
    double value = a3xx_function_of(function, a3xx_value(a3xx_flush_if(flush, bits, half), half));
    return a3xx_flush_if(flush, half ? a3xx_narrow(value, A3XX_ROUND_EVEN) : a3xx_nearest(value), half);
}

/* --- varyings ---------------------------------------------------------------------------------------------------- */

/* Between three corners that are not all the same. */
A3XX_INLINE uint32_t a3xx_between(const double corner[3], double i, double j, bool flush)
{
    double value = corner[0] + i * (corner[1] - corner[0]) + j * (corner[2] - corner[0]);
    return a3xx_flush_if(flush, a3xx_nearest(value), false);
}

/* --- comparisons ------------------------------------------------------------------------------------------------- */

enum a3xx_condition { LT, LE, GT, GE, EQ, NE };

/* What a comparison gives where the first is less, equal or greater; the two conditions that are not there are as NE.
 */
struct a3xx_verdict {
    uint32_t less, equal, greater;
};

A3XX_INLINE struct a3xx_verdict a3xx_verdict(unsigned condition)
{
    return (struct a3xx_verdict){.less = condition != GT && condition != GE && condition != EQ,
                                 .equal = condition == LE || condition == GE || condition == EQ,
                                 .greater = condition != LT && condition != LE && condition != EQ};
}

A3XX_INLINE uint32_t a3xx_compare_signed(struct a3xx_verdict verdict, int32_t a, int32_t b)
{
    return a < b ? verdict.less : a == b ? verdict.equal : verdict.greater;
}

A3XX_INLINE uint32_t a3xx_compare_unsigned(struct a3xx_verdict verdict, uint32_t a, uint32_t b)
{
    return a < b ? verdict.less : a == b ? verdict.equal : verdict.greater;
}

/* `nan`: what a NaN makes of it. */
A3XX_INLINE uint32_t a3xx_compare_floats(struct a3xx_verdict verdict, uint32_t nan, uint32_t a, uint32_t b, bool half,
                                         bool flush)
{
    uint32_t x = a3xx_flush_if(flush, a, half), y = a3xx_flush_if(flush, b, half);
    bool zeros = !((x | y) & (half ? 0x7fff : 0x7fffffff)); /* of either sign are equal */
    uint32_t found = a3xx_compare_signed(verdict, a3xx_order(x, half), a3xx_order(y, half));
    found = zeros ? verdict.equal : found;
    return a3xx_is_nan(a, half) || a3xx_is_nan(b, half) ? nan : found;
}

/* --- integers ---------------------------------------------------------------------------------------------------- */

/* Sums and differences of integers at the ends of the range, where they would wrap. */
A3XX_INLINE uint32_t a3xx_saturate(bool is_signed, bool half, int64_t value)
{
    unsigned bits = half ? 16 : 32;
    int64_t least = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    int64_t most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
    return (uint32_t)(value < least ? least : value > most ? most : value);
}

A3XX_INLINE uint32_t a3xx_reverse_bits(bool half, uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
    a = a >> 16 | a << 16;
    return half ? a >> 16 : a;
}

/* By hand: gcc 12 makes one count of two neighbours of what is built in, where it stands in a loop and the processor
 * has no vectors (seen on s390x), and no vector of it elsewhere. */
A3XX_INLINE uint32_t a3xx_count_bits(uint32_t a)
{
    a -= a >> 1 & 0x55555555;
    a = (a & 0x33333333) + (a >> 2 & 0x33333333);
    a = (a + (a >> 4)) & 0x0f0f0f0f;
    a += a >> 8;
    return (a + (a >> 16)) & 0x3f;
}

/* Leading zeros; all ones for 0. */
A3XX_INLINE uint32_t a3xx_leading_zeros(bool half, uint32_t a)
{
    return a ? (uint32_t)__builtin_clz(a) - (half ? 16 : 0) : UINT32_MAX;
}

A3XX_INLINE uint32_t a3xx_sign_bits(bool half, int32_t a)
{
    return a3xx_leading_zeros(half, (uint32_t)(a < 0 ? ~a : a));
}

A3XX_INLINE unsigned a3xx_shift_count(bool past, unsigned width, uint32_t count)
{
    return past && count >= width ? width : count & (width - 1);
}

A3XX_INLINE uint32_t a3xx_difference(bool sum, int32_t a, int32_t b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    return sum ? x + y : a > b ? x - y : y - x;
}

/* --- results ----------------------------------------------------------------------------------------------------- */

/* A result at the width of its register. */
A3XX_INLINE uint32_t a3xx_fit(enum a3xx_result kind, bool half, bool half_result, bool saturate, bool flush,
                              bool half_even, uint32_t value)
{
    switch (kind) {
    case A3XX_RESULT_FLOAT:
    case A3XX_RESULT_MOVED:
        value = saturate ? a3xx_clamp(value, half) : value;
        if (half == half_result)
            return value;
        if (half)
            return a3xx_widen(value);
        return a3xx_flush_if(flush && kind == A3XX_RESULT_FLOAT, a3xx_narrow_float(value, half_even), true);
    case A3XX_RESULT_UNSIGNED:
        return half || half_result ? value & 0xffff : value;
    case A3XX_RESULT_SIGNED:
        value = half ? (uint32_t)(int16_t)value : value;
        break;
    default:
        break;
    }
    return half_result ? value & 0xffff : value;
}

/* --- names of the actions ---------------------------------------------------------------------------------------- */

/*
 * Who runs actions says what stands after these: HALF, FLUSH, CHOICE(name) of struct a3xx_choices, SATURATES,
 * VERDICT(condition), DIFFERENCE(x, y), and the registers, flow and memory.
 */
#define WIDTH (HALF ? 16u : 32u)
#define SIGNED(x) (HALF ? (int16_t)(x) : (int32_t)(x))
#define UNSIGNED(x) (x)
#define SIGNED24(x) (HALF ? (int16_t)(x) : (int32_t)((x) << 8) >> 8)
#define FADD(x, y) a3xx_add(x, y, HALF, FLUSH)
#define FMUL(x, y) a3xx_multiply(x, y, HALF, FLUSH)
#define FMAD(x, y, z) a3xx_mad(x, y, z, HALF, FLUSH, CHOICE(fused))
#define FMIN(x, y) a3xx_choose(x, y, false, HALF, FLUSH, CHOICE(nan_wins))
#define FMAX(x, y) a3xx_choose(x, y, true, HALF, FLUSH, CHOICE(nan_wins))
#define FSIGN(x) a3xx_sign(x, HALF, FLUSH)
#define FCOMPARE(condition, x, y)                                                                                      \
    a3xx_compare_floats(VERDICT(condition), (condition) == NE && !CHOICE(ne_false_for_nan), x, y, HALF, FLUSH)
#define FFLOOR(x) a3xx_round_to_integer(x, A3XX_INTEGER_FLOOR, HALF, FLUSH)
#define FCEIL(x) a3xx_round_to_integer(x, A3XX_INTEGER_CEIL, HALF, FLUSH)
#define FROUND_EVEN(x) a3xx_round_to_integer(x, A3XX_INTEGER_EVEN, HALF, FLUSH)
#define FROUND_AWAY(x)                                                                                                 \
    a3xx_round_to_integer(x, CHOICE(nearest_zero) ? A3XX_INTEGER_TRUNC : A3XX_INTEGER_AWAY, HALF, FLUSH)
#define FTRUNC(x) a3xx_round_to_integer(x, A3XX_INTEGER_TRUNC, HALF, FLUSH)
#define FSPECIAL(function, x) a3xx_special(A3XX_##function##_OF, x, HALF, FLUSH)
#define ALL_ONES (CHOICE(compare_one) ? 1 : UINT32_MAX)
#define UADD(x, y) (SATURATES ? a3xx_saturate(false, HALF, (int64_t)(x) + (y)) : (x) + (y))
#define USUB(x, y) (SATURATES ? a3xx_saturate(false, HALF, (int64_t)(x) - (y)) : (x) - (y))
#define SADD(x, y)                                                                                                     \
    (SATURATES ? a3xx_saturate(true, HALF, (int64_t)SIGNED(x) + SIGNED(y)) : (uint32_t)SIGNED(x) + (uint32_t)SIGNED(y))
#define SSUB(x, y)                                                                                                     \
    (SATURATES ? a3xx_saturate(true, HALF, (int64_t)SIGNED(x) - SIGNED(y)) : (uint32_t)SIGNED(x) - (uint32_t)SIGNED(y))
#define UCOMPARE(condition, x, y) a3xx_compare_unsigned(VERDICT(condition), x, y)
#define SCOMPARE(condition, x, y) a3xx_compare_signed(VERDICT(condition), SIGNED(x), SIGNED(y))
#define REVERSE_BITS(x) a3xx_reverse_bits(HALF, x)
#define SIGN_BITS(x) a3xx_sign_bits(HALF, SIGNED(x))
#define LEADING_ZEROS(x) a3xx_leading_zeros(HALF, x)
#define COUNT_BITS(x) a3xx_count_bits(x)
#define COUNT(x) a3xx_shift_count(CHOICE(shift_past), WIDTH, x)

#endif
