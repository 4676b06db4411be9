/* SPDX-License-Identifier: MIT */
/*
 * The past: snapshots, few and far between long ago, close together around the present.
 *
 * The distance of two snapshots is at most a fixed part of their distance from the present moment, and need never be
 * less than the gap. So a run of any length keeps a number of them that grows with its logarithm only, a step back
 * replays a gap, and going far back replays a small part of the way. When they take more memory than they
 * may, the part grows and so does the gap.
 */
#include "debug/session.h"

#include <stdlib.h>
#include <string.h>

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a < b ? b - a : a - b;
}

/* The distance that snapshots near `position` may have when the user is at `now`. */
static uint64_t spacing(const struct gpucode_debug *debug, uint64_t position, uint64_t now)
{
    uint64_t space = distance(position, now) / debug->density;
    return space > debug->gap ? space : debug->gap;
}

size_t history_before(const struct gpucode_debug *debug, uint64_t position)
{
    size_t low = 0, high = debug->moment_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (debug->moments[middle].position <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void history_load(struct gpucode_debug *debug, size_t moment)
{
    /* cannot fail: the snapshot is this machine's */
    gpucode_machine_restore(debug->machine, debug->moments[moment].snapshot);
    debug->applied = debug->moments[moment].applied;
}

uint64_t history_room(const struct gpucode_debug *debug, uint64_t now)
{
    uint64_t position = debug_position(debug);
    uint64_t last = debug->moments[history_before(debug, position)].position;
    uint64_t space = spacing(debug, position, now);
    return position - last >= space ? 0 : space - (position - last);
}

static void measure(struct gpucode_debug *debug, size_t index)
{
    if (index < debug->moment_count)
        debug->moments[index].bytes =
            gpucode_snapshot_bytes(debug->moments[index].snapshot, index ? debug->moments[index - 1].snapshot : NULL);
}

static void drop(struct gpucode_debug *debug, size_t index)
{
    gpucode_snapshot_free(debug->moments[index].snapshot);
    debug->moment_count--;
    memmove(&debug->moments[index], &debug->moments[index + 1], (debug->moment_count - index) * sizeof *debug->moments);
    measure(debug, index);
}

static size_t total(const struct gpucode_debug *debug)
{
    size_t bytes = 0;
    for (size_t i = 0; i < debug->moment_count; i++)
        bytes += debug->moments[i].bytes;
    return bytes;
}

/* Drops what is closer to its neighbours than it need be. The beginning stays. */
static void thin(struct gpucode_debug *debug, uint64_t now)
{
    for (size_t i = debug->moment_count; i-- > 2;)
        if (debug->moments[i].position - debug->moments[i - 2].position <=
            spacing(debug, debug->moments[i - 1].position, now))
            drop(debug, i - 1);
}

static void thin_to_memory(struct gpucode_debug *debug, uint64_t now)
{
    while (debug->moment_count > 2 && total(debug) > debug->memory && debug->gap < UINT64_MAX / 4) {
        debug->gap *= 2;
        if (debug->density > 2)
            debug->density /= 2;
        thin(debug, now);
    }
}

bool history_keep(struct gpucode_debug *debug, uint64_t now, bool always)
{
    uint64_t position = debug_position(debug);
    size_t at = debug->moment_count ? history_before(debug, position) + 1 : 0;
    if (at && debug->moments[at - 1].position == position && debug->moments[at - 1].applied == debug->applied)
        return true;
    if (!always && history_room(debug, now))
        return true;
    if (debug->moment_count == debug->moment_room) {
        size_t room = debug->moment_room ? debug->moment_room * 2 : 64;
        struct moment *moments = reallocarray(debug->moments, room, sizeof *moments);
        if (!moments)
            return false;
        debug->moments = moments;
        debug->moment_room = room;
    }
    struct moment moment = {position, debug->applied, NULL, 0};
    if (gpucode_machine_snapshot(debug->machine, &moment.snapshot) != GPUCODE_OK)
        return false;
    memmove(&debug->moments[at + 1], &debug->moments[at], (debug->moment_count - at) * sizeof moment);
    debug->moments[at] = moment;
    debug->moment_count++;
    measure(debug, at);
    measure(debug, at + 1);
    thin(debug, now);
    thin_to_memory(debug, now);
    return true;
}

static void free_inputs(struct gpucode_debug *debug, size_t first)
{
    while (debug->input_count > first)
        free(debug->inputs[--debug->input_count].bytes);
}

void history_cut(struct gpucode_debug *debug)
{
    uint64_t position = debug_position(debug);
    /* a snapshot of the present position, too, is of before the change; only the beginning must stay to go back to */
    while (debug->moment_count > 1 && debug->moments[debug->moment_count - 1].position >= position)
        drop(debug, debug->moment_count - 1);
    free_inputs(debug, debug->applied);
    debug->end = position;
}

bool history_restart(struct gpucode_debug *debug)
{
    while (debug->moment_count)
        drop(debug, debug->moment_count - 1);
    free_inputs(debug, 0);
    debug->applied = 0;
    if (gpucode_machine_count(debug->machine) < debug->first) /* a snapshot from before the session */
        debug->first = gpucode_machine_count(debug->machine);
    debug->end = debug_position(debug);
    return history_keep(debug, debug->end, true);
}

void history_free(struct gpucode_debug *debug)
{
    while (debug->moment_count)
        drop(debug, debug->moment_count - 1);
    free_inputs(debug, 0);
    free(debug->moments);
    free(debug->inputs);
}

void gpucode_debug_history(const struct gpucode_debug *debug, struct gpucode_history *history)
{
    *history = (struct gpucode_history){(unsigned)debug->moment_count, total(debug), debug->gap,
                                        (unsigned)debug->input_count, debug->changes};
}
