/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/shader/inputs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t shader_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float shader_float_value(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t shader_half_bits(float value)
{
    uint32_t bits = shader_float_bits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return sign | 0x7e00;
    if (magnitude >= 0x477ff000) /* half way from 65504 to the next */
        return sign | 0x7c00;
    int exponent = (int)(magnitude >> 23) - 127;
    if (exponent < -25)
        return sign;
    unsigned cut = exponent < -14 ? (unsigned)(-1 - exponent) : 13;
    uint32_t mantissa = (magnitude & 0x7fffff) | 0x800000, kept = mantissa >> cut,
             rest = mantissa & ((UINT32_C(1) << cut) - 1);
    uint32_t middle = UINT32_C(1) << (cut - 1);
    kept += rest > middle || (rest == middle && kept & 1);
    return sign | (exponent < -14 ? kept : ((uint32_t)(exponent + 14) << 10) + kept);
}

float shader_half_value(uint32_t half)
{
    uint32_t exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent)
        return shader_float_value((half & 0x8000) << 16 | (exponent == 31 ? 255u : exponent + 112) << 23 |
                                  fraction << 13);
    float value = (float)fraction / 16777216.0f;
    return half & 0x8000 ? -value : value;
}

static bool is_hex(const char *text, const char *end)
{
    text += text < end && (*text == '-' || *text == '+');
    return end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

bool shader_is_float(const char *text, const char *end)
{
    static const char signs[] = ".eEnN"; /* a point, an exponent, inf and nan */
    for (const char *at = text; at < end && !is_hex(text, end); at++)
        if (memchr(signs, *at, sizeof signs - 1))
            return true;
    return false;
}

bool shader_read_value(const char *text, const char *end, bool half, uint32_t *value)
{
    char *stop;
    if (text == end || *text == ' ')
        return false;
    bool hex = is_hex(text, end);
    if (shader_is_float(text, end)) {
        float number = strtof(text, &stop);
        *value = half ? shader_half_bits(number) : shader_float_bits(number);
        bool infinite = isinf(half ? shader_half_value(*value) : number);
        bool meant = memchr(text, 'f', (size_t)(end - text)) || memchr(text, 'F', (size_t)(end - text)); /* inf */
        return stop == end && (meant || !infinite);
    }
    errno = 0;
    long long number = strtoll(text, &stop, hex ? 16 : 10);
    *value = (uint32_t)number;
    long long most = half ? 0xffff : 0xffffffff, least = half ? -0x8000 : -0x80000000LL;
    if (half)
        *value &= 0xffff;
    return stop == end && !errno && number <= most && number >= least;
}
