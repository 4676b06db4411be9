/* SPDX-License-Identifier: MIT */
/*
 * All functions that are given a text and its length: instructions of all rows, and one text of each other kind, cut
 * after each byte. Texts of instructions come from random words, so that all parts of them come last in one.
 */
#include "assembling.h"
#include "ends.h"

#include "isa/isa.h"

#include <gpucode/answer.h>
#include <gpucode/crash.h>
#include <gpucode/debug.h>
#include <gpucode/fields.h>
#include <gpucode/form.h>
#include <gpucode/fuzz.h>
#include <gpucode/names.h>
#include <gpucode/machine.h>
#include <gpucode/outline.h>
#include <gpucode/stream_source.h>
#include <gpucode/symbols.h>
#include <stdlib.h>
#include <string.h>

static void read_insn(const void *user, const char *text, size_t length, struct outcome *out)
{
    const struct gpucode_parse_options options = {.on_diagnostic = outcome_listen(out)};
    struct gpucode_insn insn = {0};
    outcome_number(out, gpucode_parse(user, text, length, &options, &insn));
    outcome_number(out, insn.bits);
}

static void read_program(const void *user, const char *text, size_t length, struct outcome *out)
{
    const struct gpucode_asm_options options = {.target = user, .on_diagnostic = outcome_listen(out)};
    struct gpucode_program *program = NULL;
    outcome_number(out, gpucode_assemble(text, length, &options, &program));
    if (program)
        outcome_add(out, gpucode_program_bytes(program), gpucode_program_size(program));
    gpucode_program_free(program);
}

static void tell_expected(void *user, const struct gpucode_expected *expected)
{
    outcome_number(user, expected->kind);
    outcome_number(user, expected->row);
    outcome_number(user, (unsigned char)expected->letter);
    outcome_number(user, expected->from);
    outcome_number(user, expected->operand);
}

static void read_beginning(const void *user, const char *text, size_t length, struct outcome *out)
{
    outcome_number(out, gpucode_expect(user, NULL, text, length, tell_expected, out));
}

/* A text of a row, with random operands; false: the words that were tried are those of others. */
static bool text_of_row(const struct gpucode_target *target, const struct gpucode_row *row, uint64_t *random, char *text)
{
    uint64_t word = (uint64_t)next_random(random) << 32 | next_random(random);
    word = (word & ~row->mask & ~row->ignored) | row->match;
    unsigned char bytes[8];
    for (unsigned i = 0; i < row->size; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    struct gpucode_insn insn;
    size_t length;
    return gpucode_decode(target, bytes, row->size, 0, &insn) == GPUCODE_OK && insn.size == row->size &&
        gpucode_format(&insn, NULL, text, GPUCODE_TEXT_MAX, &length) == GPUCODE_OK;
}

/* Of all rows of all generations each `step`th. */
static void each_row(ends_reader *read, unsigned step, unsigned rounds)
{
    uint64_t random = 20261129;
    bool hold = true;
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        for (unsigned at = i % step; target->is_generation && at < gpucode_row_count(target) * rounds; at += step) {
            struct gpucode_row row;
            char text[GPUCODE_TEXT_MAX];
            if (gpucode_row_on_target(target, at / rounds) && gpucode_row(target, at / rounds, &row) &&
                text_of_row(target, &row, &random, text))
                hold &= ends_hold(text, read, target);
        }
    }
    assert_true(hold);
}

static void instructions(void)
{
    each_row(read_insn, 1, test_rounds(1, 5));
}

static void lines(void)
{
    each_row(read_program, test_rounds(3, 1), 1);
}

static void beginnings(void)
{
    each_row(read_beginning, test_rounds(3, 1), 1);
}

/* --- texts of other kinds ---------------------------------------------------------------------------------------- */

static void read_form(const void *user, const char *text, size_t length, struct outcome *out)
{
    struct gpucode_diagnostic_handler handler = outcome_listen(out);
    void *bytes = NULL;
    size_t size = 0;
    outcome_number(out, (unsigned char)gpucode_form_bracket(text, length));
    outcome_number(out, gpucode_form_read(user, text, length, NULL, &handler, &bytes, &size));
    outcome_add(out, bytes, size);
    free(bytes);
}

static void forms(void)
{
    const struct gpucode_target *target = target_named("hwsq:nv50");
    assert_true(ends_hold("# bytes\n41 0x5f;7f, 00\n", read_form, target));
    assert_true(ends_hold("/* u8 */ static const unsigned char a[] = {\n 0x41, 95, /* end */ 0x7f, // last\n};\n", read_form, target));
    assert_true(ends_hold("hwsq_wait(hwsq, 0x00, 0x1);\nhwsq_setf(hwsq, 0x10, 1); hwsq_fini(hwsq);\n", read_form, target));
}

static void read_symbols(const void *user, const char *text, size_t length, struct outcome *out)
{
    struct gpucode_symbols *symbols = NULL;
    assert_int_equal(gpucode_symbols_create(user, NULL, &symbols), GPUCODE_OK);
    outcome_number(out, gpucode_symbols_read(symbols, text, length, "a.sym", outcome_listen(out)));
    struct gpucode_label label;
    for (unsigned i = 0; gpucode_symbols_at(symbols, i, &label); i++) {
        outcome_text(out, label.name);
        outcome_text(out, label.text);
        outcome_number(out, (uint64_t)label.value);
    }
    gpucode_symbols_free(symbols);
}

static void symbols(void)
{
    assert_true(ends_hold("*    0x0002 entry ; begins\nreg 0x883 MY_REG\nsqe 17\tthere\n", read_symbols, target_named("afuc:a630")));
    assert_true(ends_hold("* 0 pause\nflag 16 stop\nevent 0 memory", read_symbols, target_named("hwsq:nv50")));
}

static void read_kinds(const void *user, const char *text, size_t length, struct outcome *out)
{
    (void)user;
    struct gpucode_fuzz_subject subject;
    unsigned line = 0;
    enum gpucode_status status = gpucode_fuzz_kinds_read(text, length, &subject, &line);
    outcome_number(out, status);
    outcome_number(out, line);
    if (status == GPUCODE_OK) {
        size_t size;
        char *written = gpucode_fuzz_kinds_text(&subject, &size);
        outcome_add(out, written, size);
        free(written);
        gpucode_fuzz_kinds_free(&subject);
    }
}

static void kinds(void)
{
    assert_true(ends_hold("# all\nkind push 3 0 1 flat 0x77 12\nkind call 1 2 63 opens\nvalues 1 0xffffffff\n", read_kinds, NULL));
}

static void read_recording(const void *user, const char *text, size_t length, struct outcome *out)
{
    (void)user;
    const struct gpucode_stream_encode_options options = {.on_diagnostic = outcome_listen(out)};
    void *bytes = NULL;
    size_t size = 0;
    outcome_number(out, gpucode_stream_source_recognise(text, length));
    outcome_number(out, gpucode_stream_encode(text, length, &options, &bytes, &size));
    outcome_add(out, bytes, size);
    free(bytes);
}

static void recordings(void)
{
    assert_true(ends_hold("; a frame\n.recording a6xx\n.gpu 630\n.process \"fr\\x00\"\n.buffer b0, 0x1000, 0x40\n.contents\n"
                "    CP_NOP{ 1, 0x2 } ; none\n    RB_CNTL={ WIDTH=32 | 0x8 }\n    .word 5, &b0+4\n    .byte 0x41\n    .zero 8\n"
                "    .code ir3:a630\n nop\n    end\n    .end\n.submit b0, 4\n",
                read_recording, NULL));
}

static bool take_answer(void *user, const char *text, size_t length)
{
    struct outcome *out = user;
    for (size_t i = 0; i < length; i++) /* in pieces of any size */
        out->digest = (out->digest ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return true;
}

static void read_log(const void *user, const char *text, size_t length, struct outcome *out)
{
    const struct gpucode_crash_explain_options options = {.target = user};
    struct gpucode_answer *answer = gpucode_answer_create();
    assert_non_null(answer);
    outcome_number(out, gpucode_crash_log_recognise(text, length));
    outcome_number(out, gpucode_crash_explain_log(text, length, &options, answer));
    gpucode_answer_render(answer, &(struct gpucode_answer_options){
                                      .form = GPUCODE_ANSWER_AS_JSON, .write = take_answer, .user = out});
    gpucode_answer_free(answer);
}

static void logs(void)
{
    assert_true(ends_hold("kgsl kgsl-3d0: CP | Protected mode error | WRITE | addr=8c01 | status=608c01\n"
                "[   12.5] kgsl kgsl-3d0: GPU PAGE FAULT: addr = 470460000 pid= 653 name=tri\n"
                "t[653]: gpu fault ctx 1 ctx_type GL ts 1 status 00800005 rb 0123/0130 ib1 0000000470460000/0010 ib2 00/0\n",
                read_log, target_named("afuc:a630")));
}

/* One value of a register or a word of a packet. */
struct valued {
    unsigned family;
    uint32_t number; /* register, or opcode */
    bool packet;
};

static void read_value(const void *user, const char *text, size_t length, struct outcome *out)
{
    const struct valued *valued = user;
    struct gpucode_field_wrong wrong = {0};
    uint64_t value = 0;
    unsigned words = 0;
    bool good = valued->packet
        ? gpucode_payload_read(valued->family, valued->number, NULL, 0, text, length, &value, &words, &wrong)
        : gpucode_register_read(valued->family, valued->number, text, length, &value, &wrong);
    outcome_number(out, good);
    outcome_number(out, value);
    if (!good) {
        outcome_number(out, wrong.fault);
        outcome_number(out, wrong.at ? (uint64_t)(wrong.at - text) : UINT64_MAX);
        outcome_number(out, wrong.length);
    }
}

static void values(void)
{
    uint32_t number = 0;
    assert_true(gpucode_register_find(6, "RB_MRT[1].BUF_INFO", strlen("RB_MRT[1].BUF_INFO"), &number));
    const struct valued mrt = {6, number, false};
    assert_true(ends_hold("{ COLOR_FORMAT = FMT6_8_8_8_8_UNORM | COLOR_TILE_MODE = 3 | COLOR_SWAP = WXYZ | 0x8000 }", read_value, &mrt));
    assert_true(gpucode_register_find(6, "GRAS_CL_VIEWPORT[0].XOFFSET", strlen("GRAS_CL_VIEWPORT[0].XOFFSET"), &number));
    const struct valued offset = {6, number, false};
    assert_true(ends_hold("-1.5e+2", read_value, &offset));
    assert_true(ends_hold("0x3fc00000", read_value, &offset));
    const struct valued load = {6, 0x32, true};
    assert_true(ends_hold("DST_OFF=14 | STATE_SRC=SS6_INDIRECT | NUM_UNIT=0x2", read_value, &load));
}

static void read_name(const void *user, const char *text, size_t length, struct outcome *out)
{
    uint32_t number = 0;
    unsigned space = 0;
    outcome_number(out, gpucode_register_of(user, NULL, text, length, &space, &number));
    outcome_number(out, (uint64_t)space << 32 | number);
    number = 0;
    outcome_number(out, gpucode_number_of(user, NULL, GPUCODE_SPACE_GPU, text, length, &number));
    outcome_number(out, number);
    number = 0;
    outcome_number(out, gpucode_register_find(6, text, length, &number));
    outcome_number(out, number);
    outcome_text(out, gpucode_register_nearest(6, text, length));
    outcome_number(out, gpucode_packet_find(6, text, length, &number));
    outcome_text(out, gpucode_packet_nearest(6, text, length));
    outcome_text(out, gpucode_target_name(gpucode_source_target(text, length)));
    uint32_t words[8] = {0};
    size_t count = gpucode_crash_ascii85(text, length, words, 8);
    outcome_number(out, count);
    outcome_add(out, words, sizeof words);
}

static void names(void)
{
    static const char *const texts[] = {"$02", "@IB1_BASE+0x1", "@0x123", "%SP", "|PIPE", "CP_SCRATCH[0x2].REG", "RB_MRT[1].PITCH",
                                        "CP_LOAD_STATE6_GEOM", "0x8c01", "; a\n.target afuc:a630 ; b\n", "87cURD]i,\"Ebo80z!!!!"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(ends_hold(texts[i], read_name, target_named("afuc:a630")));
    static const char *const shader[] = {"r1.y", "hr63.w", "c<a0.x + 4>", "p0.x", "a0.x", "hc12.z"};
    for (unsigned i = 0; i < sizeof shader / sizeof *shader; i++)
        assert_true(ends_hold(shader[i], read_name, target_named("ir3:a6xx")));
}

static void read_pattern(const void *user, const char *text, size_t length, struct outcome *out)
{
    struct gpucode_pattern *pattern = NULL;
    outcome_number(out, gpucode_pattern_create(user, NULL, text, length, outcome_listen(out), &pattern));
    gpucode_pattern_free(pattern);
}

static void patterns(void)
{
    assert_true(ends_hold("mov $x, *; ...8; (rep)add $x, $x, ?value; * ; c*\nnop", read_pattern, target_named("afuc:a630")));
    assert_true(ends_hold("add.f r*, ?a, (neg)c1.x\n...\nend", read_pattern, target_named("a3xx")));
}

struct session {
    struct gpucode_debug *debug;
    bool assign;
};

static void read_expression(const void *user, const char *text, size_t length, struct outcome *out)
{
    const struct session *session = user;
    struct gpucode_value value = {0};
    outcome_number(out, gpucode_debug_evaluate(session->debug, text, length, session->assign, outcome_listen(out), &value));
    outcome_number(out, (uint64_t)value.number);
    outcome_number(out, value.place);
    outcome_number(out, value.address);
    outcome_number(out, value.size);
}

/* What the debugger evaluates: a name may be the beginning of another one that stands in memory after it. */
static void expressions(void)
{
    static const char source[] = "start: mov $02, 1\nst: mov $03, 2\nsta: nop\n";
    static const char *const texts[] = {
        "$02 + $03 * 2 == 0x1f && !@IB1_BASE", "start + st - #sta", "SQE:start + '@IB1_BASE' % 017",
        "CP_SCRATCH[2].REG << 3 >= %SP",       "$pc + $position",   "*0x1000 + {0x1000, 8} ^ *(uint8_t *)0x1004",
        "(float)$02 + 2.5e-3 < 1e3",           "0b101 | 'a' ? 1",   "(int16_t)0xffff8000",
    };
    struct assembled made;
    struct gpucode_machine *machine;
    struct session session;
    assemble_text(&made, source, "afuc:a630");
    struct gpucode_image *image = image_made(&made, "afuc:a630");
    assert_int_equal(gpucode_machine_create(image, NULL, &machine), GPUCODE_OK);
    assert_int_equal(gpucode_debug_create(machine, NULL, &session.debug), GPUCODE_OK);
    session.assign = false;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(ends_hold(texts[i], read_expression, &session));
    session.assign = true;
    assert_true(ends_hold("$02 = $03 + 4, $04 += 2", read_expression, &session));
    gpucode_debug_free(session.debug);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    gpucode_program_free(made.program);
}

TESTS(ends, instructions, lines, beginnings, forms, symbols, kinds, recordings, logs, values, names, patterns,
      expressions)
