/* SPDX-License-Identifier: MIT */
/*
 * Numbers of the A3XX machine: floats of 16 and 32 bits as bit patterns, and the arithmetic on them. Operations that
 * two widths share take `half`; half values stand in the low 16 bits.
 */
#ifndef ISA_A3XX_MACHINE_NUMBER_H
#define ISA_A3XX_MACHINE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum a3xx_rounding { A3XX_ROUND_ZERO, A3XX_ROUND_EVEN, A3XX_ROUND_UP, A3XX_ROUND_DOWN };

#define A3XX_NAN UINT32_C(0x7fc00000)
#define A3XX_HALF_NAN UINT32_C(0x7e00)

static inline float a3xx_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint32_t a3xx_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Exact; NaN becomes A3XX_NAN. */
uint32_t a3xx_widen(uint32_t half);
/* Rounded once; too large becomes infinity or the largest number as IEEE 754 has it for the rounding. NaN is canonical.
 */
uint32_t a3xx_narrow(double value, enum a3xx_rounding rounding);
uint32_t a3xx_single(double value, enum a3xx_rounding rounding);

static inline bool a3xx_is_nan(uint32_t bits, bool half)
{
    return half ? (bits & 0x7fff) > 0x7c00 : (bits & 0x7fffffff) > 0x7f800000;
}

/* A denormal becomes zero of its sign. */
static inline uint32_t a3xx_flush(uint32_t bits, bool half)
{
    if (half)
        return bits & 0x7c00 ? bits : bits & 0x8000;
    return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

/* The value, of either width. */
static inline double a3xx_value(uint32_t bits, bool half)
{
    return (double)a3xx_float_of(half ? a3xx_widen(bits) : bits);
}

/* Arithmetic, rounded to nearest even. `flush`: denormals in and out are zeros. NaN results are canonical. */
uint32_t a3xx_add(uint32_t a, uint32_t b, bool half, bool flush);
uint32_t a3xx_multiply(uint32_t a, uint32_t b, bool half, bool flush);
/* a * b + c with one rounding. */
uint32_t a3xx_fused(uint32_t a, uint32_t b, uint32_t c, bool half, bool flush);

/* A number that orders floats as integers do, -0 below +0. NaN must not come here. */
static inline int32_t a3xx_order(uint32_t bits, bool half)
{
    uint32_t wide = half ? bits << 16 : bits;
    return (int32_t)(wide & 0x80000000 ? wide ^ 0x7fffffff : wide);
}

/* Float to whole numbers, in the float's own format. */
enum a3xx_integer_rounding {
    A3XX_INTEGER_FLOOR,
    A3XX_INTEGER_CEIL,
    A3XX_INTEGER_EVEN,
    A3XX_INTEGER_AWAY,
    A3XX_INTEGER_TRUNC
};
uint32_t a3xx_round_to_integer(uint32_t bits, enum a3xx_integer_rounding how, bool half, bool flush);

/* [0, 1]; NaN becomes 0. */
static inline uint32_t a3xx_clamp(uint32_t bits, bool half)
{
    uint32_t one = half ? 0x3c00 : 0x3f800000, sign = half ? 0x8000 : 0x80000000;
    return a3xx_is_nan(bits, half) || bits & sign ? 0 : bits > one ? one : bits;
}

/* Category 1: a value of one type as another; types as encoded. `clamp`: floats out of range stop at its ends. */
struct a3xx_conversion {
    uint8_t from, to;
    uint8_t rounding;                 /* as encoded: 0 none given, 1 even, 2 up, 3 down */
    enum a3xx_rounding half_rounding; /* f32 to f16 when none is given */
    bool clamp, extend_u8;
};
uint32_t a3xx_convert(const struct a3xx_conversion *how, uint32_t value);

/* Category 4: calculated in double precision and rounded to nearest once. */
enum a3xx_function { A3XX_RCP_OF, A3XX_RSQ_OF, A3XX_LOG2_OF, A3XX_EXP2_OF, A3XX_SIN_OF, A3XX_COS_OF, A3XX_SQRT_OF };
uint32_t a3xx_special(enum a3xx_function function, uint32_t bits, bool half, bool flush);

#endif
