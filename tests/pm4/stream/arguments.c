/* SPDX-License-Identifier: MIT */
/* Calls without what they need: they say so, and leave nothing behind that looks like an answer. */
#include "group.h"

#include <gpucode/answer.h>
#include <gpucode/names.h>
#include <gpucode/stream.h>
#include <gpucode/stream_decode.h>
#include <gpucode/stream_source.h>
#include <gpucode/stream_stage.h>
#include <gpucode/time_line.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    ".recording a6xx\n.gpu 630\n.buffer s, 0x100000, 0x100\n.contents\n"
    "CP_LOAD_STATE6_FRAG {\nSTATE_TYPE = ST6_CONSTANTS | STATE_BLOCK = SB6_FS_SHADER | "
    "NUM_UNIT = 2 | DST_OFF = 511\nEXT_SRC_ADDR = 0\nEXT_SRC_ADDR_HI = 0\n.word 1, 2, 3, 4, 5, 6, 7, 8\n}\n"
    "SP_PS_BASE = &code\nSP_PS_INSTR_SIZE = 1\nCP_DRAW_INDX_OFFSET { .word 4, 1, 3 }\nend:\n"
    ".buffer code, 0x200000, 0x80\n.contents\n.code ir3:a630\nnop\nend\n.end\n.pad 0x80\n"
    ".stream &s, &words(s, end)\n";

struct subject {
    void *bytes;
    struct gpucode_stream *stream;
    struct gpucode_stream_decode_options options;
    struct gpucode_answer *answer;
};

static void open_subject(struct subject *subject)
{
    size_t size;
    *subject = (struct subject){.answer = gpucode_answer_create()};
    assert_int_equal(gpucode_stream_encode(text, sizeof text - 1, NULL, &subject->bytes, &size), GPUCODE_OK);
    assert_int_equal(gpucode_stream_open(subject->bytes, size, NULL, &subject->stream), GPUCODE_OK);
    subject->options.target = gpucode_stream_target(subject->stream);
}

static void close_subject(struct subject *subject)
{
    gpucode_answer_free(subject->answer);
    gpucode_stream_free(subject->stream);
    free(subject->bytes);
}

static bool write_none(void *user, const char *piece, size_t length)
{
    (void)user, (void)piece, (void)length;
    return true;
}

static void take_none(void *user, const char *name)
{
    (void)name;
    ++*(unsigned *)user;
}

/* Each of the last arguments is left out in turn; nobody would ask without an answer. */
static void of_decoding(void)
{
    struct subject a;
    size_t count = 0;
    bool equal = true;
    unsigned names = 0;
    const struct gpucode_time_line_options how = {0};
    const struct gpucode_stream_source_options source = {0};
    open_subject(&a);
    const struct gpucode_stream_decode_options *options = &a.options;
    const enum gpucode_status refused[] = {
        gpucode_stream_decode(NULL, options, a.answer, NULL),
        gpucode_stream_decode(a.stream, NULL, a.answer, NULL),
        gpucode_stream_decode_compare(NULL, options, a.stream, options, a.answer, &equal),
        gpucode_stream_decode_compare(a.stream, NULL, a.stream, options, a.answer, &equal),
        gpucode_stream_decode_compare(a.stream, options, NULL, options, a.answer, &equal),
        gpucode_stream_decode_compare(a.stream, options, a.stream, NULL, a.answer, &equal),
        gpucode_stream_decode_compare(a.stream, options, a.stream, options, a.answer, NULL),
        gpucode_stream_decode_compare_draws(NULL, options, 0, 0, a.answer, NULL, &equal),
        gpucode_stream_decode_compare_draws(a.stream, NULL, 0, 0, a.answer, NULL, &equal),
        gpucode_stream_decode_compare_draws(a.stream, options, 0, 0, a.answer, NULL, NULL),
        gpucode_stream_decode_where(NULL, options, 1, 1, a.answer, NULL, &count),
        gpucode_stream_decode_where(a.stream, NULL, 1, 1, a.answer, NULL, &count),
        gpucode_stream_decode_where(a.stream, options, 1, 1, a.answer, NULL, NULL),
        gpucode_stream_decode_lint(NULL, options, a.answer, NULL, &count),
        gpucode_stream_decode_lint(a.stream, NULL, a.answer, NULL, &count),
        gpucode_stream_decode_lint(a.stream, options, a.answer, NULL, NULL),
        gpucode_stream_time_line(NULL, options, &how, a.answer, NULL),
        gpucode_stream_time_line(a.stream, NULL, &how, a.answer, NULL),
        gpucode_stream_time_line(a.stream, options, NULL, a.answer, NULL),
        gpucode_stream_source(NULL, &source, write_none, NULL),
        gpucode_stream_source(a.stream, NULL, write_none, NULL),
        gpucode_stream_source(a.stream, &source, NULL, NULL),
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(refused[i], GPUCODE_ERROR_ARGUMENT);
    assert_false(gpucode_stream_decode_knows(NULL, "RB_CNTL"));
    assert_false(gpucode_stream_decode_knows(options, NULL));
    assert_false(gpucode_stream_decode_knows(options, "=1"));
    assert_true(gpucode_stream_decode_knows(options, "RB_CNTL"));
    gpucode_stream_decode_names(NULL, true, take_none, &names);
    gpucode_stream_decode_names(options, true, NULL, &names);
    assert_int_equal(names, 0);
    gpucode_stream_decode_names(options, true, take_none, &names);
    assert_true(names > 1000);
    close_subject(&a);
}

static size_t name_one(void *user, enum gpucode_space space, uint32_t number, char *name, size_t size)
{
    unsigned *asked = user;
    *asked += space == GPUCODE_SPACE_GPU;
    if (space != GPUCODE_SPACE_GPU || number != 0x3ffff || size < 4)
        return 0;
    memcpy(name, "LAST", 4);
    return 4;
}

/* A caller's names are asked once for each number, and not once more for each question. */
static void of_names(void)
{
    static const char *const queries[] = {"RB_MRT*", "LAST", "SP_PS_BASE", "GRAS_*"};
    unsigned asked = 0;
    uint64_t answered[4];
    const struct gpucode_names names = {.name = name_one, .user = &asked};
    struct subject a;
    open_subject(&a);
    a.options.names = &names;
    a.options.queries = queries;
    a.options.query_count = 4;
    a.options.answered = answered;
    assert_true(gpucode_stream_decode_knows(&a.options, "LAST"));
    assert_in_range(asked, 0x40000, 0x40000);
    asked = 0;
    assert_int_equal(gpucode_stream_decode(a.stream, &a.options, a.answer, NULL), GPUCODE_OK);
    assert_true(asked >= 0x40000 && asked < 0x48000);
    assert_int_equal(answered[2], 1);
    close_subject(&a);
}

/* What is asked of a recording, behind the last there is as well. */
static void of_recordings(void)
{
    struct subject a;
    struct gpucode_record record;
    struct gpucode_submit submit;
    uint64_t place[2];
    open_subject(&a);
    assert_false(gpucode_stream_record(NULL, 0, &record));
    assert_false(gpucode_stream_record(a.stream, 0, NULL));
    assert_true(gpucode_stream_record(a.stream, 5, &record));
    assert_false(gpucode_stream_record(a.stream, 6, &record));
    assert_false(gpucode_stream_submit(NULL, 0, &submit));
    assert_false(gpucode_stream_submit(a.stream, 0, NULL));
    assert_true(gpucode_stream_submit(a.stream, 0, &submit));
    assert_false(gpucode_stream_submit(a.stream, 1, &submit));
    assert_int_equal(gpucode_stream_place(NULL, 0, place, 2), 0);
    assert_int_equal(gpucode_stream_place(a.stream, 0, place, 2), 0);
    assert_int_equal(gpucode_stream_place(a.stream, 1, place, 2), 0);
    close_subject(&a);
}

/* A stage of a draw. Constant 511 is the last that there may be; two are loaded there. */
static void of_stages(void)
{
    struct subject a;
    struct gpucode_stream_stage *stage;
    struct gpucode_stage_unit unit;
    uint32_t value = 0;
    uint64_t wide = 0;
    open_subject(&a);
    assert_int_equal(gpucode_stream_stage_open(NULL, &a.options, 0, "FS", &stage, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_stage_open(a.stream, NULL, 0, "FS", &stage, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_stage_open(a.stream, &a.options, 0, "FS", NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_stage_open(a.stream, &a.options, 0, "XS", &stage, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_stage_open(a.stream, &a.options, 1, "FS", &stage, NULL), GPUCODE_OK);
    assert_null(stage);
    assert_int_equal(gpucode_stream_stage_open(a.stream, &a.options, 0, "FS", &stage, NULL), GPUCODE_OK);
    assert_non_null(stage);
    assert_true(gpucode_stream_stage_constant(stage, 2047, &value) && value == 4);
    assert_false(gpucode_stream_stage_constant(stage, 2048, &value));
    assert_false(gpucode_stream_stage_constant(stage, 2043, &value));
    assert_false(gpucode_stream_stage_constant(stage, 0, &value)); /* nor did it wrap around */
    assert_false(gpucode_stream_stage_constant(stage, UINT32_MAX, &value));
    assert_false(gpucode_stream_stage_constant(NULL, 2047, &value));
    assert_false(gpucode_stream_stage_constant(stage, 2047, NULL));
    assert_null(gpucode_stream_stage_code(NULL).name);
    struct gpucode_stage_code code = gpucode_stream_stage_code(stage);
    assert_string_equal(code.name, "FS");
    assert_true(code.address == 0x200000);
    assert_false(gpucode_stream_stage_unit(NULL, 0, &unit));
    assert_false(gpucode_stream_stage_unit(stage, 0, NULL));
    assert_true(gpucode_stream_stage_register(stage, "SP_PS_BASE", &wide) && wide == 0x200000);
    assert_false(gpucode_stream_stage_register(NULL, "SP_PS_BASE", &wide));
    assert_false(gpucode_stream_stage_register(stage, NULL, &wide));
    assert_false(gpucode_stream_stage_register(stage, "SP_PS_BASE", NULL));
    assert_false(gpucode_stream_stage_register(stage, "SP_PS_NOTHING", &wide));
    gpucode_stream_stage_free(stage);
    close_subject(&a);
}

/* --- what is not used --------------------------------------------------------------------------------------------- */

static bool count_shader(void *user, const uint32_t *words, size_t count)
{
    (void)words, (void)count;
    ++*(unsigned *)user;
    return true;
}

/* Each call says which of the options it does not use: its answer is the same with them, even where they are wrong. */
static void unused_options(void)
{
    static const char two[] = ".recording a6xx\n.gpu 630\n.buffer s, 0x100000, 0x100\n.contents\n"
                              "RB_CNTL = { BINW = 544 | BINH = 16 }\nSP_PS_BASE = &code\nSP_PS_INSTR_SIZE = 1\n"
                              "CP_DRAW_INDX_OFFSET { .word 4, 1, 3 }\nRB_CNTL = { BINW = 32 | BINH = 16 }\n"
                              "CP_DRAW_INDX_OFFSET { .word 4, 1, 6 }\nend:\n"
                              ".buffer code, 0x200000, 0x80\n.contents\n.code ir3:a630\nnop\nend\n.end\n.pad 0x80\n"
                              ".stream &s, &words(s, end)\n";
    static const char *const queries[] = {"RB_CNTL", "CP_*", "NOTHING["};
    const struct gpucode_time_line_options how = {.unit = "words"};
    struct gpucode_stream *stream;
    void *bytes;
    size_t size;
    unsigned shaders = 0;
    assert_int_equal(gpucode_stream_encode(two, sizeof two - 1, NULL, &bytes, &size), GPUCODE_OK);
    assert_int_equal(gpucode_stream_open(bytes, size, NULL, &stream), GPUCODE_OK);
    for (unsigned call = 0; call < 5; call++) {
        char *rendered[2] = {NULL, NULL};
        for (unsigned given = 0; given < 2; given++) {
            struct gpucode_stream_decode_options options = {.target = gpucode_stream_target(stream)};
            struct gpucode_answer *answer = gpucode_answer_create();
            size_t count = 7, length;
            bool equal = true;
            if (given) {
                options.queries = queries;
                options.query_count = 3;
                options.user = &shaders;
                options.shader = call == 4 ? NULL : count_shader;
                options.shown = call == 4 ? 0 : GPUCODE_DECODE_DRAWS | GPUCODE_DECODE_SHADER_LIST | GPUCODE_DECODE_ALL;
                options.first_stream = call ? 0 : 5;
            }
            enum gpucode_status status =
                call == 0   ? gpucode_stream_decode_compare_draws(stream, &options, 0, 1, answer, NULL, &equal)
                : call == 1 ? gpucode_stream_decode_where(stream, &options, 0x200000, 0, answer, NULL, &count)
                : call == 2 ? gpucode_stream_decode_lint(stream, &options, answer, NULL, &count)
                : call == 3 ? gpucode_stream_time_line(stream, &options, &how, answer, NULL)
                            : gpucode_stream_decode_compare(stream, &options, stream, &options, answer, &equal);
            assert_int_equal(status, GPUCODE_OK);
            assert_int_equal(equal, call != 0);
            const struct gpucode_answer_options form = {.form = GPUCODE_ANSWER_AS_JSON};
            assert_int_equal(gpucode_answer_print(answer, &form, &rendered[given], &length), GPUCODE_OK);
            gpucode_answer_free(answer);
        }
        assert_string_equal(rendered[0], rendered[1]);
        assert_true(call || strstr(rendered[0], "RB_CNTL"));
        free(rendered[0]);
        free(rendered[1]);
    }
    assert_int_equal(shaders, 0);
    gpucode_stream_free(stream);
    free(bytes);
}

TESTS(arguments, of_decoding, of_names, of_recordings, of_stages, unused_options)
