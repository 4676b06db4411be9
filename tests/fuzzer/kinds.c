/* SPDX-License-Identifier: MIT */
/* Kinds as text, there and back, and what is none. */
#include "toy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void round_trip(void)
{
    struct toy toy = {.map = NULL};
    struct gpucode_fuzz_subject subject = toy_subject(&toy), read;
    static const uint32_t values[] = {0, 0xffffffff};
    subject.values = values;
    subject.value_count = 2;
    size_t length, again_length;
    char *text = gpucode_fuzz_kinds_text(&subject, &length);
    assert_non_null(text);
    assert_int_equal(gpucode_fuzz_kinds_read(text, length, &read, NULL), GPUCODE_OK);
    assert_int_equal(read.kind_count, TOY_KINDS);
    assert_string_equal(read.kinds[TOY_PUSH].name, "push");
    assert_int_equal(read.kinds[TOY_PUSH].values[1], 0x77);
    assert_int_equal(read.kinds[TOY_OPENS].nesting, GPUCODE_FUZZ_OPENS);
    char *again = gpucode_fuzz_kinds_text(&read, &again_length);
    assert_int_equal(again_length, length);
    assert_string_equal(again, text);
    free(again);
    free(text);
    gpucode_fuzz_kinds_free(&read);
    assert_null(gpucode_fuzz_kinds_text(NULL, NULL));
}

#define SIXTY "sixty_sixty_sixty_sixty_sixty_sixty_sixty_sixty_sixty_sixty_"

/* The longest names and numbers, and as many kinds as there may be. */
static void longest(void)
{
    static const struct number_case cases[] = {
        {"kind " SIXTY "abc 1 0 1 flat\n", 1},       {"kind " SIXTY "abcd 1 0 1 flat\n", 0},
        {"kind a 000000000000001 0 1 flat\n", 1},    {"kind a 0000000000000001 0 1 flat\n", 0},
        {"kind a 65535 63 63 flat 0xffffffff\n", 1},
    };
    struct gpucode_fuzz_subject subject;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool good = gpucode_fuzz_kinds_read(cases[i].text, strlen(cases[i].text), &subject, NULL) == GPUCODE_OK;
        assert_int_equal(good, cases[i].number);
        if (good)
            gpucode_fuzz_kinds_free(&subject);
    }
    static char text[20 * (GPUCODE_FUZZ_KINDS_MAX + 1) + 1];
    for (unsigned i = 0; i <= GPUCODE_FUZZ_KINDS_MAX; i++)
        strcat(text, "kind a 1 0 1 flat\n");
    size_t length = strlen("kind a 1 0 1 flat\n");
    assert_int_equal(gpucode_fuzz_kinds_read(text, length * GPUCODE_FUZZ_KINDS_MAX, &subject, NULL), GPUCODE_OK);
    assert_int_equal(subject.kind_count, GPUCODE_FUZZ_KINDS_MAX);
    gpucode_fuzz_kinds_free(&subject);
    unsigned line;
    assert_int_equal(gpucode_fuzz_kinds_read(text, strlen(text), &subject, &line), GPUCODE_ERROR_INPUT);
    assert_int_equal(line, GPUCODE_FUZZ_KINDS_MAX + 1);
}

static void refusals(void)
{
    static const struct number_case wrong[] = {
        {"", 0},
        {"# nothing\n", 1},
        {"kind a 1 0 1 flat\nkind", 2},
        {"kind a 1 2 1 flat\n", 1},
        {"kind a 1 0 64 flat\n", 1},
        {"kind a 1 0 1 round\n", 1},
        {"kind a 1 0 1 flat 0x100000000\n", 1},
        {"kind a 1 0 1 flat 5 six\n", 1},
        {"kind a 1 0 1 flat\nvalues\nvalues 1\n", 3},
        {"kind a 65536 0 1 flat\n", 1},
        {"kinds a\n", 1},
    };
    struct gpucode_fuzz_subject subject;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned line = 99;
        size_t length = strlen(wrong[i].text);
        char *copy = malloc(length + 1);
        memcpy(copy, wrong[i].text, length);
        assert_int_equal(gpucode_fuzz_kinds_read(copy, length, &subject, &line), GPUCODE_ERROR_INPUT);
        assert_int_equal(line, wrong[i].number);
        free(copy);
    }
    assert_int_equal(gpucode_fuzz_kinds_read(NULL, 0, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    static const char around[] = "# kinds\n\nkind a 1 0 1 flat 7\n  # of one\n \nvalues 5\n";
    assert_int_equal(gpucode_fuzz_kinds_read(around, sizeof around - 1, &subject, NULL), GPUCODE_OK);
    assert_int_equal(subject.kind_count, 1);
    assert_int_equal(subject.value_count, 1);
    gpucode_fuzz_kinds_free(&subject);
    static const char last[] = "kind a 1 0 1 flat 7"; /* without a newline */
    assert_int_equal(gpucode_fuzz_kinds_read(last, sizeof last - 1, &subject, NULL), GPUCODE_OK);
    assert_int_equal(subject.kinds[0].values[0], 7);
    gpucode_fuzz_kinds_free(&subject);
}

TESTS(kinds, round_trip, longest, refusals)
