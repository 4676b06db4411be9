/* SPDX-License-Identifier: MIT */
/* Movements: backwards first, then continue, step, next, finish, until, goto. */
#include "debug/session.h"

#include <string.h>

/*
 * Movements backwards. Each replays the past from one checkpoint to the next, the latest part first, looks for the last
 * position in it that it is for, and goes there.
 */

/* Why a movement backwards ends without having found anything. */
static void give_up(struct gpucode_debug *debug, uint64_t position, enum run_end end, struct gpucode_debug_stop *stop)
{
    debug_report(debug, end == RUN_TARGET || end == RUN_MACHINE ? debug_replay(debug, position) : end, stop);
    if (stop->reason == GPUCODE_DEBUG_DONE)
        stop->reason = GPUCODE_DEBUG_BEGINNING;
}

/* The last hit from `checkpoint` on and before `target` (or at it, if it is not the present), in *last. */
static enum run_end last_hit(struct gpucode_debug *debug, size_t checkpoint, uint64_t target, uint64_t before,
                             struct gpucode_debug_stop *last, bool *found)
{
    struct gpucode_debug_stop stop;
    struct run run = {.target = target, .breakpoints = true, .start_counts = true};
    enum run_end end;
    history_load(debug, checkpoint);
    while ((end = debug_run(debug, &run, &stop)) == RUN_BREAKPOINT) {
        run.start_counts = false;
        if (stop.position < before) {
            *last = stop;
            *found = true;
        }
    }
    return end;
}

/* To the last breakpoint hit after position `floor`; FLOOR_NONE: to the beginning. Without one, to `floor`. */
#define FLOOR_NONE UINT64_MAX
static void back_to_hit(struct gpucode_debug *debug, uint64_t floor, struct gpucode_debug_stop *stop)
{
    uint64_t now = debug_position(debug), target = now;
    size_t checkpoint = history_before(debug, now);
    struct gpucode_debug_stop last = {0};
    bool found = false;
    for (;;) {
        if (checkpoint && debug->checkpoints[checkpoint].position == now)
            checkpoint--;
        enum run_end end = last_hit(debug, checkpoint, target, now, &last, &found);
        bool enough = floor != FLOOR_NONE && (found || debug->checkpoints[checkpoint].position <= floor);
        if (enough && (end == RUN_TARGET || end == RUN_MACHINE) && (!found || last.position <= floor)) {
            debug_report(debug, debug_replay(debug, floor), stop);
            return;
        }
        if (end == RUN_INTERRUPT || end == RUN_MEMORY || (!found && checkpoint == 0)) {
            give_up(debug, debug->checkpoints[checkpoint].position, end, stop);
            return;
        }
        if (found)
            break;
        target = debug->checkpoints[checkpoint--].position;
    }
    enum run_end end = debug_replay(debug, last.position);
    *stop = last;
    debug_report(debug, end == RUN_TARGET ? RUN_BREAKPOINT : end, stop);
}

static void reverse_continue(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    back_to_hit(debug, FLOOR_NONE, stop);
}

/* Goes to the last position before the present where the selected processor is about to run an instruction. */
static void reverse_step(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    uint64_t now = debug_position(debug), target = now, best = 0;
    size_t checkpoint = history_before(debug, now);
    bool found = false;
    /* most often it is the instruction just before */
    if (now > debug->checkpoints[0].position) {
        enum run_end end = debug_replay(debug, now - 1);
        end = end == RUN_TARGET ? debug_single(debug, stop) : end;
        bool before = end == RUN_TARGET && debug->ran;
        if (before || end == RUN_INTERRUPT || end == RUN_MEMORY) {
            debug_report(debug, before ? debug_replay(debug, now - 1) : end, stop);
            return;
        }
    }
    for (;; target = debug->checkpoints[checkpoint--].position) {
        if (checkpoint && debug->checkpoints[checkpoint].position == now)
            checkpoint--;
        history_load(debug, checkpoint);
        enum run_end end = RUN_TARGET;
        changes_replay(debug);
        for (uint64_t position; end == RUN_TARGET && (position = debug_position(debug)) < target;) {
            end = debug_look(debug, stop);
            if (debug->ran) {
                best = position;
                found = true;
            }
        }
        if (end == RUN_INTERRUPT || end == RUN_MEMORY || (!found && checkpoint == 0)) {
            give_up(debug, debug->checkpoints[checkpoint].position, end, stop);
            return;
        }
        if (found)
            break;
    }
    debug_report(debug, debug_replay(debug, best), stop);
}

/* What the past says about a place that calls return to. */
enum search { CALL_FOUND, CALL_OVER, CALL_NONE, CALL_UNKNOWN };

/*
 * Looks in the past for the call that returns to `back` when `depth` calls are open. CALL_FOUND: it is at *position,
 * and the place was not reached between it and the present. CALL_OVER: the place was reached, and not called from
 * since. CALL_UNKNOWN: *end is RUN_INTERRUPT or RUN_MEMORY. The machine is left anywhere.
 */
static enum search find_call(struct gpucode_debug *debug, uint64_t back, unsigned depth, uint64_t *position,
                             enum run_end *end)
{
    uint64_t now = debug_position(debug), target = now;
    size_t checkpoint = history_before(debug, now);
    enum search result = CALL_NONE;
    unsigned processor = debug->processor;
    for (uint64_t before = 0; before <= 2 && before <= back; before++) /* calls have a delay slot or none */
        if (!breakpoints_add_internal(debug, processor, back - before)) {
            result = CALL_UNKNOWN;
            *end = RUN_MEMORY;
        }
    while (result == CALL_NONE) {
        struct run run = {.target = target, .breakpoints = true, .internal = true, .start_counts = true};
        struct gpucode_debug_stop stop;
        if (checkpoint && debug->checkpoints[checkpoint].position == now)
            checkpoint--;
        history_load(debug, checkpoint);
        while ((*end = debug_run(debug, &run, &stop)) == RUN_INTERNAL) {
            uint64_t to;
            run.start_counts = false;
            if (stop.position == now || debug_depth(debug, processor) != depth)
                continue;
            if (gpucode_machine_call(debug->machine, processor, &to) && to == back) {
                result = CALL_FOUND;
                *position = stop.position;
            } else if (stop.pc == back) {
                result = CALL_OVER;
            }
        }
        if (*end == RUN_INTERRUPT || *end == RUN_MEMORY)
            result = CALL_UNKNOWN;
        if (!checkpoint)
            break;
        target = debug->checkpoints[checkpoint--].position;
    }
    breakpoints_remove_internal(debug);
    return result;
}

/* If the instruction that ran last is not the one in front of this one, it may have been a return. */
static void reverse_next(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    unsigned processor = debug->processor, depth = debug_depth(debug, processor);
    uint64_t now = debug_position(debug), pc = gpucode_machine_pc(debug->machine, processor), call = 0;
    reverse_step(debug, stop);
    if (stop->reason != GPUCODE_DEBUG_DONE || gpucode_machine_pc(debug->machine, processor) + 1 == pc)
        return;
    uint64_t before = debug_position(debug);
    enum run_end end = debug_replay(debug, now);
    if (end == RUN_TARGET && find_call(debug, pc, depth, &call, &end) == CALL_FOUND) {
        end = debug_replay(debug, now);
        if (end == RUN_TARGET) {
            back_to_hit(debug, call, stop);
            return;
        }
    }
    enum run_end back = debug_replay(debug, before);
    debug_report(debug, end == RUN_INTERRUPT || end == RUN_MEMORY ? end : back, stop);
}

/* False: the call is not known, or it has returned; nothing was done. */
static bool reverse_finish(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    struct gpucode_frame frame;
    uint64_t now = debug_position(debug), call = 0;
    unsigned depth = debug_depth(debug, debug->processor);
    if (!gpucode_machine_frame(debug->machine, debug->processor, 0, &frame) ||
        (frame.link && frame.pc == gpucode_machine_pc(debug->machine, debug->processor))) /* just returned */
        return false;
    enum run_end why, end;
    enum search found = find_call(debug, frame.pc, frame.link ? depth : depth - 1, &call, &why);
    end = debug_replay(debug, now);
    if (found == CALL_UNKNOWN)
        debug_report(debug, why, stop);
    else if (end != RUN_TARGET)
        debug_report(debug, end, stop);
    else if (found == CALL_FOUND)
        back_to_hit(debug, call, stop);
    else
        return false;
    return true;
}

#define FOREVER UINT64_MAX

/* Forwards to a breakpoint, or to the internal one. */
static void run_to_breakpoint(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    struct run run = {.target = FOREVER, .breakpoints = true, .count = true, .keep = true};
    debug_report(debug, debug_run(debug, &run, stop), stop);
    breakpoints_remove_internal(debug);
}

static void step_once(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    enum run_end end;
    do
        end = debug_single(debug, stop);
    while (end == RUN_TARGET && !debug->ran); /* instructions of other processors */
    debug_report(debug, end, stop);
}

void gpucode_debug_continue(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop)
{
    if (!debug)
        return;
    if (back)
        reverse_continue(debug, stop);
    else
        run_to_breakpoint(debug, stop);
}

void gpucode_debug_step(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop)
{
    if (!debug)
        return;
    if (back)
        reverse_step(debug, stop);
    else
        step_once(debug, stop);
}

void gpucode_debug_next(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop)
{
    if (!debug)
        return;
    uint64_t target;
    if (back) {
        reverse_next(debug, stop);
        return;
    }
    struct breakpoint *breakpoint = NULL;
    if (gpucode_machine_call(debug->machine, debug->processor, &target))
        breakpoint = breakpoints_add_internal(debug, debug->processor, target);
    if (!breakpoint) {
        step_once(debug, stop);
        return;
    }
    breakpoint->has_depth = true;
    breakpoint->depth = debug_depth(debug, debug->processor);
    run_to_breakpoint(debug, stop);
}

enum gpucode_status gpucode_debug_finish(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_frame frame;
    if (!gpucode_machine_frame(debug->machine, debug->processor, 0, &frame))
        return GPUCODE_ERROR_UNSUPPORTED;
    if (back)
        return reverse_finish(debug, stop) ? GPUCODE_OK : GPUCODE_ERROR_UNSUPPORTED;
    struct breakpoint *breakpoint = breakpoints_add_internal(debug, debug->processor, frame.pc);
    if (!breakpoint)
        return GPUCODE_ERROR_MEMORY;
    unsigned depth = debug_depth(debug, debug->processor);
    breakpoint->has_depth = true;
    breakpoint->depth = frame.link ? depth : depth - 1;
    run_to_breakpoint(debug, stop);
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_until(struct gpucode_debug *debug, uint64_t pc, struct gpucode_debug_stop *stop)
{
    return gpucode_debug_until_any(debug, &pc, 1, stop);
}

enum gpucode_status gpucode_debug_until_any(struct gpucode_debug *debug, const uint64_t *pcs, size_t count,
                                            struct gpucode_debug_stop *stop)
{
    if (!debug || !pcs || !stop)
        return GPUCODE_ERROR_ARGUMENT;
    if (!count)
        return GPUCODE_ERROR_RANGE;
    breakpoints_arm(debug, false); /* an interrupted movement has left them armed */
    for (size_t i = 0; i < count; i++) {
        if (gpucode_machine_break(debug->machine, debug->processor, pcs[i], true) != GPUCODE_OK)
            return GPUCODE_ERROR_RANGE;
        gpucode_machine_break(debug->machine, debug->processor, pcs[i], false);
    }
    for (size_t i = 0; i < count; i++)
        if (!breakpoints_add_internal(debug, debug->processor, pcs[i])) {
            breakpoints_remove_internal(debug);
            return GPUCODE_ERROR_MEMORY;
        }
    run_to_breakpoint(debug, stop);
    return GPUCODE_OK;
}

void gpucode_debug_goto(struct gpucode_debug *debug, uint64_t position, struct gpucode_debug_stop *stop)
{
    if (!debug)
        return;
    memset(stop, 0, sizeof *stop);
    if (position < debug->checkpoints[0].position) {
        debug_report(debug, debug_replay(debug, debug->checkpoints[0].position), stop);
        stop->reason = GPUCODE_DEBUG_BEGINNING;
        return;
    }
    enum run_end end = debug_replay(debug, position < debug->end ? position : debug->end);
    if (end == RUN_TARGET && position > debug->end)
        end = debug_run(debug, &(struct run){.target = position, .keep = true, .now = position}, stop);
    debug_report(debug, end, stop);
}
