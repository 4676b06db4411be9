/* SPDX-License-Identifier: MIT */
/* Messages of a stream as they come, byte by byte too, and members of them at the limits of what is taken. */
#include "wire/wire.h"
#include "group.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A wire that has this and gets no more. */
static struct wire wire_of(const char *text)
{
    struct wire wire = {.fd = -1, .largest = 4, .used = strlen(text)};
    assert_non_null(wire.bytes = malloc(wire.used));
    wire.room = wire.used;
    memcpy(wire.bytes, text, wire.used);
    return wire;
}

static void messages(void)
{
    /* in order: a message in brackets, else what is wrong */
    static const struct text_case cases[] = {
        {"Content-Length:2\r\n\r\n{}", "[{}]"},
        {"content-length: 4\n\n[12]", "[[12]]"},
        {"Content-Length: 5\r\n\r\n[123]Content-Length: 2\r\n\r\n[]", "a message is too long; [[]]"},
        {"Content-Length:\r\n\r\nContent-Length: 1\r\n\r\n1", "a header has no Content-Length; [1]"},
        {"Content-Length: 0\r\n\r\n", "[]"},
        {"Content-Length: 2\r\n\r\n{", "the stream ends within a message"},
        {"Content-Length: 9\r\n\r\n{", "the stream ends within a message; a message is too long"},
        {"\r\n\n", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct wire wire = wire_of(cases[i].text);
        const char *text = NULL, *wrong = NULL;
        char got[256] = "";
        size_t length = 0;
        while (wire_next(&wire, &text, &length, &wrong) || wrong) {
            size_t used = strlen(got);
            snprintf(got + used, sizeof got - used, "%s%s%.*s%s", used ? "; " : "", wrong ? wrong : "[",
                     wrong ? 0 : (int)length, wrong ? "" : text, wrong ? "" : "]");
            assert_true(used + 1 < sizeof got);
        }
        assert_string_equal(got, cases[i].expected);
        assert_false(wire_next(&wire, &text, &length, &wrong)); /* the end is told of once */
        assert_null(wrong);
        wire_free(&wire);
    }
}

static void byte_by_byte(void)
{
    static const char whole[] = "Content-Length: 4\r\n\r\n[12]";
    struct wire wire = {.largest = 4};
    const char *text, *wrong;
    size_t length;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    wire.fd = ends[0];
    for (size_t i = 0; i < sizeof whole - 1; i++) {
        assert_false(wire_waits(&wire));
        assert_int_equal(write(ends[1], whole + i, 1), 1);
    }
    assert_true(wire_waits(&wire));
    assert_true(wire_next(&wire, &text, &length, &wrong));
    assert_int_equal(length, 4);
    assert_memory_equal(text, "[12]", 4);
    assert_false(wire_waits(&wire));
    close(ends[1]);
    assert_true(wire_waits(&wire));
    assert_false(wire_next(&wire, &text, &length, &wrong));
    assert_null(wrong);
    close(ends[0]);
    wire_free(&wire);
}

/* JavaScript's numbers are whole up to 2^53; keys of a path have at most 63 bytes. */
static void members(void)
{
    static const struct number_case numbers[] = {
        {"9007199254740992", INT64_C(1) << 53},
        {"9007199254740993", 7},
        {"-9007199254740992", -(INT64_C(1) << 53)},
        {"-9007199254740993", 7},
        {"1.5", 7},
        {"\"1\"", 7},
    };
    char key[65], path[80];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "n", json_loads(numbers[i].text, JSON_DECODE_ANY, NULL));
        assert_int_equal(number_of(object, "n", 7), numbers[i].number);
        json_decref(object);
    }
    memset(key, 'k', sizeof key);
    key[64] = 0;
    json_t *outer = json_pack("{s:{s:i}, s:{s:i}}", key, "b", 4, key + 1, "b", 3);
    snprintf(path, sizeof path, "%s/b", key + 1);
    assert_int_equal(json_integer_value(member_of(outer, path)), 3);
    snprintf(path, sizeof path, "%s/b", key);
    assert_null(member_of(outer, path));
    assert_ptr_equal(member_of(outer, ""), outer);
    json_decref(outer);
}

TESTS(wire, messages, byte_by_byte, members)
