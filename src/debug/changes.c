/* SPDX-License-Identifier: MIT */
/* Changes from outside: done, and recorded so that a replay does them again. */
#include "debug/session.h"

#include <stdlib.h>
#include <string.h>

static enum gpucode_status apply_input(struct gpucode_debug *debug, const struct input *input)
{
    switch (input->kind) {
    case INPUT_WRITE:
        return gpucode_machine_write(debug->machine, input->processor, input->space, (uint32_t)input->address,
                                     (uint32_t)input->value);
    case INPUT_PC:
        return gpucode_machine_set_pc(debug->machine, input->processor, input->address);
    case INPUT_STORE:
        return gpucode_machine_store(debug->machine, input->address, input->bytes, input->size);
    case INPUT_MAP:
        return gpucode_machine_map(debug->machine, input->address, input->value);
    case INPUT_FEED:
        return gpucode_machine_feed(debug->machine, input->processor, input->bytes, input->size / sizeof(uint32_t));
    }
    return GPUCODE_ERROR_ARGUMENT;
}

void changes_replay(struct gpucode_debug *debug)
{
    uint64_t position = debug_position(debug);
    while (debug->applied < debug->input_count && debug->inputs[debug->applied].position <= position)
        apply_input(debug, &debug->inputs[debug->applied++]);
}

/* Does it, or keeps it for later; what the machine refuses is not recorded, and the future stays. */
static enum gpucode_status record_change(struct gpucode_debug *debug, struct input input, const void *bytes,
                                         size_t size)
{
    if (!portions_make_room(&debug->inputs, debug->input_count, &debug->input_room))
        return GPUCODE_ERROR_MEMORY;
    input.position = debug_position(debug);
    input.size = size;
    input.bytes = malloc(size ? size : 1);
    if (!input.bytes)
        return GPUCODE_ERROR_MEMORY;
    if (size)
        memcpy(input.bytes, bytes, size);
    if (debug->defers)
        return portions_keep(debug, &input);
    breakpoints_arm(debug, false); /* what the user does is not an event */
    enum gpucode_status status = apply_input(debug, &input);
    if (status != GPUCODE_OK) {
        free(input.bytes);
        return status;
    }
    history_cut(debug);
    debug->inputs[debug->input_count++] = input;
    debug->applied = debug->input_count;
    debug->changes++;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_write(struct gpucode_debug *debug, unsigned processor, unsigned space,
                                        uint32_t number, uint32_t value)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    return record_change(
        debug,
        (struct input){.kind = INPUT_WRITE, .processor = processor, .space = space, .address = number, .value = value},
        NULL, 0);
}

enum gpucode_status gpucode_debug_set_pc(struct gpucode_debug *debug, unsigned processor, uint64_t pc)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    return record_change(debug, (struct input){.kind = INPUT_PC, .processor = processor, .address = pc}, NULL, 0);
}

enum gpucode_status gpucode_debug_store(struct gpucode_debug *debug, uint64_t address, const void *bytes, size_t size)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    return record_change(debug, (struct input){.kind = INPUT_STORE, .address = address}, bytes, size);
}

enum gpucode_status gpucode_debug_map(struct gpucode_debug *debug, uint64_t address, uint64_t size)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    return record_change(debug, (struct input){.kind = INPUT_MAP, .address = address, .value = size}, NULL, 0);
}

enum gpucode_status gpucode_debug_feed(struct gpucode_debug *debug, unsigned processor, const uint32_t *words,
                                       size_t count)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    if (count > SIZE_MAX / sizeof *words)
        return GPUCODE_ERROR_ARGUMENT;
    return record_change(debug, (struct input){.kind = INPUT_FEED, .processor = processor}, words,
                         count * sizeof *words);
}

enum gpucode_status gpucode_debug_restore(struct gpucode_debug *debug, const struct gpucode_snapshot *snapshot)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    enum gpucode_status status = gpucode_machine_restore(debug->machine, snapshot);
    debug->changes++;
    if (status == GPUCODE_OK && !history_restart(debug))
        status = GPUCODE_ERROR_MEMORY;
    return status;
}
