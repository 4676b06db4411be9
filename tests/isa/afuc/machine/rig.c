/* SPDX-License-Identifier: MIT */
#include "rig.h"
#include <gpucode/packet.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void note(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct rig *rig = user;
    if (rig->message[0] || diagnostic->severity != GPUCODE_ERROR)
        return;
    snprintf(rig->code, sizeof rig->code, "%s", diagnostic->code);
    snprintf(rig->message, sizeof rig->message, "%u:%u: %s", diagnostic->line, diagnostic->column, diagnostic->message);
}

bool rig_bytes(struct rig *rig, const char *target, const void *bytes, size_t size,
               const struct gpucode_setting *policies)
{
    *rig = (struct rig){0};
    rig->bytes = malloc(size ? size : 1);
    if (!rig->bytes)
        return false;
    if (size)
        memcpy(rig->bytes, bytes, size);
    rig->size = size;
    const struct gpucode_diagnostic_handler on_diagnostic = {note, rig};
    const struct gpucode_image_options image = {.target = target ? gpucode_target_find(target) : NULL,
                                                .on_diagnostic = on_diagnostic};
    const struct gpucode_machine_options machine = {.policies = policies, .on_diagnostic = on_diagnostic};
    return gpucode_image_open(rig->bytes, size, &image, &rig->image) == GPUCODE_OK &&
           gpucode_machine_create(rig->image, &machine, &rig->machine) == GPUCODE_OK;
}

bool rig_words(struct rig *rig, const char *target, const uint32_t *words, size_t count,
               const struct gpucode_setting *policies)
{
    unsigned char *bytes = calloc(count + 1, 4);
    if (!bytes)
        return false;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 4; k++)
            bytes[4 * i + 4 + k] = (unsigned char)(words[i] >> 8 * k);
    bool good = rig_bytes(rig, target, bytes, 4 * count + 4, policies);
    free(bytes);
    return good;
}

bool rig_text(struct rig *rig, const char *target, const char *text, const struct gpucode_setting *policies)
{
    *rig = (struct rig){0};
    const struct gpucode_asm_options options = {.target = target ? gpucode_target_find(target) : NULL,
                                                .on_diagnostic = {note, rig}};
    struct gpucode_program *program;
    if (gpucode_assemble(text, strlen(text), &options, &program) != GPUCODE_OK)
        return false;
    bool good = rig_bytes(rig, target, gpucode_program_bytes(program), gpucode_program_size(program), policies);
    gpucode_program_free(program);
    return good;
}

void rig_free(struct rig *rig)
{
    gpucode_machine_free(rig->machine);
    gpucode_image_free(rig->image);
    free(rig->bytes);
    *rig = (struct rig){0};
}

enum gpucode_stop_reason rig_run(struct rig *rig, uint64_t limit)
{
    gpucode_machine_run(rig->machine, limit, &rig->stop);
    return rig->stop.reason;
}

void rig_feed(struct rig *rig, const uint32_t *words, size_t count)
{
    assert_int_equal(gpucode_machine_feed(rig->machine, 0, words, count), GPUCODE_OK);
}

static void find(const struct rig *rig, const char *name, unsigned *space, uint32_t *number)
{
    if (!gpucode_machine_find(rig->machine, name, space, number))
        fail_msg("no register %s", name);
}

uint32_t rig_get(const struct rig *rig, const char *name)
{
    unsigned space;
    uint32_t number, value = 0;
    find(rig, name, &space, &number);
    assert_int_equal(gpucode_machine_read(rig->machine, 0, space, number, &value), GPUCODE_OK);
    return value;
}

void rig_set(struct rig *rig, const char *name, uint32_t value)
{
    unsigned space;
    uint32_t number;
    find(rig, name, &space, &number);
    assert_int_equal(gpucode_machine_write(rig->machine, 0, space, number, value), GPUCODE_OK);
}

uint32_t rig_peek(const struct rig *rig, uint64_t address)
{
    unsigned char bytes[4];
    assert_int_equal(gpucode_machine_load(rig->machine, address, bytes, 4), GPUCODE_OK);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void rig_poke(struct rig *rig, uint64_t address, uint32_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8), (unsigned char)(value >> 16),
                                    (unsigned char)(value >> 24)};
    assert_int_equal(gpucode_machine_store(rig->machine, address, bytes, 4), GPUCODE_OK);
}

/* --- recording ---------------------------------------------------------------------------------------- */

static struct rig_step *add_step(struct rig_record *record)
{
    if (record->count == record->room) {
        record->room = record->room ? 2 * record->room : 64;
        record->steps = realloc(record->steps, record->room * sizeof *record->steps);
        assert_non_null(record->steps);
    }
    struct rig_step *step = &record->steps[record->count++];
    *step = (struct rig_step){0};
    return step;
}

static void add_change(struct rig_step *step, struct rig_change change)
{
    for (unsigned i = 0; change.space >= 0 && i < step->count; i++)
        if (step->changes[i].space == change.space && step->changes[i].index == change.index) {
            step->changes[i].value = change.value;
            return;
        }
    if (step->count == step->room) {
        step->room = step->room ? 2 * step->room : 4;
        step->changes = realloc(step->changes, step->room * sizeof *step->changes);
        assert_non_null(step->changes);
    }
    step->changes[step->count++] = change;
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct rig_record *record = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_INSN) {
        struct rig_step *step = add_step(record);
        step->pc = record->count == 1 ? -1 : (int64_t)event->pc;
        step->processor = event->processor;
    } else if (record->count) {
        bool memory = event->kind == GPUCODE_EVENT_MEM_WRITE;
        add_change(&record->steps[record->count - 1],
                   (struct rig_change){memory ? -1 : (int)event->space, event->address, (uint32_t)event->value,
                                       (uint32_t)event->old});
    }
    return false;
}

void rig_watch(struct rig *rig, struct rig_record *record)
{
    gpucode_machine_hook(rig->machine, GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE, watch,
                         record);
}

void rig_record_free(struct rig_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        free(record->steps[i].changes);
    free(record->steps);
    *record = (struct rig_record){0};
}

const struct rig_change *rig_change_of(const struct rig_step *step, int space, uint64_t index)
{
    for (unsigned i = 0; i < step->count; i++)
        if (step->changes[i].space == space && step->changes[i].index == index)
            return &step->changes[i];
    return NULL;
}

/* --- headers --------------------------------------------------------------------------------------------- */

uint32_t rig_packet7(unsigned opcode, unsigned count)
{
    return gpucode_packet_type7(opcode, count);
}

uint32_t rig_packet4(unsigned reg, unsigned count)
{
    return gpucode_packet_type4(reg, count);
}
