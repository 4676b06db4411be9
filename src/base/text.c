/* SPDX-License-Identifier: MIT */
#include "base/text.h"

static const char hex_digits[] = "0123456789abcdef";

char *text_hex(char *at, uint64_t value)
{
    unsigned digits = 1;
    for (uint64_t rest = value >> 4; rest; rest >>= 4)
        digits++;
    return text_hex_fixed(at, value, digits);
}

char *text_hex_fixed(char *at, uint64_t value, unsigned digits)
{
    for (unsigned i = digits; i-- > 0; value >>= 4)
        at[i] = hex_digits[value & 15];
    return at + digits;
}

char *text_decimal(char *at, uint64_t value)
{
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
