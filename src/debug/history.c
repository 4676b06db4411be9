/* SPDX-License-Identifier: MIT */
/*
 * The past: checkpoints, far apart for positions long ago and close together around the present one.
 *
 * The distance of two checkpoints is at most a fixed part of their distance from the present position, and need never
 * be less than the gap. So a run of any length keeps a number of them that grows with its logarithm only, a step back
 * replays a gap, and going far back replays a small part of the way. When they take more memory than they
 * may, the part grows and so does the gap.
 */
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

/* Inputs from `first` on are forgotten. */
static void portions_forget(struct gpucode_debug *debug, size_t first)
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

/* History begins anew: those that were done stay so. */
static void portions_settle(struct gpucode_debug *debug)
{
    size_t done = 0;
    while (done < debug->portion_count && debug->portions[done].done != SIZE_MAX)
        free_portion(&debug->portions[done++]);
    debug->portion_count -= done;
    if (debug->portion_count)
        memmove(debug->portions, debug->portions + done, debug->portion_count * sizeof *debug->portions);
    debug->defers &= debug->portion_count != 0;
}

static void portions_free(struct gpucode_debug *debug)
{
    for (size_t i = 0; i < debug->portion_count; i++)
        free_portion(&debug->portions[i]);
    free(debug->portions);
}

static uint64_t distance_between(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

/* The distance that checkpoints near `position` may have when the user is at `now`. */
static uint64_t spacing(const struct gpucode_debug *debug, uint64_t position, uint64_t now)
{
    uint64_t space = distance_between(position, now) / debug->density;
    return space > debug->gap ? space : debug->gap;
}

size_t history_before(const struct gpucode_debug *debug, uint64_t position)
{
    size_t low = 0, high = debug->checkpoint_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (debug->checkpoints[middle].position <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void history_load(struct gpucode_debug *debug, size_t checkpoint)
{
    /* cannot fail: the snapshot is this machine's */
    gpucode_machine_restore(debug->machine, debug->checkpoints[checkpoint].snapshot);
    debug->applied = debug->checkpoints[checkpoint].applied;
}

uint64_t history_room(const struct gpucode_debug *debug, uint64_t now)
{
    uint64_t position = debug_position(debug);
    uint64_t last = debug->checkpoints[history_before(debug, position)].position;
    uint64_t space = spacing(debug, position, now);
    return position - last >= space ? 0 : space - (position - last);
}

static void measure_checkpoint(struct gpucode_debug *debug, size_t index)
{
    if (index < debug->checkpoint_count)
        debug->checkpoints[index].bytes = gpucode_snapshot_bytes(debug->checkpoints[index].snapshot,
                                                                 index ? debug->checkpoints[index - 1].snapshot : NULL);
}

static void drop_checkpoint(struct gpucode_debug *debug, size_t index)
{
    gpucode_snapshot_free(debug->checkpoints[index].snapshot);
    debug->checkpoint_count--;
    memmove(&debug->checkpoints[index], &debug->checkpoints[index + 1],
            (debug->checkpoint_count - index) * sizeof *debug->checkpoints);
    measure_checkpoint(debug, index);
}

static size_t total_bytes(const struct gpucode_debug *debug)
{
    size_t bytes = 0;
    for (size_t i = 0; i < debug->checkpoint_count; i++)
        bytes += debug->checkpoints[i].bytes;
    return bytes;
}

/* Drops checkpoints that are closer to their neighbours than they need be. The beginning stays. */
static void thin_checkpoints(struct gpucode_debug *debug, uint64_t now)
{
    for (size_t i = debug->checkpoint_count; i-- > 2;)
        if (debug->checkpoints[i].position - debug->checkpoints[i - 2].position <=
            spacing(debug, debug->checkpoints[i - 1].position, now))
            drop_checkpoint(debug, i - 1);
}

static void thin_to_memory(struct gpucode_debug *debug, uint64_t now)
{
    while (debug->checkpoint_count > 2 && total_bytes(debug) > debug->memory && debug->gap < UINT64_MAX / 4) {
        debug->gap *= 2;
        if (debug->density > 2)
            debug->density /= 2;
        thin_checkpoints(debug, now);
    }
}

bool history_keep(struct gpucode_debug *debug, uint64_t now, bool always)
{
    uint64_t position = debug_position(debug);
    size_t at = debug->checkpoint_count ? history_before(debug, position) + 1 : 0;
    if (at && debug->checkpoints[at - 1].position == position && debug->checkpoints[at - 1].applied == debug->applied)
        return true;
    if (!always && history_room(debug, now))
        return true;
    if (debug->checkpoint_count == debug->checkpoint_room) {
        size_t room = debug->checkpoint_room ? debug->checkpoint_room * 2 : 64;
        struct checkpoint *checkpoints = reallocarray(debug->checkpoints, room, sizeof *checkpoints);
        if (!checkpoints)
            return false;
        debug->checkpoints = checkpoints;
        debug->checkpoint_room = room;
    }
    struct checkpoint checkpoint = {position, debug->applied, NULL, 0};
    if (gpucode_machine_snapshot(debug->machine, &checkpoint.snapshot) != GPUCODE_OK)
        return false;
    memmove(&debug->checkpoints[at + 1], &debug->checkpoints[at], (debug->checkpoint_count - at) * sizeof checkpoint);
    debug->checkpoints[at] = checkpoint;
    debug->checkpoint_count++;
    measure_checkpoint(debug, at);
    measure_checkpoint(debug, at + 1);
    thin_checkpoints(debug, now);
    thin_to_memory(debug, now);
    return true;
}

static void free_inputs(struct gpucode_debug *debug, size_t first)
{
    portions_forget(debug, first);
    while (debug->input_count > first)
        free(debug->inputs[--debug->input_count].bytes);
}

void history_cut(struct gpucode_debug *debug)
{
    uint64_t position = debug_position(debug);
    /* a checkpoint of the present position was taken before the change; the first one stays, to go back to */
    while (debug->checkpoint_count > 1 && debug->checkpoints[debug->checkpoint_count - 1].position >= position)
        drop_checkpoint(debug, debug->checkpoint_count - 1);
    free_inputs(debug, debug->applied);
    debug->end = position;
}

bool history_restart(struct gpucode_debug *debug)
{
    while (debug->checkpoint_count)
        drop_checkpoint(debug, debug->checkpoint_count - 1);
    portions_settle(debug);
    free_inputs(debug, 0);
    debug->applied = 0;
    if (gpucode_machine_count(debug->machine) < debug->first) /* a snapshot from before the session */
        debug->first = gpucode_machine_count(debug->machine);
    debug->end = debug_position(debug);
    return history_keep(debug, debug->end, true);
}

void history_free(struct gpucode_debug *debug)
{
    while (debug->checkpoint_count)
        drop_checkpoint(debug, debug->checkpoint_count - 1);
    free_inputs(debug, 0);
    portions_free(debug);
    free(debug->checkpoints);
    free(debug->inputs);
}

void gpucode_debug_history(const struct gpucode_debug *debug, struct gpucode_history *history)
{
    if (!debug)
        return;
    *history = (struct gpucode_history){(unsigned)debug->checkpoint_count, total_bytes(debug), debug->gap,
                                        (unsigned)debug->input_count, debug->changes};
}
