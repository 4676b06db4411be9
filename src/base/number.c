/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include "base/text.h"

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
