/* SPDX-License-Identifier: MIT */
/* Macros as text, both ways: every word comes back, and sources say what they say in envyas. */
#include "assembling.h"

#include <gpucode/outline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FERMI "mme:fermi"

/* Words as the bytes of a file; free() them. */
static void *bytes_of(const uint32_t *words, size_t size)
{
    unsigned char *bytes = malloc(size + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(words[i / 4] >> 8 * (i % 4));
    return bytes;
}

static void expect_code(const char *text, const uint32_t *words, size_t size)
{
    void *bytes = bytes_of(words, size);
    expect_bytes(text, FERMI, bytes, size);
    free(bytes);
}

#define MARK "//! target mme:fermi\n"

/* The listing of the words, which says by itself what it is; malloc'ed. */
static char *listed(const uint32_t *words, size_t size)
{
    void *bytes = bytes_of(words, size);
    struct gpucode_image_options options = {.target = target_named(FERMI)};
    struct gpucode_image *image;
    char *text;
    size_t length;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(image, NULL, &text, &length), GPUCODE_OK);
    assert_int_equal(strlen(text), length);
    gpucode_image_free(image);
    free(bytes);
    assert_true(!length || gpucode_source_target(text, length) == options.target);
    if (strncmp(text, MARK, strlen(MARK)) == 0) /* nothing else says what the word is */
        memmove(text, text + strlen(MARK), length - strlen(MARK) + 1);
    return text;
}

static void expect_macro(const char *text, const uint32_t *words, size_t count)
{
    expect_code(text, words, 4 * count);
}
#define EXPECT_MACRO(text, ...) expect_macro(text, (const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / 4)

/* The normal form of a word, and the word of that text. */
static void one_of_each(void)
{
    static const struct {
        uint32_t word;
        const char *text;
    } cases[] = {
        {0x00000011, "nop\n"},
        {0x00000091, "exit\n"},
        {0x00000301, "parm $r3\n"},
        {0x00000381, "exit parm $r3\n"},
        {0x0001c511, "mov $r5 0x7\n"},
        {0x00001411, "mov $r4 $r2\n"},
        {0x00000411, "mov $r4 0x0\n"},
        {0xfffff611, "mov $r6 (add $r6 -0x1)\n"},
        {0x04400021, "maddr 0x1100\n"},
        {0x04400221, "maddr $r2 0x1100\n"},
        {0x00002041, "send $r4\n"},
        {0x000020c1, "exit send $r4\n"},
        {0x00002141, "send $r1 $r4\n"},
        {0x00464042, "send (extrinsrt 0x0 $r1 0x3 0x1 0x0)\n"},
        {0x00001203, "parm $r2 ign (extrshl 0x0 $r2 0x0 0x0)\n"},
        {0x00004064, "parmsend maddr (extrshl $r1 0x0 0x0 $r0)\n"},
        {0x00024064, "parmsend maddr (extrshl $r1 0x1 0x0 0x0)\n"},
        {0x00047a70, "maddrsend $r2 (sub $r7 $r1)\n"},
        {0x00004330, "parm $r3 send (add 0x0 $r1)\n"},
        {0x00004350, "parm $r3 maddr (add 0x0 $r1)\n"},
        {0x01200215, "read $r2 0x480\n"},
        {0xfffffa15, "read $r2 (add $r7 -0x1)\n"},
        {0x00010027, "bra annul 0x4\n"},
        {0xffffb097, "exit branz $r6 -0x2\n"},
        {0x00000017, "branz 0x0 0x0\n"},
        {0x00000007, "bra 0x0\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = listed(&cases[i].word, 4), *line = strncmp(text, "l0:\n", 4) == 0 ? text + 4 : text;
        char expected[128];
        snprintf(expected, sizeof expected, "%s", cases[i].text);
        if (line != text) /* the only word may be its own target */
            strcpy(strstr(expected, " 0x0\n") ? expected + strlen(expected) - 4 : expected, "#l0\n");
        assert_string_equal(line, expected);
        expect_code(cases[i].text, &cases[i].word, 4);
        free(text);
    }
}

/* What other tools have no text for is a number, and the comment tells what it nearly is. */
static void numbers_for_words(void)
{
    static const struct {
        uint32_t word;
        const char *text;
    } cases[] = {
        {0x00000019, ".b32 0x00000019\t// nearly nop\n"},
        {0x00000006, ".b32 0x00000006\t// no instruction: operation 6\n"},
        {0x000a4010, ".b32 0x000a4010\t// no instruction: operation of registers 5\n"},
        {0x00000205, ".b32 0x00000205\t// nearly parm $r2 ign (read 0x0 0x0)\n"},
        {0x0040d110, ".b32 0x0040d110\t// nearly mov $r1 (add $r2 $r3)\n"},
        {0x00000107, ".b32 0x00000107\t// nearly bra 0x0\n"},
        {0x00000047, ".b32 0x00000047\t// nearly bra 0x0\n"},
        {0x00020013, ".b32 0x00020013\t// nearly mov 0x0 (extrshl 0x0 0x0 0x0 0x0)\n"},
        {0x08000014, ".b32 0x08000014\t// nearly mov 0x0 (extrshl 0x0 0x0 0x0 $r0)\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = listed(&cases[i].word, 4);
        assert_string_equal(text, cases[i].text);
        expect_code(text, &cases[i].word, 4);
        free(text);
    }
    char *text = listed((const uint32_t[]){0x11, 0x0403020a}, 7);
    assert_string_equal(text, "nop\n.b8 0x0a 0x02 0x03\n");
    free(text);
    text = listed(NULL, 0);
    assert_string_equal(text, "");
    free(text);
}

static void every_word_comes_back(void)
{
    uint64_t random = 9097;
    uint32_t words[512];
    for (unsigned round = test_rounds(40, 2000); round-- > 0;) {
        for (unsigned i = 0; i < 512; i++) {
            words[i] = next_random(&random);
            if (i % 4) /* most operations have few words without bits that they do not use */
                words[i] &= ~UINT32_C(8);
            if (i % 8 > 4)
                words[i] &= 0x003fffff;
        }
        char *text = listed(words, sizeof words - round % 4);
        expect_code(text, words, sizeof words - round % 4);
        free(text);
    }
}

/* Texts that envyas takes too. */
static void other_texts(void)
{
    EXPECT_MACRO("mov $r1 $r0\nmov $r1 (add $r0 $r2)\nmov $r0 5", 0x00000111, 0x00008110, 0x00014011);
    EXPECT_MACRO("maddr 0 5; send 0x0 $r2; parm 0x0", 0x00014021, 0x00001041, 0x00000001);
    EXPECT_MACRO("mov $r1 (extrshl $r2 0 3 0)", 0x00c08113); /* of two words with this text the first */
    EXPECT_MACRO("mov $r1 (add $r2 0)\nmov $r1 (add 0 0x5)\nread $r1 (add 0 1)", 0x00001110, 0x00014111, 0x00004115);
    EXPECT_MACRO("mov $r1 0xffffffffffffffff\nmov $r1 -1\nmov $r1 010", 0xffffc111, 0xffffc111, 0x00020111);
    EXPECT_MACRO("mov $r1 2 - 1\nmov $r1 (add $r1 4-5)\nsend 0x0 -1", 0x00004111, 0xffffc911, 0xffffc041);
    EXPECT_MACRO("mov $r1 (1 << 4 | 3)\nmov $r1 (-1 >> 63)\nmov $r1 (0xffffffffffffffff + 2)", 0x0004c111, 0x00004111,
                 0x00004111);
    EXPECT_MACRO("mov $r1 (-4 / 0x4000000000000000)\nmov $r1 (-1 % 10)\nmov $r1 (0x8000000000000000 * 2)", 0x0000c111,
                 0x00014111, 0x00000111);
    EXPECT_MACRO("/* a\n comment */ nop // another\n\n /+ and /+ one +/ inside +/ exit", 0x11, 0x91);
    EXPECT_MACRO("a: b: bra #b\nc: d:\nexit branz annul $r1 #a", 0x00000007, 0xffffc8b7);
    EXPECT_MACRO(".equ #five 5\nmov $r1 #five\n.equ six, 6\n.b32 six #five -1\n.b16 1, 2\n.b8 1 2 3 4\n.b64 -2",
                 0x00014111, 6, 5, 0xffffffff, 0x00020001, 0x04030201, 0xfffffffe, 0xffffffff);
    EXPECT_MACRO("nop\n.align 16\nnop\n.skip 4\n.u32 4\n.size 0x20", 0x11, 0, 0, 0, 0x11, 0, 4, 0);
    EXPECT_MACRO(".target mme:fermi\n.macro put a, b\nmaddr \\a\nsend \\b\n.endm\nput 0x10, $r1", 0x00040021,
                 0x00000841);
}

static void wrong_texts(void)
{
    static const struct text_case cases[] = {
        {"mov $r8 1", "mme-register:1:5"},
        {"mov $x1 1", "mme-register:1:5"},
        {"mov 1 1", "expected:1:5"},
        {"mov $r1 0x20000", "out-of-range:1:9"},
        {"mov $r1 -0x20001", "out-of-range:1:9"},
        {"mov $r1 (extrshl $r1 $r2 32 0)", "out-of-range:1:26"},
        {"mov $r1 (mul $r1 $r2)", "expected:1:10"},
        {"mov $r1", "expected:1:8"},
        {"exit nop", "modifier:1:1"},
        {"send 1 2", "expected:1:8"},
        {"bra #nowhere", "undefined:1:6"},
        {"a: nop\na: nop", "duplicate:2:1 first-defined:1:1"},
        {".b8 0x100", "number-sign:1:5"},
        {".size 4\nnop\n.size 4\n.size 3", "padding:3:7 padding:4:7"},
        {"nop\n.section #a\nx: nop\n.section #b\nx: nop", "duplicate:5:1 first-defined:3:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refusal(cases[i].text, FERMI, cases[i].expected);
}

/* Each section begins at 0 or its base; parts of one come together, and labels are those of the file. */
static void sections(void)
{
    static const char source[] = "nop\n"
                                 ".section #a\n  parm $r2\nx: bra #x\n"
                                 ".section #b 0x10\ny: bra annul #y\n  .b32 #y #x\n"
                                 ".section #a\n  bra #x\nz: exit send #z\n";
    static const uint32_t words[] = {0x11, 0x201, 0x7, 0xffffc007, 0x0000c0c1, 0x27, 0x10, 0x1};
    struct assembled made;
    const struct gpucode_asm_options options = {.target = target_named(FERMI), .record_lines = true};
    assemble_bytes(&made, source, sizeof source - 1, &options);
    assert_int_equal(made.status, GPUCODE_OK);
    assert_int_equal(made.heard.count, 0);
    assert_int_equal(gpucode_program_size(made.program), sizeof words);
    unsigned char *bytes = bytes_of(words, sizeof words);
    assert_memory_equal(gpucode_program_bytes(made.program), bytes, sizeof words);
    static const struct gpucode_program_section expected[] = {{"", 0, 4, 0}, {"a", 4, 16, 0}, {"b", 20, 12, 0x10}};
    struct gpucode_program_section section;
    for (unsigned i = 0; i < 3; i++) {
        assert_true(gpucode_program_section(made.program, i, &section));
        assert_string_equal(section.name, expected[i].name);
        assert_int_equal(section.offset, expected[i].offset);
        assert_int_equal(section.size, expected[i].size);
        assert_int_equal(section.base, expected[i].base);
    }
    assert_false(gpucode_program_section(made.program, 3, &section));
    static const unsigned lines[] = {1, 3, 4, 9, 10, 6, 7, 7};
    struct gpucode_line line;
    for (uint32_t i = 0; i < 8; i++) {
        assert_true(gpucode_program_line(made.program, i, &line));
        assert_int_equal(line.line, lines[i]);
    }
    assert_false(gpucode_program_keep(made.program, 3));
    assert_true(gpucode_program_keep(made.program, 1));
    assert_int_equal(gpucode_program_size(made.program), 16);
    assert_memory_equal(gpucode_program_bytes(made.program), bytes + 4, 16);
    free(bytes);
    assert_true(gpucode_program_line(made.program, 2, &line));
    assert_int_equal(line.line, 9);
    assert_false(gpucode_program_line(made.program, 4, &line));
    struct gpucode_symbol symbol;
    assert_true(gpucode_program_symbol(made.program, 0, &symbol));
    assert_string_equal(symbol.name, "x");
    assert_int_equal(symbol.unit, 1);
    assert_true(gpucode_program_symbol(made.program, 1, &symbol));
    assert_string_equal(symbol.name, "z");
    assert_int_equal(symbol.unit, 3);
    assert_false(gpucode_program_symbol(made.program, 2, &symbol));
    gpucode_program_free(made.program);
}

/* Many parts that alternate. */
static void many_parts(void)
{
    enum { PARTS = 3000 };
    char *source = malloc(PARTS * 32), *at = source;
    uint32_t words[PARTS];
    assert_non_null(source);
    for (unsigned i = 0; i < PARTS; i++) {
        at += sprintf(at, ".section #%c\n.b32 %u\n", "abc"[i % 3], i);
        words[i % 3 * (PARTS / 3) + i / 3] = i;
    }
    expect_code(source, words, sizeof words);
    free(source);
}

static void effects(void)
{
    const struct gpucode_target *target = target_named(FERMI);
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    struct gpucode_effect effect[GPUCODE_EFFECTS_MAX];
    uint32_t word = little_endian(0xffffb097); /* exit branz $r6 */
    assert_int_equal(gpucode_decode(target, &word, 4, 9, &insn), GPUCODE_OK);
    assert_true(gpucode_insn_flow(&insn, &flow));
    assert_int_equal(flow.kind, GPUCODE_FLOW_BRANCH);
    assert_true(flow.ends && flow.known && flow.conditional);
    assert_int_equal(flow.target, 7);
    assert_int_equal(flow.delay_slots, 1);
    assert_int_equal(flow.ending_slots, 1);
    word = little_endian(0x0000c0a7); /* exit bra annul: always taken, so that the exit and its slot never count */
    assert_int_equal(gpucode_decode(target, &word, 4, 12, &insn), GPUCODE_OK);
    assert_true(gpucode_insn_flow(&insn, &flow) && flow.kind == GPUCODE_FLOW_JUMP && !flow.ends);
    assert_true(flow.target == 15 && flow.delay_slots == 0 && flow.ending_slots == 0);
    word = little_endian(0x00066a10); /* mov $r2 (sbb $r5 $r1) */
    assert_int_equal(gpucode_decode(target, &word, 4, 0, &insn), GPUCODE_OK);
    assert_int_equal(gpucode_insn_effects(&insn, effect, GPUCODE_EFFECTS_MAX), 4);
    assert_true(effect[0].use == GPUCODE_USE_WRITE && effect[0].number == 2);
    assert_true(effect[1].use == GPUCODE_USE_READ && effect[1].number == 5);
    assert_true(effect[2].use == GPUCODE_USE_READ && effect[2].number == 1);
    assert_true(effect[3].use == GPUCODE_USE_BOTH && effect[3].space == GPUCODE_SPACE_COUNT);
    assert_string_equal(gpucode_space_name(target, GPUCODE_SPACE_COUNT), "special");
    word = little_endian(0x00000091);
    assert_int_equal(gpucode_decode(target, &word, 4, 0, &insn), GPUCODE_OK);
    assert_true(gpucode_insn_flow(&insn, &flow) && flow.kind == GPUCODE_FLOW_STOP && flow.delay_slots == 1);
    assert_int_equal(gpucode_insn_effects(&insn, effect, GPUCODE_EFFECTS_MAX), 0);
}

/* One instruction by itself goes to labels as listings make them up. */
static void made_up_labels(void)
{
    static const struct {
        const char *text;
        int64_t target; /* -1: there is no such label */
    } cases[] = {
        {"bra #l0", 0},         {"bra #l9", 9},          {"bra #l12", 12}, {"bra #l1089", 1089},
        {"bra #l00000010", 10}, {"bra #l000000001", -1}, {"bra #l", -1},   {"bra #l1x", -1},
        {"bra #lx", -1},        {"bra #l_", -1},         {"bra #k1", -1},
        {"bra #l/", -1},        {"bra #l1:", -1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpucode_insn insn;
        struct gpucode_flow flow;
        enum gpucode_status status = gpucode_parse(target_named(FERMI), cases[i].text, strlen(cases[i].text),
                                                   &(struct gpucode_parse_options){.address = 5}, &insn);
        assert_int_equal(status, cases[i].target < 0 ? GPUCODE_ERROR_INPUT : GPUCODE_OK);
        if (status == GPUCODE_OK)
            assert_true(gpucode_insn_flow(&insn, &flow) && flow.target == (uint64_t)cases[i].target);
    }
}

/* The caller's labels: of section 0, two at a place, and one that is too long for any name. */
static size_t label(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size)
{
    *(unsigned *)user += section == 0 && index < 3 && unit <= 5 && size >= GPUCODE_NAME_MAX;
    *(unsigned *)user += 1u << 16;
    if (unit == 3)
        return index ? 0 : size + 1;
    return unit == 1 && index < 2 ? (size_t)snprintf(text, size, "here_%u", index) : 0;
}

static void expect_span(const char *text, struct gpucode_span span, const char *wanted)
{
    assert_int_equal(span.length, strlen(wanted));
    assert_memory_equal(text + span.offset, wanted, span.length);
}

/* Where everything stands in a listing, with columns and without, and in one that says in its first line what it is. */
static void lines_and_labels(void)
{
    static const uint32_t words[] = {0x00008817, 0x00000011, 0xffffc817, 0x00000006, 0x00030201};
    static const struct {
        uint64_t bits;
        const char *line, *text, *comment;
    } units[] = {
        {0x00008817, "0000: 00008817  branz", "branz $r1 #l2", ""},
        {0x00000011, "0001: 00000011  nop", "nop", ""},
        {0xffffc817, "0002: ffffc817  branz", "branz $r1 #here_0", ""},
        {0x00000006, "0003: 00000006  .b32", ".b32 0x00000006", "no instruction: operation 6"},
        {0x00030201, ".b8", ".b8 0x01 0x02 0x03", ""},
    };
    unsigned asked = 0;
    void *bytes = bytes_of(words, sizeof words);
    struct gpucode_image *image;
    for (unsigned way = 0; way < 3; way++) {
        const struct gpucode_disasm_options options = {.label = label, .user = &asked, .columns = way == 1};
        struct gpucode_outline *outline;
        uint32_t count;
        size_t from = way == 2 ? 4 : 0, size = way == 2 ? 4 : sizeof words - 1; /* the mark: one nop says nothing */
        assert_int_equal(gpucode_image_open((char *)bytes + from, size,
                                            &(struct gpucode_image_options){.target = target_named(FERMI)}, &image),
                         GPUCODE_OK);
        assert_int_equal(gpucode_outline_create(image, &options, &outline), GPUCODE_OK);
        const char *text = gpucode_outline_text(outline, NULL);
        assert_int_equal(strncmp(text, MARK, strlen(MARK)) == 0, way == 2);
        const struct gpucode_unit *unit = gpucode_outline_units(outline, &count);
        assert_int_equal(count, way == 2 ? 1 : 5);
        for (unsigned i = 0; i < count; i++) {
            unsigned k = i + (unsigned)from / 4;
            const char *line = way == 1 ? units[k].line : units[k].text;
            assert_memory_equal(text + unit[i].line, line, strlen(line));
            expect_span(text, unit[i].text, units[k].text);
            expect_span(text, unit[i].comment, units[k].comment);
            assert_int_equal(unit[i].at, i);
            assert_int_equal(unit[i].unit, i);
            assert_true(unit[i].bits == units[k].bits && unit[i].reached);
            assert_int_equal(unit[i].size, k == 4 ? 3 : 4);
            assert_int_equal(unit[i].row == GPUCODE_ROW_NONE, k >= 3);
            assert_int_equal(unit[i].kind, k < 3 ? GPUCODE_UNIT_CODE : GPUCODE_UNIT_DATA);
        }
        const struct gpucode_mark *marks = gpucode_outline_marks(outline, &count);
        assert_int_equal(count, way == 2 ? 0 : 3);
        for (unsigned i = 0; i < count; i++) {
            expect_span(text, marks[i].name, i == 0 ? "here_0" : i == 1 ? "here_1" : "l2");
            assert_int_equal(marks[i].kind, i < 2 ? GPUCODE_MARK_SYMBOL : GPUCODE_MARK_BRANCHED);
        }
        gpucode_outline_free(outline);
        gpucode_image_free(image);
    }
    assert_int_equal(asked & 0xffff, asked >> 16);
    free(bytes);
}

TESTS(text, one_of_each, numbers_for_words, every_word_comes_back, other_texts, wrong_texts, sections, many_parts,
      effects, made_up_labels, lines_and_labels)
