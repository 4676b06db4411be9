/* SPDX-License-Identifier: MIT */
/*
 * An instruction set that brings nine rows and nothing else, through the public interface: it disassembles, assembles,
 * runs, traces, covers, and is debugged backwards.
 */
#include "group.h"

#include <gpucode/analysis.h>
#include <gpucode/asm.h>
#include <gpucode/debug.h>
#include <gpucode/image.h>
#include <gpucode/machine.h>
#include <gpucode/outline.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
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
    assert_true(gpucode_image_info(fixture->image)->target_given);
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

/* Each event in full, in the order in which they come. */
struct diary {
    char text[2000];
    size_t length;
    uint64_t stop_at; /* the hook stops where an event of this time comes */
    unsigned stop_kind;
};

static bool write_down(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct diary *diary = user;
    char kind = event->kind == GPUCODE_EVENT_INSN       ? 'i'
                : event->kind == GPUCODE_EVENT_WRITE    ? 'w'
                : event->kind == GPUCODE_EVENT_MEM_READ ? 'l'
                                                        : 's';
    (void)machine;
    diary->length += (size_t)snprintf(diary->text + diary->length, sizeof diary->text - diary->length,
                                      "%c%u@%u:%x=%x(%x) ", kind, (unsigned)event->pc, (unsigned)event->time,
                                      (unsigned)event->address, (unsigned)event->value, (unsigned)event->old);
    return event->kind == diary->stop_kind && event->time == diary->stop_at;
}

static void events_in_full(void)
{
    static const char text[] = ".target toy\nset r4, 64\nset r1, 7\nstore r4, r1\nset r1, 9\nstore r4, r1\n"
                               "load r2, r4\nhalt\n";
    struct fixture fixture;
    struct gpucode_stop stop;
    struct diary diary = {.length = 0};
    open_text(&fixture, text);
    assert_int_equal(gpucode_machine_map(fixture.machine, 0, 0x1000), GPUCODE_OK);
    gpucode_machine_hook(fixture.machine,
                         GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_READ | GPUCODE_EVENT_MEM_WRITE,
                         write_down, &diary);
    assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop), 7);
    assert_string_equal(diary.text, "i0@0:0=0(0) w0@0:4=40(0) i1@1:0=0(0) w1@1:1=7(0) i2@2:0=0(0) s2@2:40=7(0) "
                                    "i3@3:0=0(0) w3@3:1=9(7) i4@4:0=0(0) s4@4:40=9(7) "
                                    "i5@5:0=0(0) l5@5:40=9(0) w5@5:2=9(0) i6@6:0=0(0) ");
    close_text(&fixture);
    /* a hook stops in front of an instruction, and after one that has done what it saw */
    for (unsigned i = 0; i < 3; i++) {
        static const unsigned kinds[] = {GPUCODE_EVENT_INSN, GPUCODE_EVENT_WRITE, GPUCODE_EVENT_MEM_READ};
        static const unsigned times[] = {3, 3, 5}, ran[] = {3, 4, 6};
        diary = (struct diary){.stop_at = times[i], .stop_kind = kinds[i]};
        open_text(&fixture, text);
        assert_int_equal(gpucode_machine_map(fixture.machine, 0, 0x1000), GPUCODE_OK);
        gpucode_machine_hook(fixture.machine, kinds[i], write_down, &diary);
        assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop), ran[i]);
        assert_int_equal(stop.reason, GPUCODE_STOP_HOOK);
        assert_int_equal(gpucode_machine_pc(fixture.machine, 0), ran[i]);
        assert_int_equal(gpucode_machine_count(fixture.machine), ran[i]);
        gpucode_machine_hook(fixture.machine, 0, NULL, NULL);
        assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop), 7 - ran[i]);
        assert_int_equal(stop.reason, GPUCODE_STOP_END);
        assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop),
                         0); /* it has ended, until it is put elsewhere */
        assert_int_equal(stop.reason, GPUCODE_STOP_END);
        assert_int_equal(gpucode_machine_set_pc(fixture.machine, 0, 5), GPUCODE_OK);
        assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop), 2);
        close_text(&fixture);
    }
    /* nothing is stored where nothing is mapped, and the machine stops after that instruction */
    diary = (struct diary){.length = 0};
    open_text(&fixture, ".target toy\nset r1, 7\nstore r1, r1\nhalt\n");
    gpucode_machine_hook(fixture.machine, GPUCODE_EVENT_MEM_WRITE, write_down, &diary);
    assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop), 2);
    assert_int_equal(stop.reason, GPUCODE_STOP_FAULT);
    assert_non_null(strstr(stop.text, "0x7"));
    assert_string_equal(diary.text, "");
    close_text(&fixture);
}

/* Breakpoints, where they may be, gone again; the limit of a run; names and numbers of registers. */
static void looks_and_breaks(void)
{
    struct fixture fixture;
    struct gpucode_stop stop;
    struct gpucode_space_info info;
    unsigned space;
    uint32_t number, value;
    char name[GPUCODE_NAME_MAX];
    open_text(&fixture, sum);
    assert_int_equal(gpucode_machine_map(fixture.machine, 0, 0x1000), GPUCODE_OK);
    assert_string_equal(gpucode_machine_processor(fixture.machine, 0), "0");
    assert_null(gpucode_machine_processor(fixture.machine, 1));
    assert_int_equal(gpucode_machine_break(fixture.machine, 0, UNITS, true), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_break(fixture.machine, 0, UNITS - 1, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(fixture.machine, 0, 3, true), GPUCODE_OK);
    for (unsigned i = 0; i < 3; i++) { /* in each round of the loop, in front of it */
        assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop), 3);
        assert_int_equal(stop.reason, GPUCODE_STOP_BREAKPOINT);
        assert_int_equal(gpucode_machine_pc(fixture.machine, 0), 3);
        assert_int_equal(register_value(fixture.machine, "r1"), 3 - i);
    }
    assert_int_equal(gpucode_machine_break(fixture.machine, 0, 3, false), GPUCODE_OK);
    assert_int_equal(gpucode_machine_run(fixture.machine, 2, &stop), 2);
    assert_int_equal(stop.reason, GPUCODE_STOP_LIMIT);
    assert_int_equal(gpucode_machine_run(fixture.machine, 100, &stop), STEPS - 3 * 3 - 2 - 1);
    assert_int_equal(stop.reason, GPUCODE_STOP_BREAKPOINT);
    assert_int_equal(gpucode_machine_time(fixture.machine), STEPS - 1);
    assert_int_equal(gpucode_machine_write(fixture.machine, 0, GPUCODE_SPACE_GENERAL, 15, 0x1234), GPUCODE_OK);
    assert_int_equal(register_value(fixture.machine, "r15"), 0x1234);
    assert_int_not_equal(gpucode_machine_write(fixture.machine, 0, GPUCODE_SPACE_GENERAL, 16, 1), GPUCODE_OK);
    assert_int_not_equal(gpucode_machine_read(fixture.machine, 0, GPUCODE_SPACE_GENERAL, 16, &value), GPUCODE_OK);
    assert_int_not_equal(gpucode_machine_read(fixture.machine, 0, GPUCODE_SPACE_CONTROL, 1, &value), GPUCODE_OK);
    assert_int_not_equal(gpucode_machine_write(fixture.machine, 0, GPUCODE_SPACE_CONTROL, 1, 1), GPUCODE_OK);
    static const char *const none[] = {"r16", "r01", "x1", "r", "r1x", "rx", "r100", "R1", ""};
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(gpucode_machine_find(fixture.machine, none[i], &space, &number));
    for (uint32_t i = 0; i < 16; i++) {
        size_t length = gpucode_machine_name(fixture.machine, GPUCODE_SPACE_GENERAL, i, name, sizeof name);
        assert_int_equal(length, i < 10 ? 2 : 3);
        assert_int_equal(name[0], 'r');
        assert_int_equal(atoi(name + 1), i);
        assert_true(gpucode_machine_find(fixture.machine, name, &space, &number));
        assert_int_equal(space, GPUCODE_SPACE_GENERAL);
        assert_int_equal(number, i);
    }
    assert_int_equal(gpucode_machine_name(fixture.machine, GPUCODE_SPACE_GENERAL, 16, name, sizeof name), 0);
    assert_int_equal(gpucode_machine_name(fixture.machine, GPUCODE_SPACE_CONTROL, 0, name, sizeof name), 0);
    assert_true(gpucode_machine_space(fixture.machine, GPUCODE_SPACE_GENERAL, &info));
    assert_string_equal(info.name, "general");
    assert_string_equal(info.prefix, "");
    assert_int_equal(info.count, 16);
    assert_false(gpucode_machine_space(fixture.machine, GPUCODE_SPACE_CONTROL, &info));
    close_text(&fixture);
}

/* The caller's names: two of unit 3, where the loop begins, one of unit 6, and one within nothing. */
static size_t given_name(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size)
{
    static const char *const loop[] = {"again", "more"};
    const char *name = unit == 3 && index < 2 ? loop[index] : unit == 6 && !index ? "behind" : "";
    (void)user;
    assert_int_equal(section, 0);
    return (size_t)snprintf(text, size, "%s", name);
}

static void listings(void)
{
    struct fixture fixture;
    struct gpucode_disasm_options options = {.columns = true};
    struct gpucode_outline *outline;
    char *text;
    size_t length;
    uint32_t count;
    open_text(&fixture, sum);
    assert_int_equal(gpucode_disassemble(fixture.image, &options, &text, &length), GPUCODE_OK);
    assert_string_equal(text, ".target toy\n0000: 1103\tset r1, 3\n0001: 1200\tset r2, 0\n0002: 1301\tset r3, 1\nl3:\n"
                              "0003: 2221\tadd r2, r2, r1\n0004: 3113\tsub r1, r1, r3\n0005: 7103\tjnz r1, #l3\n"
                              "0006: 1440\tset r4, 64\n0007: 5042\tstore r4, r2\n0008: 4540\tload r5, r4\n"
                              "0009: 600b\tjump #l11\n000a: ffff\t.byte 0xff, 0xff\nl11:\n000b: 0000\thalt\n");
    free(text);
    options = (struct gpucode_disasm_options){.label = given_name};
    assert_int_equal(gpucode_outline_create(fixture.image, &options, &outline), GPUCODE_OK);
    const char *lines = gpucode_outline_text(outline, &length);
    assert_non_null(
        strstr(lines, "\nagain:\nmore:\n\tadd r2, r2, r1\n\tsub r1, r1, r3\n\tjnz r1, #again\nbehind:\n\tset"));
    assert_non_null(strstr(lines, "\tjump #l11\n"));
    const struct gpucode_mark *marks = gpucode_outline_marks(outline, &count);
    static const struct {
        const char *name;
        enum gpucode_mark_kind kind;
    } wanted[] = {{"again", GPUCODE_MARK_SYMBOL},
                  {"more", GPUCODE_MARK_SYMBOL},
                  {"behind", GPUCODE_MARK_SYMBOL},
                  {"l11", GPUCODE_MARK_BRANCHED}};
    assert_int_equal(count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(marks[i].name.length, strlen(wanted[i].name));
        assert_memory_equal(lines + marks[i].name.offset, wanted[i].name, marks[i].name.length);
        assert_int_equal(marks[i].kind, wanted[i].kind);
    }
    const struct gpucode_unit *units = gpucode_outline_units(outline, &count);
    const unsigned char *bytes = gpucode_program_bytes(fixture.program);
    assert_int_equal(count, UNITS);
    for (unsigned i = 0; i < UNITS; i++) {
        bool number = i == 10;
        assert_int_equal(units[i].at, i);
        assert_int_equal(units[i].bits, bytes[2 * i] | bytes[2 * i + 1] << 8);
        assert_int_equal(units[i].size, 2);
        assert_int_equal(units[i].kind, number ? GPUCODE_UNIT_DATA : GPUCODE_UNIT_CODE);
        assert_int_equal(units[i].row == GPUCODE_ROW_NONE, number);
        const char *from = lines + units[i].text.offset;
        assert_int_equal(from[-1], '\t');
        assert_int_equal(from[units[i].text.length], '\n');
        assert_int_equal(units[i].comment.length, 0);
    }
    gpucode_outline_free(outline);
    close_text(&fixture);
    /* bytes after the last whole unit */
    expect_listing("\x00\x00\x5a", 3, ".target toy\n\thalt\n\t.byte 0x5a\n");
}

static bool note_reference(void *user, const struct gpucode_reference *reference)
{
    struct diary *diary = user;
    diary->length += (size_t)snprintf(diary->text + diary->length, sizeof diary->text - diary->length, "%u%s:%s%u ",
                                      reference->unit, gpucode_reference_kind_name(reference->kind),
                                      reference->space == GPUCODE_SPACE_MEMORY ? "m"
                                      : reference->space == GPUCODE_SPACE_CODE ? "c"
                                                                               : "r",
                                      reference->number);
    return true;
}

/* Blocks and references of the loop, from rows alone; a number ends what leads to it. */
static void analysis(void)
{
    struct fixture fixture;
    struct gpucode_analysis *analysis;
    struct diary diary = {.length = 0};
    open_text(&fixture, sum);
    assert_int_equal(gpucode_analyse(fixture.image, NULL, &analysis), GPUCODE_OK);
    static const struct {
        uint32_t start, end, edges, to;
    } blocks[] = {{0, 3, 1, 3}, {3, 6, 2, 3}, {6, 10, 1, 11}, {11, 12, 1, GPUCODE_NONE}};
    const struct gpucode_function *function = gpucode_analysis_function(analysis, 0, 0);
    assert_non_null(function);
    assert_int_equal(function->start, 0);
    assert_int_equal(function->block_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct gpucode_block *block = gpucode_analysis_block(analysis, 0, function->blocks[i]);
        assert_int_equal(block->start, blocks[i].start);
        assert_int_equal(block->end, blocks[i].end);
        assert_int_equal(block->edge_count, blocks[i].edges);
        if (blocks[i].to != GPUCODE_NONE) {
            bool found = false;
            for (unsigned k = 0; k < block->edge_count; k++)
                found |= block->edges[k].known && block->edges[k].to == blocks[i].to;
            assert_true(found);
        }
    }
    assert_int_equal(gpucode_analysis_owner(analysis, 0, 4), 0);
    assert_int_equal(gpucode_analysis_references(analysis, note_reference, &diary), GPUCODE_OK);
    assert_string_equal(diary.text,
                        "0write:r1 1write:r2 2write:r3 3write:r2 3read:r2 3read:r1 4write:r1 4read:r1 4read:r3 "
                        "5read:r1 5jump:c3 6write:r4 7read:r4 7read:r2 7write:m0 8write:r5 8read:r4 8read:m0 "
                        "9jump:c11 ");
    gpucode_analysis_free(analysis);
    close_text(&fixture);
}

/* Functions with their blocks and edges; then references and owners: "0[0-2 next3 taken5] ..." */
static void analysed(const char *text, struct diary *diary)
{
    struct fixture fixture;
    struct gpucode_analysis *analysis;
    const struct gpucode_function *function;
    *diary = (struct diary){.length = 0};
    open_text(&fixture, text);
    assert_int_equal(gpucode_analyse(fixture.image, NULL, &analysis), GPUCODE_OK);
#define SAY(...)                                                                                                       \
    (diary->length += (size_t)snprintf(diary->text + diary->length, sizeof diary->text - diary->length, __VA_ARGS__))
    for (uint32_t f = 0; (function = gpucode_analysis_function(analysis, 0, f)); f++) {
        SAY("%u:", function->start);
        for (uint32_t b = 0; b < function->block_count; b++) {
            const struct gpucode_block *block = gpucode_analysis_block(analysis, 0, function->blocks[b]);
            SAY("[%u-%u", block->start, block->end);
            for (uint32_t e = 0; e < block->edge_count; e++)
                SAY(block->edges[e].known ? " %s %u" : " %s", gpucode_edge_name(block->edges[e].kind),
                    block->edges[e].to);
            SAY("]");
        }
        SAY(" ");
    }
    gpucode_analysis_references(analysis, note_reference, diary);
    for (uint32_t unit = 0; unit < gpucode_image_info(fixture.image)->units; unit++)
        SAY("%d", (int)gpucode_analysis_owner(analysis, 0, unit));
#undef SAY
    gpucode_analysis_free(analysis);
    close_text(&fixture);
}

/* Words that are no instructions end what comes to them, and begin nothing. */
static void analysis_of_numbers(void)
{
    static const struct text_case cases[] = {
        {".target toy\n.byte 0xff, 0xff\nhalt\n", "0:[0-1] 0-1"},
        {".target toy\nset r1, 1\n.byte 0xff, 0xff\nadd r1, r1, r2\nhalt\n",
         "0:[0-2] 2:[2-4 stop] 0write:r1 2write:r1 2read:r1 2read:r2 0011"},
        {".target toy\njnz r1, #a\n.byte 0xff, 0xff\na: .byte 0xff, 0xff\nload r1, r2\njump #a\nhalt\n",
         "0:[0-1 taken 2 next 1][1-2][2-3] 3:[2-3][3-5 taken 2] 0read:r1 0jump:c2 3write:r1 3read:r2 3read:m0 4jump:c2 "
         "00011-1"},
        {".target toy\njump #a\n.byte 0xff, 0xff, 0xff, 0xff\na: store r3, r4\njump 9\n.byte 0xff, 0xff\n",
         "0:[0-1 taken 3][3-5 taken 9] 0jump:c3 3read:r3 3read:r4 3write:m0 4jump:c9 0-1-100-1"},
        {".target toy\n.byte 0xff, 0xff\n", "0:[0-1] 0"},
        {".target toy\nset r1, 1\n", "0:[0-1] 0write:r1 0"},
        {".target toy\njumpr r1\nhalt\n", "0:[0-1 unresolved] 0read:r1 0-1"},
    };
    struct diary diary;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        analysed(cases[i].text, &diary);
        assert_string_equal(diary.text, cases[i].expected);
    }
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

/* What such a machine leaves out is said to be absent. */
static void what_is_absent(void)
{
    struct fixture fixture;
    uint8_t map[1000];
    open_text(&fixture, sum);
    assert_int_equal(gpucode_machine_edges(fixture.machine, map, sizeof map), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_machine_edge_count(fixture.machine), 0);
    assert_int_equal(gpucode_machine_texture(fixture.machine, NULL, NULL), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_machine_memory(fixture.machine, NULL, NULL), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_machine_enter(fixture.machine, 0, 0, 0, 0), GPUCODE_ERROR_UNSUPPORTED);
    assert_int_equal(gpucode_machine_feed(fixture.machine, 0, NULL, 0), GPUCODE_ERROR_UNSUPPORTED);
    close_text(&fixture);
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

TESTS(plain, text_comes_back, all_words_come_back, it_runs, it_is_traced, it_stops, it_goes_back, events_in_full,
      looks_and_breaks, listings, analysis, analysis_of_numbers, flow_and_effects, what_is_absent, wrong_text)
