/* SPDX-License-Identifier: MIT */
#include "base/text.h"

/* clang-format off */
const int8_t text_hex_values[256] = {
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1, -1, -1, -1, -1, -1,
    -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, 10, 11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
};
/* clang-format on */

#define TEN(x) x "0" x "1" x "2" x "3" x "4" x "5" x "6" x "7" x "8" x "9"
#define SIXTEEN(x) TEN(x) x "a" x "b" x "c" x "d" x "e" x "f"
/* The two digits of each number below 100. */
static const char text_decimal_pairs[200] =
    TEN("0") TEN("1") TEN("2") TEN("3") TEN("4") TEN("5") TEN("6") TEN("7") TEN("8") TEN("9");
const char text_hex_pairs[512] =
    SIXTEEN("0") SIXTEEN("1") SIXTEEN("2") SIXTEEN("3") SIXTEEN("4") SIXTEEN("5") SIXTEEN("6") SIXTEEN("7") SIXTEEN("8")
        SIXTEEN("9") SIXTEEN("a") SIXTEEN("b") SIXTEEN("c") SIXTEEN("d") SIXTEEN("e") SIXTEEN("f");

/* A number of more than four digits. */
char *text_hex_long(char *at, uint64_t value)
{
    if (value >> 32)
        return text_hex_fixed(text_hex(at, value >> 32), value & 0xffffffff, 8);
    unsigned zeros = (unsigned)__builtin_clz((uint32_t)value) / 4;
    text_put_eight(at, text_hex_digits((uint32_t)value) >> 8 * zeros);
    return at + 8 - zeros;
}

/*
 * The eight digits of a number below 10^8, from 0 to 9, as bytes of which the lowest is the first: halves of four
 * digits, quarters of two and single digits are parted side by side, by multiplications that are exact for them.
 */
static uint64_t decimal_digits(uint32_t value)
{
    uint64_t x = value / 10000 | (uint64_t)(value % 10000) << 32;
    uint64_t hundreds = x * 5243 >> 19 & UINT64_C(0x0000007f0000007f);
    x = hundreds | (x - hundreds * 100) << 16;
    uint64_t tens = x * 103 >> 10 & UINT64_C(0x000f000f000f000f);
    return tens | (x - tens * 10) << 8;
}

/* Four digits but for the first `zeros` of them. */
static inline char *put_four(char *at, uint32_t value, unsigned zeros)
{
    uint64_t digits = text_pair(text_decimal_pairs, value / 100) | text_pair(text_decimal_pairs, value % 100) << 16;
    text_put_eight(at, digits >> 8 * zeros);
    return at + 4 - zeros;
}

/* A number of more than two digits. */
char *text_decimal_long(char *at, uint64_t value)
{
    if (value >= 100000000) {
        at = text_decimal(at, value / 100000000);
        return text_put_bytes(at, decimal_digits((uint32_t)(value % 100000000)) | UINT64_C(0x3030303030303030), 8);
    }
    uint32_t small = (uint32_t)value;
    if (small < 100000) { /* the number of a place, mostly */
        if (small < 10000)
            return put_four(at, small, small < 1000); /* and at least 100 */
        *at = (char)('0' + small / 10000);
        return put_four(at + 1, small % 10000, 0);
    }
    uint64_t digits = decimal_digits(small);
    unsigned zeros = (unsigned)__builtin_ctzll(digits) / 8;
    text_put_eight(at, (digits | UINT64_C(0x3030303030303030)) >> 8 * zeros);
    return at + 8 - zeros;
}

char *text_signed(char *at, int64_t value)
{
    if (value < 0)
        *at++ = '-';
    return text_decimal(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

char *text_some(char *at, const char *what, uint64_t first, uint64_t last)
{
    at = text_string(at, what);
    if (*what)
        at = text_string(at, first == last ? " " : "s ");
    at = text_decimal(at, first);
    if (first != last)
        at = text_decimal(TEXT_LITERAL(at, " to "), last);
    *at = 0;
    return at;
}

const char *text_read_digits(const char *at, const char *end, unsigned base, uint64_t *value, bool *overflow)
{
    uint64_t number = 0;
    *overflow = false;
    const char *safe = end - at > 15 ? at + 15 : end; /* so many digits of any base do not overflow */
    for (int digit; at < safe && (digit = text_hex_digit(*at)) >= 0 && digit < (int)base; at++)
        number = number * base + (unsigned)digit;
    for (; at < end; at++) {
        int digit = text_hex_digit(*at);
        if (digit < 0 || digit >= (int)base)
            break;
        *overflow |= number > (UINT64_MAX - (unsigned)digit) / base;
        number = number * base + (unsigned)digit;
    }
    *value = number;
    return at;
}

const char *text_read_number(const char *at, const char *end, uint64_t *value)
{
    bool hex = end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X'), overflow;
    const char *start = hex ? at + 2 : at, *behind = text_read_digits(start, end, hex ? 16 : 10, value, &overflow);
    return behind == start || overflow ? 0 : behind;
}
