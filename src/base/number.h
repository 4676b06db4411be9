/* SPDX-License-Identifier: MIT */
/* Reading numbers that need not end in a zero, without a locale; which of two comes first; words of GPU memory. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Below, at or above 0 as a comes before b, is equal or comes after. */
#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Takes all digits of `base` (up to 16); returns where they end. *overflow: they say more than 64 bits hold. */
const char *text_read_digits(const char *at, const char *end, unsigned base, uint64_t *value, bool *overflow);

/* Takes a number, decimal or after 0x; null when there is none or it exceeds 64 bits. */
const char *text_read_number(const char *at, const char *end, uint64_t *value);

/* Words as they stand in GPU memory, the lowest byte first, become numbers; and numbers such words. */
static inline void words_of_memory(uint32_t *words, size_t count)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; i++)
        words[i] = __builtin_bswap32(words[i]);
#else
    (void)words;
    (void)count;
#endif
}

#endif
