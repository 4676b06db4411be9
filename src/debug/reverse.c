/* SPDX-License-Identifier: MIT */
/*
 * Movements backwards. Each looks through the past from one snapshot to the next, the latest stretch first, for the
 * last position in it that it wants, and goes there.
 */
#include "debug/session.h"

#include <string.h>

/* Why a movement backwards ends without having found anything. */
static void give_up(struct gpucode_debug *debug, uint64_t position, enum run_end end, struct gpucode_debug_stop *stop)
{
    debug_report(debug, end == RUN_TARGET || end == RUN_MACHINE ? debug_replay(debug, position) : end, stop);
    if (stop->reason == GPUCODE_DEBUG_DONE)
        stop->reason = GPUCODE_DEBUG_BEGINNING;
}

/* The last hit from `moment` on and before `target` (or at it, if it is not the present), in *last. */
static enum run_end last_hit(struct gpucode_debug *debug, size_t moment, uint64_t target, uint64_t before,
                             struct gpucode_debug_stop *last, bool *found)
{
    struct gpucode_debug_stop stop;
    struct run run = {.target = target, .points = true, .start_counts = true};
    enum run_end end;
    history_load(debug, moment);
    while ((end = debug_run(debug, &run, &stop)) == RUN_POINT) {
        run.start_counts = false;
        if (stop.position < before) {
            *last = stop;
            *found = true;
        }
    }
    return end;
}

void reverse_continue(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    uint64_t now = debug_position(debug), target = now;
    size_t moment = history_before(debug, now);
    struct gpucode_debug_stop last;
    bool found = false;
    for (;;) {
        if (moment && debug->moments[moment].position == now)
            moment--;
        enum run_end end = last_hit(debug, moment, target, now, &last, &found);
        if (end == RUN_INTERRUPT || end == RUN_MEMORY || (!found && moment == 0)) {
            give_up(debug, debug->moments[moment].position, end, stop);
            return;
        }
        if (found)
            break;
        target = debug->moments[moment--].position;
    }
    enum run_end end = debug_replay(debug, last.position);
    *stop = last;
    debug_report(debug, end == RUN_TARGET ? RUN_POINT : end, stop);
}

/*
 * Goes to the last position before the present where the selected processor is about to run an instruction and at
 * most `depth` of its calls are open. False when there is none: *stop is filled.
 */
static bool go_back(struct gpucode_debug *debug, unsigned depth, struct gpucode_debug_stop *stop)
{
    uint64_t now = debug_position(debug), target = now, best = 0;
    size_t moment = history_before(debug, now);
    bool found = false;
    /* most often it is the instruction just before */
    if (now > debug->moments[0].position && debug_replay(debug, now - 1) == RUN_TARGET) {
        bool shallow = debug_depth(debug, debug->processor) <= depth;
        if (debug_single(debug, stop) == RUN_TARGET && debug->ran && shallow) {
            debug_report(debug, debug_replay(debug, now - 1), stop);
            return true;
        }
    }
    for (;; target = debug->moments[moment--].position) {
        if (moment && debug->moments[moment].position == now)
            moment--;
        history_load(debug, moment);
        enum run_end end = RUN_TARGET;
        changes_replay(debug);
        for (uint64_t position; end == RUN_TARGET && (position = debug_position(debug)) < target;) {
            bool shallow = debug_depth(debug, debug->processor) <= depth;
            end = debug_look(debug, stop);
            if (debug->ran && shallow) {
                best = position;
                found = true;
            }
        }
        if (end == RUN_INTERRUPT || end == RUN_MEMORY || (!found && moment == 0)) {
            give_up(debug, debug->moments[moment].position, end, stop);
            return false;
        }
        if (found)
            break;
    }
    debug_report(debug, debug_replay(debug, best), stop);
    return stop->reason == GPUCODE_DEBUG_DONE;
}

void reverse_step(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    go_back(debug, UINT32_MAX, stop);
}

void reverse_next(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    go_back(debug, debug_depth(debug, debug->processor), stop);
}

void reverse_finish(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    unsigned depth = debug_depth(debug, debug->processor);
    go_back(debug, depth ? depth - 1 : 0, stop);
}
