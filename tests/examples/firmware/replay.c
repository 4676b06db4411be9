/* SPDX-License-Identifier: MIT */
/*
 * The firmware's own tests, examples/firmware/NAME.tests, on the machine; a6xx.tests and a7xx.tests explain their form.
 * Every test runs with several interleavings and with both readings of bfi: the firmware must not depend on either.
 */
#include "bundled.h"

#include <gpucode/machine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WRITES_MAX 256
#define PROCESSORS_MAX 3
#define NRT_FIRST 0xa0 /* pipe registers that write memory; the writes to memory are what counts */
#define NRT_LAST 0xa2
#define BOOT_LIMIT 100000
#define RUN_LIMIT 400000

struct write {
    enum { TO_REGISTER, TO_PIPE, TO_MEMORY } kind;
    uint64_t number;
    uint32_t value;
    bool any_value; /* a pipe register without data */
};

struct log {
    struct write writes[WRITES_MAX];
    unsigned count;
};

struct run {
    struct opened *opened;
    struct gpucode_machine *machine;
    struct log seen[PROCESSORS_MAX], expected[PROCESSORS_MAX];
    bool spins[PROCESSORS_MAX];
    char name[64];   /* of the test */
    unsigned on;     /* processor of the current line */
    unsigned faults; /* complaints of this test */
};

/* What is wrong is printed, so that one run shows all. */
static void complain(struct run *run, const char *what, uint64_t number, uint64_t value, uint64_t expected)
{
    printf("%s: %s %s: %s 0x%llx is 0x%llx, expected 0x%llx\n", run->opened->firmware->name, run->name,
           run->opened->info->sections[run->on].name, what, (unsigned long long)number, (unsigned long long)value,
           (unsigned long long)expected);
    run->faults++;
}

static void note(struct log *log, struct write write)
{
    if (log->count < WRITES_MAX)
        log->writes[log->count] = write;
    log->count++;
}

static bool hook(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct run *run = user;
    (void)machine;
    struct write write = {.number = event->address, .value = (uint32_t)event->value};
    if (event->kind == GPUCODE_EVENT_MEM_WRITE)
        write.kind = TO_MEMORY;
    else if (event->space == GPUCODE_SPACE_GPU)
        write.kind = TO_REGISTER;
    else if (event->space == GPUCODE_SPACE_PIPE && (event->address < NRT_FIRST || event->address > NRT_LAST))
        write.kind = TO_PIPE;
    else
        return false;
    note(&run->seen[event->processor], write);
    return false;
}

static void begin(struct run *run, const struct gpucode_setting *policies)
{
    struct gpucode_machine_options options = {.policies = policies};
    enum gpucode_status status = gpucode_machine_create(run->opened->image, &options, &run->machine);
    if (status == GPUCODE_ERROR_UNSUPPORTED) /* a library without this emulator */
        skip();
    assert_int_equal(status, GPUCODE_OK);
    struct gpucode_stop stop;
    gpucode_machine_run(run->machine, BOOT_LIMIT, &stop);
    if (stop.reason != GPUCODE_STOP_IDLE)
        fail_msg("%s does not boot: %s", run->opened->firmware->name, stop.text);
    gpucode_machine_hook(run->machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE, hook, run);
}

/* Words after the first ones of a line; returns how many. */
static unsigned numbers(char **words, unsigned count, uint64_t *values)
{
    for (unsigned i = 0; i < count; i++) {
        char *end;
        values[i] = strtoull(words[i], &end, 16);
        if (*end)
            fail_msg("'%s' is not a number", words[i]);
    }
    return count;
}

static void give(struct run *run, const char *what, const uint64_t *values, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        uint32_t word = (uint32_t)values[i];
        if (strcmp(what, "memory") == 0) {
            uint64_t address = values[0] + 4 * (i - 1);
            const unsigned char bytes[4] = {word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff,
                                            (unsigned char)(word >> 24)};
            assert_int_equal(gpucode_machine_store(run->machine, address, bytes, 4), GPUCODE_OK);
        } else {
            unsigned space = strcmp(what, "register") == 0 ? GPUCODE_SPACE_GPU
                             : strcmp(what, "gpr") == 0    ? GPUCODE_SPACE_GENERAL
                                                           : GPUCODE_SPACE_CONTROL;
            assert_true(space != GPUCODE_SPACE_CONTROL || strcmp(what, "control") == 0);
            assert_int_equal(gpucode_machine_write(run->machine, run->on, space, (uint32_t)values[0] + i - 1, word),
                             GPUCODE_OK);
        }
    }
}

static void promise_write(struct run *run, const char *what, const uint64_t *values, unsigned count)
{
    struct write write = {.number = values[0], .value = count > 1 ? (uint32_t)values[1] : 0, .any_value = count == 1};
    write.kind = strcmp(what, "register") == 0 ? TO_REGISTER : strcmp(what, "pipe") == 0 ? TO_PIPE : TO_MEMORY;
    assert_true(count == 2 || (count == 1 && write.kind == TO_PIPE));
    note(&run->expected[run->on], write);
}

/* Runs what was fed and compares the writes; what is left after the end is compared line by line. */
static void run_and_compare(struct run *run)
{
    struct gpucode_stop stop;
    gpucode_machine_run(run->machine, RUN_LIMIT, &stop);
    bool spins = false;
    for (run->on = 0; run->on < run->opened->info->section_count; run->on++) {
        const struct log *seen = &run->seen[run->on], *expected = &run->expected[run->on];
        spins |= run->spins[run->on];
        if (run->spins[run->on] && (stop.reason != GPUCODE_STOP_HANG || stop.processor != run->on))
            complain(run, stop.text, 0, stop.reason, GPUCODE_STOP_HANG);
        if (seen->count != expected->count)
            complain(run, "number of writes", 0, seen->count, expected->count);
        for (unsigned i = 0; i < seen->count && i < expected->count && i < WRITES_MAX; i++) {
            const struct write *s = &seen->writes[i], *e = &expected->writes[i];
            if (s->kind != e->kind)
                complain(run, "kind of write", s->number, s->kind, e->kind);
            if (s->number != e->number)
                complain(run, "target of write", i, s->number, e->number);
            else if (!e->any_value && s->value != e->value)
                complain(run, "write to", s->number, s->value, e->value);
        }
    }
    run->on = 0;
    if (!spins && stop.reason != GPUCODE_STOP_IDLE)
        complain(run, stop.text, stop.pc, stop.reason, GPUCODE_STOP_IDLE);
}

static void check_after(struct run *run, const char *what, const uint64_t *values, unsigned count)
{
    uint32_t value;
    unsigned space = strcmp(what, "control") == 0 ? GPUCODE_SPACE_CONTROL : GPUCODE_SPACE_GENERAL;
    assert_true(count == 2 && (space == GPUCODE_SPACE_CONTROL || strcmp(what, "gpr") == 0));
    assert_int_equal(gpucode_machine_read(run->machine, run->on, space, (uint32_t)values[0], &value), GPUCODE_OK);
    if (value != values[1])
        complain(run, what, values[0], value, values[1]);
}

static unsigned split(char *line, char **words, unsigned capacity)
{
    unsigned count = 0;
    line[strcspn(line, "#")] = '\0';
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        assert_true(count < capacity);
        words[count++] = word;
    }
    return count;
}

/* The lines of one test, twice: what is given and expected before it runs, and what is left after that. */
static void lines(struct run *run, const char *text, bool after)
{
    run->on = 0;
    for (const char *at = text; *at && strncmp(at, "test ", 5) != 0;) {
        size_t length = strcspn(at, "\n");
        char line[2048], *words[256];
        assert_true(length < sizeof line);
        memcpy(line, at, length);
        line[length] = '\0';
        at += length + (at[length] == '\n');
        unsigned count = split(line, words, 256);
        if (count == 0)
            continue;
        uint64_t values[256];
        if (strcmp(words[0], "on") == 0) {
            for (run->on = 0; strcmp(run->opened->info->sections[run->on].name, words[1]) != 0; run->on++)
                assert_true(run->on + 1 < run->opened->info->section_count);
        } else if (strcmp(words[0], "spins") == 0) {
            run->spins[run->on] = true;
        } else if (strcmp(words[0], "ring") == 0) {
            uint32_t ring[256];
            numbers(words + 1, count - 1, values);
            for (unsigned i = 0; i + 1 < count; i++)
                ring[i] = (uint32_t)values[i];
            if (!after)
                assert_int_equal(gpucode_machine_feed(run->machine, run->on, ring, count - 1), GPUCODE_OK);
        } else {
            assert_true(count > 2);
            numbers(words + 2, count - 2, values);
            if (strcmp(words[0], "after") == 0) {
                if (after)
                    check_after(run, words[1], values, count - 2);
            } else if (!after && strcmp(words[0], "give") == 0) {
                give(run, words[1], values, count - 2);
            } else if (!after && strcmp(words[0], "write") == 0) {
                promise_write(run, words[1], values, count - 2);
            } else if (!after) {
                fail_msg("%s: '%s'", run->name, words[0]);
            }
        }
    }
}

/* `seed`: the firmware is edited by it; 0: it is as it stands. */
static void replay(unsigned firmware, unsigned least, unsigned seed)
{
    static const struct gpucode_setting policies[][4] = {
        {{NULL, NULL}},
        {{"afuc-quantum", "1"}, {"afuc-bfi", "or"}, {NULL, NULL}},
        {{"afuc-quantum", "7"}, {"afuc-meq-words", "8"}, {"afuc-meq", "unselected"}, {NULL, NULL}},
    };
    struct opened opened;
    unsigned ways = seed ? 1 : sizeof policies / sizeof *policies;
    if (seed)
        open_edited(&opened, firmware, seed);
    else
        open_bundled(&opened, firmware);
    size_t size;
    char *text = bundled_text(opened.firmware->name, ".tests", &size);
    unsigned count = 0, bad = 0;
    for (unsigned p = 0; p < ways; p++)
        for (const char *at = strstr(text, "\ntest "); at; at = strstr(at + 1, "\ntest "), count++) {
            struct run run = {.opened = &opened};
            const char *end = strchr(at + 1, '\n');
            assert_non_null(end);
            snprintf(run.name, sizeof run.name, "%.*s", (int)(end - at - 6), at + 6);
            begin(&run, policies[p]);
            lines(&run, end + 1, false);
            memset(run.seen, 0, sizeof run.seen); /* what the host wrote is nobody's */
            run_and_compare(&run);
            lines(&run, end + 1, true);
            gpucode_machine_free(run.machine);
            bad += run.faults != 0;
        }
    free(text);
    close_bundled(&opened);
    assert_true(count >= ways * least);
    assert_int_equal(bad, 0);
}

static void a6xx(void)
{
    replay(0, 90, 0);
}

static void a7xx(void)
{
    replay(1, 140, 0);
}

static void a5xx(void)
{
    replay(BUNDLED_PAIR, 21, 0);
}

/* Instructions put into what `disasm --edit` writes change nothing of what the firmware does. */
static void edited(void)
{
    for (unsigned seed = 1; seed <= 3; seed++) {
        replay(0, 90, seed);
        replay(1, 140, seed);
    }
}

TESTS(replay, a5xx, a6xx, a7xx, edited)
