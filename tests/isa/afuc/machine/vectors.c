/* SPDX-License-Identifier: MIT */
/*
 * The machine against recorded runs of the reference emulator: every step of every vector must have the same place and
 * the same changes. The vectors are not part of the project; GPUCODE_VECTORS says where they are.
 */
#include "files.h"
#include "rig.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *folder;

static uint32_t hex(const json_t *text)
{
    return (uint32_t)strtoul(json_string_value(text), NULL, 16);
}

static const struct {
    const char *name;
    int space;
} spaces[] = {{"gpr", GPUCODE_SPACE_GENERAL}, {"ctrl", GPUCODE_SPACE_CONTROL}, {"gpu", GPUCODE_SPACE_GPU},
              {"pipe", GPUCODE_SPACE_PIPE},   {"sqe", GPUCODE_SPACE_SQE},      {"mem", -1}};

static int space_of(const char *name)
{
    for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strcmp(spaces[i].name, name) == 0)
            return spaces[i].space;
    fail_msg("unknown space %s", name);
    return 0;
}

/* Explains the first difference between a step and what is expected; false: none. */
static bool differs(const struct rig_step *step, const json_t *expected, char *why, size_t size)
{
    json_t *changes = json_array_get(expected, 2);
    int64_t pc = json_integer_value(json_array_get(expected, 0));
    if (pc != step->pc) {
        snprintf(why, size, "at word 0x%llx instead of 0x%llx", (long long)step->pc, (long long)pc);
        return true;
    }
    size_t count = json_array_size(changes), memory = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *change = json_array_get(changes, i);
        int space = space_of(json_string_value(json_array_get(change, 0)));
        uint64_t index = (uint64_t)json_integer_value(json_array_get(change, 1));
        uint32_t value = (uint32_t)json_integer_value(json_array_get(change, 2));
        if (space < 0) { /* memory: the sequence of writes */
            unsigned at = 0;
            for (size_t seen = 0; at < step->count; at++)
                if (step->changes[at].space < 0 && seen++ == memory)
                    break;
            memory++;
            if (at == step->count || step->changes[at].index != index || step->changes[at].value != value) {
                snprintf(why, size, "memory 0x%llx = 0x%x expected", (unsigned long long)index, value);
                return true;
            }
            continue;
        }
        for (size_t k = i + 1; k < count; k++) { /* the last value counts */
            const json_t *later = json_array_get(changes, k);
            if (space_of(json_string_value(json_array_get(later, 0))) == space &&
                (uint64_t)json_integer_value(json_array_get(later, 1)) == index)
                value = (uint32_t)json_integer_value(json_array_get(later, 2));
        }
        const struct rig_change *mine = rig_change_of(step, space, index);
        if (!mine || mine->value != value) {
            snprintf(why, size, "space %d register 0x%llx: 0x%x instead of 0x%x", space, (unsigned long long)index,
                     mine ? mine->value : 0, value);
            return true;
        }
    }
    for (unsigned i = 0; i < step->count; i++) {
        const struct rig_change *mine = &step->changes[i];
        bool found = false;
        for (size_t k = 0; k < count && !found; k++) {
            const json_t *change = json_array_get(changes, k);
            found = space_of(json_string_value(json_array_get(change, 0))) == mine->space &&
                    (uint64_t)json_integer_value(json_array_get(change, 1)) == mine->index;
        }
        if (!found && (mine->space < 0 || mine->value != mine->before)) {
            snprintf(why, size, "space %d register 0x%llx became 0x%x", mine->space, (unsigned long long)mine->index,
                     mine->value);
            return true;
        }
    }
    return false;
}

static bool run_vector(const json_t *vector, char *why, size_t size)
{
    const char *image = json_string_value(json_object_get(vector, "image"));
    size_t count = strlen(image) / 8;
    uint32_t *words = malloc(count * sizeof *words);
    assert_non_null(words);
    for (size_t i = 0; i < count; i++) {
        char digits[9] = "";
        memcpy(digits, image + 8 * i, 8);
        words[i] = (uint32_t)strtoul(digits, NULL, 16);
    }
    struct rig rig;
    struct rig_record record = {0};
    bool good = rig_words(&rig, NULL, words, count, NULL);
    snprintf(why, size, "%s", rig.message);
    if (good && rig_run(&rig, 1000000) != GPUCODE_STOP_IDLE) {
        snprintf(why, size, "boot: %s", rig.stop.text);
        good = false;
    }
    if (good) {
        rig_watch(&rig, &record);
        const json_t *packets = json_object_get(vector, "packets");
        for (size_t i = 0; i < json_array_size(packets); i++) {
            const json_t *packet = json_array_get(packets, i);
            for (size_t k = 0; k < json_array_size(packet); k++) {
                uint32_t word = hex(json_array_get(packet, k));
                rig_feed(&rig, &word, 1);
            }
            if (rig_run(&rig, 1000000) != GPUCODE_STOP_IDLE) {
                snprintf(why, size, "stopped: %s", rig.stop.text);
                good = false;
                break;
            }
        }
    }
    const json_t *steps = json_object_get(vector, "steps");
    for (size_t i = 0; i + 1 < json_array_size(steps) && i < record.count; i++) {
        char what[200];
        if (differs(&record.steps[i], json_array_get(steps, i), what, sizeof what)) {
            snprintf(why, size, "step %zu (word 0x%llx, %s): %s", i,
                     (long long)json_integer_value(json_array_get(json_array_get(steps, i), 0)),
                     json_string_value(json_array_get(json_array_get(steps, i), 1)), what);
            good = false;
            break;
        }
    }
    /* the last step of a vector is the delay slot of waitin, still waiting for a header */
    if (good && record.count + 1 != json_array_size(steps)) {
        snprintf(why, size, "%zu steps instead of %zu", record.count, json_array_size(steps) - 1);
        good = false;
    }
    if (good && (int64_t)rig.stop.pc !=
                    json_integer_value(json_array_get(json_array_get(steps, json_array_size(steps) - 1), 0))) {
        snprintf(why, size, "ends at word 0x%llx", (unsigned long long)rig.stop.pc);
        good = false;
    }
    rig_record_free(&record);
    rig_free(&rig);
    free(words);
    return good;
}

static void run_file(const char *name, size_t least)
{
    char path[600];
    snprintf(path, sizeof path, "%s/afuc/emulator/%s", folder ? folder : "", name);
    FILE *file = folder ? fopen(path, "r") : NULL;
    if (!file)
        skip();
    char *line = NULL;
    size_t room = 0, seen = 0, wrong = 0;
    while (getline(&line, &room, file) > 0) {
        json_error_t error;
        json_t *vector = json_loads(line, 0, &error);
        char why[600];
        assert_non_null(vector);
        seen++;
        if (!run_vector(vector, why, sizeof why)) {
            wrong++;
            print_message("%s: %s\n", json_string_value(json_object_get(vector, "name")), why);
        }
        json_decref(vector);
    }
    free(line);
    fclose(file);
    assert_true(seen >= least);
    assert_int_equal(wrong, 0);
}

static void a6xx(void **state)
{
    (void)state;
    run_file("a6xx.jsonl", 200);
}

static void a7xx(void **state)
{
    (void)state;
    run_file("a7xx.jsonl", 200);
}

/* The mock images boot: all their processors wait, the tables are set up, and BR leaves its mark. */
static void mock_images(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned processors;
    } images[] = {{"a6xx.fw", 1}, {"a7xx.fw", 3}};
    for (unsigned i = 0; i < 2; i++) {
        char path[60];
        snprintf(path, sizeof path, "afuc/mock/%s", images[i].name);
        size_t size;
        char *bytes = read_vector(path, &size);
        if (!bytes)
            skip();
        struct rig rig;
        assert_true(rig_bytes(&rig, NULL, bytes, size, NULL));
        assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
        unsigned count = 0;
        for (; gpucode_machine_processor(rig.machine, count); count++)
            for (unsigned entry = 0; entry < 128; entry++) {
                uint32_t handler, loaded;
                assert_true(gpucode_image_handler(rig.image, count, entry, &handler));
                assert_int_equal(gpucode_machine_read(rig.machine, count, GPUCODE_SPACE_PACKET, entry, &loaded),
                                 GPUCODE_OK);
                assert_int_equal(loaded, handler);
            }
        assert_int_equal(count, images[i].processors);
        assert_int_equal(rig_get(&rig, "CP_SCRATCH[0].REG"), 0xdeadbeef);
        /* CP_MEM_WRITE adds 4 to the address, CP_SCRATCH_WRITE fills control registers from 0x100 on */
        const uint32_t words[] = {rig_packet7(0x3d, 3), 0x200000, 0, 0x55, rig_packet7(0x4c, 2), 0x66, 0x77};
        rig_feed(&rig, words, 7);
        assert_int_equal(rig_run(&rig, 100000), GPUCODE_STOP_IDLE);
        assert_int_equal(rig_peek(&rig, 0x200004), 0x55);
        assert_int_equal(rig_get(&rig, "@0x100"), 0x66);
        assert_int_equal(rig_get(&rig, "@0x101"), 0x77);
        rig_free(&rig);
        free(bytes);
    }
}

TEST_GROUP(vectors)
{
    folder = vectors_folder();
    const struct CMUnitTest tests[] = {cmocka_unit_test(a6xx), cmocka_unit_test(a7xx), cmocka_unit_test(mock_images)};
    return cmocka_run_group_tests_name("machine vectors", tests, NULL, NULL);
}
