/* SPDX-License-Identifier: MIT */
/* Floats of 16 and 32 bits: formats, rounding, arithmetic. */
#include "isa/ir3/machine/number.h"

#include <math.h>

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
    uint32_t bits = half ? a3xx_narrow(sum, A3XX_ROUND_EVEN) : a3xx_single(sum, A3XX_ROUND_EVEN);
    return flush ? a3xx_flush(bits, half) : bits;
}

/* --- category 1: values of one type as another -------------------------------------------------------------------- */

static bool is_float(unsigned type)
{
    return type <= A3XX_F32;
}

static int64_t integer_of(const struct a3xx_conversion *how, uint32_t value)
{
    switch (how->from) {
    case A3XX_U16:
        return (uint16_t)value;
    case A3XX_S16:
        return (int16_t)value;
    case A3XX_U8:
        return how->extend_u8 ? (int8_t)value : (uint8_t)value;
    case A3XX_S8:
        return (int8_t)value;
    case A3XX_S32:
        return (int32_t)value;
    default:
        return value;
    }
}

/* The low bits of a value as a register holds the type: signed bytes fill a half register with their sign. */
static uint32_t truncate_float(unsigned type, int64_t value)
{
    switch (type) {
    case A3XX_U8:
        return (uint8_t)value;
    case A3XX_S8:
        return (uint16_t)(int8_t)value;
    case A3XX_U16:
    case A3XX_S16:
        return (uint16_t)value;
    default:
        return (uint32_t)value;
    }
}

static void range_of(unsigned type, int64_t *least, int64_t *most)
{
    unsigned bits = type == A3XX_U8 || type == A3XX_S8 ? 8 : type == A3XX_U16 || type == A3XX_S16 ? 16 : 32;
    bool is_signed = type == A3XX_S8 || type == A3XX_S16 || type == A3XX_S32;
    *least = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;
    *most = (INT64_C(1) << (is_signed ? bits - 1 : bits)) - 1;
}

static uint32_t to_integer(const struct a3xx_conversion *how, double value)
{
    int64_t least, most;
    range_of(how->to, &least, &most);
    if (isnan(value))
        return 0;
    value = how->rounding == 1   ? nearbyint(value)
            : how->rounding == 2 ? ceil(value)
            : how->rounding == 3 ? floor(value)
                                 : trunc(value);
    if (how->clamp)
        return truncate_float(how->to, value < (double)least ? least : value > (double)most ? most : (int64_t)value);
    value = fmod(value, 4294967296.0); /* infinity gives a NaN */
    return isnan(value) ? 0 : truncate_float(how->to, (int64_t)value);
}

uint32_t a3xx_convert(const struct a3xx_conversion *how, uint32_t value)
{
    static const enum a3xx_rounding given[4] = {A3XX_ROUND_EVEN, A3XX_ROUND_EVEN, A3XX_ROUND_UP, A3XX_ROUND_DOWN};
    if (how->from == how->to)
        return value;
    if (!is_float(how->from) && !is_float(how->to))
        return truncate_float(how->to, integer_of(how, value));
    double number = is_float(how->from) ? a3xx_value(value, how->from == A3XX_F16) : (double)integer_of(how, value);
    if (!is_float(how->to))
        return to_integer(how, number);
    if (how->to == A3XX_F32)
        return how->from == A3XX_F16 ? a3xx_widen(value) : a3xx_single(number, given[how->rounding]);
    /* f32 or an integer to f16 */
    return a3xx_narrow(number, how->rounding || how->from != A3XX_F32 ? given[how->rounding] : how->half_rounding);
}
