/* SPDX-License-Identifier: MIT */
/* Floats of 16 and 32 bits: formats, rounding, arithmetic. */
#include "isa/a3xx/machine/number.h"

#include <math.h>

uint32_t a3xx_widen(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 0x1f, fraction = half & 0x3ff;
    if (exponent == 0x1f)
        return fraction ? A3XX_NAN : sign | 0x7f800000;
    if (exponent)
        return sign | (exponent + 112) << 23 | fraction << 13;
    if (!fraction)
        return sign;
    unsigned shift = (unsigned)__builtin_clz(fraction) - 21; /* until bit 10 is set */
    return sign | (113 - shift) << 23 | (fraction << shift & 0x3ff) << 13;
}

/* Rounds a whole number `kept` up when what was cut off, in units of half its last bit and a sticky bit, asks for it.
 */
static uint64_t round_up(uint64_t kept, bool half_bit, bool sticky, bool negative, enum a3xx_rounding rounding)
{
    switch (rounding) {
    case A3XX_ROUND_EVEN:
        return kept + (half_bit && (sticky || kept & 1));
    case A3XX_ROUND_UP:
        return kept + (!negative && (half_bit || sticky));
    case A3XX_ROUND_DOWN:
        return kept + (negative && (half_bit || sticky));
    default:
        return kept;
    }
}

/* A double in a format of `fraction` bits of fraction and exponents up to `top`, as its bits. */
static uint32_t to_format(double value, unsigned fraction, int top, enum a3xx_rounding rounding)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 63;
    unsigned width = fraction + (fraction == 10 ? 5 : 8);
    uint32_t sign = (uint32_t)negative << width, infinity = (uint32_t)(2 * top + 1) << fraction;
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 1024)
        return mantissa ? infinity | UINT32_C(1) << (fraction - 1) : sign | infinity;
    if (exponent == -1023) /* zero, or far below anything that either format has */
        return mantissa ? (uint32_t)(sign | round_up(0, false, true, negative, rounding)) : sign;
    mantissa |= UINT64_C(1) << 52;
    unsigned cut = 52 - fraction;
    int biased = exponent + top;
    if (biased <= 0) {
        unsigned more = (unsigned)(1 - biased);
        cut = more > 62 - cut ? 62 : cut + more;
        biased = 0;
    }
    uint64_t kept = mantissa >> cut;
    bool half_bit = mantissa >> (cut - 1) & 1, sticky = mantissa & ((UINT64_C(1) << (cut - 1)) - 1);
    kept = round_up(kept, half_bit, sticky, negative, rounding);
    /* a carry out of the fraction raises the exponent by itself; normal numbers have their leading bit in `kept` */
    uint64_t magnitude = biased ? ((uint64_t)(biased - 1) << fraction) + kept : kept;
    if (magnitude >= infinity) {
        bool to_infinity = rounding == A3XX_ROUND_EVEN || rounding == (negative ? A3XX_ROUND_DOWN : A3XX_ROUND_UP);
        magnitude = to_infinity ? infinity : infinity - 1;
    }
    return sign | (uint32_t)magnitude;
}

uint32_t a3xx_narrow(double value, enum a3xx_rounding rounding)
{
    return to_format(value, 10, 15, rounding);
}

uint32_t a3xx_single(double value, enum a3xx_rounding rounding)
{
    return to_format(value, 23, 127, rounding);
}

/* --- arithmetic -------------------------------------------------------------------------------------------------- */

static uint32_t finish_number(float value, bool flush)
{
    uint32_t bits = a3xx_bits_of(value);
    return a3xx_is_nan(bits, false) ? A3XX_NAN : flush ? a3xx_flush(bits, false) : bits;
}

static uint32_t finish_half(double value, bool flush)
{
    uint32_t bits = a3xx_narrow(value, A3XX_ROUND_EVEN);
    return a3xx_is_nan(bits, true) ? A3XX_HALF_NAN : flush ? a3xx_flush(bits, true) : bits;
}

uint32_t a3xx_add(uint32_t a, uint32_t b, bool half, bool flush)
{
    if (flush) {
        a = a3xx_flush(a, half);
        b = a3xx_flush(b, half);
    }
    if (half) /* exact as doubles */
        return finish_half(a3xx_value(a, true) + a3xx_value(b, true), flush);
    return finish_number(a3xx_float_of(a) + a3xx_float_of(b), flush);
}

uint32_t a3xx_multiply(uint32_t a, uint32_t b, bool half, bool flush)
{
    if (flush) {
        a = a3xx_flush(a, half);
        b = a3xx_flush(b, half);
    }
    if (half)
        return finish_half(a3xx_value(a, true) * a3xx_value(b, true), flush);
    return finish_number(a3xx_float_of(a) * a3xx_float_of(b), flush);
}

/*
 * The sum of two doubles with its last bit set when it is not exact: rounding that to a narrower format is as good as
 * rounding the exact sum.
 */
static double sum_to_odd(double a, double b)
{
    double sum = a + b;
    if (!isfinite(sum))
        return sum;
    double part = sum - a, error = (a - (sum - part)) + (b - part);
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (error != 0 && !(bits & 1))
        bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

uint32_t a3xx_fused(uint32_t a, uint32_t b, uint32_t c, bool half, bool flush)
{
    if (flush) {
        a = a3xx_flush(a, half);
        b = a3xx_flush(b, half);
        c = a3xx_flush(c, half);
    }
    double sum = sum_to_odd(a3xx_value(a, half) * a3xx_value(b, half), a3xx_value(c, half)); /* products are exact */
    if (half)
        return finish_half(sum, flush);
    return finish_number(a3xx_float_of(a3xx_single(sum, A3XX_ROUND_EVEN)), flush);
}

uint32_t a3xx_round_to_integer(uint32_t bits, enum a3xx_integer_rounding how, bool half, bool flush)
{
    if (flush)
        bits = a3xx_flush(bits, half);
    float value = (float)a3xx_value(bits, half), whole = truncf(value);
    float fraction = fabsf(value - whole), away = copysignf(1, value);
    switch (how) {
    case A3XX_INTEGER_FLOOR:
        whole = floorf(value);
        break;
    case A3XX_INTEGER_CEIL:
        whole = ceilf(value);
        break;
    case A3XX_INTEGER_EVEN:
        if (fraction > 0.5f || (fraction >= 0.5f && fmodf(whole, 2) != 0))
            whole += away;
        break;
    case A3XX_INTEGER_AWAY:
        if (fraction >= 0.5f)
            whole += away;
        break;
    default:
        break;
    }
    whole = copysignf(whole, value); /* -0.25 becomes -0 */
    return half ? finish_half((double)whole, flush) : finish_number(whole, flush);
}
