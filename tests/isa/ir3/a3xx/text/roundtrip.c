/* SPDX-License-Identifier: MIT */
/* Every word has a text in both styles that brings it back. */
#include "words.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct gpucode_target *target;

static unsigned there_and_back(uint64_t word)
{
    char text[GPUCODE_TEXT_MAX];
    unsigned wrong = 0;
    for (unsigned style = 0; style < 2; style++) {
        uint64_t back = 0;
        const char *why = words_return(target, word, style, text, &back);
        if (why) {
            print_error("%016" PRIx64 " style %u: %s: %s (%016" PRIx64 ")\n", word, style, why, text, back);
            wrong++;
        }
    }
    return wrong;
}

static void random_words(void **state)
{
    (void)state;
    uint64_t seed = 1;
    unsigned wrong = 0;
    for (unsigned i = 0; i < 100000 && wrong < 20; i++)
        wrong += there_and_back(words_make(target, &seed));
    assert_int_equal(wrong, 0);
}

/* Each row with its fields empty, full, and with one bit set or cleared; reserved bits too. */
static void boundaries(void **state)
{
    (void)state;
    unsigned wrong = 0;
    struct gpucode_row row;
    for (unsigned i = 0; gpucode_row(target, i, &row) && wrong < 20; i++) {
        uint64_t lowest = row.match, highest = row.match | ~(row.mask | row.ignored);
        wrong += there_and_back(lowest) + there_and_back(highest) + there_and_back(row.match | ~row.mask);
        for (unsigned bit = 0; bit < 64; bit++)
            if (!(row.mask >> bit & 1))
                wrong += there_and_back(lowest | UINT64_C(1) << bit) + there_and_back(highest & ~(UINT64_C(1) << bit));
    }
    assert_int_equal(wrong, 0);
}

/* Each opcode in each pair of neighbouring bits of its own pattern: the borders between rows. */
static void borders(void **state)
{
    (void)state;
    unsigned wrong = 0;
    struct gpucode_row row;
    for (unsigned i = 0; gpucode_row(target, i, &row) && wrong < 20; i++)
        for (unsigned bit = 0; bit < 64; bit++)
            if (row.mask >> bit & 1)
                wrong += there_and_back(row.match ^ UINT64_C(1) << bit) +
                         there_and_back((row.match | ~row.mask) ^ UINT64_C(1) << bit);
    assert_int_equal(wrong, 0);
}

TEST_GROUP(roundtrip)
{
    target = gpucode_target_find("a3xx");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_words),
        cmocka_unit_test(boundaries),
        cmocka_unit_test(borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
