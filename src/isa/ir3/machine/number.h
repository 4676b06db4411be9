/* SPDX-License-Identifier: MIT */
/*
 * Numbers of shaders' machines: floats of 16 and 32 bits as bit patterns, and the arithmetic on them. Operations that
 * two widths share take `half`; half values stand in the low 16 bits.
 */
#ifndef ISA_IR3_MACHINE_NUMBER_H
#define ISA_IR3_MACHINE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A thread alone and many at once have the same bits, whatever the processor could fuse; with -std=c17 gcc does not. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

/* In whatever loop: a call keeps a compiler from making vectors of it. */
#define A3XX_INLINE static inline __attribute__((always_inline))

/* Types of category 1, 5 and 6, as encoded. */
enum a3xx_type { A3XX_F16, A3XX_F32, A3XX_U16, A3XX_U32, A3XX_S16, A3XX_S32, A3XX_U8, A3XX_S8 };
#define A3XX_TYPE_COUNT 8

/* How results grow or shrink where source and destination differ in width; moved floats keep denormals. */
enum a3xx_result { A3XX_RESULT_FLOAT, A3XX_RESULT_MOVED, A3XX_RESULT_UNSIGNED, A3XX_RESULT_SIGNED, A3XX_RESULT_WIDE };

enum a3xx_rounding { A3XX_ROUND_ZERO, A3XX_ROUND_EVEN, A3XX_ROUND_UP, A3XX_ROUND_DOWN };

#define A3XX_NAN UINT32_C(0x7fc00000)
#define A3XX_HALF_NAN UINT32_C(0x7e00)

A3XX_INLINE float a3xx_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

A3XX_INLINE uint32_t a3xx_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Exact; NaN becomes A3XX_NAN. Without branches, as all of this that groups do to many values at once. */
A3XX_INLINE uint32_t a3xx_widen(uint32_t half)
{
    uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7fff;
    uint32_t normal = (magnitude << 13) + (112u << 23);
    uint32_t denormal = a3xx_bits_of((float)(int32_t)magnitude * 0x1p-24f);
    uint32_t wide = magnitude < 0x400 ? denormal : magnitude < 0x7c00 ? normal : 0x7f800000;
    return magnitude > 0x7c00 ? A3XX_NAN : sign | wide;
}

/* Rounded once; too large becomes infinity or the largest number as IEEE 754 has it for the rounding. NaN is canonical.
 */
uint32_t a3xx_narrow(double value, enum a3xx_rounding rounding);
uint32_t a3xx_single(double value, enum a3xx_rounding rounding);
/* a3xx_single() to even. */
A3XX_INLINE uint32_t a3xx_nearest(double value)
{
    uint32_t bits = a3xx_bits_of((float)value);
    return (bits & 0x7fffffff) > 0x7f800000 ? A3XX_NAN : bits;
}

/* The same of a float, to even or toward zero. */
A3XX_INLINE uint32_t a3xx_narrow_float(uint32_t bits, bool even)
{
    uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    uint32_t rounded = magnitude + (even ? 0xfff + (magnitude >> 13 & 1) : 0);
    uint32_t most = even || magnitude == 0x7f800000 ? 0x7c00 : 0x7bff;
    uint32_t normal = magnitude < 0x47800000 ? (rounded >> 13) - (112u << 10) : most; /* below 2^16 */
    /* below 2^-14: the distance of halves is 2^-24, which is that of floats from 0.5 on */
    float small = a3xx_float_of(magnitude < 0x38800000 ? magnitude : 0);
    uint32_t denormal = even ? a3xx_bits_of(small + 0.5f) - 0x3f000000 : (uint32_t)(int32_t)(small * 0x1p24f);
    uint32_t value = magnitude < 0x38800000 ? denormal : normal;
    return magnitude > 0x7f800000 ? A3XX_HALF_NAN : sign | value;
}

A3XX_INLINE bool a3xx_is_nan(uint32_t bits, bool half)
{
    return half ? (int32_t)(bits & 0x7fff) > 0x7c00 : (int32_t)(bits & 0x7fffffff) > 0x7f800000;
}

/* A denormal becomes zero of its sign. */
A3XX_INLINE uint32_t a3xx_flush(uint32_t bits, bool half)
{
    if (half)
        return bits & 0x7c00 ? bits : bits & 0x8000;
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

/* The value, of either width. */
A3XX_INLINE double a3xx_value(uint32_t bits, bool half)
{
    return (double)a3xx_float_of(half ? a3xx_widen(bits) : bits);
}

/* a * b + c with one rounding. `flush`: denormals in and out are zeros. NaN results are canonical. */
uint32_t a3xx_fused(uint32_t a, uint32_t b, uint32_t c, bool half, bool flush);

/* A number that orders floats as integers do, -0 below +0. NaN must not come here. */
A3XX_INLINE int32_t a3xx_order(uint32_t bits, bool half)
{
    uint32_t wide = half ? bits << 16 : bits;
    return (int32_t)(wide & 0x80000000 ? wide ^ 0x7fffffff : wide);
}

/* [0, 1]; NaN becomes 0. */
A3XX_INLINE uint32_t a3xx_clamp(uint32_t bits, bool half)
{
    uint32_t one = half ? 0x3c00 : 0x3f800000, sign = half ? 0x8000 : 0x80000000;
    return a3xx_is_nan(bits, half) || bits & sign ? 0 : bits > one ? one : bits;
}

/* Modifiers of integers. */
A3XX_INLINE uint32_t a3xx_modify_integer(bool half, bool neg, bool abs, uint32_t value)
{
    uint32_t number = half ? (uint32_t)(int16_t)value : value;
    number = abs && (int32_t)number < 0 ? 0 - number : number;
    number = neg ? 0 - number : number;
    return half ? number & 0xffff : number;
}

/* Category 1: a value of one type as another; types as encoded. `clamp`: floats out of range stop at its ends. */
struct a3xx_conversion {
    uint8_t from, to;
    uint8_t rounding;                 /* as encoded: 0 none given, 1 even, 2 up, 3 down */
    enum a3xx_rounding half_rounding; /* f32 to f16 when none is given */
    bool clamp, extend_u8;
};
uint32_t a3xx_convert(const struct a3xx_conversion *how, uint32_t value);

#endif
