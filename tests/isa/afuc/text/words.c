/* SPDX-License-Identifier: MIT */
/* Words that are rare are found where a plain search finds them. */
#include "isa/afuc/text/found.h"

#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint32_t search(const uint16_t *rows, uint32_t first, uint32_t words, uint16_t row)
{
    while (first < words && (rows[first] & AFUC_WORD_ROW) != row)
        first++;
    return first;
}

static void rare_words(void)
{
    enum { WORDS = 67 };
    static const uint16_t wanted[] = {0, 1, 2, 95, 0x1ff};
    uint16_t rows[WORDS];
    uint32_t random = 1;
    for (unsigned round = 0; round < 300; round++) {
        for (uint32_t i = 0; i < WORDS; i++) {
            random = random * 1103515245 + 12345;
            /* one in so many is like the wanted ones, or differs from them in a flag or in the next number alone */
            uint16_t like = wanted[random >> 16 & 3];
            rows[i] = (random >> 20 & 15) >= round % 16 ? 7 : (uint16_t)(like + (random >> 24 & 1));
            rows[i] |= (uint16_t)(random >> 25 << 9);
        }
        for (unsigned k = 0; k < sizeof wanted / sizeof *wanted; k++)
            for (uint32_t first = 0; first <= WORDS; first++)
                for (uint32_t words = first; words <= WORDS; words += 9)
                    assert_int_equal(afuc_next_word(rows, first, words, wanted[k]),
                                     search(rows, first, words, wanted[k]));
    }
}

TESTS(words, rare_words)
