/* SPDX-License-Identifier: MIT */
/* Sources with other code in place of their own: what changes, and what stays as it was written. */
#include "assembling.h"

#include <stdlib.h>
#include <string.h>

static struct gpucode_program *program_of(const char *text)
{
    struct gpucode_asm_options options = {.record_lines = true, .record_tokens = true};
    struct gpucode_program *program;
    assert_int_equal(gpucode_assemble(text, strlen(text), &options, &program), GPUCODE_OK);
    return program;
}

/* The text `from` with the code of `to`, whose units were those of `from` that `origins` says. */
static void expect_rewritten(const char *from, const char *to, const uint32_t *origins, const char *expected)
{
    struct gpucode_program *program = program_of(from), *code = program_of(to);
    size_t prefix = gpucode_program_prefix(code), length;
    unsigned unit = gpucode_target_unit_bytes(gpucode_program_target(code));
    struct gpucode_replacement replacement = {
        .bytes = (const char *)gpucode_program_bytes(code) + prefix,
        .origins = origins,
        .units = (uint32_t)((gpucode_program_size(code) - prefix) / unit),
        .padding = true,
    };
    char *text = NULL;
    enum gpucode_status status = gpucode_program_rewrite(program, &replacement, &text, &length);
    assert_int_equal(status, expected ? GPUCODE_OK : GPUCODE_ERROR_UNSUPPORTED);
    if (expected) {
        assert_string_equal(text, expected);
        assert_int_equal(length, strlen(expected));
    }
    free(text);
    gpucode_program_free(program);
    gpucode_program_free(code);
}

#define TARGET ".target a3xx:a320\n"
#define NEW GPUCODE_NONE

static void lines_and_comments_stay(void)
{
    /* flags are added and taken away, a new instruction has the indentation of the one it stands in front of */
    expect_rewritten("; head\ntop:\tadd.f r0.x, r0.y, r0.z ; sum\n\n  (ss)mul.f r0.x,  r0.x, c1.x\r\nend",
                     "(sy)add.f r0.x, r0.y, r0.z\nnop\nmul.f r0.x, r0.x, c1.x\nend\n", (const uint32_t[]){0, NEW, 1, 2},
                     "; head\ntop:\t(sy)add.f r0.x, r0.y, r0.z ; sum\n\n  nop\r\n  mul.f r0.x,  r0.x, c1.x\r\nend");
    /* an instruction goes; its label and comment stay */
    expect_rewritten("a: nop ; why\nnop\nend\n", "end\n", (const uint32_t[]){2}, "a: ; why\nend\n");
    /* two change places, and take their comments along */
    expect_rewritten("\tmov.f32f32 r0.x, r1.x ; one\n  mov.f32f32 r2.x, r3.x ; two\nend\n",
                     "mov.f32f32 r2.x, r3.x\nmov.f32f32 r0.x, r1.x\nend\n", (const uint32_t[]){1, 0, 2},
                     "\tmov.f32f32 r2.x, r3.x ; two\n  mov.f32f32 r0.x, r1.x ; one\nend\n");
    /* places that are numbers follow, names look after themselves */
    expect_rewritten("br p0.x, #2\nnop\nend\n", "br p0.x, #3\nnop\nnop\nend\n", (const uint32_t[]){0, 1, NEW, 2},
                     "br p0.x, #3\nnop\nnop\nend\n");
    expect_rewritten("br p0.x, #x\nnop\nx: end\n", "br p0.x, #3\nnop\nnop\nend\n", (const uint32_t[]){0, 1, NEW, 2},
                     "br p0.x, #x\nnop\nx: nop\n   end\n");
}

/* The call knows no instruction set. */
static void other_sets(void)
{
    expect_rewritten("[016ee001]\n add $02, $03, $04 ; a\n jump #out\nnop\nout: waitin\nnop\n",
                     "[016ee001]\n(rep)add $02, $03, $04\nnop\njump #out\nnop\nout: waitin\nnop\n",
                     (const uint32_t[]){0, 1, NEW, 2, 3, 4, 5},
                     "[016ee001]\n (rep)add $02, $03, $04 ; a\n nop\n jump #out\nnop\nout: waitin\nnop\n");
    expect_rewritten(".target hwsq:g92\nexit\n", ".target hwsq:g92\nexit\n", (const uint32_t[]){0},
                     NULL); /* HWSQ: instructions differ in size */
}

static void what_lines_cannot_say(void)
{
    expect_rewritten(TARGET ".macro two\nnop\nnop\n.endm\ntwo\nend\n", TARGET "nop\nend\n", (const uint32_t[]){0, 2},
                     NULL);
    expect_rewritten(TARGET "nop\nend\n", TARGET "nop\nnop\n", (const uint32_t[]){0, 0},
                     NULL); /* no unit is there twice */
    expect_rewritten(TARGET "nop\nend\n", TARGET "nop\nnop\n", (const uint32_t[]){0, 7}, NULL);
    struct gpucode_program *program = program_of(TARGET "end\n");
    char *text;
    size_t length;
    assert_int_equal(gpucode_program_rewrite(program, NULL, &text, &length), GPUCODE_ERROR_ARGUMENT);
    gpucode_program_free(program);
    assert_int_equal(gpucode_assemble(TARGET "end\n", strlen(TARGET "end\n"), NULL, &program),
                     GPUCODE_OK); /* nothing was recorded */
    assert_int_equal(gpucode_program_rewrite(program, &(struct gpucode_replacement){0}, &text, &length),
                     GPUCODE_ERROR_UNSUPPORTED);
    gpucode_program_free(program);
}

TESTS(rewrite, lines_and_comments_stay, other_sets, what_lines_cannot_say)
