/* SPDX-License-Identifier: MIT */
/* Expressions and symbol files: what they mean, and what is wrong with them. */
#include "subject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char source[] = "[016ee001]\n[01000000]\nstart:\nmov $02, 0x5\n.equ FIVE, 5\nloop:\njump #loop\nnop\n";

static void test_values(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } values[] = {
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
    };
    struct subject subject;
    (void)state;
    subject_open(&subject, "afuc:a630", source, NULL, 0);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        int64_t value = subject_value(&subject, values[i].text);
        if (value != values[i].value)
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

static void test_errors(void **state)
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
    char deep[2000];
    (void)state;
    subject_open(&subject, "afuc:a630", source, NULL, 0);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct heard heard = {""};
        assert_int_equal(gpucode_debug_evaluate(subject.debug, errors[i].text, strlen(errors[i].text), errors[i].assign,
                                                (struct gpucode_sink){hear, &heard}, &value),
                         GPUCODE_ERROR_INPUT);
        if (strcmp(heard.text, errors[i].error) != 0)
            fail_msg("%s: %s", errors[i].text, heard.text);
    }
    for (unsigned kind = 0; kind < 3; kind++) {
        struct heard heard = {""};
        memset(deep, "(-{"[kind], sizeof deep);
        gpucode_debug_evaluate(subject.debug, deep, sizeof deep, false, (struct gpucode_sink){hear, &heard}, &value);
        assert_int_equal(strncmp(heard.text, "expr-deep:", 10), 0);
    }
    subject_close(&subject);
}

/* HWSQ holds off the host while memory is paused, but not a debugger; what is no register cannot be read ever. */
static void test_unreadable(void **state)
{
    struct subject subject;
    struct gpucode_debug_stop stop;
    struct gpucode_value value;
    struct heard heard = {""};
    (void)state;
    subject_open(&subject, "hwsq:g94", "set1 16\nwait 3us\nexit\n", NULL, 0);
    assert_int_equal(subject_value(&subject, "PFB.REFCTRL"), 0);
    gpucode_debug_step(subject.debug, false, &stop);
    assert_int_equal(subject_value(&subject, "1 + PFB.REFCTRL"), 1);
    assert_int_equal(gpucode_debug_evaluate(subject.debug, "1 + '0x100211'", 14, false,
                                            (struct gpucode_sink){hear, &heard}, &value),
                     GPUCODE_ERROR_INPUT);
    assert_string_equal(heard.text, "expr-read:1:5");
    subject_close(&subject);
}

static void test_symbol_files(void **state)
{
    static const struct {
        const char *text, *error; /* null: none */
    } files[] = {
        {"SQE 0x10 place\n= -5 less ; and why\nreg $02 header\nmem 0x100 ring\n@ 0x3 a file.asm:7+\n@ 5 ?\n\n# "
         "nothing\n",
         NULL},
        {"SQE 0x10\n", "symbol-columns:1:1"},
        {"\nSQE 0x10 a b\n", "symbol-columns:2:12"},
        {"SQE ten a\n", "symbol-number:1:5"},
        {"SQE -1 a\n", "symbol-number:1:5"},
        {"@ 0x10 nothing\n", "symbol-place:1:8"},
        {"@ 0x10 file:0\n", "symbol-place:1:8"},
        {"@ 3 file:1+\nuse 3 inner other file:2\nuse 3 outer file:9\n", NULL},
        {"@ 3 file:1\nuse 4 m file:2\n", "symbol-number:2:5"},
        {"use 4 m file:2\n", "symbol-number:1:5"},
        {"@ 3 file:1\nuse 3 m file\n", "symbol-place:2:9"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct heard heard = {""};
        struct gpucode_symbols *symbols;
        struct gpucode_label label;
        struct gpucode_place place;
        uint32_t unit;
        assert_int_equal(gpucode_symbols_create(gpucode_target_find("afuc:a630"), NULL, &symbols), GPUCODE_OK);
        enum gpucode_status status = gpucode_symbols_read(symbols, files[i].text, strlen(files[i].text), "s",
                                                          (struct gpucode_sink){hear, &heard});
        assert_int_equal(status, files[i].error ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
        assert_string_equal(heard.text, files[i].error ? files[i].error : "");
        if (!files[i].error && i) { /* the uses of macros */
            assert_true(gpucode_symbols_use(symbols, 4, 0, &place) && place.line == 2 && place.from_macro);
            assert_string_equal(place.macro, "inner");
            assert_string_equal(place.file, "other file");
            assert_true(gpucode_symbols_use(symbols, 3, 1, &place) && place.line == 9 && !place.from_macro);
            assert_string_equal(place.macro, "outer");
            assert_false(gpucode_symbols_use(symbols, 3, 2, &place));
            assert_false(gpucode_symbols_use(symbols, 2, 0, &place));
        } else if (!files[i].error) {
            assert_true(gpucode_symbols_find(symbols, NULL, "less", 4, &label) && label.value == -5);
            assert_true(gpucode_symbols_find(symbols, "SQE", "place", 5, &label) && label.value == 16);
            assert_false(gpucode_symbols_find(symbols, "BV", "place", 5, &label));
            assert_true(gpucode_symbols_place(symbols, 4, &place) && place.line == 7 && place.from_macro);
            assert_string_equal(place.file, "a file.asm");
            assert_false(gpucode_symbols_place(symbols, 2, &place));
            assert_false(gpucode_symbols_place(symbols, 5, &place));
            assert_true(gpucode_symbols_unit(symbols, "file.asm", 6, true, 0, &unit) == false);
            assert_true(gpucode_symbols_unit(symbols, "a file.asm", 6, true, 0, &unit) && unit == 3);
        }
        gpucode_symbols_free(symbols);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_unreadable), cmocka_unit_test(test_symbol_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
