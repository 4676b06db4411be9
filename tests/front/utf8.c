/* SPDX-License-Identifier: MIT */
/* Characters of text: every number there and back, and each kind of bytes that is none. */
#include "utf8/utf8.h"
#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* As RFC 3629 has it: bytes of a number in the form of `size` bytes. */
static void put(char *bytes, unsigned size, uint32_t number)
{
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (unsigned i = size; i-- > 1; number >>= 6)
        bytes[i] = (char)(0x80 | (number & 0x3f));
    bytes[0] = (char)(heads[size] | number);
}

static void test_characters(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < 0x120000; number++) {
        char bytes[UTF8_MOST + 1] = "";
        unsigned size = number < 0x80 ? 1 : number < 0x800 ? 2 : number < 0x10000 ? 3 : 4;
        bool good = number < 0xd800 || (number > 0xdfff && number < 0x110000);
        uint32_t found = ~number;
        put(bytes, size, number);
        assert_int_equal(utf8_decode(bytes, UTF8_MOST, &found), good ? size : 0);
        assert_int_equal(found, good ? number : ~number);
        assert_int_equal(utf8_decode(bytes, size - 1, &found), 0); /* cut */
        if (size < UTF8_MOST && number) {                          /* with a byte more than it needs */
            put(bytes, size + 1, number);
            assert_int_equal(utf8_decode(bytes, UTF8_MOST, &found), 0);
        }
    }
}

static void test_bytes_that_are_none(void **state)
{
    (void)state;
    static const char *const wrong[] = {"\x80",      "\xbf",          "\xc3",
                                        "\xc3(",     "\xe2\x82",      "\xe2(\xac",
                                        "\xe2\x82(", "\xf0\x9f\x98(", "\xf8\x88\x80\x80\x80",
                                        "\xff",      "\xc3\xc3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t found;
        assert_int_equal(utf8_decode(wrong[i], strlen(wrong[i]), &found), 0);
        assert_false(utf8_is_text(wrong[i], strlen(wrong[i])));
    }
}

static void test_text(void **state)
{
    (void)state;
    assert_true(utf8_is_text("", 0));
    assert_true(utf8_is_text("a\t\n\v\f\r z~\xc3\xa9\xf0\x9d\x84\x9e", 15));
    for (char c = 0; c < ' '; c++)
        assert_int_equal(utf8_is_text(&c, 1), c && strchr("\t\n\v\f\r", c) != NULL);
    assert_false(utf8_is_text("\x7f", 1));
    assert_false(utf8_is_text("ab\xc3", 3));
}

/* The ends of each run of characters that take no room. */
static void test_formats(void **state)
{
    (void)state;
    static const uint32_t runs[][2] = {{0xad, 0xad},     {0x61c, 0x61c},   {0x180e, 0x180e},
                                       {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                                       {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0x10ffff}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        assert_true(utf8_is_format(runs[i][0]));
        assert_true(utf8_is_format(runs[i][1]));
        assert_false(utf8_is_format(runs[i][0] - 1));
        if (i + 1 < sizeof runs / sizeof *runs)
            assert_false(utf8_is_format(runs[i][1] + 1));
    }
}

TEST_GROUP(utf8)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_characters), cmocka_unit_test(test_bytes_that_are_none),
                                       cmocka_unit_test(test_text), cmocka_unit_test(test_formats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
