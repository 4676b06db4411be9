/* SPDX-License-Identifier: MIT */
/*
 * Running forwards: instructions that have not run yet, or those that a replay runs again. The machine runs in slices,
 * each ending where a recorded input or a snapshot is due at the latest; the state depends on the position alone, never
 * on the slices.
 */
#include "debug/session.h"

#include <stdlib.h>
#include <string.h>

#define SLICE (UINT64_C(1) << 20) /* an interrupt waits no longer than this */

static uint64_t smaller_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Around which position snapshots shall be close together. */
static uint64_t focus_position(const struct run *run, uint64_t position)
{
    return run->now ? run->now : position;
}

static uint64_t slice_length(const struct gpucode_debug *debug, const struct run *run, uint64_t position)
{
    uint64_t limit = smaller_of(smaller_of(run->target, debug->limit) - position, SLICE);
    if (run->keep) {
        uint64_t room = history_room(debug, focus_position(run, position));
        limit = smaller_of(limit, room ? room : debug->gap);
    }
    if (debug->applied < debug->input_count)
        limit = smaller_of(limit, debug->inputs[debug->applied].position - position);
    return limit;
}

/* Does the condition hold? One that cannot be evaluated counts as one that does. */
static bool condition_holds(struct gpucode_debug *debug, const struct breakpoint *breakpoint, unsigned processor,
                            bool *failed)
{
    struct gpucode_value value;
    *failed = false;
    if (!breakpoint->shown.condition)
        return true;
    unsigned selected = debug->processor;
    debug->processor = processor;
    *failed = gpucode_debug_evaluate(debug, breakpoint->shown.condition, strlen(breakpoint->shown.condition), false,
                                     (struct gpucode_diagnostic_handler){0}, &value) != GPUCODE_OK;
    debug->processor = selected;
    return *failed || value.number != 0;
}

static bool is_at(const struct gpucode_debug *debug, const struct breakpoint *breakpoint, const struct gpucode_stop *at)
{
    const struct gpucode_breakpoint *shown = &breakpoint->shown;
    return shown->kind == GPUCODE_BREAKPOINT_CODE && !shown->disabled && shown->address == at->pc &&
           shown->section == gpucode_machine_section(debug->machine, at->processor) &&
           (!shown->one_processor || shown->processor == at->processor) &&
           (!breakpoint->has_depth || debug_depth(debug, at->processor) <= breakpoint->depth);
}

/*
 * Does a hit stop? It is counted, and told by a breakpoint that tells in place of stopping, if the user asked for the
 * run.
 */
static bool hit_stops(struct gpucode_debug *debug, struct breakpoint *breakpoint, unsigned processor, bool count)
{
    if (count) {
        breakpoint->shown.hits++;
        if (breakpoint->shown.ignore) {
            breakpoint->shown.ignore--;
            return false;
        }
    }
    if (!breakpoint->tell)
        return true;
    unsigned selected = debug->processor;
    debug->processor = processor;
    if (count)
        breakpoint->tell(breakpoint->user, breakpoint->shown.number);
    debug->processor = selected;
    return false;
}

static void note_also(struct gpucode_debug_stop *stop, unsigned number)
{
    if (stop->also_count < sizeof stop->also / sizeof *stop->also)
        stop->also[stop->also_count++] = number;
}

/* Which breakpoint is hit, if any counts: RUN_BREAKPOINT, RUN_INTERNAL, or RUN_TARGET for none. */
static enum run_end find_hit(struct gpucode_debug *debug, const struct run *run, const struct gpucode_stop *at,
                             struct gpucode_debug_stop *stop)
{
    enum run_end end = RUN_TARGET;
    bool event = at->reason == GPUCODE_STOP_HOOK;
    for (size_t i = 0; i < debug->breakpoint_count; i++) {
        struct breakpoint *breakpoint = &debug->breakpoints[i];
        unsigned processor = event ? breakpoint->event.processor : at->processor;
        bool failed;
        if (event ? !breakpoint->has_event : !is_at(debug, breakpoint, at))
            continue;
        if (breakpoint->internal) {
            if (end == RUN_TARGET) {
                end = RUN_INTERNAL;
                debug_stand(debug, stop, GPUCODE_DEBUG_DONE, processor);
            }
            continue;
        }
        if (run->internal || !condition_holds(debug, breakpoint, processor, &failed))
            continue;
        if (!hit_stops(debug, breakpoint, processor, run->count))
            continue;
        if (end == RUN_BREAKPOINT) {
            note_also(stop, breakpoint->shown.number);
            continue;
        }
        end = RUN_BREAKPOINT;
        stop->also_count = 0;
        debug_stand(debug, stop, GPUCODE_DEBUG_BREAKPOINT, processor);
        stop->breakpoint = breakpoint->shown.number;
        stop->temporary = breakpoint->shown.temporary;
        stop->condition_failed = failed;
        stop->event = event ? breakpoint->event : (struct gpucode_event){0};
    }
    return end;
}

/* The machine stands still by itself; does a breakpoint want that? */
static enum run_end stand_still(struct gpucode_debug *debug, const struct run *run, const struct gpucode_stop *at,
                                struct gpucode_debug_stop *stop)
{
    debug_stand(debug, stop, GPUCODE_DEBUG_MACHINE, at->processor);
    stop->machine = *at;
    bool fault =
        at->reason == GPUCODE_STOP_FAULT || at->reason == GPUCODE_STOP_UNKNOWN || at->reason == GPUCODE_STOP_HANG;
    for (size_t i = 0; run->breakpoints && fault && i < debug->breakpoint_count; i++) {
        struct gpucode_breakpoint *breakpoint = &debug->breakpoints[i].shown;
        if (breakpoint->kind != GPUCODE_CATCHPOINT_FAULT || breakpoint->disabled ||
            (breakpoint->code && !(at->code && strstr(at->code, breakpoint->code))))
            continue;
        if (run->count)
            breakpoint->hits++;
        stop->breakpoint = breakpoint->number;
        stop->temporary = breakpoint->temporary;
        break;
    }
    return RUN_MACHINE;
}

static bool is_interrupted(struct gpucode_debug *debug)
{
    return atomic_exchange(&debug->interrupt, false) || (debug->wants_interrupt && debug->wants_interrupt(debug->user));
}

enum run_end debug_run(struct gpucode_debug *debug, const struct run *run, struct gpucode_debug_stop *stop)
{
    struct gpucode_stop at;
    uint64_t start = debug_position(debug), ran, still = 0, time = 0;
    bool no_memory = false;
    memset(stop, 0, sizeof *stop);
    debug->counts = run->count;
    breakpoints_arm(debug, run->breakpoints);
    for (;;) {
        changes_replay(debug);
        uint64_t position = debug_position(debug);
        if (position >= run->target)
            return RUN_TARGET;
        if (!run->whole && is_interrupted(debug))
            return RUN_INTERRUPT;
        if (position >= debug->limit)
            return RUN_LIMIT;
        if (run->keep && !history_keep(debug, focus_position(run, position), false))
            return RUN_MEMORY;
        breakpoints_forget_events(debug);
        ran = gpucode_machine_run(debug->machine, slice_length(debug, run, position), &at);
        while (at.reason == GPUCODE_STOP_BREAKPOINT) {
            position = debug_position(debug);
            enum run_end end = position == start && !run->start_counts ? RUN_TARGET : find_hit(debug, run, &at, stop);
            if (end != RUN_TARGET)
                return end;
            ran += gpucode_machine_run(debug->machine, 1, &at);
        }
        position = debug_position(debug);
        if (position > debug->end)
            debug->end = position;
        if (at.reason == GPUCODE_STOP_LIMIT) {
            still = ran || at.time != time ? 0 : still + 1;
            time = at.time;
            if (still > 1000) /* would be a fault of the machine: it neither runs nor says why */
                return stand_still(debug, run, &at, stop);
        } else if (at.reason == GPUCODE_STOP_HOOK) {
            /* an event between two instructions happens again after settle_machine(); the user hears of it once */
            bool late = position == start && !run->start_counts && debug->is_told && debug->told == position;
            enum run_end end = debug->has_event && !late ? find_hit(debug, run, &at, stop) : RUN_TARGET;
            if (end != RUN_TARGET)
                return end;
        } else if (debug->applied < debug->input_count && debug->inputs[debug->applied].position <= position) {
            continue; /* inputs of this position are done now, and may let the machine go on */
        } else if (position >= debug->end && at.reason == GPUCODE_STOP_IDLE &&
                   portions_bring(debug, position, &no_memory)) {
            continue;
        } else if (no_memory) {
            return RUN_MEMORY;
        } else if (ran == 0 || position >= debug->end) {
            return stand_still(debug, run, &at, stop);
        } /* else it stood still here when it ran first, and the user went on */
    }
}

enum run_end debug_replay(struct gpucode_debug *debug, uint64_t position)
{
    uint64_t here = debug_position(debug);
    size_t checkpoint = history_before(debug, position);
    if (here > position || debug->checkpoints[checkpoint].position > here ||
        (here == position && debug->applied < debug->checkpoints[checkpoint].applied))
        history_load(debug, checkpoint);
    struct gpucode_debug_stop stop;
    enum run_end end = debug_run(debug, &(struct run){.target = position, .keep = true, .now = position}, &stop);
    /* a machine that stands still at the position has reached it */
    return end == RUN_MACHINE && debug_position(debug) == position ? RUN_TARGET : end;
}

static bool note_processor(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct gpucode_debug *debug = user;
    (void)machine;
    debug->ran |= event->processor == debug->processor;
    return false;
}

static enum run_end run_single(struct gpucode_debug *debug, bool keep, struct gpucode_debug_stop *stop)
{
    uint64_t next = debug_position(debug) + 1;
    breakpoints_arm(debug, false);
    debug->ran = false;
    gpucode_machine_hook(debug->machine, GPUCODE_EVENT_INSN, note_processor, debug);
    enum run_end end = debug_run(debug, &(struct run){.target = next, .keep = keep, .now = next}, stop);
    gpucode_machine_hook(debug->machine, 0, NULL, NULL);
    return end;
}

enum run_end debug_single(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    return run_single(debug, true, stop);
}

enum run_end debug_look(struct gpucode_debug *debug, struct gpucode_debug_stop *stop)
{
    return run_single(debug, false, stop);
}

/*
 * A machine that a hook, a breakpoint or a fault has stopped may be in the middle of something, or remember that it has
 * told of it. What users see, snapshots keep and changes start from is the one state that belongs to the position.
 */
static void settle_machine(struct gpucode_debug *debug)
{
    struct gpucode_debug_stop stop;
    uint64_t position = debug_position(debug);
    history_load(debug, history_before(debug, position));
    debug_run(debug, &(struct run){.target = position, .keep = true, .whole = true, .now = position}, &stop);
}

/*
 * The instruction after an event may have a breakpoint too. It must be found now: when the run goes on, the present
 * position does not count. The machine is asked, as only it knows which processor runs next.
 */
static void find_breakpoints_beside(struct gpucode_debug *debug, struct gpucode_debug_stop *stop, bool count)
{
    struct gpucode_stop at = {0};
    bool any = false, failed;
    for (size_t i = 0; i < debug->breakpoint_count; i++)
        for (at.processor = 0; !any && gpucode_machine_processor(debug->machine, at.processor); at.processor++) {
            at.pc = gpucode_machine_pc(debug->machine, at.processor);
            any = !debug->breakpoints[i].internal && is_at(debug, &debug->breakpoints[i], &at);
        }
    if (!any)
        return;
    breakpoints_arm(debug, true);
    gpucode_machine_hook(debug->machine, 0, NULL, NULL); /* the event was found already */
    gpucode_machine_run(debug->machine, 1, &at);
    breakpoints_arm(debug, false);
    for (size_t i = 0; at.reason == GPUCODE_STOP_BREAKPOINT && i < debug->breakpoint_count; i++) {
        struct breakpoint *breakpoint = &debug->breakpoints[i];
        if (!breakpoint->internal && is_at(debug, breakpoint, &at) &&
            condition_holds(debug, breakpoint, at.processor, &failed) &&
            hit_stops(debug, breakpoint, at.processor, count))
            note_also(stop, breakpoint->shown.number);
    }
    uint64_t position = stop->position;
    struct gpucode_debug_stop ignored;
    history_load(debug, history_before(debug, position));
    debug_run(debug, &(struct run){.target = position, .keep = true, .whole = true, .now = position}, &ignored);
}

static void remove_temporary(struct gpucode_debug *debug, const struct gpucode_debug_stop *stop)
{
    if (stop->breakpoint && stop->temporary)
        gpucode_debug_remove(debug, stop->breakpoint);
    for (unsigned i = 0; i < stop->also_count; i++) {
        const struct breakpoint *breakpoint = breakpoints_find(debug, stop->also[i]);
        if (breakpoint && breakpoint->shown.temporary)
            gpucode_debug_remove(debug, stop->also[i]);
    }
}

void debug_report(struct gpucode_debug *debug, enum run_end end, struct gpucode_debug_stop *stop)
{
    bool counts = debug->counts;
    debug->is_told = end == RUN_BREAKPOINT && stop->event.kind;
    debug->told = debug->is_told ? stop->position : 0;
    switch (end) {
    case RUN_TARGET:
        memset(stop, 0, sizeof *stop);
        debug_stand(debug, stop, GPUCODE_DEBUG_DONE, debug->processor);
        break;
    case RUN_INTERRUPT:
    case RUN_MEMORY:
    case RUN_LIMIT:
        memset(stop, 0, sizeof *stop);
        debug_stand(debug, stop,
                    end == RUN_MEMORY  ? GPUCODE_DEBUG_MEMORY
                    : end == RUN_LIMIT ? GPUCODE_DEBUG_LIMIT
                                       : GPUCODE_DEBUG_INTERRUPT,
                    debug->processor);
        break;
    default: /* filled already */
        settle_machine(debug);
        if (debug->is_told)
            find_breakpoints_beside(debug, stop, counts);
        remove_temporary(debug, stop);
        debug->processor = stop->processor;
    }
}
