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

/* A number of more than eight digits. */
char *text_hex_long(char *at, uint64_t value)
{
    return text_hex_fixed(text_hex(at, value >> 32), value & 0xffffffff, 8);
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

/* A number of more than two digits. */
char *text_decimal_long(char *at, uint64_t value)
{
    if (value >= 100000000) {
        at = text_decimal(at, value / 100000000);
        return text_put_bytes(at, decimal_digits((uint32_t)(value % 100000000)) | UINT64_C(0x3030303030303030), 8);
    }
    uint64_t digits = decimal_digits((uint32_t)value);
    unsigned zeros = (unsigned)__builtin_ctzll(digits) / 8;
    text_put_bytes(at, (digits | UINT64_C(0x3030303030303030)) >> 8 * zeros, 8);
    return at + 8 - zeros;
}

char *text_signed(char *at, int64_t value)
{
    if (value < 0)
        *at++ = '-';
    return text_decimal(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}
