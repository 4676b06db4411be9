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
