/* SPDX-License-Identifier: MIT */
/*
 * An instruction set that brings eight rows and nothing else, through the public interface: it disassembles, assembles,
 * runs, traces, covers, and is debugged backwards.
 */
#include "group.h"

#include <gpucode/asm.h>
#include <gpucode/debug.h>
#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The sum of 3, 2 and 1, stored at 0x40. */
static const char sum[] = ".target toy\n"
                          "\tset r1, 3\n"
                          "\tset r2, 0\n"
                          "\tset r3, 1\n"
                          "l3:\n"
                          "\tadd r2, r2, r1\n"
                          "\tsub r1, r1, r3\n"
                          "\tjnz r1, #l3\n"
                          "\tset r4, 64\n"
                          "\tstore r4, r2\n"
                          "\tload r5, r4\n"
                          "\tjump #l11\n"
                          "\t.byte 0xff, 0xff\n"
                          "l11:\n"
                          "\thalt\n";
enum { UNITS = 12, STEPS = 3 + 3 * 3 + 5 };

struct fixture {
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_machine *machine;
};

static void open_text(struct fixture *fixture, const char *text)
{
    assert_int_equal(gpucode_assemble(text, strlen(text), NULL, &fixture->program), GPUCODE_OK);
    struct gpucode_image_options options = {.target = gpucode_target_find("toy")};
    assert_int_equal(gpucode_image_open(gpucode_program_bytes(fixture->program), gpucode_program_size(fixture->program),
                                        &options, &fixture->image),
                     GPUCODE_OK);
    assert_int_equal(gpucode_machine_create(fixture->image, NULL, &fixture->machine), GPUCODE_OK);
}

static void close_text(struct fixture *fixture)
{
    gpucode_machine_free(fixture->machine);
    gpucode_image_free(fixture->image);
    gpucode_program_free(fixture->program);
}

static uint32_t register_value(const struct gpucode_machine *machine, const char *name)
{
    unsigned space;
    uint32_t number, value;
    assert_true(gpucode_machine_find(machine, name, &space, &number));
    assert_int_equal(gpucode_machine_read(machine, 0, space, number, &value), GPUCODE_OK);
    return value;
}

static void expect_listing(const void *bytes, size_t size, const char *expected)
{
    struct gpucode_image_options options = {.target = gpucode_target_find("toy")};
    struct gpucode_image *image;
    char *text;
    size_t length;
    assert_int_equal(gpucode_image_open(bytes, size, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(image, NULL, &text, &length), GPUCODE_OK);
    assert_string_equal(text, expected);
    free(text);
    gpucode_image_free(image);
}

static void text_comes_back(void)
{
    struct gpucode_program *program;
    assert_int_equal(gpucode_assemble(sum, sizeof sum - 1, NULL, &program), GPUCODE_OK);
    assert_int_equal(gpucode_program_size(program), 2 * UNITS);
    expect_listing(gpucode_program_bytes(program), gpucode_program_size(program), sum);
    gpucode_program_free(program);
}

/* Every word of 16 bits, and a byte after them: the text is that of the same bytes. */
static void all_words_come_back(void)
{
    static unsigned char bytes[2 * 65536 + 1];
    for (unsigned word = 0; word < 65536; word++) {
        bytes[2 * word] = (unsigned char)word;
        bytes[2 * word + 1] = (unsigned char)(word >> 8);
    }
    bytes[sizeof bytes - 1] = 0x5a;
    struct gpucode_image_options options = {.target = gpucode_target_find("toy")};
    struct gpucode_image *image;
    struct gpucode_program *program;
    char *text;
    size_t length;
    assert_int_equal(gpucode_image_open(bytes, sizeof bytes, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_disassemble(image, NULL, &text, &length), GPUCODE_OK);
    assert_int_equal(gpucode_assemble(text, length, NULL, &program), GPUCODE_OK);
    assert_int_equal(gpucode_program_size(program), sizeof bytes);
    assert_memory_equal(gpucode_program_bytes(program), bytes, sizeof bytes);
    gpucode_program_free(program);
    free(text);
    gpucode_image_free(image);
}

static void it_runs(void)
{
    struct fixture fixture;
    struct gpucode_stop stop;
    open_text(&fixture, sum);
    assert_int_equal(gpucode_machine_map(fixture.machine, 0, 0x1000), GPUCODE_OK);
    assert_int_equal(gpucode_machine_coverage(fixture.machine, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_run(fixture.machine, 1000, &stop), STEPS);
    assert_int_equal(stop.reason, GPUCODE_STOP_END);
    assert_string_equal(stop.code, "machine-end");
    assert_int_equal(register_value(fixture.machine, "r2"), 6);
    assert_int_equal(register_value(fixture.machine, "r5"), 6);
    size_t units;
    const uint8_t *covered = gpucode_machine_covered(fixture.machine, 0, &units);
    assert_int_equal(units, UNITS);
    for (unsigned i = 0; i < UNITS; i++)
        assert_int_equal(covered[i], i != 10);
    close_text(&fixture);
}

/* Sums up what the hook sees. */
struct tally {
    unsigned insns, writes, stores, loads;
    uint64_t stored;
};

static bool count_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct tally *tally = user;
    (void)machine;
    tally->insns += event->kind == GPUCODE_EVENT_INSN;
    tally->writes += event->kind == GPUCODE_EVENT_WRITE;
    tally->loads += event->kind == GPUCODE_EVENT_MEM_READ;
    if (event->kind == GPUCODE_EVENT_MEM_WRITE) {
        tally->stores++;
        tally->stored = event->value;
    }
    return false;
}

static void it_is_traced(void)
{
    struct fixture fixture;
    struct tally tally = {0};
    open_text(&fixture, sum);
    assert_int_equal(gpucode_machine_map(fixture.machine, 0, 0x1000), GPUCODE_OK);
    gpucode_machine_hook(fixture.machine,
                         GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_READ | GPUCODE_EVENT_MEM_WRITE,
                         count_event, &tally);
    gpucode_machine_run(fixture.machine, 1000, NULL);
    assert_int_equal(tally.insns, STEPS);
    /* r2 is 0 already when it is set to 0 */
    assert_int_equal(tally.writes, 2 + 6 + 2);
    assert_int_equal(tally.stores, 1);
    assert_int_equal(tally.loads, 1);
    assert_int_equal(tally.stored, 6);
    close_text(&fixture);
}

static void it_stops(void)
{
    struct fixture fixture;
    struct gpucode_stop stop;
    open_text(&fixture, ".target toy\nset r4, 64\nload r5, r4\n");
    assert_int_equal(gpucode_machine_run(fixture.machine, 10, &stop), 2);
    assert_int_equal(stop.reason, GPUCODE_STOP_FAULT);
    assert_string_equal(stop.code, "machine-unmapped");
    assert_non_null(strstr(stop.text, "0x40"));
    assert_int_equal(gpucode_machine_run(fixture.machine, 10, &stop), 0);
    assert_string_equal(stop.code, "machine-no-insn");
    assert_int_equal(gpucode_machine_set_pc(fixture.machine, 0, 2), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_set_pc(fixture.machine, 0, 0), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(fixture.machine, 0, 1, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_run(fixture.machine, 10, &stop), 1);
    assert_int_equal(stop.reason, GPUCODE_STOP_BREAKPOINT);
    close_text(&fixture);
}

static void it_goes_back(void)
{
    struct fixture fixture;
    struct gpucode_debug *debug;
    struct gpucode_debug_stop stop;
    open_text(&fixture, sum);
    assert_int_equal(gpucode_machine_map(fixture.machine, 0, 0x1000), GPUCODE_OK);
    assert_int_equal(gpucode_debug_create(fixture.machine, NULL, &debug), GPUCODE_OK);
    gpucode_debug_continue(debug, false, &stop);
    assert_int_equal(register_value(fixture.machine, "r2"), 6);
    assert_int_equal(gpucode_debug_position(debug), STEPS);
    static const uint32_t sums[] = {6, 5, 3, 0};
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .address = 4};
    assert_int_equal(gpucode_debug_add(debug, &breakpoint), GPUCODE_OK);
    for (unsigned i = 0; i < 3; i++) {
        gpucode_debug_continue(debug, true, &stop);
        assert_int_equal(gpucode_machine_pc(fixture.machine, 0), 4);
        assert_int_equal(register_value(fixture.machine, "r2"), sums[i]);
    }
    gpucode_debug_step(debug, true, &stop);
    assert_int_equal(register_value(fixture.machine, "r2"), sums[3]);
    gpucode_debug_free(debug);
    close_text(&fixture);
}

/* What analyses ask of an instruction comes from its row. */
static void flow_and_effects(void)
{
    static const struct {
        const char *text;
        enum gpucode_flow_kind kind;
        unsigned reads, writes, memory;
    } expected[] = {
        {"halt", GPUCODE_FLOW_STOP, 0, 0, 0},           {"set r1, 2", GPUCODE_FLOW_NEXT, 0, 1, 0},
        {"add r1, r2, r3", GPUCODE_FLOW_NEXT, 2, 1, 0}, {"load r1, r2", GPUCODE_FLOW_NEXT, 1, 1, 1},
        {"store r1, r2", GPUCODE_FLOW_NEXT, 2, 0, 1},   {"jump 7", GPUCODE_FLOW_JUMP, 0, 0, 0},
        {"jnz r1, 7", GPUCODE_FLOW_BRANCH, 1, 0, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct gpucode_insn insn;
        struct gpucode_flow flow;
        struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
        unsigned reads = 0, writes = 0, memory = 0;
        assert_int_equal(
            gpucode_parse(gpucode_target_find("toy"), expected[i].text, strlen(expected[i].text), NULL, &insn),
            GPUCODE_OK);
        assert_true(gpucode_insn_flow(&insn, &flow));
        assert_int_equal(flow.kind, expected[i].kind);
        assert_int_equal(flow.known, strchr(expected[i].text, '7') != NULL);
        assert_int_equal(flow.target, flow.known ? 7 : 0);
        unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
        for (unsigned j = 0; j < count; j++) {
            memory += effects[j].kind == GPUCODE_EFFECT_MEMORY;
            reads += effects[j].kind == GPUCODE_EFFECT_REGISTER && effects[j].use == GPUCODE_USE_READ;
            writes += effects[j].kind == GPUCODE_EFFECT_REGISTER && effects[j].use == GPUCODE_USE_WRITE;
        }
        assert_int_equal(reads, expected[i].reads);
        assert_int_equal(writes, expected[i].writes);
        assert_int_equal(memory, expected[i].memory);
    }
}

static void wrong_text(void)
{
    static const char *const wrong[] = {"set r16, 1", "set r1, 256", "set x1, 1", "add r1, r2", "set r, 1", "toy"};
    struct gpucode_insn insn;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(gpucode_parse(gpucode_target_find("toy"), wrong[i], strlen(wrong[i]), NULL, &insn),
                         GPUCODE_ERROR_INPUT);
    struct gpucode_image *image;
    assert_null(gpucode_target_find("afuc:a630")); /* this program has a list of its own */
    assert_int_equal(gpucode_image_open("12", 2, NULL, &image), GPUCODE_ERROR_INPUT);
}

TESTS(plain, text_comes_back, all_words_come_back, it_runs, it_is_traced, it_stops, it_goes_back, flow_and_effects,
      wrong_text)
