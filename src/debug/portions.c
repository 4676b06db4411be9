/* SPDX-License-Identifier: MIT */
/* Changes for later: portions of them, each done when the machine waits for input. */
#include "debug/session.h"

#include <stdlib.h>
#include <string.h>

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

bool portions_make_room(struct input **inputs, size_t count, size_t *room)
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

enum gpucode_status portions_keep(struct gpucode_debug *debug, const struct input *input)
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
