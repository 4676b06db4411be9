/* SPDX-License-Identifier: MIT */
/* The public functions on single instructions keep what their header promises, wrong use included. */
#include "assembling.h"

#include <gpucode/lint.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct gpucode_target *a6, *a7;
static const unsigned char add_bytes[] = {0x04, 0x00, 0x62, 0x08}; /* add $02, $03, 0x4 */

static int set_up(void **state)
{
    (void)state;
    a6 = target_named("afuc:a630");
    a7 = target_named("afuc:a730");
    return 0;
}

static struct gpucode_insn decoded(const struct gpucode_target *target, uint32_t word, uint64_t address)
{
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                    (unsigned char)(word >> 24)};
    struct gpucode_insn insn;
    assert_int_equal(gpucode_decode(target, bytes, 4, address, &insn), GPUCODE_OK);
    return insn;
}

static void no_target(void **state)
{
    (void)state;
    struct gpucode_lint_limit limit;
    assert_null(gpucode_target_name(NULL));
    assert_null(gpucode_target_isa(NULL));
    assert_null(gpucode_target_generation(NULL));
    assert_null(gpucode_target_manual(NULL));
    assert_null(gpucode_target_description(NULL));
    assert_null(gpucode_target_facts(NULL));
    assert_null(gpucode_target_syntax(NULL));
    assert_int_equal(gpucode_target_unit_bytes(NULL), 0);
    assert_false(gpucode_lint_limit_at(NULL, 0, &limit, NULL));
    assert_false(gpucode_lint_limit_at(target_named("hwsq:g94"), 0, NULL, NULL));
    assert_false(gpucode_lint_limit_at(target_named("data"), 0, &limit, NULL));
}

static void decode(void **state)
{
    (void)state;
    struct gpucode_insn insn;
    assert_int_equal(gpucode_decode(NULL, add_bytes, 4, 0, &insn), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_decode(a6, NULL, 4, 0, &insn), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_decode(a6, add_bytes, 4, 0, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_decode(a6, NULL, 0, 0, &insn), GPUCODE_ERROR_TRUNCATED);
    for (size_t size = 0; size < 4; size++) {
        unsigned char *cut = malloc(size ? size : 1);
        assert_non_null(cut);
        memcpy(cut, add_bytes, size);
        assert_int_equal(gpucode_decode(a6, cut, size, 0, &insn), GPUCODE_ERROR_TRUNCATED);
        free(cut);
    }
    assert_int_equal(gpucode_decode(a6, "\xff\xff\xff\xff", 4, 0, &insn), GPUCODE_ERROR_NO_INSN);
    /* what follows the instruction is not looked at and not kept */
    const unsigned char more[] = {0x04, 0x00, 0x62, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff};
    assert_int_equal(gpucode_decode(a6, more, sizeof more, 77, &insn), GPUCODE_OK);
    assert_true(insn.bits == 0x08620004 && insn.size == 4 && insn.exact && insn.address == 77 && insn.target == a6);
    struct gpucode_row row;
    assert_true(gpucode_row(a6, insn.row, &row));
    assert_string_equal(row.id, "ADD_IMM");
    assert_false(decoded(a6, 0xd8000001, 0).exact);
    /* the same word, another generation: shl is bic */
    assert_true(gpucode_row(a7, decoded(a7, 0x48620001, 0).row, &row) && strcmp(row.mnemonic, "bic") == 0);
    assert_true(gpucode_row(a6, decoded(a6, 0x48620001, 0).row, &row) && strcmp(row.mnemonic, "shl") == 0);
}

/* Fields of rows are where gpucode_insn_set() puts values. */
static void row_fields(void **state)
{
    (void)state;
    struct gpucode_row_field field;
    struct gpucode_row row;
    unsigned fields = 0;
    for (unsigned r = 0; gpucode_row(a7, r, &row); r++)
        for (unsigned i = 0; gpucode_row_field(a7, r, i, &field); i++) {
            struct gpucode_insn insn;
            uint64_t bits = row.match, width = 0;
            for (unsigned p = 0; p < field.piece_count; p++) {
                bits |= ((UINT64_C(1) << field.pieces[p].width) - 1) << field.pieces[p].shift;
                width += field.pieces[p].width;
            }
            assert_true(width == field.width && field.kind && *field.kind && field.piece_count <= GPUCODE_PIECES_MAX);
            if (gpucode_insn_init(a7, r, &insn) == GPUCODE_OK) {
                assert_int_equal(gpucode_insn_set(&insn, field.letter, (UINT64_C(1) << width) - 1), GPUCODE_OK);
                assert_true(insn.bits == bits);
            }
            fields++;
        }
    assert_in_range(fields, 100, 1000);
    /* how many nodes an action has may be wanted or not */
    unsigned actions = 0;
    for (unsigned r = 0; gpucode_row(a7, r, &row); r++) {
        unsigned nodes = 0;
        const struct gpucode_action *action = gpucode_row_action(a7, r, &nodes);
        assert_int_equal(nodes != 0, action != NULL);
        assert_ptr_equal(gpucode_row_action(a7, r, NULL), action);
        actions += action != NULL;
    }
    assert_in_range(actions, 40, 1000);
    /* what is just behind the last row */
    unsigned rows = 0, count;
    while (gpucode_row(a7, rows, &row))
        rows++;
    assert_false(gpucode_row_field(a7, rows, 0, &field));
    assert_null(gpucode_row_action(a7, rows, &count));
    struct gpucode_insn behind = {.target = a7, .row = (uint16_t)rows, .size = 4, .exact = true};
    struct gpucode_field operand;
    struct gpucode_flow flow;
    assert_false(gpucode_insn_field(&behind, 0, &operand));
    assert_false(gpucode_insn_flow(&behind, &flow));
    assert_int_equal(gpucode_insn_effects(&behind, NULL, 0), 0);
    assert_false(gpucode_row_field(NULL, 0, 0, &field));
    assert_false(gpucode_row_field(a7, 0, 0, NULL));
    assert_false(gpucode_row_field(a7, UINT_MAX, 0, &field));
    assert_false(gpucode_row_field(a7, 0, UINT_MAX, &field));
}

static void encode(void **state)
{
    (void)state;
    struct gpucode_insn insn = decoded(a6, 0x08620004, 0), wrong;
    unsigned char bytes[8];
    size_t needed = 0;
    memset(bytes, 0xaa, sizeof bytes);
    assert_int_equal(gpucode_encode(&insn, bytes, 4, &needed), GPUCODE_OK);
    assert_int_equal(needed, 4);
    assert_memory_equal(bytes, add_bytes, 4);
    assert_int_equal(bytes[4], 0xaa);
    assert_int_equal(gpucode_encode(&insn, bytes, 4, NULL), GPUCODE_OK);
    for (size_t size = 0; size < 4; size++) {
        memset(bytes, 0xaa, sizeof bytes);
        needed = 0;
        assert_int_equal(gpucode_encode(&insn, bytes, size, &needed), GPUCODE_ERROR_SPACE);
        assert_int_equal(needed, 4);
        assert_memory_equal(bytes, "\xaa\xaa\xaa\xaa", 4); /* nothing is written */
    }
    assert_int_equal(gpucode_encode(&insn, NULL, 0, &needed), GPUCODE_ERROR_SPACE);
    assert_int_equal(gpucode_encode(NULL, bytes, 4, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_encode(&insn, NULL, 4, NULL), GPUCODE_ERROR_ARGUMENT);
    wrong = insn;
    wrong.target = NULL;
    assert_int_equal(gpucode_encode(&wrong, bytes, 4, NULL), GPUCODE_ERROR_ARGUMENT);
    wrong = insn;
    wrong.row = UINT16_MAX;
    assert_int_equal(gpucode_encode(&wrong, bytes, 4, NULL), GPUCODE_ERROR_ARGUMENT);
    wrong = insn;
    wrong.target = a7;
    wrong.row = decoded(a6, 0x48620001, 0).row; /* shl of a6xx: no row of a7xx */
    assert_int_equal(gpucode_encode(&wrong, bytes, 4, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_format(&wrong, NULL, (char *)bytes, 4, NULL), GPUCODE_ERROR_ARGUMENT);
}

static void format(void **state)
{
    (void)state;
    struct gpucode_insn insn = decoded(a6, 0x08620004, 0);
    static const char expected[] = "add $02, $03, 0x4";
    for (size_t size = 0; size < sizeof expected + 3; size++) {
        char *text = malloc(size ? size : 1);
        assert_non_null(text);
        size_t needed = 0;
        enum gpucode_status status = gpucode_format(&insn, NULL, text, size, &needed);
        assert_int_equal(needed, sizeof expected - 1);
        assert_int_equal(status, size >= sizeof expected ? GPUCODE_OK : GPUCODE_ERROR_SPACE);
        if (status == GPUCODE_OK)
            assert_string_equal(text, expected);
        free(text);
    }
    size_t needed = 0;
    assert_int_equal(gpucode_format(&insn, NULL, NULL, 0, &needed), GPUCODE_ERROR_SPACE);
    assert_int_equal(needed, sizeof expected - 1);
    char text[GPUCODE_TEXT_MAX];
    assert_int_equal(gpucode_format(NULL, NULL, text, sizeof text, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_format(&insn, NULL, NULL, 10, NULL), GPUCODE_ERROR_ARGUMENT);
    insn.target = NULL;
    assert_int_equal(gpucode_format(&insn, NULL, text, sizeof text, NULL), GPUCODE_ERROR_ARGUMENT);
}

static void expect_text(const struct gpucode_target *target, uint32_t word, uint64_t address,
                        const struct gpucode_format_options *options, const char *expected)
{
    char text[GPUCODE_TEXT_MAX];
    struct gpucode_insn insn = decoded(target, word, address);
    assert_int_equal(gpucode_format(&insn, options, text, sizeof text, NULL), GPUCODE_OK);
    assert_string_equal(text, expected);
}

static void comments(void **state)
{
    (void)state;
    const struct gpucode_format_options with = {.comments = true};
    expect_text(a6, 0x88020830, 0, NULL, "mov $02, 0x830");
    expect_text(a6, 0x88020830, 0, &with, "mov $02, 0x830\t; CP_SQE_INSTR_BASE");
    expect_text(a6, 0x880200ff, 0, &with, "mov $02, 0xff");  /* below 0x100 nothing is a register */
    expect_text(a6, 0x40020830, 0, &with, "not $02, 0x830"); /* not's immediate is not a register */
    expect_text(a6, 0x88820083, 0, &with, "mov $02, 0x83 << 4\t; CP_SQE_INSTR_BASE");
}

static size_t name_of(void *user, enum gpucode_space space, uint32_t number, char *text, size_t size)
{
    assert_ptr_equal(user, a6);
    if (space == GPUCODE_SPACE_CONTROL && number == 0x30) {
        assert_true(size >= 7);
        memcpy(text, "MY_NAME", 7);
        return 7;
    }
    return 0;
}

static bool number_of(void *user, enum gpucode_space space, const char *name, size_t length, uint32_t *number)
{
    assert_ptr_equal(user, a6);
    if (space != GPUCODE_SPACE_CONTROL || length != 7 || memcmp(name, "MY_NAME", 7) != 0)
        return false;
    *number = 0x30;
    return true;
}

static void names(void **state)
{
    (void)state;
    union {
        const struct gpucode_target *target;
        void *user;
    } user = {.target = a6};
    const struct gpucode_names own = {name_of, number_of, user.user};
    const struct gpucode_format_options with = {.names = &own};
    expect_text(a6, 0xa8020030, 0, &with, "cwrite $02, [$00 + @MY_NAME]");
    expect_text(a6, 0xa8020026, 0, &with, "cwrite $02, [$00 + @REG_READ_DWORDS]");
    expect_text(a6, 0xa8020fff, 0, &with, "cwrite $02, [$00 + 0xfff]");
    struct gpucode_insn insn;
    const char text[] = "cwrite $02, [$00 + @MY_NAME]";
    const struct gpucode_parse_options options = {.names = &own};
    assert_int_equal(gpucode_parse(a6, text, strlen(text), &options, &insn), GPUCODE_OK);
    assert_true(insn.bits == 0xa8020030);
    assert_int_equal(gpucode_parse(a6, text, strlen(text), NULL, &insn), GPUCODE_ERROR_INPUT);
    /* a label of another section is none that listings make up */
    assert_int_equal(gpucode_parse(a6, "jump #l1", 8, NULL, &insn), GPUCODE_OK);
    assert_int_equal(gpucode_parse(a6, "jump #l:1", 9, NULL, &insn), GPUCODE_ERROR_INPUT);
    /* one callback alone, and none */
    const struct gpucode_names half = {NULL, number_of, user.user}, none = {0};
    expect_text(a6, 0xa8020026, 0, &(struct gpucode_format_options){.names = &half},
                "cwrite $02, [$00 + @REG_READ_DWORDS]");
    assert_int_equal(gpucode_parse(a6, text, strlen(text), &(struct gpucode_parse_options){.names = &none}, &insn),
                     GPUCODE_ERROR_INPUT);
}

static size_t label(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    assert_ptr_equal(user, &a6);
    assert_true(insn->target == a6 && size >= 16);
    return address == 5 ? (size_t)sprintf(text, "there") : 0;
}

static void labels(void **state)
{
    (void)state;
    const struct gpucode_format_options with = {.label = label, .user = &a6};
    expect_text(a6, 0xc8000003, 2, NULL, "jump #l5");
    expect_text(a6, 0xc8000003, 2, &with, "jump #there");
    expect_text(a6, 0xc8000004, 2, &with, "jump #4"); /* the plain offset */
    expect_text(a6, 0xd4000005, 2, NULL, "call #fxn5");
    expect_text(a6, 0xd4000005, 2, &with, "call #there");
    expect_text(a6, 0xd4000006, 2, &with, "call #6");
    expect_text(a6, 0xc800fffd, 2, NULL, "jump #-3");
    expect_text(a6, 0xec000000, 2, NULL, "setsecure $02, #l5");
}

static bool symbol(void *user, const char *name, size_t length, int64_t *value)
{
    assert_ptr_equal(user, &a7);
    if (length != 5 || memcmp(name, "there", 5) != 0)
        return false;
    *value = 9;
    return true;
}

static enum gpucode_status parsed(const char *text, size_t length, uint64_t *bits, struct heard *heard)
{
    struct gpucode_insn insn = {0};
    const struct gpucode_parse_options options = {
        .on_diagnostic = listen(heard), .file = "one.asm", .address = 2, .symbol = symbol, .user = &a7};
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    enum gpucode_status status = gpucode_parse(a6, copy, length, &options, &insn);
    free(copy);
    *bits = insn.bits;
    if (status == GPUCODE_OK) {
        assert_int_equal(heard->count, 0);
        assert_true(insn.target == a6 && insn.size == 4 && insn.exact && insn.address == 2);
        struct gpucode_insn again = decoded(a6, (uint32_t)insn.bits, 2);
        assert_int_equal(again.row, insn.row);
    } else {
        assert_int_equal(heard->count, 1);
        assert_string_equal(heard->said[0].file, "one.asm");
        assert_int_equal(heard->said[0].severity, GPUCODE_ERROR);
    }
    return status;
}

static void parse(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t word;
        const char *error; /* null: right */
    } cases[] = {
        {"add $02, $03, 0x4", 0x08620004, NULL},
        {"  add\t$02,$03 ,4  ; a comment", 0x08620004, NULL},
        {"\n\nadd $02,\n$03, 4\r\n;c\n", 0x08620004, NULL},
        {"jump #there", 0xc8000007, NULL},
        {"jump #there-8", 0xc800ffff, NULL},
        {"jump #l5", 0xc8000003, NULL},
        {"call #fxn5", 0xd4000005, NULL},
        {"mov $02, #there * 2 + 1", 0x88020013, NULL},
        {"cwrite $02, [$05 + 0xb0], 0x4", 0xa8a240b0, NULL},
        {"mov $02, CP_SCRATCH_REG[0x2]", 0x88020885, NULL},
        {"mov $02, CP_SCRATCH[2].REG + 1", 0x88020886, NULL},
        {"mov $addr, |NRT_ADDR << 24", 0x8b1d00a0, NULL},
        {"mov $02, CP_SQE_INSTR_BASE", 0x88020830, NULL},
        {"mov $02, CP_SCRATCH[9].REG", 0, "unknown-register:1:10"},
        {"mov $02, |NRT_ADDRS", 0, "unknown-register:1:10"},
        {"preemptleave #l3", 0xe0000003, NULL},
        {"mov $1a, $1b", 0x981bd006, NULL},
        {"", 0, "expected:1:1"},
        {";", 0, "expected:1:2"},
        {"add $02, $03, 4 nop", 0, "expected:1:17"},
        {"add $02, $03, 4\nnop", 0, "expected:2:1"},
        {"jump #nowhere", 0, "unknown-symbol:1:7"},
        {"jump #-3", 0, "afuc-not-a-label:1:6"},
        {"jump #7", 0, "afuc-not-a-label:1:6"},
        {"add $02, $03, 0x10000", 0, "out-of-range:1:15"},
        {"add $02, $03,\n  65536", 0, "out-of-range:2:3"},
        {"bic $02, $03, $04", 0, "other-generation:1:1"},
        {"frob $02", 0, "unknown-mnemonic:1:1"},
        {"label:", 0, "unknown-mnemonic:1:1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bits;
        struct heard heard;
        enum gpucode_status status = parsed(cases[i].text, strlen(cases[i].text), &bits, &heard);
        if (strcmp(heard_text(&heard), cases[i].error ? cases[i].error : "") != 0 ||
            (status == GPUCODE_OK) != !cases[i].error)
            fail_msg("'%s' gives '%s' (%s)", cases[i].text, heard_text(&heard), heard.said[0].message);
        if (!cases[i].error)
            assert_int_equal(bits, cases[i].word);
    }
    struct gpucode_insn insn;
    assert_int_equal(gpucode_parse(NULL, "nop", 3, NULL, &insn), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_parse(a6, NULL, 3, NULL, &insn), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_parse(a6, "nop", 3, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_parse(a6, NULL, 0, NULL, &insn), GPUCODE_ERROR_INPUT);
    assert_int_equal(gpucode_parse(a6, "nop", 3, NULL, &insn), GPUCODE_OK); /* without a diagnostic handler too */
    assert_int_equal(gpucode_parse(a6, "nap", 3, NULL, &insn), GPUCODE_ERROR_INPUT);
}

/* A zero byte is not a white space and no end. */
static void zero_bytes(void **state)
{
    (void)state;
    uint64_t bits;
    struct heard heard;
    assert_int_equal(parsed("nop\0", 4, &bits, &heard), GPUCODE_ERROR_INPUT);
    assert_int_equal(parsed("\0nop", 4, &bits, &heard), GPUCODE_ERROR_INPUT);
    assert_int_equal(parsed("add $02, $03\0, 4", 16, &bits, &heard), GPUCODE_ERROR_INPUT);
}

/* A text cut anywhere is refused or understood, and never read after. */
static void cut_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {"(rep)(xmov3)(peek)add $usraddr, $memdata, $regdata",
                                        "(rep)(sds2)cwrite $02, [$03 + @REG_READ_DWORDS+0x1]!",
                                        "mov $02, ((1 << 3) | 0x10) << 12 ; c",
                                        "brne $02, b17, #there + (3 * 2)",
                                        "load.f8 $02, [$03 + 0xfff], 0x4",
                                        "setsecure $02, #l5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t cut = 0; cut <= strlen(texts[i]); cut++) {
            uint64_t bits;
            struct heard heard;
            enum gpucode_status status = parsed(texts[i], cut, &bits, &heard);
            if (cut == 0)
                assert_int_equal(status, GPUCODE_ERROR_INPUT);
        }
}

static void fields(void **state)
{
    (void)state;
    struct gpucode_insn insn = decoded(a6, 0x9c6daf01, 0); /* (rep)(xmov3)(peek)add $15, $03, $0d */
    static const struct {
        char letter;
        uint64_t value;
        unsigned width;
    } expected[] = {{'r', 1, 1}, {'x', 3, 2}, {'p', 1, 1}, {'d', 0x15, 5}, {'s', 3, 5}, {'t', 13, 5}};
    struct gpucode_field field;
    for (unsigned i = 0; i < 6; i++) {
        assert_true(gpucode_insn_field(&insn, i, &field));
        assert_true(field.letter == expected[i].letter && field.value == expected[i].value &&
                    field.width == expected[i].width && field.kind && field.kind[0]);
    }
    assert_false(gpucode_insn_field(&insn, 6, &field));
    assert_false(gpucode_insn_field(&insn, UINT32_MAX, &field));
    assert_false(gpucode_insn_field(NULL, 0, &field));
    assert_false(gpucode_insn_field(&insn, 0, NULL));
    assert_int_equal(gpucode_insn_set(NULL, 'd', 0), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_insn_set(&insn, 'd', 31), GPUCODE_OK);
    assert_int_equal(gpucode_insn_set(&insn, 'd', 32), GPUCODE_ERROR_RANGE);
    assert_true(insn.bits == (0x9c6daf01 | 31 << 11)); /* a refused value changes nothing */
    assert_int_equal(gpucode_insn_init(NULL, 0, &insn), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_insn_init(a6, UINT32_MAX, &insn), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_insn_init(a6, 0, NULL), GPUCODE_ERROR_ARGUMENT);
    struct gpucode_row row;
    assert_false(gpucode_row(NULL, 0, &row));
    assert_false(gpucode_row(a6, 0, NULL));
    assert_false(gpucode_row(a6, gpucode_row_count(a6), &row));
    assert_false(gpucode_row_on_target(a6, gpucode_row_count(a6)));
    assert_false(gpucode_row_on_target(NULL, 0));
    assert_int_equal(gpucode_row_count(NULL), 0);
}

static void targets(void **state)
{
    (void)state;
    static const char *const names[] = {"a530",     "a630", "a650",     "a660",     "a702",      "a730",     "a740",
                                        "gen70500", "a750", "gen70900", "gen71500", "gen71700",  "gen80000", "gen80100",
                                        "gen80200", "a5xx", "a6xx",     "a7xx",     "a7xx-gen3", "gen8"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[40];
        snprintf(text, sizeof text, "qrisc:%s", names[i]);
        const struct gpucode_target *target = gpucode_target_find(text);
        assert_non_null(target);
        snprintf(text, sizeof text, "afuc:%s", names[i]);
        assert_ptr_equal(target, gpucode_target_find(text));
        assert_string_equal(gpucode_target_name(target), text);
        assert_string_equal(gpucode_target_isa(target), "afuc");
        assert_int_equal(gpucode_target_unit_bytes(target), 4);
        assert_true(gpucode_target_description(target)[0]);
    }
    static const char *const wrong[] = {"", "afuc", "afuc:", ":a630", "a63", "afuc:A630", "afuc:a63", "afuc:a6300"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(gpucode_target_find(wrong[i]));
    assert_ptr_equal(gpucode_target_find("a630"), gpucode_target_find("afuc:a630")); /* no other set has the name */
    assert_string_equal(gpucode_target_name(gpucode_target_find("a320")), "a3xx:a320");
    assert_null(gpucode_target_find(NULL));
    assert_null(gpucode_target_at(UINT32_MAX));
    for (int status = 0; status < 12; status++)
        assert_true(gpucode_status_text((enum gpucode_status)status)[0]);
}

/* Every fact, so that a set that forgets one, or a fact that moves, is noticed. */
static void facts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct gpucode_facts facts;
    } expected[] = {
        {"afuc:a630",
         {.packets = true,
          .protected_registers = true,
          .calls = true,
          .delay_slots = true,
          .fixed_size = true,
          .words = true}},
        {"hwsq:g94", {.events = true, .entry_labels = true}},
        {"a3xx:a320",
         {.calls = true, .float_registers = true, .threads = true, .fixed_size = true, .whole_code = true}},
        {"data", {.packets = false}},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct gpucode_target *target = gpucode_target_find(expected[i].name);
        assert_non_null(target);
        assert_memory_equal(gpucode_target_facts(target), &expected[i].facts, sizeof expected[i].facts);
    }
}

/* Names in place of numbers: a register of the pipe has its mark, and each text brings its word back. */
static void names_as_numbers(void **state)
{
    (void)state;
    static const struct gpucode_format_options named = {.style = 1};
    static const struct {
        uint32_t word;
        const char *text;
    } words[] = {
        {0x8b1d0080, "mov $addr, |WAIT_FOR_IDLE << 24"},
        {0x8b020080, "mov $02, 0x80 << 24"},
        {0x8a1d8000, "mov $addr, 0x8000 << 16"},
        {0x881d0883, "mov $addr, CP_SCRATCH[0].REG"},
        {0x881d0010, "mov $addr, 0x10"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct gpucode_insn insn = decoded(a6, words[i].word, 0), back;
        char text[GPUCODE_TEXT_MAX];
        assert_int_equal(gpucode_format(&insn, &named, text, sizeof text, NULL), GPUCODE_OK);
        assert_string_equal(text, words[i].text);
        assert_int_equal(gpucode_parse(a6, text, strlen(text), NULL, &back), GPUCODE_OK);
        assert_true(back.bits == insn.bits);
    }
    for (uint32_t number = 0; number < 256; number++) {
        struct gpucode_insn insn = decoded(a6, 0x8b1d0000 | number, 0), back;
        char text[GPUCODE_TEXT_MAX];
        assert_int_equal(gpucode_format(&insn, &named, text, sizeof text, NULL), GPUCODE_OK);
        assert_int_equal(gpucode_parse(a6, text, strlen(text), NULL, &back), GPUCODE_OK);
        assert_true(back.bits == insn.bits);
    }
}

/* Registers by the text that instructions have for them. */
static void registers_by_text(void **state)
{
    (void)state;
    uint32_t number;
    unsigned space = 77;
    number = 77;
    assert_false(gpucode_register_of(NULL, NULL, "$02", 3, &space, &number));
    assert_false(gpucode_register_of(a6, NULL, NULL, 3, &space, &number));
    assert_false(gpucode_register_of(a6, NULL, "$02", 0, &space, &number));
    assert_false(gpucode_register_of(a6, NULL, "$02", 3, NULL, &number));
    assert_false(gpucode_register_of(a6, NULL, "$02", 3, &space, NULL));
    assert_true(space == 77 && number == 77);
    assert_true(gpucode_register_of(a6, NULL, "$02", 3, &space, &number));
    assert_true(space == GPUCODE_SPACE_GENERAL && number == 2);
    const struct gpucode_target *fermi = gpucode_target_find("mme:fermi");
    assert_true(gpucode_register_of(fermi, NULL, "$r5", 3, &space, &number));
    assert_true(space == GPUCODE_SPACE_GENERAL && number == 5);
    static const char *const others[] = {"$r8", "$r55", "$rx", "$r/", "$r:", "$r5x", "$r", "$5", "r5"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(gpucode_register_of(fermi, NULL, others[i], strlen(others[i]), &space, &number));
}

TEST_GROUP(interface)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_target),
        cmocka_unit_test(decode),
        cmocka_unit_test(row_fields),
        cmocka_unit_test(encode),
        cmocka_unit_test(format),
        cmocka_unit_test(comments),
        cmocka_unit_test(names),
        cmocka_unit_test(names_as_numbers),
        cmocka_unit_test(registers_by_text),
        cmocka_unit_test(labels),
        cmocka_unit_test(parse),
        cmocka_unit_test(zero_bytes),
        cmocka_unit_test(fields),
        cmocka_unit_test(targets),
        cmocka_unit_test(cut_texts),
        cmocka_unit_test(facts),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
