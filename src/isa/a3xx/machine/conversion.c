/* SPDX-License-Identifier: MIT */
/* Category 1: values of one type as another. */
#include "isa/a3xx/a3xx.h"
#include "isa/a3xx/machine/number.h"

#include <math.h>

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
