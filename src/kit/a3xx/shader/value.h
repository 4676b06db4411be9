/* SPDX-License-Identifier: MIT */
/* Values of shader registers as people write and read them. */
#ifndef KIT_A3XX_SHADER_VALUE_H
#define KIT_A3XX_SHADER_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* What texts of values look like, for messages. */
#define SHADER_VALUE_FORM "a float (1.0), an integer or bits (0x3f800000) behind the ="

/*
 * "1.0", "-3", "0x3f800000" up to `end`: floats have a point, an exponent, or are inf or nan, and are refused where
 * they are too large for a float, or a half; integers of either sign and bits must fit into 32 bits, or 16 where
 * `half`.
 */
bool shader_read_value(const char *text, const char *end, bool half, uint32_t *value);

/* Is it a float by its form? */
bool shader_is_float(const char *text, const char *end);

uint32_t shader_float_bits(float value);
float shader_float_value(uint32_t bits);
/* The nearest half float, ties to even. */
uint32_t shader_half_bits(float value);
float shader_half_value(uint32_t half);

#endif
