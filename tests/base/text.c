/* SPDX-License-Identifier: MIT */
/* Numbers as text, beside what printf makes of them. */
#include "base/text.h"
#include "base/diagnostics.h"

#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>

static void check_number(uint64_t value)
{
    char text[64], wanted[64];
    *text_decimal(text, value) = 0;
    snprintf(wanted, sizeof wanted, "%" PRIu64, value);
    assert_string_equal(text, wanted);
    *text_hex(text, value) = 0;
    snprintf(wanted, sizeof wanted, "%" PRIx64, value);
    assert_string_equal(text, wanted);
    *text_hex_fixed(text, value, 16) = 0;
    snprintf(wanted, sizeof wanted, "%016" PRIx64, value);
    assert_string_equal(text, wanted);
    *text_signed(text, (int64_t)value) = 0;
    snprintf(wanted, sizeof wanted, "%" PRId64, (int64_t)value);
    assert_string_equal(text, wanted);
}

static void small_numbers(void)
{
    for (uint64_t value = 0; value < 70000; value++) /* each group of four digits, decimal or not, is part of these */
        check_number(value);
    for (uint64_t value = 0; value < 100000000; value += 10007)
        check_number(value);
}

static void numbers_at_edges(void)
{
    for (uint64_t power = 1, last = 0; power > last; last = power, power *= 10)
        for (int i = -2; i <= 2; i++)
            check_number(power + (uint64_t)i);
    for (unsigned bit = 0; bit < 64; bit++)
        for (int i = -2; i <= 2; i++)
            check_number((UINT64_C(1) << bit) + (uint64_t)i);
}

static void names_of_each_length(void)
{
    static const char source[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (size_t length = 0; length < sizeof source; length++) {
        char text[64];
        memset(text, '.', sizeof text);
        assert_ptr_equal(text_put_name(text + 1, source, length), text + 1 + length);
        assert_memory_equal(text + 1, source, length);
        assert_int_equal(text[0], '.');
        assert_int_equal(text[1 + length], '.');
    }
    char text[64];
    *text_short(text, source) = 0;
    assert_string_equal(text, source);
    assert_int_equal(text_load64((const unsigned char *)"\1\2\3\4\5\6\7\200"), UINT64_C(0x8007060504030201));
}

static void one_or_some(void)
{
    char text[TEXT_SOME_MAX];
    assert_ptr_equal(text_some(text, "draw", 3, 3), text + strlen("draw 3"));
    assert_string_equal(text, "draw 3");
    text_some(text, "draw", UINT64_MAX - 1, UINT64_MAX);
    assert_string_equal(text, "draws 18446744073709551614 to 18446744073709551615");
    text_some(text, "", 3, 5);
    assert_string_equal(text, "3 to 5");
}

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    *(struct gpucode_diagnostic *)user = *diagnostic;
}

/* What mends a place is told where all of it stands on the place's line. */
static void what_mends_a_place(void)
{
    static const char text[] = "first\nsecond line\r\nthird\n";
    static const struct {
        size_t at, span;
        unsigned column; /* 0: it is not told */
    } cases[] = {{6, 6, 1}, {13, 4, 8}, {13, 5, 0}, {17, 0, 12}, {17, 1, 0}, {5, 2, 0}, {5, 0, 0}, {0, 5, 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpucode_diagnostic told = {0};
        const struct gpucode_diagnostic_handler handler = {hear, &told};
        struct place place = {.text = text, .length = sizeof text - 1, .at = text + 13, .span = 4};
        place_mend(&place, "word", text + cases[i].at, cases[i].span);
        report(&handler, &place, MSG_IMAGE_LARGE, NULL);
        assert_true(told.line == 2 && told.column == 8 && told.length == 4 && told.source_length == 11);
        assert_int_equal(told.replacement != NULL, cases[i].column != 0);
        if (told.replacement)
            assert_true(told.replaced_column == cases[i].column && told.replaced_length == cases[i].span);
    }
}

TESTS(text, small_numbers, numbers_at_edges, names_of_each_length, one_or_some, what_mends_a_place)
