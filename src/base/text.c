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

char *text_decimal_long(char *at, uint64_t value)
{
    if (value < 100000000) {
        unsigned low = (unsigned)value % 10000;
        at = text_decimal(at, value / 10000);
        *at++ = (char)('0' + low / 1000);
        *at++ = (char)('0' + low / 100 % 10);
        *at++ = (char)('0' + low / 10 % 10);
        *at++ = (char)('0' + low % 10);
        return at;
    }
    char digits[20];
    unsigned count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (count)
        *at++ = digits[--count];
    return at;
}

char *text_signed(char *at, int64_t value)
{
    if (value < 0)
        *at++ = '-';
    return text_decimal(at, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}
