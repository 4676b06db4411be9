/* SPDX-License-Identifier: MIT */
/*
 * Writing numbers without the printf family: each function writes at `at` and returns the end of
 * what it wrote. The caller has made sure of the room (20 digits at most).
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline char *text_put(char *at, const char *text, size_t length)
{
    memcpy(at, text, length);
    return at + length;
}

#define TEXT_LITERAL(at, literal) text_put(at, literal, sizeof literal - 1)

static inline char *text_string(char *at, const char *text)
{
    return text_put(at, text, strlen(text));
}

/* Value of a hexadecimal digit of either case, -1 when it is none. */
static inline int text_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Bytes of the byte order mark that some editors put in front of UTF-8: 3 or 0. */
static inline size_t text_mark(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Lower-case hex, no prefix, at least one digit. */
char *text_hex(char *at, uint64_t value);
/* Lower-case hex with exactly `digits` digits. */
char *text_hex_fixed(char *at, uint64_t value, unsigned digits);
char *text_decimal(char *at, uint64_t value);
char *text_signed(char *at, int64_t value);

#endif
