/* SPDX-License-Identifier: MIT */
/* What sources mean, and that no source takes for ever: names, sections, and texts inside one another. */
#include "assembling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void constants_defined_later(void)
{
    /* the same whether the constant stands in front or after, in a section that does not start at 0 */
    const uint32_t expected[] = {0x01730001, 0x01000000, 0x01000000, 0x01000000, 0x01000000,
                                 0x01000000, 0x01000000, 0x01000000, 0x01000000, 0x70010063 /* 100 - 1 */};
    expect_words("[01730001]\n.equ SIZE, 100\n.section BV\nnop\nstart:\nmov $01, SIZE - #start\n", NULL, expected, 10);
    expect_words("[01730001]\n.section BV\nnop\nstart:\nmov $01, SIZE - #start\n.equ SIZE, 100\n", NULL, expected, 10);
    expect_words("[01730001]\n.section BV\nnop\nmov $01, SIZE - #start + 1\nstart:\n.equ SIZE, 101\n", NULL,
                 (const uint32_t[]){0x01730001, 0x01000000, 0x01000000, 0x01000000, 0x01000000, 0x01000000, 0x01000000,
                                    0x01000000, 0x01000000, 0x70010064},
                 10);
    /* what ! and ~ make of a label is not a place any more */
    const uint32_t inverted[] = {0x01730001, 0x01000000, 0x01000000, 0x01000000, 0x01000000, 0x01000000,
                                 0x01000000, 0x01000000, 101,        0x01000000, 0x01000000, 0x01000000,
                                 0x01000000, 0x01000000, 0x01000000, 0x01000000};
    expect_words("[01730001]\n.section BV\na:\n.word 100 + !#a - #LPAC:x\n.section LPAC\nx:\n", NULL, inverted, 16);
}

static void one_name_one_meaning(void)
{
    expect_refusal("[016ee001]\n.equ foo, 5\nnop\nfoo:\njump #foo\nnop\n", NULL, "duplicate:4:1 first-defined:2:6");
    expect_refusal("[016ee001]\nfoo:\nnop\n.equ foo, 5\n", NULL, "duplicate:4:6 first-defined:2:1");
    expect_refusal("[016ee001]\nfoo:\nnop\n.section B\n.equ foo, 5\n", NULL, "duplicate:5:6 first-defined:2:1");
    /* labels belong to their sections */
    EXPECT_WORDS("[016ee001]\nfoo:\n.section B\nfoo:\nnop\n", NULL, 0x016ee001, 0x01000000, 0x01000000, 0x01000000,
                 0x01000000, 0x01000000, 0x01000000, 0x01000000, 0x01000000);
}

static void sections_of_one_name(void)
{
    struct assembled got;
    assemble_text(&got, "[016ee001]\n.section A\na: nop\n.section A\nb: nop\nmov $01, #A:b - #A:a\n", NULL);
    assert_string_equal(heard_text(&got.heard), "duplicate-section:4:10");
    assert_int_equal(got.heard.said[0].severity, GPUCODE_WARNING);
    assert_non_null(got.program);
    assert_memory_equal((const char *)gpucode_program_bytes(got.program) + 4 * (1 + 17), "\x08\x00\x01\x88", 4);
    gpucode_program_free(got.program);
}

/* Where labels are those of the file, a section goes on under its name: as it stands, and from elsewhere. */
static void continued_sections(void)
{
    static const struct {
        const char *text, *words; /* low bytes of `maddr N << 14` numbers, in the order of the output */
        unsigned sections;
        uint64_t sizes[3];
    } cases[] = {
        {".section one\nmaddr 1\nmaddr 2\n", "12", 1, {8}},
        {".section one\nmaddr 1\n.section one\nmaddr 2\n", "12", 1, {8}},
        {".section one\nmaddr 1\n.section two\nmaddr 3\n.section one\nmaddr 2\n", "123", 2, {8, 4}},
        {".section one\nmaddr 1\n.section two\nmaddr 4\n.section one\nmaddr 2\n.section two\nmaddr 5\n"
         ".section one\nmaddr 3\n.section one\n.section three\nmaddr 6\n",
         "123456",
         3,
         {12, 8, 4}},
        {".section one\n.section two\nmaddr 1\n.section one\nmaddr 2\n", "21", 2, {4, 4}},
        {"maddr 1\n.section two\nmaddr 2\n", "12", 2, {4, 4}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled got;
        struct gpucode_program_section section;
        assemble_text(&got, cases[i].text, "mme:fermi");
        assert_string_equal(heard_text(&got.heard), "");
        const unsigned char *bytes = gpucode_program_bytes(got.program);
        assert_int_equal(gpucode_program_size(got.program), 4 * strlen(cases[i].words));
        for (unsigned k = 0; cases[i].words[k]; k++) {
            uint32_t word = bytes[4 * k] | (uint32_t)bytes[4 * k + 1] << 8 | (uint32_t)bytes[4 * k + 2] << 16;
            assert_int_equal(word >> 14 & 15, cases[i].words[k] - '0');
        }
        for (unsigned k = 0; k < cases[i].sections; k++) {
            assert_true(gpucode_program_section(got.program, k, &section));
            assert_int_equal(section.size, cases[i].sizes[k]);
        }
        assert_false(gpucode_program_section(got.program, cases[i].sections, &section));
        gpucode_program_free(got.program);
    }
}

static void unknown_targets(void)
{
    struct assembled got;
    expect_refusal("; x\n.target afuc:a9xx\nnop\n", NULL, "no-such-target:2:9");
    assemble_text(&got, ".target afuc:a6x0\nnop\n", NULL);
    assert_non_null(strstr(got.heard.said[0].hint, "did you mean afuc:a6"));
    assemble_text(&got, ".target afuc:a63\nnop\n", "afuc:a630");
    assert_string_equal(heard_text(&got.heard), "no-such-target:1:9");
    assert_non_null(strstr(got.heard.said[0].hint, "did you mean afuc:a630?"));
}

/* A text of the given lines after a first literal, malloc'ed. */
static char *repeated(const char *line, unsigned count)
{
    size_t length = strlen(line);
    char *text = malloc(16 + count * length), *at = text;
    assert_non_null(text);
    at += sprintf(at, "[016ee001]\n");
    for (unsigned i = 0; i < count; i++, at += length)
        memcpy(at, line, length);
    *at = 0;
    return text;
}

/* Quadratic work would take minutes here. */
static void many_errors(void)
{
    struct assembled got;
    char *text = repeated("jump #nowhere_at_all_to_be_found\nx y\n", 50000);
    assemble_text(&got, text, NULL);
    assert_int_equal(got.heard.errors, 100000);
    assert_int_equal(got.heard.said[23].line, 49); /* the instructions first, the labels when all are known */
    free(text);
    unsigned count = 20000;
    char *many = malloc(count * 40 + 16), *at = many;
    assert_non_null(many);
    at += sprintf(at, "[016ee001]\n");
    for (unsigned i = 0; i < count; i++)
        at += sprintf(at, "label%05u: jump #lable%05u\n", i, i);
    assemble_text(&got, many, NULL);
    assert_int_equal(got.heard.errors, count);
    assert_string_equal(got.heard.said[0].hint, "did you mean label00000?");
    assert_int_equal(got.heard.said[5].line, 7);
    free(many);
}

/* Places after the first megabyte, in many lines and in one. */
static void far_away(void)
{
    enum { SIZE = 3 << 20 };
    static const unsigned lengths[] = {63, 1000, SIZE / 2, SIZE};
    char *text = malloc(SIZE + 64);
    assert_non_null(text);
    for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct assembled got;
        size_t used = (size_t)sprintf(text, ".target afuc:a630\n");
        for (size_t at = used; used < SIZE; used++)
            text[used] = (used - at) % lengths[i] ? ' ' : '\n';
        unsigned line = 1, column = 0;
        for (size_t k = 0; k < used; k++) {
            line += text[k] == '\n';
            column = text[k] == '\n' ? 0 : column + 1;
        }
        snprintf(text + used, 64, "bad $01\nmov $02, $99\n");
        assemble_text(&got, text, NULL);
        assert_int_equal(got.heard.errors, 2);
        assert_int_equal(got.heard.said[0].line, line);
        assert_int_equal(got.heard.said[0].column, column + 1);
        assert_int_equal(got.heard.said[1].line, line + 1);
        assert_int_equal(got.heard.said[1].column, 10);
    }
    free(text);
}

static void many_recorded_lines(void)
{
    unsigned count = 100000;
    char *text = repeated("nop ; some words that make the line longer than it has to be\n", count);
    struct gpucode_line line;
    struct assembled got;
    assemble_bytes(&got, text, strlen(text), &(struct gpucode_asm_options){.record_lines = true});
    free(text);
    assert_non_null(got.program);
    for (unsigned unit = 0; unit <= count; unit++) {
        assert_true(gpucode_program_line(got.program, unit, &line));
        assert_int_equal(line.line, unit + 1);
    }
    gpucode_program_free(got.program);
}

/* `levels` macros that each invoke the one below twice. */
static void macros_in_macros(void)
{
    struct assembled got;
    char text[8192], *at = text + sprintf(text, "[016ee001]\n.macro m0\n.endm\n");
    for (unsigned i = 1; i < 60; i++)
        at += sprintf(at, ".macro m%u\nm%u\nm%u\n.endm\n", i, i - 1, i - 1);
    sprintf(at, "m59\n");
    assemble_text(&got, text, NULL);
    assert_int_equal(got.heard.errors, 1);
    assert_string_equal(got.heard.said[0].code, "too-deep");
    sprintf(at, "m9\nnop\n");
    EXPECT_WORDS(text, NULL, 0x016ee001, 0x01000000);
}

/* The same text under ever new names: nothing but the depth ends it. */
static bool include_itself(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)from, (void)name;
    ++*(unsigned *)user;
    *text = strdup(".include \"./a\"\n.include \"./a\"\n");
    *length = *text ? strlen(*text) : 0;
    return *text != NULL;
}

static void includes_in_includes(void)
{
    struct assembled got;
    unsigned reads = 0;
    static const char text[] = "[016ee001]\n.include \"x/a\"\n";
    struct gpucode_asm_options options = {.include = include_itself, .user = &reads};
    assemble_bytes(&got, text, sizeof text - 1, &options);
    assert_int_equal(got.heard.errors, 1);
    assert_string_equal(got.heard.said[0].code, "too-deep");
    assert_true(reads <= 101);
}

/* Each word of the source with its kind, line and column. */
/* Kind, line and column of a text's tokens; valid until the next call. */
static const char *letters_of(const char *text, const char *letters)
{
    static char found[256];
    struct gpucode_program *program;
    struct gpucode_token token;
    *found = 0;
    assert_int_equal(
        gpucode_assemble(text, strlen(text), &(struct gpucode_asm_options){.record_tokens = true}, &program),
        GPUCODE_OK);
    for (unsigned i = 0; gpucode_program_token(program, i, &token); i++) {
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%c%u:%u ", letters[token.kind], token.line, token.column);
    }
    gpucode_program_free(program);
    return found;
}

static void tokens(void)
{
    static const char text[] = ".target afuc:a630\n.equ SIZE, 2\n.macro twice r\nadd \\r, \\r, \\r\n.endm\n"
                               "start:  (rep)add $02, $03, SIZE*2 ; why\n twice $04\njump #start\nnop\n";
    static const char wanted[] =
        "D1:0 D2:0 D3:0 L6:0 F6:8 M6:13 O6:17 O6:22 O6:27 U6:27 C6:34 X7:1 M8:0 O8:5 U8:6 M9:0 ";
    static const char letters[] = "LUDXFMOSC";
    struct gpucode_program *program;
    struct gpucode_token token;
    char found[256] = "";
    assert_int_equal(
        gpucode_assemble(text, sizeof text - 1, &(struct gpucode_asm_options){.record_tokens = true}, &program),
        GPUCODE_OK);
    for (unsigned i = 0; gpucode_program_token(program, i, &token); i++) {
        size_t length = strlen(found);
        snprintf(found + length, sizeof found - length, "%c%u:%u ", letters[token.kind], token.line, token.column);
        assert_true(token.span.length && token.span.offset + token.span.length < sizeof text);
    }
    assert_string_equal(found, wanted);
    gpucode_program_free(program);

    /* what sets read their own way, and comments: looked past before the statement in front of them is known */
    assert_string_equal(letters_of("[016ee001]\n; a\n; b\nnop ; c\r\n; d\n\n.word 1 ; e\n; f", letters),
                        "S1:0 C2:0 C3:0 M4:0 C4:4 C5:0 D7:0 C7:8 C8:0 ");
    assert_string_equal(letters_of("@const(c0.x) 1.0 ; k\nx: end ; e\n.insn 0x0\n", letters),
                        "S1:0 C1:17 L2:0 M2:3 C2:7 D3:0 ");
    assert_string_equal(letters_of("// a\newait 1 1 /* b */\nexit # c\n.target hwsq:g92", letters),
                        "C1:0 M2:0 O2:6 O2:8 C2:10 M3:0 C3:5 D4:0 ");
    assert_int_equal(gpucode_assemble(text, sizeof text - 1, NULL, &program), GPUCODE_OK);
    assert_false(gpucode_program_token(program, 0, &token));
    gpucode_program_free(program);
}

/* What is cut down to one of its sections is a program of this section alone, and of the same bytes. */
static void one_section_kept(void)
{
    static const char text[] = ".section #first\nmaddr 0x1620 /* increment 1 */\nloop: mov $r1 (add $r1 -1)\n"
                               "exit branz $r1 #loop\nsend $r1\n.section #second\nread $r2 0xd1a\nmaddr 0xd00\n"
                               "exit send (add $r1 $r2)\nnop\n.section #third\nexit send $r1\nnop\n";
    static const char *const names[] = {"first", "second", "third"};
    for (unsigned i = 0; i < 3; i++) {
        struct assembled made;
        struct gpucode_program_section section, other;
        struct gpucode_symbol symbol;
        unsigned char bytes[64];
        assemble_text(&made, text, "mme:fermi");
        if (made.status != GPUCODE_OK)
            fail_msg("%s", heard_text(&made.heard));
        assert_true(gpucode_program_section(made.program, i, &section));
        assert_string_equal(section.name, names[i]);
        assert_false(gpucode_program_section(made.program, 3, &other));
        assert_false(gpucode_program_keep(made.program, 3));
        memcpy(bytes, (const char *)gpucode_program_bytes(made.program) + section.offset, section.size);
        assert_true(gpucode_program_keep(made.program, i));
        assert_true(gpucode_program_section(made.program, 0, &other));
        assert_string_equal(other.name, names[i]);
        assert_int_equal(other.size, section.size);
        assert_false(gpucode_program_section(made.program, 1, &other));
        assert_false(gpucode_program_keep(made.program, 1));
        assert_true(gpucode_program_keep(made.program, 0)); /* which it is already */
        assert_int_equal(gpucode_program_size(made.program), section.size);
        assert_memory_equal(gpucode_program_bytes(made.program), bytes, section.size);
        assert_int_equal(gpucode_program_symbol(made.program, 0, &symbol), i == 0);
        gpucode_program_free(made.program);
    }
}

TESTS(sources, one_section_kept, constants_defined_later, one_name_one_meaning, sections_of_one_name,
      continued_sections, unknown_targets, many_errors, far_away, many_recorded_lines, macros_in_macros,
      includes_in_includes, tokens)
