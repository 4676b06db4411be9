/* SPDX-License-Identifier: MIT */
/* What a source can do besides instructions: data, places, sections, macros, files, targets, and older texts. */
#include "assembling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define T ".target afuc:a630\n"
#define NOP 0x01000000

static void bytes_and_words(void)
{
    EXPECT_WORDS(T ".word 1, 2 ,0xffffffff ; c", NULL, 1, 2, 0xffffffff);
    EXPECT_WORDS(T ".byte 1,2,3,4\n.byte 5\n.byte 6,7\n.byte 8", NULL, 0x04030201, 0x08070605);
    EXPECT_WORDS(T ".equ K, 3 * 4\n.equ L K + 1\n.word K, L\nmov $02, K\nadd $02, $03, K * L + 1", NULL, 12, 13,
                 0x8802000c, 0x0862009d);
    EXPECT_WORDS(T "nop nop\tnop", NULL, NOP, NOP, NOP); /* newlines separate no more than spaces do */
    EXPECT_WORDS(T "a:nop b : nop\njump #b", NULL, NOP, NOP, 0xc800ffff);
    EXPECT_WORDS(T "nop\nnop : nop\njump #nop\n; a label may be called as a mnemonic\n", NULL, NOP, NOP, 0xc800ffff);
    expect_bytes(".target a3xx\nflow_rev\nflow_rev\n; eight letters and no operands\n", NULL,
                 "\0\0\0\0\0\0\x80\5\0\0\0\0\0\0\x80\5", 16);
    expect_bytes(T ".byte 1, 2", NULL, "\0\0\0\0\1\2", 6);
    expect_bytes(T ".raw\n.byte 1", NULL, "\1", 1);
    expect_bytes(T ".raw\nnop\n.byte 1, 2, 3", NULL, "\0\0\0\1\1\2\3", 7);
    expect_bytes(T ".raw\n", NULL, "", 0);
    expect_bytes(T "; nothing\n", NULL, "\0\0\0\0", 4);
    expect_bytes(T ".raw\nl0: nop\njump #l0", NULL, "\0\0\0\1\xff\xff\0\xc8", 8);
}

static void places(void)
{
    EXPECT_WORDS(T "nop\n.org 3\na: jump #a", NULL, NOP, NOP, NOP, 0xc8000000);
    EXPECT_WORDS(T "[5]\n.org 1\n[6]", NULL, 5, 6);
    EXPECT_WORDS(T ".equ AT, 2\n[5]\nb: .org AT + #b\n[6]", NULL, 5, NOP, NOP, 6);
    EXPECT_WORDS(T "[5]\n.align 8\n[6]\n.align 16\n.align 4", NULL, 5, NOP, 6, NOP);
    EXPECT_WORDS(".target afuc:a530\n[5]\n.align 8\n[6]", NULL, 5, 0, 6); /* a nop of a5xx is zero */
    EXPECT_WORDS(T "[5]\n.align 12\n[6]\n.align 12", NULL, 5, NOP, NOP, 6, NOP, NOP);
    expect_bytes(T ".align 32\n.org 0", NULL, "\0\0\0\0", 4);
    /* places count from the start of the section */
    EXPECT_WORDS(T "[5]\n.section BV\n[6]\n.org 3\na: [7]\n.align 16\n[#a]", NULL, 5, NOP, NOP, NOP, NOP, NOP, NOP, NOP,
                 6, NOP, NOP, 7, 0x01000003);
}

static void sections(void)
{
    /* each has its own labels; a section begins at a multiple of 32 bytes */
    EXPECT_WORDS(T "a: nop\ncall #a\n.section BV\nnop\na: call #a\njump #a", NULL, NOP, 0xd4000000, NOP, NOP, NOP, NOP,
                 NOP, NOP, NOP, 0xd4000001, 0xc800ffff);
    /* a name for the first */
    EXPECT_WORDS(T ".section SQE\nnop\na: nop\n.section BV\n[#SQE:a]\n[#BV:a]\na: [#BV:a - #SQE:a]", NULL, NOP, NOP,
                 NOP, NOP, NOP, NOP, NOP, NOP, 0x01000001, 0x01000002, 0x01000009);
    /* forward into a section that does not exist yet */
    EXPECT_WORDS(T "mov $02, #BV:start - #here\nhere: nop\n.section BV\nstart: nop", NULL, 0x88020007, NOP, NOP, NOP,
                 NOP, NOP, NOP, NOP, NOP);
    /* a section that moves takes its distance along */
    EXPECT_WORDS(T "here: [#BV:z - #here]\n.org 9\nnop\n.section BV\nnop\nz: nop", NULL, 0x01000011, NOP, NOP, NOP, NOP,
                 NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP);
    expect_bytes(T ".section BV\n.section LPAC", NULL, "\0\0\0\0", 4);
    expect_refusal(T "a: nop\n.section BV\njump #a", NULL, "undefined:4:7");
    expect_refusal(T "nop\n.section BV\na: nop\n.section LPAC\nb: jump #BV:b", NULL, "undefined:6:10");
}

static void packet_tables(void)
{
    uint32_t words[300] = {0x016ee001, NOP, NOP};
    words[3 + 0x10] = 1; /* CP_NOP */
    words[3 + 0x7f] = 2;
    words[3 + 5] = 2;
    words[131] = 0xc800ff7e; /* the table counts its 128 words: back to word 1 */
    words[132] = 0x01000003;
    expect_words("[016ee001]\nCP_NOP: nop\nUNKN127: UNKN5: nop\njumptbl: .jumptbl\njump #CP_NOP\n[#jumptbl]", NULL,
                 words, 133);
    /* two tables, one a section; later labels win */
    struct assembled got;
    assemble_text(&got, T "UNKN1: nop\n.jumptbl\n.section BV\nnop\nUNKN1: nop\nUNKN01: nop\n.jumptbl\n", NULL);
    assert_int_equal(got.status, GPUCODE_OK);
    const unsigned char *bytes = gpucode_program_bytes(got.program);
    assert_int_equal(gpucode_program_size(got.program), 4 + 4 * (136 + 3 + 128));
    assert_int_equal(bytes[4 + 4 * (1 + 1)], 0);
    assert_int_equal(bytes[4 + 4 * (136 + 3 + 1)], 2);
    gpucode_program_free(got.program);
    /* without a table UNKN200 is a label like any other */
    EXPECT_WORDS(T "UNKN200: jump #UNKN200", NULL, 0xc8000000);
}

static void line_endings(void)
{
    EXPECT_WORDS("[016ee001]\r\n; c\r\nl1: add $02, $03, 0x4\r\n\r\njump #l1\r\n.word 1, 2\r\n.equ A, 5\r\n.word A\r\n",
                 NULL, 0x016ee001, 0x08620004, 0xc800ffff, 1, 2, 5);
    EXPECT_WORDS(".target afuc:a630\r\n.macro m a, b\r\nadd $02, \\a, \\b\r\n.endm\r\nm $03, 4\r\nnop", NULL,
                 0x08620004, NOP);
    EXPECT_WORDS("[016ee001] nop", NULL, 0x016ee001, NOP);
    EXPECT_WORDS("[016ee001]\nnop ; no newline behind this", NULL, 0x016ee001, NOP);
    EXPECT_WORDS("[016ee001]\nnop;", NULL, 0x016ee001, NOP);
    EXPECT_WORDS(T ".word 1,\t2", NULL, 1, 2);
    expect_refusal(T "nop\r\nfrob $02\r\n", NULL, "unknown-mnemonic:3:1");
    expect_refusal(T ".macro m", NULL, "no-endm:2:8");
}

static void macros(void)
{
    EXPECT_WORDS(T ".macro inc r\nadd \\r, \\r, 1\n.endm\ninc $02\ninc $03\n", NULL, 0x08420001, 0x08630001);
    /* local labels: \@ differs between invocations */
    EXPECT_WORDS(T ".macro wait r\nw\\@: brne \\r, b0, #w\\@\nnop\n.endm\nwait $02\nwait $03", NULL, 0xc8400000, NOP,
                 0xc8600000, NOP);
    /* arguments: commas inside brackets, white space around, comments after */
    EXPECT_WORDS(T ".macro put r, where ; c\ncwrite \\r, \\where\n.endm\nput  $02 , [$00 + (3 * (1 + 1))]  ; c\n", NULL,
                 0xa8020006);
    EXPECT_WORDS(T
                 ".macro two a b\n.word \\a, \\b, \\a\\b, \\ab\n.endm\n.macro none\n.word 9\n.endm\nnone\n.equ x, 1\n",
                 NULL, 9);
    expect_refusal(T ".macro two a b\n.word \\ab\n.endm\ntwo 1, 2", NULL, "expected:3:7 expanded-here:5:1");
    EXPECT_WORDS(T ".macro glue a b\n.word \\a\\b, 0x\\a\\b\n.endm\nglue 1, 2\nglue 3, 4", NULL, 12, 0x12, 34, 0x34);
    /* macros in macros, defined before or after, and in a macro's body */
    EXPECT_WORDS(
        T ".macro outer a\ninner \\a, 2\ninner 3, \\a\n.endm\n.macro inner x, y\n.word \\x, \\y\n.endm\nouter 7\n",
        NULL, 7, 2, 3, 7);
    EXPECT_WORDS(T ".macro make name\n.macro m_\\name\n.word 5\n.endm\n.endm\nmake q\nm_q\nm_q\n", NULL, 5, 5);
    /* a macro may have the name of a label or hide an instruction of another generation */
    EXPECT_WORDS(T ".macro bic d, s, v\nxor $18, \\v, (~0 & 0xffff)\nand \\d, \\s, $18\n.endm\nbic $02, $03, $04\n",
                 NULL, 0x3898ffff, 0x98781005);
    EXPECT_WORDS(T ".macro m\nnop\n.endm\nm: m\njump #m", NULL, NOP, 0xc800ffff);
    /* an error in the body is shown there, and where the macro was invoked, at each level */
    expect_refusal(T ".macro a\nfrob $01\n.endm\n.macro b\na\n.endm\nnop\nb", NULL,
                   "unknown-mnemonic:3:1 expanded-here:6:1 expanded-here:9:1");
    expect_refusal(T ".macro m x\nnop\n.endm\nm\nm 1, 2\nm 1", NULL, "macro-arguments:5:1 macro-arguments:6:1");
    expect_refusal(T ".endm", NULL, "unknown-directive:2:1");
}

/* 2^8 words by doubling macros; and as deep as it goes */
static void deep_macros(void)
{
    char source[20000];
    size_t used = (size_t)sprintf(source, T ".macro m0\n.word 1\n.endm\n");
    for (unsigned i = 1; i <= 8; i++)
        used += (size_t)sprintf(source + used, ".macro m%u\nm%u\nm%u\n.endm\n", i, i - 1, i - 1);
    sprintf(source + used, "m8\n");
    struct assembled got;
    assemble_text(&got, source, NULL);
    assert_int_equal(got.status, GPUCODE_OK);
    assert_int_equal(gpucode_program_size(got.program), 4 + 4 * 256);
    gpucode_program_free(got.program);
    for (unsigned depth = 90; depth < 110; depth += 19) { /* the limit is 100 */
        used = (size_t)sprintf(source, T ".macro m0\nnop\n.endm\n");
        for (unsigned i = 1; i <= depth; i++)
            used += (size_t)sprintf(source + used, ".macro m%u\nm%u\n.endm\n", i, i - 1);
        sprintf(source + used, "m%u\n", depth);
        assemble_text(&got, source, NULL);
        assert_int_equal(got.status, depth < 100 ? GPUCODE_OK : GPUCODE_ERROR_INPUT);
        if (depth > 100)
            assert_string_equal(got.heard.said[0].code, "too-deep");
        gpucode_program_free(got.program);
    }
}

static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    unsigned *calls = user;
    ++*calls;
    static const char *const files[][2] = {
        {"one.inc", "nop\n.include \"sub/two.inc\"\n[7]"},
        {"sub/two.inc", ".macro m x\n.word \\x\n.endm\n.equ TWO, 2\ntwo: m 5"},
        {"empty.inc", ""},
        {"broken.inc", "nop\n  frob $02\nnop\njump #nowhere"},
    };
    for (unsigned i = 0; i < 4; i++)
        if (strcmp(name, files[i][0]) == 0) {
            assert_string_equal(from, i == 1 ? "one.inc" : "main.asm");
            *length = strlen(files[i][1]);
            *text = malloc(*length ? *length : 1); /* no zero after it */
            assert_non_null(*text);
            memcpy(*text, files[i][1], *length);
            return true;
        }
    return false;
}

/* Each file includes the next one twice. */
static bool include_twice(void *user, const char *from, const char *name, char **text, size_t *length)
{
    unsigned *calls = user;
    (void)from;
    ++*calls;
    *text = malloc(100);
    assert_non_null(*text);
    *length = (size_t)sprintf(*text, ".include \"%d\"\n.include \"%d\"\n", atoi(name) + 1, atoi(name) + 1);
    return true;
}

/* What would be 2^80 files ends after a number of them that a disk gives in a moment. */
static void many_includes(void)
{
    unsigned calls = 0;
    struct assembled got;
    const struct gpucode_asm_options options = {.include = include_twice, .user = &calls, .file = "main.asm"};
    static const char text[] = T ".include \"20\"";
    assemble_bytes(&got, text, strlen(text), &options);
    assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
    assert_string_equal(got.heard.said[0].code, "too-deep");
    assert_true(calls < 20000);
}

static void includes(void)
{
    unsigned calls = 0;
    struct assembled got;
    const struct gpucode_asm_options options = {.include = include, .user = &calls, .file = "main.asm"};
    static const char good[] = T ".include \"one.inc\" ; c\n.include \"empty.inc\"\nm TWO\njump #two";
    assemble_bytes(&got, good, strlen(good), &options);
    assert_string_equal(heard_text(&got.heard), "");
    static const unsigned char expected[] = {0, 0, 0, 0, 0, 0, 0, 1, 5,    0,    0, 0,
                                             7, 0, 0, 0, 2, 0, 0, 0, 0xfd, 0xff, 0, 0xc8};
    assert_int_equal(gpucode_program_size(got.program), sizeof expected);
    assert_memory_equal(gpucode_program_bytes(got.program), expected, sizeof expected);
    gpucode_program_free(got.program);
    assert_int_equal(calls, 3);
    static const char bad[] = T ".include \"missing\"\nnop\n.include \"broken.inc\"\nfrob $03";
    assemble_bytes(&got, bad, strlen(bad), &options);
    assert_string_equal(heard_text(&got.heard), "include:2:10 unknown-mnemonic:2:3 included-here:4:10 "
                                                "unknown-mnemonic:5:1 undefined:4:7 included-here:4:10");
    assert_string_equal(got.heard.said[0].file, "main.asm");
    assert_string_equal(got.heard.said[1].file, "broken.inc");
    assert_string_equal(got.heard.said[4].file, "broken.inc");
}

/* Assembles one instruction that is taken with a remark. */
static void expect_remark(const char *text, const char *target, const char *remark, uint32_t word)
{
    struct assembled got;
    assemble_text(&got, text, target);
    assert_int_equal(got.status, GPUCODE_OK);
    assert_string_equal(heard_text(&got.heard), remark);
    const unsigned char *bytes = gpucode_program_bytes(got.program);
    assert_int_equal(bytes[4] | bytes[5] << 8 | bytes[6] << 16 | (uint32_t)bytes[7] << 24, word);
    gpucode_program_free(got.program);
}

static void old_texts(void)
{
    /* a flags operand is bits 15:12 as written, and may make another instruction */
    expect_remark("cwrite $02, [$05 + 0x0b0], 0x8", "afuc:a630", "afuc-flags:1:28", 0xa8a280b0);
    expect_remark("cwrite $02, [$05 + 0x0b0], 0x8", "afuc:a530", "", 0xa8a280b0);
    EXPECT_WORDS(T "cwrite $02, [$05 + 0x0b0], 0x4", NULL, 0xa8a240b0);
    EXPECT_WORDS(T "store $02, [$05 + 0x004], 0x3\nload $02, [$05 + 0x004], 15", NULL, 0xa0a23004, 0xb0a2f004);
    expect_remark("cread $02, [$05 + 0x0b0], 0xc", "afuc:a530", "", 0xb0a2c0b0);
    /* '!' beside flags: documented for texts of that age */
    expect_remark("cread $02, [$03 + 0x010]!, 0x4", "afuc:a530", "afuc-flags:1:28", 0xb0624010);
    EXPECT_WORDS(T "cwrite $02, [$05 + 0x0b0]!, 0x4", NULL, 0xa8a240b0);
    EXPECT_WORDS(T "cread $02, [$03 + 0x010]!, 0x4\nload $02, [$05 + 0x004]!, 0x0\nnop", NULL, 0xb8624010, 0xb0a24004,
                 NOP);
    expect_refusal(T "cwrite $02, [$05 + 0x0b0]!, 0x10", NULL, "out-of-range:2:29");
    expect_refusal(T "cwrite $02, [$05 + 0x0b0]!,", NULL, "expected:2:28");
    expect_remark("mov $memdata, 1", "afuc:a630", "afuc-other-name:1:5", 0x881d0001);
    EXPECT_WORDS(T "cwrite $02, [$05 + 0x0b0], 0x0\nnop", NULL, 0xa8a200b0, NOP);
    EXPECT_WORDS(T "mov $1a, $1b\nmov $sp, $lr", NULL, 0x981bd006, 0x981bd006);
    EXPECT_WORDS(T "preemptleave #a\na: nop", NULL, 0xe0000001, NOP);
    EXPECT_WORDS(T "(rep)nop", NULL, 0x05000000);
    expect_refusal(T "cwrite $02, [$05 + 0x0b0], 0x10", NULL, "out-of-range:2:28");
    expect_refusal(T "(rep)preemptleave #a\na:", NULL, "modifier:2:1");
}

static void targets(void)
{
    struct assembled got;
    static const struct {
        const char *source, *given, *expected, *said;
    } cases[] = {
        {"[016ee001]\nnop", NULL, "afuc:a630", ""},
        {"; c\n\n  l0: [01520001]", NULL, "afuc:a750", ""},
        {"CP_NOP:\n[005ff001]", NULL, "afuc:a530", ""},
        {".target qrisc:gen8\nnop", NULL, "afuc:gen8", ""},
        {".target afuc:a7xx-gen3\n[016ee001]", NULL, "afuc:a7xx-gen3", ""},
        {".equ A, 5\n[01730001]", NULL, "afuc:a730", ""},
        {"[016ee001]\nnop", "afuc:a630", "afuc:a630", ""},
        {"[016ee001]\nnop", "afuc:a730", "afuc:a730", "target-contradiction:0:0"},
        {".target afuc:a630\nnop", "afuc:gen8", "afuc:gen8", "target-contradiction:0:0"},
        {"nop", "afuc:a5xx", "afuc:a5xx", ""},
        {"[01fff001]", "afuc:a5xx", "afuc:a5xx", ""},
        {"nop", NULL, NULL, "no-target:1:1"},
        {"", NULL, NULL, "no-target:1:1"},
        {"nop\n[016ee001]", NULL, NULL, "no-target:1:1"}, /* the first literal, not any */
        {"[01fff001]", NULL, NULL, "no-target:1:1"},
        {"[016ee00100]", NULL, NULL, "no-target:1:1"},
        {"; .target afuc:a630\nnop", NULL, NULL, "no-target:1:1"},
        /* what shaders look like is no more than a guess, which is told where they have errors */
        {"@out(r0.x) x\nend", NULL, "a3xx", ""},
        {"@localmem 8\nend", NULL, NULL, "a3xx-directive:1:1 target-assumed:0:0"},
        {"@localmem 8\nend", "a3xx", NULL, "a3xx-directive:1:1"},
        {".target a3xx\n@localmem 8\nend", NULL, NULL, "a3xx-directive:2:1"},
        {".target ir3:a\nend", NULL, NULL, "no-such-target:1:9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assemble_text(&got, cases[i].source, cases[i].given);
        if (strcmp(heard_text(&got.heard), cases[i].said) != 0)
            fail_msg("'%s': '%s'", cases[i].source, heard_text(&got.heard));
        if (cases[i].expected)
            assert_ptr_equal(gpucode_program_target(got.program), target_named(cases[i].expected));
        else
            assert_int_equal(got.status, GPUCODE_ERROR_INPUT);
        gpucode_program_free(got.program);
    }
}

/* One run shows all errors, in the order of the text but for those that wait for its end. */
/* A directive that says the target is found wherever it stands, among dots and in long sources. */
static void target_of_long_source(void)
{
    char text[3000];
    for (unsigned before = 0; before < 600; before += 7)
        for (unsigned behind = 0; behind < 1200; behind += 400) {
            struct assembled out;
            int used = snprintf(text, sizeof text, ";%.*s%*s\n.target afuc:a730\nnop\n;%*s", 20, "....................",
                                (int)before, "", (int)behind, "");
            struct gpucode_asm_options options = {0};
            assemble_bytes(&out, text, (size_t)used, &options);
            assert_int_equal(out.status, GPUCODE_OK);
            assert_string_equal(gpucode_target_name(gpucode_program_target(out.program)), "afuc:a730");
            gpucode_program_free(out.program);
        }
}

static void several_errors(void)
{
    expect_refusal(
        T "add $02, $03\nfrob $02\nnop\nmov $02, 0x10000\n[xyz]\n.frob\njump #gone\n.word 1 / 0\nadd $20, $03, 4\n",
        NULL,
        "expected:3:1 out-of-range:5:10 afuc-raw-word:6:2 unknown-directive:7:1 division-by-zero:9:9 "
        "afuc-register:10:5 undefined:8:7");
    expect_refusal(T "a: nop\na: nop\na: nop", NULL, "duplicate:3:1 first-defined:2:1 duplicate:4:1 first-defined:2:1");
    struct assembled got;
    char source[4000];
    size_t used = (size_t)sprintf(source, T);
    for (unsigned i = 0; i < 200; i++)
        used += (size_t)sprintf(source + used, "frob $%02u\nnop\n", i % 16);
    assemble_text(&got, source, NULL);
    assert_int_equal(got.heard.count, 200);
    for (unsigned i = 0; i < HEARD_MAX; i++)
        assert_int_equal(got.heard.said[i].line, 2 + 2 * i);
}

/* Counts have no limits but memory. */
static void many(void)
{
    enum { count = 100000 };
    static char source[count * 64 + 100];
    size_t used = (size_t)sprintf(source, T);
    for (unsigned i = 0; i < count; i++)
        used += (size_t)sprintf(source + used, "label_%u: call #label_%u\n", i, count - 1 - i);
    struct assembled got;
    assemble_bytes(&got, source, used, NULL);
    assert_string_equal(heard_text(&got.heard), "");
    assert_int_equal(gpucode_program_size(got.program), 4 + 4 * (size_t)count);
    const unsigned char *bytes = gpucode_program_bytes(got.program);
    for (unsigned i = 0; i < count; i++) {
        const unsigned char *at = bytes + 4 + 4 * (size_t)i;
        uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        assert_int_equal(word, 0xd4000000 + count - 1 - i);
    }
    struct gpucode_symbol symbol;
    assert_true(gpucode_program_symbol(got.program, count - 1, &symbol));
    assert_string_equal(symbol.name, "label_99999");
    assert_false(gpucode_program_symbol(got.program, count, &symbol));
    gpucode_program_free(got.program);
    /* a branch reaches no further than its 16 bits, and says so */
    used = (size_t)sprintf(source, T "a: jump #b\n");
    for (unsigned i = 0; i < 32767; i++)
        used += (size_t)sprintf(source + used, "nop\n");
    size_t reach = used;
    used += (size_t)sprintf(source + used, "nop\nb: nop\n");
    assemble_bytes(&got, source, used, NULL);
    assert_string_equal(heard_text(&got.heard), "out-of-range:2:9");
    static const char end[] = "b: nop\n"; /* in place of the last nop */
    memcpy(source + reach - 4, end, sizeof end);
    assemble_bytes(&got, source, strlen(source), NULL);
    assert_string_equal(heard_text(&got.heard), "");
    gpucode_program_free(got.program);
}

static void symbols_and_lines(void)
{
    static const char source[] = T "; comment\nstart: nop\n.equ K, -5\n.macro m x\nnop\n  mov $02, \\x\n.endm\nm 5\n"
                                   ".section BV\nthere: .word 1, 2 ; two\n.byte 1, 2, 3\n.byte 4\n";
    struct assembled got;
    assemble_bytes(&got, source, strlen(source), &(struct gpucode_asm_options){.record_lines = true, .file = "s.asm"});
    assert_int_equal(got.status, GPUCODE_OK);
    static const struct {
        const char *name, *section;
        int64_t value;
        uint32_t unit;
    } symbols[] = {{"start", "", 0, 0}, {"K", NULL, -5, GPUCODE_NONE}, {"there", "BV", 0, 8}};
    struct gpucode_symbol symbol;
    for (unsigned i = 0; i < 3; i++) {
        assert_true(gpucode_program_symbol(got.program, i, &symbol));
        assert_string_equal(symbol.name, symbols[i].name);
        assert_int_equal(symbol.section == NULL, symbols[i].section == NULL);
        if (symbol.section)
            assert_string_equal(symbol.section, symbols[i].section);
        assert_true(symbol.value == symbols[i].value && symbol.unit == symbols[i].unit);
    }
    assert_false(gpucode_program_symbol(got.program, 3, &symbol));
    assert_false(gpucode_program_symbol(NULL, 0, &symbol));
    assert_false(gpucode_program_symbol(got.program, 0, NULL));
    static const struct {
        unsigned line;
        const char *source;
        bool from_macro;
    } lines[] = {
        {3, "start: nop", false},
        {6, "nop", true},
        {7, "  mov $02, 5", true},
        {10, ".section BV", false},
        {10, ".section BV", false},
        {10, ".section BV", false},
        {10, ".section BV", false},
        {10, ".section BV", false},
        {11, "there: .word 1, 2 ; two", false},
        {11, "there: .word 1, 2 ; two", false},
        {13, ".byte 4", false},
    };
    struct gpucode_line line;
    for (uint32_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_true(gpucode_program_line(got.program, i, &line));
        assert_string_equal(line.file, "s.asm");
        if (line.line != lines[i].line || line.source_length != strlen(lines[i].source) ||
            memcmp(line.source, lines[i].source, line.source_length) != 0 || line.from_macro != lines[i].from_macro)
            fail_msg("unit %u: line %u '%.*s'", i, line.line, (int)line.source_length, line.source);
    }
    /* `m 5` stands in line 9 */
    assert_true(gpucode_program_use(got.program, 2, 0, &line) && line.line == 9 && !line.from_macro);
    assert_string_equal(line.macro, "m");
    assert_memory_equal(line.source, "m 5", line.source_length);
    assert_false(gpucode_program_use(got.program, 2, 1, &line));
    assert_false(gpucode_program_use(got.program, 0, 0, &line)); /* no macro */
    assert_false(gpucode_program_use(got.program, 11, 0, &line));
    assert_false(gpucode_program_use(got.program, 2, 0, NULL));
    assert_false(gpucode_program_use(NULL, 2, 0, &line));
    assert_false(gpucode_program_line(got.program, 11, &line));
    assert_false(gpucode_program_line(got.program, UINT32_MAX, &line));
    assert_false(gpucode_program_line(NULL, 0, &line));
    assert_false(gpucode_program_line(got.program, 0, NULL));
    assert_int_equal(gpucode_program_prefix(got.program), 4);
    gpucode_program_free(got.program);
    assemble_text(&got, source, NULL);
    assert_false(gpucode_program_line(got.program, 0, &line)); /* not recorded */
    gpucode_program_free(got.program);
    gpucode_program_free(NULL);
    struct gpucode_program *program;
    assert_int_equal(gpucode_assemble(NULL, 5, NULL, &program), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_assemble("nop", 3, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_assemble(NULL, 0, NULL, &program), GPUCODE_ERROR_INPUT);
}

/* The largest and the smallest number that each directive takes, and the next one. */
static void limits(void)
{
    expect_bytes(T ".raw\n.s8 -128, 127\n.u8 0, 255\n.b8 -128, 255\n.b16 -32768\n", NULL,
                 "\x80\x7f\0\xff\x80\xff\0\x80", 8);
    EXPECT_WORDS(T ".s64 -1\n.b64 -2\n.u64 0\n", NULL, 0xffffffff, 0xffffffff, 0xfffffffe, 0xffffffff, 0, 0);
    static const char *const wide[] = {".s8 -129", ".s8 128", ".u8 -1", ".u8 256", ".b8 -129", ".b8 256", ".u64 -1"};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        char source[64], said[32];
        snprintf(source, sizeof source, T "%s\n", wide[i]);
        snprintf(said, sizeof said, "number-sign:2:%u", (unsigned)strcspn(wide[i], " ") + 2);
        expect_refusal(source, NULL, said);
    }
    /* the same of what is defined later, 0 among them */
    EXPECT_WORDS(T ".word K\n.byte K, L, M, N\n.equ K, 0\n.equ L, 255\n.equ M, -128\n.equ N, -1\n", NULL, 0,
                 0xff80ff00);
    expect_refusal(T ".byte K, L\n.equ K, 256\n.equ L, -129\n", NULL, "number-width:2:7 number-width:2:10");
    EXPECT_WORDS(T "nop\n.skip 0\n.size 4\n.skip 4\n.size 8\n", NULL, NOP, 0);
    expect_refusal(T "nop\n.size 3\n", NULL, "padding:3:7");
    expect_refusal(T "nop\n.skip -1\n", NULL, "padding:3:7");
    static const char *const pads[] = {".size", ".skip"};
    for (size_t i = 0; i < 2; i++) {
        char source[64];
        struct assembled got;
        snprintf(source, sizeof source, T "%s 0x1000000\n", pads[i]);
        assemble_text(&got, source, NULL);
        assert_int_equal(got.status, GPUCODE_OK);
        assert_int_equal(gpucode_program_size(got.program), 4 + 0x1000000);
        gpucode_program_free(got.program);
        snprintf(source, sizeof source, T "%s 0x1000001\n", pads[i]);
        expect_refusal(source, NULL, "padding:2:7");
    }
    expect_refusal(T "nop\n.skip 0x1000000\n", NULL, "padding:3:7");
    expect_bytes(T ".align 0x100000\n", NULL, "\0\0\0\0", 4);
    expect_refusal(T ".align 0x100004\n", NULL, "alignment:2:8");
    expect_refusal(T ".align 0\n", NULL, "alignment:2:8");
    expect_bytes(".target hwsq:nv50\nexit\n.align 1\nexit\n", NULL, "\x7f\x7f", 2);
    expect_refusal("exit\n.align 0\n", "hwsq:nv50", "alignment:2:8");
}

/* Comments behind numbers, and the addresses of sections. */
static void behind_numbers(void)
{
    expect_bytes(".target hwsq:nv50\n.u8 1 # x\n.u8 2 #\n.u8 3 #", NULL, "\1\2\3", 3);
    expect_bytes(".target hwsq:nv50\n.u8 1 #x\nx: exit", NULL, "\1\2\x7f", 3);
    expect_refusal(".u8 1 #x", "hwsq:nv50", "undefined:1:8");
    expect_bytes(".target hwsq:nv50\n.section one 9\nexit\na: .u8 #a\n", NULL, "\x7f\x0a", 2);
    /* macros are apart, each with its own places; else a distance is one in the image, wherever sections begin */
    expect_bytes(
        ".target mme:fermi\n.section #one\na: nop\nb: nop\n.u32 #b - #a\n.section #two\nc: nop\n.u32 #c - #a\n", NULL,
        "\x11\0\0\0\x11\0\0\0\1\0\0\0\x11\0\0\0\0\0\0\0", 20);
    expect_bytes(".target a3xx\n.section one 9\nnop\na: .u64 #a\n.section two 0x20\nb: .u64 #b, #two:b - #one:a\n",
                 NULL, "\0\0\0\0\0\0\0\0\x0a\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 32);
}

/* Names of any length: what is too long to be shown or mended whole is told in the same place. */
static void long_names(void)
{
    char source[512], said[128], name[128], hint[128];
    for (unsigned length = 38; length < 120; length++) {
        struct assembled got;
        memset(name, 'q', length);
        name[length] = 0;
        /* a label whose colon is missed is defined as long as the message has room for it */
        snprintf(source, sizeof source, T "%s\nnop\njump #%s\nnop\n", name, name);
        assemble_text(&got, source, NULL);
        assert_int_equal(strstr(heard_text(&got.heard), "undefined:4:7") == NULL, length < 95);
        assert_non_null(strstr(heard_text(&got.heard), "label-colon:3:1"));
        gpucode_program_free(got.program);
        snprintf(source, sizeof source, T ".target %s\n", name);
        snprintf(said, sizeof said, "%s:2:9", length < 64 ? "no-such-target" : "expected");
        expect_refusal(source, NULL, said);
        snprintf(source, sizeof source, T "nop\n.section BV\n%s: nop\n.section LPAC\njump #%s\nnop\n", name, name);
        assemble_text(&got, source, NULL);
        snprintf(hint, sizeof hint, "section BV has such a label: #BV:%.40s", name);
        assert_string_equal(got.heard.said[0].hint, hint);
        gpucode_program_free(got.program);
    }
}

/* One section of firmware, behind the word that names the chip; the last unit is no whole one. */
static void kept_section(void)
{
    static const char source[] = T ".section SQE\n[1]\na: [2]\n.section BV\n[3]\nb: [4]\n.byte 5\n";
    static const char *const lines[] = {"[3]", "b: [4]", ".byte 5"};
    const struct gpucode_asm_options options = {.record_lines = true};
    struct assembled got;
    struct gpucode_line line;
    struct gpucode_symbol symbol;
    assemble_bytes(&got, source, strlen(source), &options);
    assert_int_equal(got.status, GPUCODE_OK);
    assert_true(gpucode_program_keep(got.program, 1));
    assert_int_equal(gpucode_program_size(got.program), 4 + 9);
    assert_memory_equal(gpucode_program_bytes(got.program), "\0\0\0\0\3\0\0\0\4\0\0\0\5", 13);
    for (uint32_t unit = 0; unit < 3; unit++) {
        assert_true(gpucode_program_line(got.program, unit, &line));
        assert_int_equal(line.source_length, strlen(lines[unit]));
        assert_memory_equal(line.source, lines[unit], line.source_length);
    }
    assert_false(gpucode_program_line(got.program, 3, &line));
    assert_true(gpucode_program_symbol(got.program, 0, &symbol));
    assert_string_equal(symbol.name, "b");
    assert_true(symbol.value == 1 && symbol.unit == 1);
    assert_false(gpucode_program_symbol(got.program, 1, &symbol));
    gpucode_program_free(got.program);
}

TESTS(directives, kept_section, limits, behind_numbers, long_names, target_of_long_source, bytes_and_words, places,
      sections, packet_tables, line_endings, macros, deep_macros, includes, many_includes, old_texts, targets,
      several_errors, many, symbols_and_lines)
