/* SPDX-License-Identifier: MIT */
/* The machine against the actions and counts that an independent model expects. */
#include "support.h"
#include "witness.h"

#include <stdio.h>

struct recording {
    char text[16384];
    size_t used;
    unsigned writes, ewaits, ops;
    size_t size;
    uint64_t wait_units, paused_units;
    uint32_t set1, set0, end_ip;
    bool paused;
    struct witness witness;
};

static bool record(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct recording *r = user;
    witness_event(&r->witness, machine, event);
    if (!(event->kind & (GPUCODE_EVENT_INSN | GPUCODE_EVENT_ACTION | GPUCODE_EVENT_WRITE)))
        return false;
    unsigned long long units = event->time / GPUCODE_HWSQ_UNIT_CLOCKS;
    char *at = r->text + r->used;
    size_t room = sizeof r->text - r->used;
    int length = 0;
    unsigned number = (unsigned)event->address, value = (unsigned)event->value;
    if (event->kind == GPUCODE_EVENT_INSN) {
        r->ops += event->pc < r->size; /* the exit that fills the RAM after the script does not count */
        return false;
    }
    if (event->kind == GPUCODE_EVENT_WRITE) {
        r->writes++;
        length = snprintf(at, room, "%llu\t%03x\twr32 %06x %08x\n", units, (unsigned)event->pc, number, value);
    } else if (event->space == GPUCODE_SPACE_FLAG) {
        static const char *const names[] = {"unset", "unset", "set0", "set1"};
        length = snprintf(at, room, "%llu\t%03x\t%s %u\n", units, (unsigned)event->pc, names[value], number);
        r->set1 &= ~(1u << number);
        r->set0 &= ~(1u << number);
        r->set1 |= (uint32_t)(value == 3) << number;
        r->set0 |= (uint32_t)(value == 2) << number;
        if (number == 16)
            r->paused = value == 3;
    } else if (event->space == GPUCODE_SPACE_EVENT) {
        r->ewaits++;
        length = snprintf(at, room, "%llu\t%03x\tewait %u %u\n", units, (unsigned)event->pc, number, value);
    } else if (number == GPUCODE_HWSQ_WAIT) {
        r->wait_units += event->value;
        r->paused_units += r->paused ? event->value : 0;
    }
    assert_true(length >= 0 && (size_t)length < room);
    r->used += (size_t)length;
    return false;
}

static void run_script(const char *target, const unsigned char *bytes, size_t size, struct recording *r,
                       struct gpucode_stop *stop)
{
    static const struct gpucode_setting settings[] = {{"hwsq-oversize", "yes"}, {NULL, NULL}};
    struct gpucode_machine_options options = {.policies = settings};
    struct gpucode_image *image = image_of(target, bytes, size);
    struct gpucode_machine *machine;
    assert_int_equal(gpucode_machine_create(image, &options, &machine), GPUCODE_OK);
    memset(r, 0, sizeof *r);
    r->size = size;
    gpucode_machine_hook(machine, GPUCODE_EVENT_ACTION | WITNESS_KINDS, record, r);
    gpucode_machine_run(machine, 100000, stop);
    if (r->witness.wrong[0])
        fail_msg("%s", r->witness.wrong);
    r->end_ip = (uint32_t)gpucode_machine_pc(machine, 0);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
}

static char *flag_list(uint32_t flags, char *text)
{
    char *at = text;
    for (unsigned i = 0; i < 32; i++)
        if (flags >> i & 1)
            at += sprintf(at, "%s%u", at > text ? "," : "", i);
    if (at == text)
        strcpy(text, "-");
    return text;
}

static const char *variant_of(const char *manifest, const char *name)
{
    char key[96];
    snprintf(key, sizeof key, "\n%s\tNV", name);
    const char *at = strstr(manifest, key);
    assert_non_null(at);
    at += strlen(key);
    return strncmp(at, "17", 2) == 0   ? "hwsq:nv17"
           : strncmp(at, "41", 2) == 0 ? "hwsq:nv41"
           : strncmp(at, "50", 2) == 0 ? "hwsq:nv50"
                                       : "hwsq:nv92";
}

static void compare(const char *manifest, char *row)
{
    char *column[11];
    for (unsigned i = 0; i < 11; i++, row = row ? row + 1 : NULL) {
        assert_non_null(row);
        column[i] = row;
        row = strchr(row, '\t');
        if (row)
            *row = 0;
    }
    char name[160];
    snprintf(name, sizeof name, "%s.hex", column[0]);
    char *hex = vector_file(name, NULL);
    snprintf(name, sizeof name, "%s.trace", column[0]);
    char *trace = vector_file(name, NULL);
    assert_non_null(hex);
    unsigned char bytes[4096];
    size_t size = hex_bytes(hex, bytes, sizeof bytes);
    struct recording r;
    struct gpucode_stop stop;
    run_script(variant_of(manifest, column[0]), bytes, size, &r, &stop);
    if (strcmp(column[1], "EXIT") == 0)
        assert_int_equal(stop.reason, GPUCODE_STOP_END);
    else
        assert_string_equal(stop.code, strcmp(column[1], "RAN-OFF-END") == 0 ? "hwsq-run-off" : "hwsq-hang");
    assert_int_equal(r.end_ip, strtoul(column[2], NULL, 0));
    assert_int_equal(r.ops, atoi(column[3]));
    assert_int_equal(r.wait_units, strtoull(column[4], NULL, 10));
    assert_int_equal(r.paused_units, strtoull(column[5], NULL, 10));
    assert_int_equal(r.writes, atoi(column[6]));
    assert_int_equal(r.ewaits, atoi(column[7]));
    char list[128];
    assert_string_equal(flag_list(r.set1, list), column[9]);
    assert_string_equal(flag_list(r.set0, list), column[10]);
    if (trace)
        assert_string_equal(r.text, strchr(trace, '\n') + 1);
    free(hex);
    free(trace);
}

static void expected(void)
{
    if (no_vectors())
        return;
    char *table = vector_file("EXPECTED.tsv", NULL), *manifest = vector_file("MANIFEST.tsv", NULL);
    assert_non_null(table);
    unsigned count = 0;
    for (char *line = table, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        if (*line == '#' || strncmp(line, "name\t", 5) == 0)
            continue;
        compare(manifest, line);
        count++;
    }
    assert_int_equal(count, 19);
    free(table);
    free(manifest);
}

/* Scripts of random opcodes: what they write and where they go is what their rows say. */
static void rows_are_what_runs(void)
{
    static const char *const targets[] = {"hwsq:nv17", "hwsq:nv41", "hwsq:nv50", "hwsq:nv92"};
    struct recording *r = malloc(sizeof *r);
    assert_non_null(r);
    uint64_t seed = 5;
    unsigned writes = 0;
    for (unsigned script = 0; script < 400; script++) {
        const struct gpucode_target *target = gpucode_target_find(targets[script % 4]);
        unsigned char bytes[64];
        size_t size = 0, length;
        while (size < 50) {
            struct gpucode_insn insn;
            struct gpucode_row row;
            unsigned picked = random_next(&seed) % gpucode_row_count(target);
            gpucode_row(target, picked, &row);
            if (!gpucode_row_on_target(target, picked) || strcmp(row.mnemonic, "exit") == 0)
                continue;
            assert_int_equal(gpucode_insn_init(target, picked, &insn), GPUCODE_OK);
            struct gpucode_field field;
            for (unsigned i = 0; gpucode_insn_field(&insn, i, &field); i++)
                gpucode_insn_set(&insn, field.letter, random_next(&seed) & ~UINT32_C(0) >> (32 - field.width));
            assert_int_equal(gpucode_encode(&insn, bytes + size, sizeof bytes - size, &length), GPUCODE_OK);
            size += length;
        }
        bytes[size++] = 0x7f;
        struct gpucode_stop stop;
        run_script(targets[script % 4], bytes, size, r, &stop);
        writes += r->witness.writes;
    }
    free(r);
    assert_true(writes > 1000);
}

TESTS(traces, rows_are_what_runs, expected)
