/* SPDX-License-Identifier: MIT */
/* Expressions: operators, precedence, limits, and labels in them, known and not known yet, within and over sections. */
#include "arithmetic.h"
#include "assembling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The low and high word of a 64-bit value as `.equ` calculates it. */
static void expect_result(const char *expression, int64_t value)
{
    char source[400];
    snprintf(source, sizeof source,
             ".equ V, %s\n.word V & 0xffffffff, (V >> 32) & 0xffffffff\n.equ S, V < 0\n.word S\n", expression);
    EXPECT_WORDS(source, "afuc:a630", (uint32_t)value, (uint32_t)((uint64_t)value >> 32), value < 0);
}

/* Random expressions; a result that does not fit 64 bits, and an invalid sign before any word, are refused. */
static void any(void)
{
    static struct arithmetic made;
    static char source[2 * ARITHMETIC_ROOM];
    struct assembled got;
    uint64_t seed = 3;
    unsigned refused = 0, rounds = test_rounds(2000, 100000);
    for (unsigned round = 0; round < rounds; round++) {
        arithmetic_make(&made, &seed, false);
        snprintf(source, sizeof source, ".equ V, %s\n.word V & 0xffffffff, (V >> 32) & 0xffffffff\n", made.text);
        if (!made.overflows && !made.far) {
            EXPECT_WORDS(source, "afuc:a630", (uint32_t)made.value, (uint32_t)((uint64_t)made.value >> 32));
        } else {
            assemble_text(&got, source, "afuc:a630");
            assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
            assert_true(strcmp(got.heard.said[0].code, "overflow") == 0 ||
                        strcmp(got.heard.said[0].code, "shift-count") == 0);
            refused++;
            continue;
        }
        unsigned at = made.at[next_random(&seed) % made.tokens];
        snprintf(source, sizeof source, ".equ V, %.*s`%s\n", (int)at, made.text, made.text + at);
        assemble_text(&got, source, "afuc:a630");
        assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
        /* what stands before the sign may be too large without what follows */
        bool large = strcmp(got.heard.said[0].code, "overflow") == 0 && got.heard.said[0].column < at + 9;
        if (got.heard.said[0].line != 1 || (got.heard.said[0].column != at + 9 && !large))
            fail_msg("%s%s", source, heard_text(&got.heard));
    }
    assert_in_range(refused, rounds / 50, rounds / 2);
}

/* The compiler is the yardstick; it would rather see parentheses, which are what is tested here. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wconstant-logical-operand"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wtautological-constant-compare"
static void operators(void)
{
#define EXPECT(expression) expect_result(#expression, (int64_t)(expression))
    EXPECT(0);
    EXPECT(1 + 2 * 3);
    EXPECT((1 + 2) * 3);
    EXPECT(10 - 4 - 3);
    EXPECT(100 / 7 / 2);
    EXPECT(100 % 7 * 2);
    EXPECT(7 - 2 * 3 + 4 / 2 % 3);
    EXPECT(-7 / 2);
    EXPECT(-7 % 3);
    EXPECT(7 / -2);
    EXPECT(1 << 4 << 2);
    EXPECT(256 >> 2 >> 1);
    EXPECT(1 << 2 + 3);
    EXPECT(1 + 1 << 3);
    EXPECT(0xf0 | 0x0f & 0x3c ^ 0x55);
    EXPECT(1 | 2 == 2);
    EXPECT(3 & 1 != 1);
    EXPECT(4 > 3 > 2);
    EXPECT(4 >= 4 == 1);
    EXPECT(2 < 1 <= 0);
    EXPECT(1 < 2 == 2 > 1);
    EXPECT(1 || 0 && 0);
    EXPECT((1 || 0) && 0);
    EXPECT(5 && 6);
    EXPECT(0 || 0);
    EXPECT(!0 + !5);
    EXPECT(~0);
    EXPECT(~0x0f & 0xff);
    EXPECT(- -5);
    EXPECT(-(-5) + +3);
    EXPECT(-~!1);
    EXPECT(-1 >> 3);
    EXPECT(0x7fffffffffffffff);
    EXPECT(-0x7fffffffffffffff - 1);
    EXPECT(-1 - (-0x7fffffffffffffff - 1));
    EXPECT(0XaBcDeF);
#undef EXPECT
    expect_result("9223372036854775807", INT64_MAX);
    expect_result("1 << 62", INT64_C(1) << 62);
    expect_result("0 << 63", 0);
    expect_result("-1 >> 63", -1);
}
#pragma GCC diagnostic pop

/* Halves of what labels that are not known yet leave when they cancel out. */
static void halves(void)
{
    EXPECT_WORDS("mov $02, ((#later - #later + 0x30005) >> 16)\nmov $02, ((#later - #later + 0x30005) & 0xffff)\n"
                 "later:\n",
                 "afuc:a630", 0x88020003, 0x88020005);
}

static void limits(void)
{
    static const struct text_case cases[] = {
        {"9223372036854775808", "number-too-large:1:9"},
        {"0x8000000000000000", "number-too-large:1:9"},
        {"99999999999999999999999999", "number-too-large:1:9"},
        {"0x7fffffffffffffff + 1", "overflow:1:28"},
        {"-0x7fffffffffffffff - 2", "overflow:1:29"},
        {"0x7fffffffffffffff * 2", "overflow:1:28"},
        {"-(-0x7fffffffffffffff - 1)", "overflow:1:9"},
        {"(-0x7fffffffffffffff - 1) / -1", "overflow:1:35"},
        {"(-0x7fffffffffffffff - 1) % -1", "overflow:1:35"},
        {"1 << 63", "overflow:1:11"},
        {"2 << 62", "overflow:1:11"},
        {"-1 << 1", "overflow:1:12"},
        {"1 << 64", "shift-count:1:11"},
        {"1 >> 64", "shift-count:1:11"},
        {"1 << -1", "shift-count:1:11"},
        {"1 / 0", "division-by-zero:1:11"},
        {"1 % (2 - 2)", "division-by-zero:1:11"},
        {"0x", "no-digits:1:9"},
        {"010", "leading-zero:1:9"},
        {"12a", "bad-number:1:9"},
        {"0x12g", "bad-number:1:9"},
        {"(1", "expected:1:11"},
        {"1 +", "expected:1:12"},
        {"", "expected:1:9"},
        {"*", "expected:1:9"},
        {"later", "not-known-yet:1:9"},
        {"#later", "not-known-yet:1:9"},
        {"#", "expected:1:9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char source[200];
        snprintf(source, sizeof source, ".equ V, %s", cases[i].text);
        expect_refusal(source, "afuc:a630", cases[i].expected);
    }
}

static void nesting(void)
{
    char source[2000];
    struct assembled got;
    for (unsigned depth = 1; depth < 500; depth += depth < 80 ? 1 : 50) {
        unsigned used = (unsigned)snprintf(source, sizeof source, ".word ");
        for (unsigned i = 0; i < depth; i++)
            source[used++] = '(';
        source[used++] = '1';
        for (unsigned i = 0; i < depth; i++)
            source[used++] = ')';
        source[used] = 0;
        assemble_text(&got, source, "afuc:a630");
        assert_int_equal(got.status, depth <= 64 ? GPUCODE_OK : GPUCODE_ERROR_INPUT);
        if (got.status != GPUCODE_OK)
            assert_string_equal(got.heard.said[0].code, "too-complex");
        gpucode_program_free(got.program);
    }
}

static void registers(void)
{
    EXPECT_WORDS("cwrite $02, [$00 + @REG_READ_DWORDS]", "afuc:a630", 0xa8020026);
    EXPECT_WORDS("cwrite $02, [$00 + @REG_READ_DWORDS + 2 * 2]", "afuc:a630", 0xa802002a);
    EXPECT_WORDS("cwrite $02, [$00 + @REG_READ_DWORDS+0x1]", "afuc:a630", 0xa8020027);
    EXPECT_WORDS("sread $02, [$00 + %SP]", "afuc:a630", 0xb8028005);
    EXPECT_WORDS("mov $02, @REG_READ_DWORDS << 3", "afuc:a630", 0x88620026);
    EXPECT_WORDS("mov $02, (@REG_READ_DWORDS << 3)", "afuc:a630", 0x88020130);
    EXPECT_WORDS(".word 100 % 7, 7%4", "afuc:a630", 2, 3); /* a remainder, no SQE register */
    expect_refusal("cwrite $02, [$00 + @NO_SUCH]", "afuc:a630", "unknown-register:1:20");
    expect_refusal("cwrite $02, [$00 + @]", "afuc:a630", "expected:1:21");
}

#define HEAD ".target afuc:a630\n"
/* nop, seven nops of padding, then a section whose labels stand at 0 and 2 */
#define SECTIONS HEAD "nop\na: nop\n.section BV\nb: nop\nnop\nc:\n"

static void label_arithmetic(void)
{
    /* known and not known yet give the same */
    EXPECT_WORDS(HEAD "nop\na: nop\nb: nop\n.word #b - #a, #b, #a * 3 + 1, 2 * #b, #b << 2, (#b + #a) * 2", NULL,
                 0x01000000, 0x01000000, 0x01000000, 1, 2, 4, 4, 8, 6);
    EXPECT_WORDS(HEAD ".word #b - #a, #b, #a * 3 + 1, 2 * #b, #b << 2, (#b + #a) * 2\na: nop\nb: nop\n", NULL, 1, 7, 19,
                 14, 28, 26, 0x01000000, 0x01000000);
    EXPECT_WORDS(HEAD "a: nop\nmov $02, #a + 5\nadd $02, $03, #b\nb:", NULL, 0x01000000, 0x88020005, 0x08620003);
    EXPECT_WORDS(HEAD "mov $02, #b << 16\nnop\nb:", NULL, 0x8a020002, 0x01000000);
    EXPECT_WORDS(HEAD "jump #b - 1\nnop\nnop\nb: nop", NULL, 0xc8000002, 0x01000000, 0x01000000, 0x01000000);
    EXPECT_WORDS(HEAD "[#b]\n[#b + 1]\nb: nop", NULL, 0x01000002, 0x01000003, 0x01000000);
    /* negative numbers are two's complement, now or later */
    EXPECT_WORDS(HEAD "a: nop\nb: .word #a - #b, #a - #c\nc:", NULL, 0x01000000, 0xffffffff, 0xfffffffd);
    EXPECT_WORDS(HEAD ".word -1, -0x80000000\n.byte -128, #a - #b, 0, 255\na: nop\nb:", NULL, 0xffffffff, 0x80000000,
                 0xff00ff80, 0x01000000);
    expect_refusal(HEAD ".word -0x80000001", NULL, "too-wide:2:7");
    expect_refusal(HEAD ".word 0x100000000", NULL, "too-wide:2:7");
    expect_refusal(HEAD ".byte -129", NULL, "too-wide:2:7");
    expect_refusal(HEAD ".byte #a - #b\n.byte 0,0,0\na: .org 300\nb:", NULL, "number-width:2:7");
    expect_refusal(HEAD "[#a - #b]\na: nop\nb:", NULL, "number-width:2:2");
    expect_refusal(HEAD "mov $02, #a * 0x10000\na:", NULL, "out-of-range:2:10");
    expect_refusal(HEAD ".word #a / 2\na:", NULL, "label-operator:2:10");
    expect_refusal(HEAD ".word #a * #a\na:", NULL, "label-operator:2:10");
    expect_refusal(HEAD ".word ~#a\na:", NULL, "label-operator:2:7");
    expect_refusal(HEAD ".word #a + #b + #c + #d + #e\na: b: c: d: e:", NULL, "too-complex:2:25");
    EXPECT_WORDS(HEAD ".word #a + #b - #a + #c + #d - 1\na: b: c: d: nop", NULL, 2, 0x01000000);
}

/* What a later section holds: words 8 and on of the program. */
static void expect_in_section(const char *text, uint32_t first, uint32_t second)
{
    struct assembled got;
    char source[600];
    snprintf(source, sizeof source, SECTIONS "%s\n", text);
    assemble_text(&got, source, NULL);
    if (got.heard.count)
        fail_msg("'%s': %s (%s)", text, heard_text(&got.heard), got.heard.said[0].message);
    assert_int_equal(gpucode_program_size(got.program), 4 + 4 * 12);
    const unsigned char *bytes = gpucode_program_bytes(got.program);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned char *at = bytes + 4 + 4 * (10 + i);
        uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        uint32_t expected = i ? second : first;
        if (word != expected)
            fail_msg("'%s' gives %" PRIx32 " in place %u, expected %" PRIx32, text, word, i, expected);
    }
    gpucode_program_free(got.program);
}

static void label_arithmetic_over_sections(void)
{
    /* alone a label is the offset in its section; `a` of the first section cannot be named without a name for it */
    expect_in_section(".word #b, #c", 0, 2);
    expect_in_section(".word #BV:b, #BV:c", 0, 2);
    expect_in_section(".word #c - #b, #BV:c - #b", 2, 2);
    /* with two colons it is counted from the start of the image */
    expect_in_section(".word #BV::b, #BV::c * 4", 8, 40);
    expect_in_section(".word #BV::c * 4 - #BV::b * 4, #BV::c - #b", 8, 2);
    expect_refusal(SECTIONS ".word #a", NULL, "undefined:8:8");
    expect_refusal(SECTIONS ".word #BX::c", NULL, "undefined:8:8");
    expect_refusal(SECTIONS ".word #BX:c", NULL, "undefined:8:8");
    expect_refusal(SECTIONS ".word #BV:x", NULL, "undefined:8:8");

    /* differences are distances in the image, however they are written */
    static const char *const ways[] = {
        "#LPAC:z - #c",
        "#LPAC:z - 1*#c",
        "#LPAC:z - #c*1",
        "#LPAC:z - (#c << 0)",
        "-#c + #LPAC:z",
        "#LPAC:z*1 - 1*#BV:c",
        "-1*#c + #LPAC:z",
        "(#LPAC:z + 0) - (0 + #c)",
        "#LPAC:z - #BV:c",
        "(2*#LPAC:z - #c*2) - #LPAC:z + #c",
        "1*#LPAC:z - (1 << 0)*#c",
        "#LPAC:z*4 - (#c << 2) - 3*#LPAC:z + 3*#c",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char source[400];
        snprintf(source, sizeof source, HEAD "nop\n.section BV\nb: nop\nc: .word %s\n.section LPAC\nnop\nz: nop\n",
                 ways[i]);
        struct assembled got;
        assemble_text(&got, source, NULL);
        if (got.heard.count)
            fail_msg("'%s': %s (%s)", ways[i], heard_text(&got.heard), got.heard.said[0].message);
        const unsigned char *at = (const unsigned char *)gpucode_program_bytes(got.program) + 4 + 4 * 9;
        if (at[0] != 8 || at[1] || at[2] || at[3]) /* c stands at 8 + 1, z at 16 + 1 */
            fail_msg("'%s' gives %u", ways[i], at[0]);
        gpucode_program_free(got.program);
    }
}

/* Places that wait for labels are settled many at once; those that count from the start of the image wait for the end.
 */
static void many_that_wait(void)
{
    enum { COUNT = 5000 };
    static const char line[] = ".word #BV::b\n";
    static char source[sizeof SECTIONS + COUNT * sizeof line];
    char *at = source + snprintf(source, sizeof source, "%s", SECTIONS);
    for (unsigned i = 0; i < COUNT; i++)
        at += snprintf(at, sizeof line, "%s", line);
    struct assembled got;
    assemble_text(&got, source, NULL);
    assert_int_equal(got.heard.count, 0);
    assert_int_equal(gpucode_program_size(got.program), 4 + 4 * (10 + COUNT));
    const unsigned char *word = (const unsigned char *)gpucode_program_bytes(got.program) + 4 + 4 * 10;
    for (unsigned i = 0; i < COUNT; i++, word += 4)
        assert_memory_equal(word, "\x08\0\0", 4);
    gpucode_program_free(got.program);
}

/* Values at the ends of 64 bits with labels in them end in an error, not in undefined behaviour. */
static void overflowing_labels(void)
{
    expect_refusal(HEAD "a: nop\njump #a - 0x7fffffffffffffff - 1", NULL, "out-of-range:3:6");
    expect_refusal(HEAD "nop\njump #a - 0x7fffffffffffffff - 1\na:", NULL, "out-of-range:3:6");
    expect_refusal(HEAD ".word #a * 0x7fffffffffffffff\nnop\na:", NULL, "overflow:2:7");
    expect_refusal(HEAD ".word #a * 0x7fffffffffffffff + #b * 0x7fffffffffffffff\na: b: nop", NULL, "overflow:2:7");
    expect_refusal(HEAD ".section A\nnop\n.section B\nk: .word #k * 0x7fffffffffffffff - #A:q * 0x7fffffffffffffff",
                   NULL, "undefined:5:37");
    expect_refusal(HEAD ".section A\nq: nop\n.section B\nk: .word #k * 0x7fffffffffffffff - #A:q * 0x7fffffffffffffff",
                   NULL, "overflow:5:10");
    expect_refusal(HEAD "setsecure $02, #a + 0x7fffffffffffffff\na:", NULL, "overflow:2:16");
    expect_refusal(HEAD ".word #a * 0x7fffffffffffffff + #a * 2\na:", NULL, "overflow:2:31");
    expect_refusal(HEAD ".word #a * 0x7fffffffffffffff - #a * -2\na:", NULL, "overflow:2:31");
    EXPECT_WORDS(HEAD ".word #a * 0x7fffffffffffffff - #a * 0x7ffffffffffffffd\na:", NULL, 2);
}

/* Numbers of MME sources are unsigned, modulo 2^64: each operator with numbers about the ends. */
static void unsigned_numbers(void)
{
    static const uint64_t numbers[] = {
        0, 1, 2, 7, 62, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffe, UINT64_MAX};
    static const char *const infixes[] = {"<", "<=", ">", ">=", "==", "!=", "*", "+", "-", "<<", ">>", "/", "%"};
    for (unsigned i = 0; i < 13 * 9 * 9; i++) {
        uint64_t a = numbers[i / 9 % 9], b = numbers[i % 9];
        unsigned infix = i / 81;
        if ((infix >= 9 && infix <= 10 && b > 63) || (infix >= 11 && !b))
            continue;
        const uint64_t results[] = {a<b, a <= b, a> b, a >= b,        a == b,        a != b,       a * b, a + b, a - b,
                                    a << (b & 63),     a >> (b & 63), b ? a / b : 0, b ? a % b : 0};
        char source[300];
        snprintf(source, sizeof source,
                 ".equ V, 0x%" PRIx64 " %s 0x%" PRIx64 "\n.word V & 0xffffffff, (V >> 32) & 0xffffffff\n", a,
                 infixes[infix], b);
        const uint32_t words[] = {little_endian((uint32_t)results[infix]),
                                  little_endian((uint32_t)(results[infix] >> 32))};
        expect_bytes(source, "mme:fermi", words, sizeof words);
    }
}

TESTS(expressions, halves, unsigned_numbers, any, operators, limits, nesting, registers, label_arithmetic,
      label_arithmetic_over_sections, many_that_wait, overflowing_labels)
