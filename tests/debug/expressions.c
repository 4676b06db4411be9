/* SPDX-License-Identifier: MIT */
/* Expressions: what they mean, and what is wrong with them. */
#include "arithmetic.h"
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "[016ee001]\n[01000000]\nstart:\nmov $02, 0x5\n.equ FIVE, 5\nloop:\njump #loop\nnop\n";

static void test_values(void)
{
    static const struct number_case values[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"-7 / 2", -3},
        {"-7 % 3", -1},
        {"1 << 4 | 1", 17},
        {"0xff & ~0xf", 0xf0},
        {"6 ^ 3", 5},
        {"!0 + !7", 1},
        {"3 > 2 && 2 >= 2", 1},
        {"1 == 2 || 1 != 2", 1},
        {"0 && 1 / 0", 0},
        {"1 || *0x900000000", 1},
        {"1 ? 2 : 3", 2},
        {"0 ? 1 / 0 : 3 ? 4 : 5", 4},
        {"-1 >> 70", -1},
        {"1 << 64", 0},
        {"'A'", 65},
        {"0x8000000000000000 / -1", INT64_MIN},
        {"0x8000000000000000 % -1", 0},
        {"start", 2},
        {"#loop - start", 1},
        {"FIVE", 5},
        {"$pc", 0},
        {"$02", 0},
        {"l3", 3},
        {"$03 = 7", 7},
        {"$03 += 3", 10},
        {"$03 <<= 2", 40},
        {"$03 % 7", 5},
        {"%SP", 0},
        {"@0x54 = 3", 3},
        {"@IB_LEVEL", 3},
        {"CP_SCRATCH[1 + 1].REG = 9", 9},
        {"'CP_SCRATCH[0x2].REG'", 9},
        {"*0x100000 = -1", 0xffffffff},
        {"{0x100000, 1}", 0xff},
        {"{0x100002, 8}", 0xffff},
        {"017 + 0b101 + 0", 20},
        {"'\\n' + '\\'' + '\\\\' + '\\0'", 10 + 39 + 92},
        {"(char)0x1ff", -1},
        {"(unsigned char)-1 + (int)0xffffffff", 254},
        {"(short int)0x18000", -32768},
        {"(uint16_t)-1 == 0xffff && (unsigned)-1 == 0xffffffff && (unsigned long)-1 == -1", 1},
        {"*(short *)0x100000", 0xffff},
        {"{unsigned char}0x100001 = 7", 7},
        {"*(int *)(0x100000 + 0)", 0xffff07ff},
        {"&*0x100000 + 1", 0x100001},
        {"&start", 2},
        {"*0x100000 = -1", 0xffffffff},
        {"*0x100000 & 0xf0", 0xf0},
        {"$position + $time", 0},
        {"(2.5 > 1.5) + 2 * (1.5 > 2.5) + 4 * (2.5 > 2.5)", 1},
        {"(2.5 >= 1.5) + 2 * (1.5 >= 2.5) + 4 * (2.5 >= 2.5)", 5},
        {"(2.5 < 1.5) + 2 * (1.5 < 2.5) + 4 * (2.5 < 2.5)", 2},
        {"(2.5 <= 1.5) + 2 * (1.5 <= 2.5) + 4 * (2.5 <= 2.5)", 6},
        {"(2.5 == 1.5) + 2 * (1.5 == 2.5) + 4 * (2.5 == 2.5)", 4},
        {"(2.5 != 1.5) + 2 * (1.5 != 2.5) + 4 * (2.5 != 2.5)", 3},
        {"(2.5 - 1.5 == 1.0) + 2 * (2.5 + 1.5 == 4.0) + 4 * (2.5 * 1.5 == 3.75) + 8 * (7.5 / 2.5 == 3.0)", 15},
    };
    struct subject subject;
    subject_open(&subject, "afuc:a630", source, NULL, 0);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int64_t value = subject_value(&subject, values[i].text);
        if (value != values[i].number)
            fail_msg("%s is %lld", values[i].text, (long long)value);
    }
    subject_close(&subject);
}

struct heard {
    char text[64];
};

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct heard *heard = user;
    if (!heard->text[0])
        snprintf(heard->text, sizeof heard->text, "%s:%u:%u", diagnostic->code, diagnostic->line, diagnostic->column);
}

static void test_errors(void)
{
    static const struct {
        const char *text, *error;
        bool assign;
    } errors[] = {
        {"", "expr-expected:1:1", false},
        {"1 +", "expr-expected:1:4", false},
        {"(1", "expr-expected:1:3", false},
        {"1 2", "expr-expected:1:3", false},
        {"0x", "expr-expected:1:1", false},
        {"12a", "expr-expected:1:1", false},
        {"08", "expr-expected:1:1", false},
        {"0b12", "expr-expected:1:1", false},
        {"'\\q'", "expr-name:1:1", false},
        {"(int)", "expr-expected:1:6", false},
        {"&$02", "expr-expected:1:1", false},
        {"{int 5}", "expr-expected:1:6", false},
        {"nowhere", "expr-name:1:1", false},
        {"1 + $zz", "expr-name:1:5", false},
        {"*0x900000000", "expr-memory:1:1", false},
        {"{0, 3}", "expr-size:1:1", false},
        {"1 / 0", "expr-zero:1:3", false},
        {"5 % ($02)", "expr-zero:1:3", false},
        {"1 = 2", "expr-no-place:1:1", true},
        {"$02 = 2", "expr-no-assign:1:5", false},
        {"$02 = 0x100000000", "expr-write:1:1", true},
        {"$pc = 0x10000", "expr-write:1:1", true},
        {"99999999999999999999", "expr-expected:1:1", false},
        {"''", "expr-expected:1:1", false},
    };
    struct subject subject;
    struct gpucode_value value;
    char deep[3000];
    subject_open(&subject, "afuc:a630", source, NULL, 0);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct heard heard = {""};
        assert_int_equal(gpucode_debug_evaluate(subject.debug, errors[i].text, strlen(errors[i].text), errors[i].assign,
                                                (struct gpucode_diagnostic_handler){hear, &heard}, &value),
                         GPUCODE_ERROR_INPUT);
        if (strcmp(heard.text, errors[i].error) != 0)
            fail_msg("%s: %s", errors[i].text, heard.text);
    }
    for (unsigned kind = 0; kind < 3; kind++) {
        struct heard heard = {""};
        memset(deep, "(-{"[kind], sizeof deep);
        gpucode_debug_evaluate(subject.debug, deep, sizeof deep, false,
                               (struct gpucode_diagnostic_handler){hear, &heard}, &value);
        assert_int_equal(strncmp(heard.text, "expr-deep:", 10), 0);
    }
    /* what stands side by side is not deep */
    static const char *const beside[] = {
        "(1)", "!0", "- -1", "((1))", "(1 ? 1 : 2)", "*(char *)0x100000 * 0", "{char}0x100000", "{0x100000, 2}"};
    static const int sums[] = {300, 300, 300, 300, 300, 0, 0, 0};
    for (unsigned kind = 0; kind < sizeof beside / sizeof *beside; kind++) {
        static char row[300 * 32];
        size_t length = 0;
        for (unsigned i = 0; i < 300; i++)
            length += (size_t)snprintf(row + length, sizeof row - length, "%s%s", i ? " + " : "", beside[kind]);
        struct heard heard = {""};
        assert_int_equal(gpucode_debug_evaluate(subject.debug, row, length, false,
                                                (struct gpucode_diagnostic_handler){hear, &heard}, &value),
                         GPUCODE_OK);
        assert_string_equal(heard.text, "");
        assert_int_equal(value.number, sums[kind]);
    }
    /* as many types as are allowed, on both sides of an operator; one level more is for the right side */
    static const char *const too_deep[] = {"", "expr-deep:1:2394", "expr-deep:1:1195"};
    for (unsigned more = 0; more < 3; more++) {
        struct heard heard = {""};
        size_t length = 0;
        for (unsigned side = 0; side < 2; side++) {
            for (unsigned i = 0; i < 198 + more; i++, length += 6)
                memcpy(deep + length, "{char}", 6);
            length += (size_t)snprintf(deep + length, sizeof deep - length, side ? "0x100000" : "0x100000 + ");
        }
        assert_int_equal(gpucode_debug_evaluate(subject.debug, deep, length, false,
                                                (struct gpucode_diagnostic_handler){hear, &heard}, &value),
                         more ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
        assert_string_equal(heard.text, too_deep[more]);
    }
    subject_close(&subject);
}

/* An expression has the value that it has in C; and an invalid sign is found before any word of it. */
static void test_any(void)
{
    static struct arithmetic made;
    struct subject subject;
    struct gpucode_value value;
    char wrong[ARITHMETIC_ROOM + 1], place[40];
    uint64_t seed = 7;
    subject_open(&subject, "afuc:a630", source, NULL, 0);
    for (unsigned round = 0; round < test_rounds(3000, 100000); round++) {
        struct heard heard = {""};
        arithmetic_make(&made, &seed, true);
        int64_t got = subject_value(&subject, made.text);
        if (got != made.value)
            fail_msg("%s is %lld, not %lld", made.text, (long long)got, (long long)made.value);
        unsigned at = made.at[subject_random(&seed) % made.tokens];
        int length = snprintf(wrong, sizeof wrong, "%.*s`%s", (int)at, made.text, made.text + at);
        snprintf(place, sizeof place, "expr-expected:1:%u", at + 1);
        assert_int_equal(gpucode_debug_evaluate(subject.debug, wrong, (size_t)length, false,
                                                (struct gpucode_diagnostic_handler){hear, &heard}, &value),
                         GPUCODE_ERROR_INPUT);
        if (strcmp(heard.text, place) != 0)
            fail_msg("%s: %s, not %s", wrong, heard.text, place);
    }
    subject_close(&subject);
}

/* HWSQ holds off the host while memory is paused, but not a debugger; what is not a register cannot be read ever. */
static void test_unreadable(void)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_value value;
    struct heard heard = {""};
    subject_open(&subject, "hwsq:g94", "set1 16\nwait 3us\nexit\n", NULL, 0);
    assert_int_equal(subject_value(&subject, "PFB.REFCTRL"), 0);
    gpucode_debug_step(subject.debug, false, &stop);
    assert_int_equal(subject_value(&subject, "1 + PFB.REFCTRL"), 1);
    assert_int_equal(gpucode_debug_evaluate(subject.debug, "1 + '0x100211'", 14, false,
                                            (struct gpucode_diagnostic_handler){hear, &heard}, &value),
                     GPUCODE_ERROR_INPUT);
    assert_string_equal(heard.text, "expr-read:1:5");
    subject_close(&subject);
}

TESTS(expressions, test_values, test_errors, test_any, test_unreadable)
