/* SPDX-License-Identifier: MIT */
/*
 * Every message: what brings it about, where it points, and what it says. The last test looks through the files of
 * all tests: a message that none of them names or shows has no test.
 */
#include "assembling.h"

#include <ftw.h>
#include <gpucode/machine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T ".target afuc:a630\n"

/* Sixteen sections of 16 MiB. */
#define SECTION(name) ".section " name "\n.org 0x400000\n"
#define LARGE                                                                                                          \
    SECTION("A")                                                                                                       \
    SECTION("B")                                                                                                       \
    SECTION("C")                                                                                                       \
    SECTION("D")                                                                                                       \
    SECTION("E")                                                                                                       \
    SECTION("F")                                                                                                       \
    SECTION("G")                                                                                                       \
    SECTION("H") SECTION("I") SECTION("J") SECTION("K") SECTION("L") SECTION("M") SECTION("N") SECTION("O") SECTION("P")

static const struct {
    const char *diagnostics; /* as heard_text() */
    unsigned length;         /* of the first caret */
    const char *message;     /* the first */
    const char *target;
    const char *source;
} cases[] = {
    {"expected:2:9", 1, "expected ','", NULL, T "add $02 $03, 4"},
    {"expected:2:5", 4, "expected destination register", NULL, T "add four"},
    {"expected:3:1 line-ends:2:13", 1, "expected ','", NULL, T "add $02, $03\n"},
    {"expected:2:21", 1, "expected ']'", NULL, T "load $02, [$03 + 0x4"},
    {"expected:2:16", 1, "expected '+'", NULL, T "load $02, [$03 - 0x4]"},
    {"expected:2:16", 1, "expected ')'", NULL, T "mov $02, (1 + 2, 4"},
    {"expected:2:14", 2, "expected a label #name", NULL, T "brne $02, 1, b5"},
    {"expected:2:1", 1, "expected an instruction", NULL, T "] nop"},
    {"expected:2:1", 1, "expected an instruction", NULL, T "\xff\xfe nop"},
    {"expected:2:6", 1, "expected a name", NULL, T ".equ 5, 5"},
    {"expected:2:10", 4, "expected a file name in double quotes", NULL, T ".include file"},
    {"expected:2:10 expected:3:1", 1, "expected a file name in double quotes", NULL, T ".include \"file\n\""},
    {"no-digits:2:15", 2, "0x without digits is not a number", NULL, T "add $02, $03, 0x"},
    {"leading-zero:2:15", 1, "decimal numbers have no leading zero", NULL, T "add $02, $03, 07"},
    {"bad-number:2:15", 3, "'12h' is not a number", NULL, T "add $02, $03, 12h"},
    {"number-too-large:2:15", 19, "0x10000000000000000 is too large a number", NULL,
     T "add $02, $03, 0x10000000000000000"},
    {"too-complex:2:25", 1, "the expression is too complex", NULL, T ".word #a + #b + #c + #d + #e\na:b:c:d:e:"},
    {"overflow:2:26", 1, "the expression overflows", NULL, T ".word 0x7fffffffffffffff + 1"},
    {"unknown-register:2:20", 6, "there is no register @NOPE1 on a630", NULL, T "cwrite $02, [$00 + @NOPE1]"},
    {"unknown-register:2:19", 6, "there is no register %STACC on a630", NULL, T "sread $02, [$00 + %STACC]"},
    {"label-operator:2:10", 1, "'&' cannot be applied to a label that is not known yet", NULL, T ".word #a & 1\na:"},
    {"division-by-zero:2:9", 1, "division by zero", NULL, T ".word 1 / 0"},
    {"shift-count:2:9", 2, "a shift count goes from 0 to 63", NULL, T ".word 1 << 99"},
    /* an array without an index: its own name is no better one */
    {"unknown-register:1:6", 16, "there is no register PBUS.HWSQ.CODE[] on nv50", "hwsq:nv50", "addr PBUS.HWSQ.CODE[]"},
    {"out-of-range:1:9", 1, "9 does not fit the event value, 0 or 1", "hwsq:nv50", "ewait 1 9"},
    {"out-of-range:1:9", 2, "10 (0xa) does not fit the event value, 0 or 1", "hwsq:nv50", "ewait 1 10"},
    /* of what is no label name 24 bytes are shown */
    {"expected:1:6", 25, "expected a label name after '#'", "hwsq:nv50", "data #123456789012345678901234"},
    {"expected:1:6", 25, "expected a label name after '#'", "hwsq:nv50", "data #1234567890123456789012345"},
    {"modifier:2:1", 5, "(rep) does not belong to this form of waitin", NULL, T "(rep)waitin"},
    {"modifier:2:1", 6, "(sds1) does not belong to this form of store", NULL, T "(sds1)store $02, [$03 + 4]"},
    {"modifier:2:7", 5, "(rep) does not belong to this form of add", NULL, T "(peek)(rep)add $02, $03, $04"},
    {"modifier:2:1", 7, "(xmov1) does not belong to this form of add", NULL, T "(xmov1)add $02, $03, 4"},
    {"unknown-mnemonic:2:1", 4, "there is no instruction 'adds'", NULL, T "adds $02, $03, 4"},
    {"unknown-mnemonic:2:1", 3, "there is no instruction 'ADD'", NULL, T "ADD $02, $03, 4"},
    {"label-colon:3:1 line-ends:2:5", 1, "expected ':' after label 'loop'", NULL, T "loop\nnop"},
    {"label-colon:3:1 line-ends:2:7", 1, "expected ':' after label 'wiatin'", NULL, T "wiatin\nnop"},
    {"label-colon:3:1 line-ends:2:5", 1, "expected ':' after label 'loop'", NULL, T "loop \t\nnop"},
    /* it is defined all the same, and the line below it is read */
    {"label-colon:3:1 line-ends:2:5 afuc-register:3:10", 1, "expected ':' after label 'loop'", NULL,
     T "loop\nadd $02, $3\njump #loop\nnop"},
    {"other-generation:2:1", 3, "there is no 'bic' on a6xx", NULL, T "bic $02, $03, $04"},
    {"other-generation:2:1", 5, "there is no 'mul16' on a7xx", NULL, ".target afuc:a730\nmul16 $02, $03, $04"},
    {"out-of-range:2:15", 5, "65536 (0x10000) does not fit the 16-bit immediate", NULL, T "add $02, $03, 65536"},
    {"out-of-range:2:15", 2, "-1 does not fit the 16-bit immediate", NULL, T "add $02, $03, -1"},
    {"out-of-range:2:11", 2, "32 (0x20) does not fit the 5-bit immediate", NULL, T "brne $02, 32, #a\na:"},
    {"out-of-range:2:11", 3, "32 (0x20) does not fit the bit number", NULL, T "brne $02, b32, #a\na:"},
    {"out-of-range:2:15", 2, "32 (0x20) does not fit the left shift", NULL, T "mov $02, 1 << 32"},
    {"out-of-range:2:18", 4, "4096 (0x1000) does not fit the 12-bit base offset", NULL, T "load $02, [$03 + 4096]"},
    {"out-of-range:3:6", 2, "32768 (0x8000) does not fit the branch target, words from the branch", NULL,
     T "nop\njump #a\n.org 32769\na:"},
    {"out-of-range:4:6", 2, "-32769 does not fit the branch target, words from the branch", NULL,
     T "a: nop\n.org 32769\njump #a"},
    {"out-of-range:3:16", 2, "2 does not fit the target of setsecure, words from it", NULL,
     T "nop\nsetsecure $02, #a\nnop\na:"},
    {"modifier:2:1", 6, "(peek) does not belong to this form of add", NULL, T "(peek)add $02, $data, 5"},
    {"modifier:2:6", 7, "(xmov2) does not belong to this form of add", NULL, T "(rep)(xmov2)add $02, $data, 5"},
    {"afuc-register:2:5", 3, "there is no register '$20'", NULL, T "add $20, $03, 4"},
    {"afuc-register:2:5", 2, "there is no register '$2'", NULL, T "add $2, $03, 4"},
    {"afuc-register:2:10", 6, "there is no register '$dataa'", NULL, T "add $02, $dataa, 4"},
    {"afuc-register-role:2:10", 8, "$usraddr cannot be a source", NULL, T "add $02, $usraddr, 4"},
    {"afuc-modifier-count:2:6", 1, "the number in (xmov4) goes from 1 to 3", NULL, T "(xmov4)add $02, $03, $04"},
    {"afuc-modifier-count:2:5", 1, "the number in (sds0) goes from 1 to 3", NULL, T "(sds0)cwrite $02, [$00 + 4]"},
    {"afuc-reversed:2:1", 21, "the low bit number is above the high one", NULL,
     ".target afuc:a730\nubfx $02, $03, b5, b4"},
    {"afuc-not-a-label:2:6", 3, "a branch target must be a label", NULL, T "jump #-5"},
    {"afuc-not-a-label:2:6", 6, "a branch target must be a label", NULL, T "call #12345"},
    {"afuc-raw-word:2:3", 1, "a raw word has one to eight hexadecimal digits", NULL, T "[0x12]"},
    {"afuc-raw-word:2:1", 10, "a raw word has one to eight hexadecimal digits", NULL, T "[123456789]"},
    {"afuc-raw-word:2:1", 1, "a raw word has one to eight hexadecimal digits", NULL, T "[]"},
    {"afuc-raw-late:3:1", 4, ".raw must come before the first word", NULL, T "nop\n.raw"},
    {"afuc-packet-number:2:1", 7, "'UNKN128' names no packet: the packet table has 128 entries", NULL,
     T "UNKN128: nop\n.jumptbl"},
    {"afuc-unclaimed:4:1", 10, "this section has .unclaimed already", NULL, T ".unclaimed\nnop\n.unclaimed"},
    {"no-target:1:1", 1, "the target is not known", NULL, "nop"},
    {"no-such-target:2:9", 10, "there is no target 'afuc:a6300'", "afuc:a630", "nop\n.target afuc:a6300"},
    {"no-such-target:1:9", 10, "there is no target 'afuc:a6300'", NULL, ".target afuc:a6300\nnop"},
    {"second-target:2:9", 9, "the target is afuc:a630 already", NULL, T ".target afuc:a730"},
    {"duplicate:3:1 first-defined:2:1", 1, "'a' is defined twice", NULL, T "a: nop\na: nop"},
    {"duplicate:3:6 first-defined:2:6", 1, "'a' is defined twice", NULL, T ".equ a, 1\n.equ a, 1"},
    {"duplicate:3:1 first-defined:2:6", 1, "'a' is defined twice", NULL, T ".equ a, 1\na: nop"},
    {"duplicate:3:6 first-defined:2:1", 1, "'a' is defined twice", NULL, T "a: nop\n.equ a, 1"},
    {"undefined:2:7", 4, "'here' is not defined", NULL, T "jump #here"},
    {"undefined:2:10", 5, "'LIMIT' is not defined", NULL, T "mov $02, LIMIT"},
    {"duplicate-section:4:10", 2, "there is a section 'BV' already", NULL, T "nop\n.section BV\n.section BV"},
    {"duplicate-macro:4:8", 1, "there is a macro 'm' already", NULL, T ".macro m\n.endm\n.macro m\n.endm"},
    {"expected:3:1 line-ends:2:9 afuc-register:3:10", 3, "expected source register", NULL,
     T "add $02, ; why\nmov $01, $bogus"},
    {"macro-arguments:4:1", 1, "wrong number of arguments for macro 'm'", NULL, T ".macro m a, b\n.endm\nm 1"},
    {"no-endm:2:8", 1, "macro 'm' has no .endm", NULL, T ".macro m\nnop\n"},
    {"include:2:10", 6, "cannot read 'file'", NULL, T ".include \"file\""},
    {"unknown-mnemonic:3:1 expanded-here:5:1", 4, "there is no instruction 'frob'", NULL,
     T ".macro m\nfrob $02\n.endm\nm"},
    {"unknown-directive:2:1", 5, "there is no directive '.frob'", NULL, T ".frob 5"},
    {"alignment:2:8", 1, "an alignment is a positive multiple of the unit of code, at most 1 MiB", NULL, T ".align 6"},
    {"alignment:2:8", 1, "an alignment is a positive multiple of the unit of code, at most 1 MiB", NULL, T ".align 0"},
    {"alignment:2:8", 7, "an alignment is a positive multiple of the unit of code, at most 1 MiB", NULL,
     T ".align 1048580"},
    {"alignment:2:8", 2, "an alignment is a positive multiple of the unit of code, at most 1 MiB", NULL, T ".align -4"},
    {"unaligned:3:1", 1, "this place is not a whole unit of code", NULL, T ".byte 1\nnop"},
    {"unaligned:3:1", 1, "this place is not a whole unit of code", NULL, T ".byte 1\na:\n.byte 1,1,1"},
    {"unaligned:3:1", 1, "this place is not a whole unit of code", NULL, T ".byte 1\n.align 32"},
    {"unaligned:3:1", 1, "this place is not a whole unit of code", NULL, T ".byte 1\n.org 5"},
    {"unaligned:3:1", 1, "this place is not a whole unit of code", NULL, T ".byte 1\n.section BV"},
    {"org:3:6", 1, ".org cannot go back, nor past 2^22", NULL, T "nop\n.org 0"},
    {"org:2:6", 2, ".org cannot go back, nor past 2^22", NULL, T ".org -1"},
    {"org:2:6", 8, ".org cannot go back, nor past 2^22", NULL, T ".org 0x400001"},
    {"output-large:33:1", 1, "the image grows past 256 MiB", NULL, T LARGE},
    {"not-known-yet:2:6", 2, "'a' must be known here", NULL, T ".org #a\na:"},
    {"too-wide:2:7", 3, "256 does not fit 8 bits", NULL, T ".byte 256"},
    {"number-width:2:7", 2, "256 does not fit 8 bits", NULL, T ".byte #a, 0, 0, 0\n.org 256\na:"},
};

static void sources(void)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct assembled got;
        assemble_text(&got, cases[i].source, cases[i].target);
        bool good = strcmp(heard_text(&got.heard), cases[i].diagnostics) == 0 &&
                    strcmp(got.heard.said[0].message, cases[i].message) == 0 &&
                    got.heard.said[0].length == cases[i].length;
        if (!good)
            printf("'%s'\n  expected %s, %u: %s\n  got      %s, %u: %s\n", cases[i].source, cases[i].diagnostics,
                   cases[i].length, cases[i].message, heard_text(&got.heard), got.heard.said[0].length,
                   got.heard.said[0].message);
        wrong += !good;
        gpucode_program_free(got.program);
    }
    assert_int_equal(wrong, 0);
    struct assembled got;
    assemble_text(&got, "addr PBUS.HWSQ.CODE[]", "hwsq:nv50");
    assert_string_equal(got.heard.said[0].hint, "");
}

/* Hints help to the next step. */
static void hints(void)
{
    static const struct text_case hinted[] = {
        {T "adds $02, $03, 4", "did you mean add?"},
        {T "ADD $02, $03, 4", "did you mean add?"},
        {T "wiatin\nnop", "or did you mean the instruction waitin?"},
        {T "bic $02, $03, $04", "it exists on a7xx gen8"},
        {T "mul8 $02, $03, 70000", "it goes from 0 to 65535"},
        {T "cwrite $02, [$00 + @REG_READ_DWORD]", "did you mean @REG_READ_DWORDS?"},
        {T "cwrite $02, [$00 + @BV_CNTL]", "it exists on a7xx a7xx-gen3 gen8"},
        {".target afuc:a730\ncread $02, [$00 + @SCRATCH_REG0]", "it exists on a6xx"},
        {T "jump #loup\nloop:", "did you mean loop?"},
        {T "jump #x\n.section BV\nx:", "section BV has such a label: #BV:x"},
        {T ".macro m a\n.endm\nm 1, 2", "it takes 1, here are 2"},
        {T "brne $02, 40, #a\na:", "it goes from 0 to 31"},
        {T "[0x12]", "write it without 0x"},
    };
    for (size_t i = 0; i < sizeof hinted / sizeof *hinted; i++) {
        struct assembled got;
        assemble_text(&got, hinted[i].text, NULL);
        assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
        assert_string_equal(got.heard.said[0].hint, hinted[i].expected);
    }
    struct assembled got;
    assemble_text(&got, "nop", NULL);
    const struct gpucode_target *target;
    unsigned generations = 0; /* those of all sets, chips are for `gpucode targets` */
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++)
        generations += strstr(got.heard.said[0].hint, gpucode_target_name(target)) != NULL;
    assert_true(generations > 10 && strlen(got.heard.said[0].hint) < 250);
}

/* "unknown-symbol" is the public parser's: the assembler says "undefined" when all is read. */
static void one_instruction(void)
{
    struct heard heard;
    struct gpucode_insn insn;
    const struct gpucode_parse_options options = {.on_diagnostic = listen(&heard)};
    assert_int_equal(gpucode_parse(target_named("afuc:a630"), "jump #where", 11, &options, &insn), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard_text(&heard), "unknown-symbol:1:7");
    assert_string_equal(heard.said[0].message, "'where' is not defined");
    static const struct {
        const char *target, *text, *said;
        bool good;
    } texts[] = {
        {"hwsq:g94", "exit;", "", true},
        {"hwsq:g94", "exit ; ", "", true},
        {"hwsq:g94", "EXIT", "", true},
        {"hwsq:g94", "exit;;", "expected:1:6", false},
        {"hwsq:g94", "exit; nop", "expected:1:7", false},
        {"hwsq:g94", "exot", "label-colon:1:5", false},
        {"hwsq:g94", "wait 2us", "", true},
        {"hwsq:g94", "wait ~5us", "hwsq-wait-rounded:1:6", true},
        {"afuc:a630", "nop ; a comment", "", true},
        {"afuc:a630", "nop nop", "expected:1:5", false},
        {"mme:fermi", "exit bra l0x", "expected:1:10", false},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct gpucode_parse_options more = {.on_diagnostic = listen(&heard)};
        enum gpucode_status status =
            gpucode_parse(target_named(texts[i].target), texts[i].text, strlen(texts[i].text), &more, &insn);
        if (status != (texts[i].good ? GPUCODE_OK : GPUCODE_ERROR_INPUT) ||
            strcmp(heard_text(&heard), texts[i].said) != 0)
            fail_msg("%s: status %d, %s", texts[i].text, (int)status, heard_text(&heard));
    }
}

static void warnings(void)
{
    struct assembled got;
    assemble_text(&got, T "nop", "afuc:a730");
    assert_int_equal(got.status, GPUCODE_OK);
    assert_string_equal(heard_text(&got.heard), "target-contradiction:0:0");
    assert_string_equal(got.heard.said[0].message, "the source is for afuc:a630; assembling for afuc:a730 anyway");
    gpucode_program_free(got.program);
}

/* A listing that was edited: a word stands in front of what the constants mean. */
static void moved_constants(void)
{
    static const struct {
        const char *source, *diagnostics, *message;
        unsigned place; /* what `mov` in the second word has: a constant stays as it is, a label follows */
    } edits[] = {
        {T "nop\nmov $02, 0x2\nswrite $02, [$00 + %PREEMPT_INSTR]\nl2:\njump #l2\nnop\n", "afuc-stood:3:10",
         "'l2' moved, and the constant 0x2 at word 0x1 is where it stood, for %PREEMPT_INSTR", 2},
        {T "nop\nmov $02, #l2\nswrite $02, [$00 + %PREEMPT_INSTR]\nl2:\njump #l2\nnop\n", "", "", 3},
        {T "mov $02, 0x2\nswrite $02, [$00 + %PREEMPT_INSTR]\nl2:\njump #l2\nnop\n", "", "", 0},
        {T "nop\nmov $02, 0x2\ncwrite $02, [$00 + @IB_LEVEL]\nl2:\njump #l2\nnop\n", "", "", 2},
        {T "nop\nmov $02, $data\njumpd $02\nnop\nl2:\njump #l2\nnop\n", "afuc-lost-place:4:1",
         "code has moved, and the instruction at word 0x2 uses a place whose number is not known", 0},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        struct assembled got;
        assemble_text(&got, edits[i].source, NULL);
        assert_int_equal(got.status, GPUCODE_OK);
        assert_string_equal(heard_text(&got.heard), edits[i].diagnostics);
        if (got.heard.count)
            assert_string_equal(got.heard.said[0].message, edits[i].message);
        const unsigned char *mov = (const unsigned char *)gpucode_program_bytes(got.program) + 8;
        if (edits[i].place)
            assert_memory_equal(mov, ((const unsigned char[]){(unsigned char)edits[i].place, 0, 0x02, 0x88}), 4);
        gpucode_program_free(got.program);
    }
}

static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)user;
    assert_non_null(from);
    if (strcmp(name, "again") == 0)
        *text = strdup("nop\n.include \"again\"\n");
    else if (strcmp(name, "wrong") == 0)
        *text = strdup("nop\n  frob $02\n");
    else
        return false;
    *length = strlen(*text);
    return true;
}

static void included(void)
{
    struct assembled got;
    const struct gpucode_asm_options options = {.include = include, .file = "top.asm"};
    static const char wrong[] = T "\n.include \"wrong\"\n";
    assemble_bytes(&got, wrong, strlen(wrong), &options);
    assert_string_equal(heard_text(&got.heard), "unknown-mnemonic:2:3 included-here:3:10");
    assert_string_equal(got.heard.said[0].file, "wrong");
    assert_string_equal(got.heard.said[1].file, "top.asm");
    assert_string_equal(got.heard.said[0].source, "  frob $02");
    static const char again[] = T ".include \"again\"\n";
    assemble_bytes(&got, again, strlen(again), &options);
    assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
    assert_string_equal(got.heard.said[0].code, "recursion");
    assert_int_equal(got.heard.errors, 1);
}

static void endless_macros(void)
{
    struct assembled got;
    assemble_text(&got, T ".macro m\nnop\nm\n.endm\nm\n", NULL);
    assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
    assert_string_equal(got.heard.said[0].code, "recursion");
    assert_int_equal(got.heard.errors, 1);
}

static void images(void)
{
    struct heard heard;
    struct gpucode_image *image;
    struct gpucode_image_options options = {.on_diagnostic = listen(&heard), .file_name = "x.fw"};
    assert_int_equal(gpucode_image_open("abcd", 4, &options, &image), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard_text(&heard), "image-unknown:0:0");
    options.on_diagnostic = listen(&heard);
    assert_int_equal(gpucode_image_open("abcd", UINT32_MAX, &options, &image), GPUCODE_ERROR_INPUT); /* not looked at */
    assert_string_equal(heard_text(&heard), "image-large:0:0");
    static const struct {
        const char *target, *diagnostics, *bytes;
        size_t size;
    } opened[] = {
        {"afuc:a7xx", "image-id:0:0", "\0\0\0\0\1\360\377\1", 8},
        {"afuc:a730", "image-target:0:0", "\0\0\0\0\1\340\156\1", 8},
        {"afuc:a750", "image-total:0:0", "\0\0\0\0\1\0\122\1\77\0\0\1\1\0\0\1\1\0\0\1\1\0\0\1\0\0\0\1\0\0\0\1", 32},
        {NULL, "image-form:0:0", "\0\0\0\0\1\320\155\1\3\0\0\1\1\320\155\1", 16},
        {NULL, "image-tail:0:0", "\0\0\0\0\1\340\156\1\0\0", 10},
        {NULL, "image-table:0:0", "\0\0\0\0\1\340\156\1\100\0\0\1\0\0\0\1\0\0\0\1", 20},
    };
    for (size_t i = 0; i < sizeof opened / sizeof *opened; i++) {
        options.on_diagnostic = listen(&heard);
        options.target = target_named(opened[i].target);
        assert_int_equal(gpucode_image_open(opened[i].bytes, opened[i].size, &options, &image), GPUCODE_OK);
        assert_string_equal(heard_text(&heard), opened[i].diagnostics);
        assert_string_equal(heard.said[0].file, "x.fw");
        gpucode_image_free(image);
    }
}

/* The first target whose instruction set has an emulator, or null. */
static const struct gpucode_target *emulated(void)
{
    const struct gpucode_target *target;
    struct gpucode_policy policy;
    unsigned i = 0;
    while ((target = gpucode_target_at(i)) && !gpucode_policy_at(target, 0, &policy))
        i++;
    return target;
}

static void machines(void)
{
    struct heard heard;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_machine_options options = {.on_diagnostic = listen(&heard)};
    assert_int_equal(gpucode_image_open("", 0, NULL, &image), GPUCODE_OK); /* bytes of no instruction set */
    assert_int_equal(gpucode_machine_create(image, &options, &machine), GPUCODE_ERROR_UNSUPPORTED);
    assert_string_equal(heard_text(&heard), "no-machine:0:0");
    gpucode_image_free(image);
    const struct gpucode_target *target = emulated();
    if (!target)
        return;
    struct gpucode_policy policy;
    assert_true(gpucode_policy_at(target, 0, &policy));
    const struct gpucode_setting settings[] = {{"no such policy", "1"}, {policy.name, "no such value!"}, {NULL, NULL}};
    options.policies = settings;
    options.on_diagnostic = listen(&heard);
    static const unsigned char bytes[64];
    assert_int_equal(gpucode_image_open(bytes, sizeof bytes, &(struct gpucode_image_options){.target = target}, &image),
                     GPUCODE_OK);
    assert_int_equal(gpucode_machine_create(image, &options, &machine), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard_text(&heard), "no-policy:0:0 policy-value:0:0");
    gpucode_image_free(image);
}

static void catalogue(void)
{
    unsigned count = 0;
    const char *code, *other;
    for (; (code = gpucode_diagnostic_code(count)); count++) {
        assert_true(code[0] && strspn(code, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(code));
        assert_true(strlen(code) < sizeof((struct heard *)0)->said[0].code);
        const char *help = gpucode_explain(code);
        assert_non_null(help);
        assert_true(strlen(help) > 20 && help[strlen(help) - 1] == '.');
        for (unsigned i = 0; i < count && (other = gpucode_diagnostic_code(i)); i++)
            assert_string_not_equal(code, other);
    }
    assert_true(count > 50);
    assert_null(gpucode_explain("no-such-code"));
    assert_null(gpucode_explain(""));
    assert_null(gpucode_explain(NULL));
    assert_null(gpucode_diagnostic_code(UINT32_MAX));
}

static char *all_tests;
static size_t all_length;

static int add_file(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status;
    (void)walk;
    size_t size;
    char *text = kind == FTW_F ? read_whole(path, &size) : NULL;
    if (text) {
        all_tests = realloc(all_tests, all_length + size + 1);
        assert_non_null(all_tests);
        memcpy(all_tests + all_length, text, size);
        all_length += size;
        free(text);
    }
    return 0;
}

/* The catalogue as it is written. */
static const struct {
    const char *id, *code, *text;
} messages[] = {
#define MESSAGE(id, code, severity, text, explanation) {#id, code, text},
#include "library_messages.def"
#undef MESSAGE
};

static bool stands_in_tests(const char *text, size_t length)
{
    return memmem(all_tests, all_length, text, length) != NULL;
}

/* A code in quotes or brackets, or at the start of what a table expects: "code", "code:3:1, [code], code:3:1. */
static bool is_named(const char *code)
{
    size_t length = strlen(code);
    const char *end = all_tests + all_length;
    for (const char *at = all_tests; (at = memmem(at, (size_t)(end - at), code, length)); at++) {
        char before = at > all_tests ? at[-1] : 0, behind = at + length < end ? at[length] : 0;
        if (((before == '"' || before == ' ') && behind == ':') ||
            (before == '"' && (behind == '"' || behind == ' ')) || (before == '[' && behind == ']'))
            return true;
    }
    return false;
}

/* Its words, as golden outputs show them: the longest run without an argument. */
static bool is_shown(const char *text)
{
    const char *longest = text;
    size_t best = 0;
    while (*text) {
        size_t length = strcspn(text, "%");
        if (length > best) {
            best = length;
            longest = text;
        }
        text += length;
        if (*text) /* after the directive's letter */
            text += strcspn(text, "diouxsc") + 1;
    }
    return best >= 12 && stands_in_tests(longest, best);
}

/* Examples that stand with the rules are tests too: each is run. */
static int add_examples(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    return strcmp(path + walk->base, "examples.def") == 0 ? add_file(path, status, kind, walk) : 0;
}

/* Messages that have no test yet, one a line in untested.txt: the list may only get shorter. */
static void every_message_has_a_test(void)
{
    assert_int_equal(nftw(SOURCE_ROOT "/tests", add_file, 16, FTW_PHYS), 0);
    assert_int_equal(nftw(SOURCE_ROOT "/src", add_examples, 16, FTW_PHYS), 0);
    assert_true(all_length > 100000);
    size_t size;
    char *listed = read_whole(SOURCE_ROOT "/tests/isa/untested.txt", &size);
    assert_non_null(listed);
    unsigned wrong = 0, owed = 0;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        char id[80], line[80];
        snprintf(id, sizeof id, "MSG_%s", messages[i].id);
        snprintf(line, sizeof line, "\n%s\n", messages[i].code);
        bool found = is_named(messages[i].code) || is_shown(messages[i].text) || stands_in_tests(id, strlen(id));
        bool is_owed = strstr(listed, line) != NULL;
        owed += is_owed;
        if (found && is_owed) /* tests and messages arrive by different branches: no failure */
            printf("note: %s has a test now, take it off tests/isa/untested.txt\n", messages[i].code);
        if (found || is_owed)
            continue;
        wrong++;
        printf("no test for %s\n", messages[i].code);
    }
    unsigned lines = 0;
    for (char *line = strtok(listed, "\n"); line; line = strtok(NULL, "\n"))
        lines += *line != '#';
    free(listed);
    free(all_tests);
    assert_int_equal(wrong, 0);
    assert_int_equal(lines, owed); /* nothing on the list that does not exist */
}

TESTS(messages, sources, hints, one_instruction, warnings, moved_constants, included, endless_macros, images, machines,
      catalogue, every_message_has_a_test)
