/* SPDX-License-Identifier: MIT */
/*
 * Floats as decimal text, exactly: any number of digits rounds to the nearest float (ties to even), and what is
 * printed reads back as the same bits. The C library's functions depend on the locale, so they are not used.
 */
#ifndef ISA_DECIMAL_H
#define ISA_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A binary floating-point format. */
struct decimal_format {
    uint8_t fraction_bits; /* 23, 10 */
    uint8_t exponent_bits; /* 8, 5 */
};
extern const struct decimal_format decimal_f32, decimal_f16;

/* A number as read from text: digits times a power of ten. */
#define DECIMAL_DIGITS_MAX 128
struct decimal {
    bool negative;
    bool inexact; /* digits beyond the last kept one were not all 0 */
    unsigned count;
    unsigned zeros;                     /* while it is read: digits after the last kept one, all 0 so far */
    int exponent;                       /* of ten, for the last digit kept */
    uint8_t digits[DECIMAL_DIGITS_MAX]; /* the first and the last one are not 0 */
};

/*
 * Reads "-12.5e-3" at `text`; a digit must stand on one side of the point at least. Returns the bytes taken, 0 for
 * no number. *is_float: it has a point or an exponent.
 */
size_t decimal_read(const char *text, size_t length, struct decimal *number, bool *is_float);
/* Bits of the nearest value; too large becomes infinity. */
uint32_t decimal_to_bits(const struct decimal *number, const struct decimal_format *format);
/* The nearest half float of a float's bits, ties to even. */
uint32_t decimal_half(uint32_t bits);
/*
 * A finite value with six digits after the point where that is exact or reads back the same, else with as few of
 * up to nine digits as read back the same. Room: 64 bytes. Returns the end.
 */
char *decimal_print(char *at, uint32_t bits, const struct decimal_format *format);

#endif
