/* SPDX-License-Identifier: MIT */
/* One thread's way over one instruction, for those that run it alone and for groups. */
#ifndef ISA_IR3_A3XX_MACHINE_THREAD_H
#define ISA_IR3_A3XX_MACHINE_THREAD_H

#include "isa/ir3/a3xx/machine/strict.h"

/* The thread that runs from now on. */
static inline void a3xx_enter(struct a3xx_run *run, unsigned index)
{
    struct a3xx_state *state = run->state;
    run->index = index;
    run->thread = &state->thread[index];
    run->place[A3XX_IN_FULL] = run->file[0] = a3xx_register(state, index, false, 0);
    run->place[A3XX_IN_HALF] = run->file[1] = a3xx_register(state, index, true, 0);
}

/* Does anything stop the thread before its next instruction: the end of the code, a breakpoint, the hook? */
static inline bool a3xx_stopped_before(struct a3xx_run *run)
{
    struct a3xx_state *state = run->state;
    struct a3xx_thread *thread = run->thread;
    run->at = thread->pc;
    if (thread->pc >= state->program.count) {
        a3xx_run_off(run);
        return true;
    }
    if (!thread->seen && state->all.breaks[thread->pc] && shader_breaks(&state->all, run->index, thread->pc)) {
        run->stop->reason = GPUCODE_STOP_BREAKPOINT;
        run->halted = true;
    } else if (!thread->seen && run->core->hook_kinds & GPUCODE_EVENT_INSN) {
        a3xx_raise_event(run, GPUCODE_EVENT_INSN, GPUCODE_A3XX_FULL, thread->pc, state->program.ops[thread->pc].bits,
                         0);
        if (run->hook_stops) {
            run->hook_stops = false;
            run->stop->reason = GPUCODE_STOP_HOOK;
            run->halted = true;
        }
    }
    thread->seen = run->halted;
    if (!run->halted && run->core->coverage)
        state->all.covered[thread->pc] = 1;
    return run->halted;
}

/* All that an instruction does, but for the pc. */
static inline void a3xx_perform(struct a3xx_run *run, const struct a3xx_op *op)
{
    if (__builtin_expect(run->core->hook_kinds & (GPUCODE_EVENT_USE | GPUCODE_EVENT_COMPARE), 0))
        a3xx_report_sources(run, op);
    if (__builtin_expect(!run->strict, 1)) {
        a3xx_execute(run, op, 0, op->repeat);
    } else if (op->brief) {
        run->unit = A3XX_ARITHMETIC;
        a3xx_execute(run, op, 0, 0);
        if (!run->halted)
            a3xx_pass_slot(&run->flights[run->index]);
    } else {
        a3xx_strict_execute(run, op);
    }
}

/* Runs the instruction at the thread's pc; false: it halted the machine. */
static inline bool a3xx_advance(struct a3xx_run *run)
{
    const struct a3xx_op *op = &run->state->program.ops[run->at];
    run->next = run->at + 1;
    a3xx_perform(run, op);
    if (run->halted)
        return false;
    run->thread->pc = run->next;
    if (run->core->edges.map)
        isa_edge(&run->core->edges, 0, run->at, run->next != run->at + 1, run->next);
    run->core->count++;
    if (run->hook_stops) {
        run->hook_stops = false;
        run->stop->reason = GPUCODE_STOP_HOOK;
        run->halted = true;
    }
    return true;
}

#endif
