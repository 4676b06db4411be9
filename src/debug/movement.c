/* SPDX-License-Identifier: MIT */
/* Movements forwards: continue, step, next, finish, until, goto. */
#include "debug/session.h"

#include <string.h>

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
