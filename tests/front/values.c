/* SPDX-License-Identifier: MIT */
/* Numbers and NAME=VALUE pairs of options. */
#include "front/arguments.h"

#include "group.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void numbers(void)
{
    static const struct {
        const char *text;
        bool good;
        uint64_t value;
    } cases[] = {
        {"0", true, 0},
        {"10", true, 10},
        {"010", true, 10}, /* never octal */
        {"0x10", true, 16},
        {"0XfF", true, 255},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"0xffffffffffffffff", true, UINT64_MAX},
        {"0x10000000000000000", false, 0},
        {"", false, 0},
        {"-1", false, 0},
        {"+1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
        {"0x", false, 0},
        {"12a", false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = 0;
        if (number_read(cases[i].text, UINT64_MAX, &value) != cases[i].good ||
            (cases[i].good && value != cases[i].value))
            fail_msg("'%s' gives %llu", cases[i].text, (unsigned long long)value);
    }
    uint64_t value;
    assert_true(number_read("255", 255, &value));
    assert_false(number_read("256", 255, &value));
}

static void number_in_front(void)
{
    const char *at = "0x20:3";
    uint64_t value;
    assert_true(number_take(&at, &value));
    assert_int_equal(value, 0x20);
    assert_string_equal(at, ":3");
    assert_false(number_take(&at, &value));
    assert_string_equal(at, ":3");
    at = "0xyz"; /* a zero, and something else after it */
    assert_true(number_take(&at, &value));
    assert_int_equal(value, 0);
    assert_string_equal(at, "xyz");
}

static void pairs(void)
{
    char name[8];
    assert_string_equal(value_split("a=b=1", name, sizeof name), "1");
    assert_string_equal(name, "a=b");
    assert_string_equal(value_split("=", name, sizeof name), "");
    assert_string_equal(name, "");
    assert_null(value_split("a", name, sizeof name));
    assert_non_null(value_split("1234567=", name, sizeof name));
    assert_null(value_split("12345678=", name, sizeof name));
}

TESTS(values, numbers, number_in_front, pairs)
