/* SPDX-License-Identifier: MIT */
/* The example firmware on the machine: every test of examples/firmware/a6xx.tests, whose top explains its format. */
#include "files.h"
#include "rig.h"
#include "witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define WORDS_MAX 4096
#define LIMIT 10000

/* A write that a test expects, or that the machine did. */
struct write {
    char kind; /* r register, p pipe, m memory */
    bool has_value;
    uint64_t number;
    uint32_t value;
};

struct trial {
    struct rig rig;
    char name[64];
    uint32_t ring[WORDS_MAX];
    struct write expected[WORDS_MAX], done[WORDS_MAX];
    struct {
        unsigned space;
        uint32_t number, value;
    } after[64];
    unsigned ring_count, expected_count, done_count, after_count;
    bool spins;
    struct witness witness;
};

static char *read_firmware(const char *name, size_t *length)
{
    char path[300];
    snprintf(path, sizeof path, "examples/firmware/%s", name);
    return read_source(path, length);
}

static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
{
    (void)user, (void)from;
    *text = read_firmware(name, length);
    return *text != NULL;
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct trial *trial = user;
    witness_event(&trial->witness, machine, event);
    if (event->kind != GPUCODE_EVENT_WRITE && event->kind != GPUCODE_EVENT_MEM_WRITE)
        return false;
    struct write write = {'m', true, event->address, (uint32_t)event->value};
    if (event->kind == GPUCODE_EVENT_WRITE) {
        if (event->space == GPUCODE_SPACE_GPU)
            write.kind = 'r';
        else if (event->space == GPUCODE_SPACE_PIPE && (event->address < 0xa0 || event->address > 0xa2))
            write.kind = 'p';
        else
            return false;
    }
    if (trial->done_count < WORDS_MAX)
        trial->done[trial->done_count++] = write;
    return false;
}

/* What the witness has checked in all trials. */
static unsigned flows_seen[6], taken_seen, not_taken_seen;

static unsigned finish(struct trial *trial)
{
    unsigned wrong = 0;
    gpucode_machine_hook(trial->rig.machine, WITNESS_KINDS, watch, trial);
    rig_feed(&trial->rig, trial->ring, trial->ring_count);
    enum gpucode_stop_reason reason = rig_run(&trial->rig, LIMIT);
    if (trial->spins ? reason != GPUCODE_STOP_LIMIT && reason != GPUCODE_STOP_HANG : reason != GPUCODE_STOP_IDLE) {
        print_message("%s: stopped: %d %s (word 0x%x)\n", trial->name, (int)reason, trial->rig.stop.text,
                      (unsigned)trial->rig.stop.pc);
        wrong++;
    }
    for (unsigned i = 0; i < trial->expected_count || i < trial->done_count; i++) {
        const struct write *a = &trial->expected[i], *b = &trial->done[i];
        if (i >= trial->expected_count || i >= trial->done_count || a->kind != b->kind || a->number != b->number ||
            (a->has_value && a->value != b->value)) {
            print_message("%s: write %u: %c %llx %x expected, %c %llx %x done\n", trial->name, i,
                          i < trial->expected_count ? a->kind : '-', (unsigned long long)a->number, a->value,
                          i < trial->done_count ? b->kind : '-', (unsigned long long)b->number, b->value);
            wrong++;
            break;
        }
    }
    for (unsigned i = 0; i < 6; i++)
        flows_seen[i] += trial->witness.flows[i];
    taken_seen += trial->witness.taken;
    not_taken_seen += trial->witness.not_taken;
    if (trial->witness.wrong[0]) {
        print_message("%s: %s\n", trial->name, trial->witness.wrong);
        wrong++;
    }
    for (unsigned i = 0; i < trial->after_count; i++) {
        uint32_t value;
        gpucode_machine_read(trial->rig.machine, 0, trial->after[i].space, trial->after[i].number, &value);
        if (value != trial->after[i].value) {
            print_message("%s: space %u register %x is %x instead of %x\n", trial->name, trial->after[i].space,
                          trial->after[i].number, value, trial->after[i].value);
            wrong++;
        }
    }
    rig_free(&trial->rig);
    return wrong > 0;
}

/* Words of a line after `text`; false: no more. */
static bool word(char **text, uint64_t *value)
{
    char *end;
    *value = strtoull(*text, &end, 16);
    if (end == *text)
        return false;
    *text = end;
    return true;
}

static void line(struct trial *trial, char *text)
{
    char verb[16], what[16];
    int used = 0;
    uint64_t number, value;
    char *comment = strchr(text, '#');
    if (comment)
        *comment = 0;
    if (sscanf(text, "%15s %n", verb, &used) < 1)
        return;
    text += used;
    if (strcmp(verb, "spins") == 0) {
        trial->spins = true;
        return;
    }
    if (strcmp(verb, "ring") == 0) {
        while (trial->ring_count < WORDS_MAX && word(&text, &value))
            trial->ring[trial->ring_count++] = (uint32_t)value;
        return;
    }
    if (sscanf(text, "%15s %n", what, &used) < 1)
        fail_msg("%s: %s", trial->name, verb);
    text += used;
    assert_true(word(&text, &number));
    if (strcmp(verb, "give") == 0) {
        for (; word(&text, &value); number += strcmp(what, "memory") == 0 ? 4 : 1) {
            if (strcmp(what, "memory") == 0)
                rig_poke(&trial->rig, number, (uint32_t)value);
            else
                gpucode_machine_write(trial->rig.machine, 0,
                                      strcmp(what, "gpr") == 0 ? GPUCODE_SPACE_GENERAL : GPUCODE_SPACE_GPU,
                                      (uint32_t)number, (uint32_t)value);
        }
    } else if (strcmp(verb, "write") == 0) {
        bool has_value = word(&text, &value);
        assert_true(trial->expected_count < WORDS_MAX);
        trial->expected[trial->expected_count++] =
            (struct write){*what, has_value, number, has_value ? (uint32_t)value : 0};
    } else if (strcmp(verb, "after") == 0) {
        assert_true(word(&text, &value) && trial->after_count < 64);
        trial->after[trial->after_count].space =
            strcmp(what, "gpr") == 0 ? GPUCODE_SPACE_GENERAL : GPUCODE_SPACE_CONTROL;
        trial->after[trial->after_count].number = (uint32_t)number;
        trial->after[trial->after_count++].value = (uint32_t)value;
    } else {
        fail_msg("%s: unknown line %s", trial->name, verb);
    }
}

static void begin(struct trial *trial, const struct gpucode_program *program, const char *name)
{
    memset(trial, 0, sizeof *trial);
    snprintf(trial->name, sizeof trial->name, "%.60s", name);
    assert_true(rig_bytes(&trial->rig, NULL, gpucode_program_bytes(program), gpucode_program_size(program), NULL));
    gpucode_machine_hook(trial->rig.machine, WITNESS_KINDS, witness_hook, &trial->witness);
    if (rig_run(&trial->rig, 100000) != GPUCODE_STOP_IDLE)
        fail_msg("boot: %s", trial->rig.stop.text);
}

static void every_packet(void)
{
    size_t length = 0, tests_length = 0;
    char *source = read_firmware("a6xx.asm", &length), *tests = read_firmware("a6xx.tests", &tests_length);
    assert_non_null(source);
    assert_non_null(tests);
    const struct gpucode_asm_options options = {.include = include, .file = "a6xx.asm"};
    struct gpucode_program *program;
    assert_int_equal(gpucode_assemble(source, length, &options, &program), GPUCODE_OK);
    struct trial *trial = calloc(1, sizeof *trial);
    assert_non_null(trial);
    unsigned count = 0, wrong = 0;
    for (char *at = strtok(tests, "\n"); at; at = strtok(NULL, "\n")) {
        char name[64];
        if (sscanf(at, "test %63s", name) == 1) {
            wrong += count++ ? finish(trial) : 0;
            begin(trial, program, name);
        } else if (count) {
            line(trial, at);
        }
    }
    wrong += finish(trial);
    free(trial);
    gpucode_program_free(program);
    free(source);
    free(tests);
    assert_true(count > 50);
    assert_int_equal(wrong, 0);
    for (unsigned i = GPUCODE_FLOW_NEXT; i <= GPUCODE_FLOW_RETURN; i++)
        assert_true(flows_seen[i] > 50);
    assert_true(taken_seen > 50 && not_taken_seen > 50);
}

TESTS(firmware, every_packet)
