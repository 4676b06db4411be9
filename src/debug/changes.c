/* SPDX-License-Identifier: MIT */
/* Changes from outside: done, and recorded so that a replay does them again. */
#include "debug/session.h"

#include <stdlib.h>
#include <string.h>

/* Changes for later: portions of them, each done when the machine waits for input. */

enum gpucode_status gpucode_debug_defer(struct gpucode_debug *debug, bool on)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    debug->defers = false;
    if (!on)
        return GPUCODE_OK;
    struct portion *portions = reallocarray(debug->portions, debug->portion_count + 1, sizeof *portions);
    if (!portions)
        return GPUCODE_ERROR_MEMORY;
    debug->portions = portions;
    portions[debug->portion_count++] = (struct portion){.done = SIZE_MAX};
    debug->defers = true;
    return GPUCODE_OK;
}

/* Room for one more input in a list; false: no memory. */
static bool portions_make_room(struct input **inputs, size_t count, size_t *room)
{
    if (count < *room)
        return true;
    size_t more = *room ? *room * 2 : 16;
    struct input *grown = reallocarray(*inputs, more, sizeof *grown);
    if (!grown)
        return false;
    *inputs = grown;
    *room = more;
    return true;
}

static enum gpucode_status portions_keep(struct gpucode_debug *debug, const struct input *input)
{
    struct portion *portion = &debug->portions[debug->portion_count - 1];
    if (!portions_make_room(&portion->inputs, portion->count, &portion->room)) {
        free(input->bytes);
        return GPUCODE_ERROR_MEMORY;
    }
    portion->inputs[portion->count++] = *input;
    return GPUCODE_OK;
}

static bool add_input(struct gpucode_debug *debug, uint64_t position, const struct input *input)
{
    struct input copy = *input;
    if (!portions_make_room(&debug->inputs, debug->input_count, &debug->input_room))
        return false;
    copy.bytes = malloc(copy.size ? copy.size : 1);
    if (!copy.bytes)
        return false;
    if (copy.size)
        memcpy(copy.bytes, input->bytes, copy.size);
    copy.position = position;
    debug->inputs[debug->input_count++] = copy;
    return true;
}

bool portions_bring(struct gpucode_debug *debug, uint64_t position, bool *no_memory)
{
    size_t next = 0, first = debug->input_count;
    while (next < debug->portion_count && debug->portions[next].done != SIZE_MAX)
        next++;
    if (next == debug->portion_count)
        return false;
    struct portion *portion = &debug->portions[next];
    for (size_t i = 0; i < portion->count; i++)
        if (!add_input(debug, position, &portion->inputs[i])) {
            while (debug->input_count > first)
                free(debug->inputs[--debug->input_count].bytes);
            *no_memory = true;
            return false;
        }
    portion->done = first;
    debug->changes += portion->count;
    return true;
}

void portions_forget(struct gpucode_debug *debug, size_t first)
{
    for (size_t i = 0; i < debug->portion_count; i++)
        if (debug->portions[i].done != SIZE_MAX && debug->portions[i].done >= first && debug->portions[i].count)
            debug->portions[i].done = SIZE_MAX;
}

static void free_portion(struct portion *portion)
{
    for (size_t i = 0; i < portion->count; i++)
        free(portion->inputs[i].bytes);
    free(portion->inputs);
}

void portions_settle(struct gpucode_debug *debug)
{
    size_t done = 0;
    while (done < debug->portion_count && debug->portions[done].done != SIZE_MAX)
        free_portion(&debug->portions[done++]);
    debug->portion_count -= done;
    if (debug->portion_count)
        memmove(debug->portions, debug->portions + done, debug->portion_count * sizeof *debug->portions);
    debug->defers &= debug->portion_count != 0;
}

void portions_free(struct gpucode_debug *debug)
{
    for (size_t i = 0; i < debug->portion_count; i++)
        free_portion(&debug->portions[i]);
    free(debug->portions);
}

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
    bool armed = debug->armed;
    breakpoints_arm(debug, false); /* what the user does is not an event */
    enum gpucode_status status = apply_input(debug, &input);
    if (armed)
        breakpoints_arm(debug, true);
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
