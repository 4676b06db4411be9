/* SPDX-License-Identifier: MIT */
/* The machine through the library: what it tells of itself, hooks, snapshots, and recorded runs. */
#include "assembling.h"

#include <gpucode/machine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPECIAL GPUCODE_SPACE_COUNT

struct macro {
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    uint32_t words[512];
    char sent[1 << 17]; /* "method=value " of each */
};

static bool note_write(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct macro *macro = user;
    size_t used = strlen(macro->sent);
    (void)machine;
    if (event->space == GPUCODE_SPACE_GPU)
        snprintf(macro->sent + used, sizeof macro->sent - used, "%llx=%llx ", (unsigned long long)event->address,
                 (unsigned long long)event->value);
    return false;
}

static void open_words(struct macro *macro, size_t count, const struct gpucode_setting *policies)
{
    struct gpucode_image_options options = {.target = target_named("mme:fermi")};
    struct gpucode_machine_options more = {.policies = policies};
    macro->sent[0] = 0;
    assert_int_equal(gpucode_image_open(macro->words, 4 * count, &options, &macro->image), GPUCODE_OK);
    assert_int_equal(gpucode_machine_create(macro->image, &more, &macro->machine), GPUCODE_OK);
    gpucode_machine_hook(macro->machine, GPUCODE_EVENT_WRITE, note_write, macro);
}

static void open_macro(struct macro *macro, const char *text, const struct gpucode_setting *policies)
{
    struct assembled made;
    assemble_text(&made, text, "mme:fermi");
    assert_int_equal(made.status, GPUCODE_OK);
    size_t size = gpucode_program_size(made.program);
    assert_true(size <= sizeof macro->words);
    memcpy(macro->words, gpucode_program_bytes(made.program), size);
    gpucode_program_free(made.program);
    open_words(macro, size / 4, policies);
}

static void close_macro(struct macro *macro)
{
    gpucode_machine_free(macro->machine);
    gpucode_image_free(macro->image);
}

static uint32_t value_of(const struct macro *macro, const char *name)
{
    unsigned space;
    uint32_t number, value;
    assert_true(gpucode_machine_find(macro->machine, name, &space, &number));
    assert_int_equal(gpucode_machine_read(macro->machine, 0, space, number, &value), GPUCODE_OK);
    return value;
}

/* Each way in which a macro stands still. */
static void stops(void)
{
    static const struct {
        const char *text, *code, *sent;
        struct gpucode_setting policy;
    } cases[] = {
        {"maddr 4\nexit send $r1\nsend 2", "mme-exit", "10=7 10=2 ", {0}},
        {"maddr 0x1004\nparm $r2\nparm $r3 send 1", "mme-too-few-parameters", "", {0}},
        {"bra 0\nbraz $r1 0", "mme-double-branch", "", {0}},
        {"branz annul 0x0 0\n.b32 6", "mme-illegal-opcode", "", {0}},
        {"send 1", "mme-no-address", "", {"mme-unset", "fault"}},
        {"send 1", "mme-out-of-code", "0=1 ", {"mme-unset", "zero"}},
        {"send 1", "mme-out-of-code", "", {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct macro macro;
        struct gpucode_stop stop;
        const struct gpucode_setting policies[] = {cases[i].policy, {0}};
        open_macro(&macro, cases[i].text, policies);
        assert_int_equal(gpucode_machine_feed(macro.machine, 0, (const uint32_t[]){7, 8}, 2), GPUCODE_OK);
        gpucode_machine_run(macro.machine, 100, &stop);
        assert_string_equal(stop.code, cases[i].code);
        assert_string_equal(macro.sent, cases[i].sent);
        gpucode_machine_run(macro.machine, 100, &stop); /* it does not go on */
        assert_string_equal(stop.code, cases[i].code);
        close_macro(&macro);
    }
}

static void parameters_come_later(void)
{
    struct macro macro;
    struct gpucode_stop stop;
    open_macro(&macro, "maddr 0x1100\nl: parm $r2\nsend $r2\nbra annul #l", NULL);
    gpucode_machine_feed(macro.machine, 0, (const uint32_t[]){5}, 1);
    assert_int_equal(value_of(&macro, "$r1"), 5);
    assert_int_equal(gpucode_machine_run(macro.machine, 100, &stop), 1);
    assert_int_equal(stop.reason, GPUCODE_STOP_IDLE);
    gpucode_machine_feed(macro.machine, 0, (const uint32_t[]){6, 7}, 2);
    assert_int_equal(value_of(&macro, "LEFT"), 2);
    assert_int_equal(gpucode_machine_run(macro.machine, 100, &stop), 6);
    assert_string_equal(macro.sent, "400=6 404=7 ");
    assert_int_equal(value_of(&macro, "METHOD"), 0x408);
    assert_int_equal(value_of(&macro, "INCREMENT"), 4);
    assert_int_equal(value_of(&macro, "HAS_METHOD"), 1);
    close_macro(&macro);
}

static void registers(void)
{
    struct macro macro;
    unsigned space;
    uint32_t number, value;
    char name[GPUCODE_NAME_MAX];
    open_macro(&macro, "nop", NULL);
    assert_true(gpucode_machine_find(macro.machine, "$r7", &space, &number));
    assert_true(space == GPUCODE_SPACE_GENERAL && number == 7);
    assert_false(gpucode_machine_find(macro.machine, "$r8", &space, &number));
    assert_true(gpucode_machine_find(macro.machine, "NO_OPERATION", &space, &number));
    assert_true(space == GPUCODE_SPACE_GPU && number == 0x100);
    assert_true(gpucode_machine_find(macro.machine, "0xfffc", &space, &number));
    assert_true(space == GPUCODE_SPACE_GPU && number == 0xfffc);
    assert_false(gpucode_machine_find(macro.machine, "0x10000", &space, &number));
    assert_false(gpucode_machine_find(macro.machine, "0x102", &space, &number));
    assert_false(gpucode_machine_find(macro.machine, "0x100 ", &space, &number));
    assert_int_equal(gpucode_machine_name(macro.machine, SPECIAL, 0, name, sizeof name), 5);
    assert_string_equal(name, "CARRY");
    assert_int_equal(gpucode_machine_name(macro.machine, GPUCODE_SPACE_GENERAL, 7, name, sizeof name), 3);
    assert_string_equal(name, "$r7");
    assert_int_equal(gpucode_machine_name(macro.machine, GPUCODE_SPACE_GENERAL, 8, name, sizeof name), 0);
    assert_int_equal(gpucode_machine_name(macro.machine, GPUCODE_SPACE_GPU, 0x100000, name, sizeof name), 0);
    assert_int_equal(gpucode_machine_name(macro.machine, GPUCODE_SPACE_GPU, 0x100, name, sizeof name), 12);
    assert_int_equal(gpucode_machine_write(macro.machine, 0, GPUCODE_SPACE_GENERAL, 0, 1), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_write(macro.machine, 0, SPECIAL, 0, 2), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_write(macro.machine, 0, GPUCODE_SPACE_GPU, 2, 1), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_write(macro.machine, 0, GPUCODE_SPACE_GPU, 0x3400, 9), GPUCODE_OK);
    assert_int_equal(gpucode_machine_read(macro.machine, 0, GPUCODE_SPACE_GPU, 0x3400, &value), GPUCODE_OK);
    assert_int_equal(value, 9);
    assert_int_equal(gpucode_machine_set_pc(macro.machine, 0, 1), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_set_pc(macro.machine, 0, 0), GPUCODE_OK);
    close_macro(&macro);
}

/* Each operation of two registers, with each carry, and the carry that it leaves: that of 64-bit arithmetic. */
static void operations(void)
{
    static const char *const names[] = {"add", "adc", "sub", "sbb", "xor", "or", "and", "andn", "nand"};
    static const uint32_t numbers[] = {0, 1, 2, 0x12345678, 0x7fffffff, 0x80000000, 0xedcba987, 0xffffffff};
    for (unsigned i = 0; i < 9; i++) {
        struct macro macro;
        char text[80];
        snprintf(text, sizeof text, "exit mov $r1 (%s $r2 $r3)\nnop", names[i]);
        for (unsigned k = 0; k < 8 * 8 * 2; k++) {
            uint64_t x = numbers[k / 2 % 8], y = numbers[k / 16], carry = k % 2;
            const uint64_t results[] = {x + y, x + y + carry, x - y,  x - y - carry, x ^ y,
                                        x | y, x & y,         x & ~y, ~(x & y)};
            uint64_t left = i < 4 ? results[i] >> 32 & 1 : carry;
            struct gpucode_stop stop;
            open_macro(&macro, text, NULL);
            assert_int_equal(gpucode_machine_write(macro.machine, 0, GPUCODE_SPACE_GENERAL, 2, (uint32_t)x),
                             GPUCODE_OK);
            assert_int_equal(gpucode_machine_write(macro.machine, 0, GPUCODE_SPACE_GENERAL, 3, (uint32_t)y),
                             GPUCODE_OK);
            assert_int_equal(gpucode_machine_write(macro.machine, 0, SPECIAL, 0, (uint32_t)carry), GPUCODE_OK);
            gpucode_machine_run(macro.machine, 100, &stop);
            assert_int_equal(stop.reason, GPUCODE_STOP_END);
            if (value_of(&macro, "$r1") != (uint32_t)results[i] || value_of(&macro, "CARRY") != left)
                fail_msg("%s of %x and %x with carry %u: %x, carry %u", names[i], (unsigned)x, (unsigned)y,
                         (unsigned)carry, value_of(&macro, "$r1"), value_of(&macro, "CARRY"));
            close_macro(&macro);
        }
    }
}

/* Stops in a slot, snapshots and breakpoints change nothing of what is sent. */
static void movements(void)
{
    struct macro macro;
    struct gpucode_stop stop;
    struct gpucode_snapshot *snapshot;
    uint64_t target;
    open_macro(&macro, "maddr 0x1100\nl: mov $r1 (add $r1 -1)\nexit branz $r1 #l\nsend $r1", NULL);
    gpucode_machine_feed(macro.machine, 0, (const uint32_t[]){3}, 1);
    assert_int_equal(gpucode_machine_break(macro.machine, 0, 3, true), GPUCODE_OK);
    assert_int_equal(gpucode_machine_break(macro.machine, 0, 4, true), GPUCODE_ERROR_RANGE);
    assert_int_equal(gpucode_machine_run(macro.machine, 100, &stop), 3);
    assert_int_equal(stop.reason, GPUCODE_STOP_BREAKPOINT);
    assert_true(gpucode_machine_pending(macro.machine, 0, &target));
    assert_int_equal(target, 1);
    assert_int_equal(gpucode_machine_snapshot(macro.machine, &snapshot), GPUCODE_OK);
    for (unsigned i = 0; i < 2; i++) {
        macro.sent[0] = 0;
        assert_int_equal(gpucode_machine_step(macro.machine, 0, &stop), 1);
        assert_false(gpucode_machine_pending(macro.machine, 0, &target));
        gpucode_machine_run(macro.machine, 100, &stop);
        gpucode_machine_run(macro.machine, 100, &stop);
        assert_true(gpucode_machine_pending(macro.machine, 0, &target));
        assert_true(target == UINT64_MAX);
        gpucode_machine_run(macro.machine, 100, &stop);
        assert_string_equal(stop.code, "mme-exit");
        assert_string_equal(macro.sent, "400=2 404=1 408=0 ");
        assert_int_equal(gpucode_machine_restore(macro.machine, snapshot), GPUCODE_OK);
    }
    gpucode_snapshot_free(snapshot);
    close_macro(&macro);
}

/* What was to be done after the next word is forgotten where the macro is put elsewhere. */
static void put_elsewhere(void)
{
    struct macro macro;
    struct gpucode_stop stop;
    uint64_t target;
    open_macro(&macro, "maddr 0x1100\nbra #e\nnop\nsend 1\nsend 2\ne: exit send 3\nnop", NULL);
    assert_int_equal(gpucode_machine_run(macro.machine, 2, &stop), 2);
    assert_true(gpucode_machine_pending(macro.machine, 0, &target) && target == 5);
    assert_int_equal(gpucode_machine_set_pc(macro.machine, 0, 3), GPUCODE_OK);
    assert_false(gpucode_machine_pending(macro.machine, 0, &target));
    gpucode_machine_run(macro.machine, 100, &stop);
    assert_string_equal(stop.code, "mme-exit");
    assert_string_equal(macro.sent, "400=1 404=2 408=3 ");
    close_macro(&macro);
}

/* Of a file that is larger than the memory of macros the words that fit run. */
static void end_of_memory(void)
{
    static uint32_t words[2050];
    struct gpucode_image_options options = {.target = target_named("mme:fermi")};
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    for (unsigned i = 0; i < 2050; i++)
        words[i] = little_endian(0x11); /* nop */
    assert_int_equal(gpucode_image_open(words, sizeof words, &options, &image), GPUCODE_OK);
    assert_int_equal(gpucode_machine_create(image, NULL, &machine), GPUCODE_OK);
    gpucode_machine_feed(machine, 0, words, 1);
    assert_int_equal(gpucode_machine_run(machine, 5000, &stop), 2048);
    assert_string_equal(stop.code, "mme-out-of-code");
    assert_int_equal(stop.pc, 2048);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
}

/* --- recorded runs, one a line of JSON ------------------------------------------------------------------- */

/* The value of a key that stands in the line once, or null. */
static const char *key_value(const char *line, const char *key)
{
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *found = strstr(line, quoted);
    return found ? found + strlen(quoted) : NULL;
}

/* The strings up to `closing`; *at moves after each. Null at the end. */
static const char *next_string(const char **at, char closing, char text[64])
{
    while (**at != '"' && **at != closing)
        ++*at;
    if (**at == closing)
        return NULL;
    size_t length = strcspn(++*at, "\"");
    snprintf(text, 64, "%.*s", (int)length, *at);
    *at += length + 1;
    return text;
}

static void check_run(const char *line)
{
    struct macro macro;
    struct gpucode_stop stop;
    struct gpucode_setting policies[6] = {{0}};
    char names[12][64], text[64], expected[1 << 17] = "";
    size_t count = 0, used = 0;
    const char *at = key_value(line, "words");
    while (next_string(&at, ']', text))
        macro.words[count++] = little_endian((uint32_t)strtoul(text, NULL, 16));
    at = key_value(line, "policy");
    for (unsigned i = 0; next_string(&at, '}', names[2 * i]) && next_string(&at, '}', names[2 * i + 1]); i++)
        policies[i] = (struct gpucode_setting){names[2 * i], names[2 * i + 1]};
    open_words(&macro, count, policies);
    at = key_value(line, "state");
    while (next_string(&at, '}', text)) {
        uint32_t address = (uint32_t)strtoul(text, NULL, 0);
        next_string(&at, '}', text);
        uint32_t value = (uint32_t)strtoll(text, NULL, 0);
        assert_int_equal(gpucode_machine_write(macro.machine, 0, GPUCODE_SPACE_GPU, address, value), GPUCODE_OK);
    }
    at = key_value(line, "param");
    while (next_string(&at, ']', text))
        gpucode_machine_feed(macro.machine, 0, (const uint32_t[]){(uint32_t)strtoll(text, NULL, 0)}, 1);
    const char *limit = key_value(line, "limit");
    uint64_t steps = gpucode_machine_run(macro.machine, limit ? strtoull(limit, NULL, 0) : 1000000, &stop);
    at = key_value(line, "writes");
    while (*at != '"' && strncmp(at, "[]", 2) != 0)
        at++;
    while (*at == '"') { /* ["0x1880", "0x3"], and so on */
        unsigned long address = strtoul(at + 1, NULL, 0), value = strtoul(strchr(at + 1, ' ') + 2, NULL, 0);
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%lx=%lx ", address, value);
        at = strchr(at, ']') + 1;
        while (*at == ',' || *at == ' ' || *at == '[')
            at++;
    }
    const char *reason = key_value(line, "reason") + 1;
    char code[64];
    snprintf(code, sizeof code, "mme-%.*s", (int)strcspn(reason, "\""), reason);
    assert_string_equal(stop.code ? stop.code : "mme-limit", code);
    assert_true(used < sizeof expected);
    assert_string_equal(macro.sent, expected);
    assert_int_equal(steps, strtoull(key_value(line, "steps"), NULL, 0));
    assert_int_equal(value_of(&macro, "LEFT"), strtoul(key_value(line, "left"), NULL, 0));
    assert_int_equal(value_of(&macro, "CARRY"), strtoul(key_value(line, "carry"), NULL, 0));
    for (unsigned i = 1; i < 8; i++) {
        snprintf(text, sizeof text, "$r%u", i);
        assert_int_equal(value_of(&macro, text), strtoul(key_value(line, text) + 1, NULL, 0));
    }
    close_macro(&macro);
}

static void recorded_runs(void)
{
    char path[1024];
    const char *folder = vectors_folder();
    snprintf(path, sizeof path, "%s/mme/execution.jsonl", folder ? folder : "");
    size_t size;
    char *lines = read_whole(path, &size);
    unsigned count = 0;
    for (char *line = lines, *end; lines && *line; line = end + 1, count++) {
        end = strchr(line, '\n');
        *end = 0;
        check_run(line);
    }
    assert_true(!lines || count > 1000);
    free(lines);
}

TESTS(machine, stops, parameters_come_later, registers, operations, movements, put_elsewhere, end_of_memory,
      recorded_runs)
