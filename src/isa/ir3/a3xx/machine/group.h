/* SPDX-License-Identifier: MIT */
/* One issue of a group: the threads that run an instruction together, and where the others wait. */
#ifndef ISA_IR3_A3XX_MACHINE_GROUP_H
#define ISA_IR3_A3XX_MACHINE_GROUP_H

#include "isa/ir3/a3xx/machine/lanes.h"
#include "isa/ir3/a3xx/machine/strict.h"

#define A3XX_LANES_ROOM (GPUCODE_A3XX_THREADS_MAX + A3XX_LANES)

struct a3xx_issue {
    uint32_t at;
    uint32_t reconvergence; /* the next pc at which another thread waits, so that a new choice is due there; UINT32_MAX:
                               none */
    bool others;            /* divergence: threads that have not ended are not among the members */
    bool first;             /* of this run */
    unsigned count;         /* of members */
    unsigned next;          /* of them */
    uint16_t members[GPUCODE_A3XX_THREADS_MAX];
    bool masked;                    /* `mask` says who they are: its words are all ones for members, else 0 */
    uint32_t mask[A3XX_LANES_ROOM]; /* not filled unless a3xx_run_lanes() was asked */
};

/*
 * Runs instructions of the issue's threads side by side, from issue->at on, for as long as the same threads go on
 * together, and at most *left instructions of theirs. Nobody may look on: no hooks, coverage or edges.
 */
enum a3xx_went {
    A3XX_WENT_NOWHERE, /* there was nothing that can be run so, and nothing has changed */
    A3XX_WENT_ON,      /* the same threads are at issue->at now */
    A3XX_WENT_APART,   /* who runs next has to be chosen anew */
};
enum a3xx_went a3xx_run_lanes(struct a3xx_run *run, struct a3xx_issue *issue, uint64_t *left);
/*
 * Does a load or store for all of the issue's threads, and under strict timing what an instruction does beside that;
 * false: nothing was done, and each must do its own. `width`: of the group, in lanes.
 */
bool a3xx_transfer_lanes(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                         uint32_t width);
/* The same of a look into a texture. */
bool a3xx_look_up_lanes(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width);

/* The instruction at a pc, which may lie after the code: nothing. */
static inline const struct a3xx_op *a3xx_op_at(const struct a3xx_state *state, uint32_t pc)
{
    return &state->program.ops[pc < state->program.count ? pc : state->program.count];
}

/* Policy marks: threads of one issue that go on to the same pc are on one path from there on. */
static inline bool a3xx_sets_path(const struct a3xx_state *state, const struct a3xx_op *op)
{
    return state->choice.reconvergence == A3XX_RECONVERGE_MARKS && op->group_role & (A3XX_GROUP_FLOW | A3XX_GROUP_MARK);
}

static inline void a3xx_join_path(struct a3xx_thread *thread, uint64_t time)
{
    thread->path[0] = (uint32_t)time;
    thread->path[1] = thread->pc;
}

/* --- strict timing of threads side by side ------------------------------------------------------------------------ */

/*
 * While threads go through the same instructions in the same slots, the same is on its way for all of them, and only
 * values differ. What a way of an issue's members has on its way is kept in the flight of the first of them, and the
 * others get it when the way ends.
 */

/* A way begins: do the members have the same on their way? */
bool a3xx_timed_meet(struct a3xx_run *run, const struct a3xx_issue *issue);
/* It ends. */
void a3xx_timed_part(struct a3xx_run *run, const struct a3xx_issue *issue);

/* Is the instruction one whose results change no sources of instructions that would have to be run again? */
bool a3xx_timed_can(const struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op);
/* Waits for what the instruction's sync bits name; `width`: of the group, in lanes. */
void a3xx_timed_sync(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width);
/* The row that a register operand's reader sees at a step. */
const uint32_t *a3xx_timed_source(const struct a3xx_run *run, const struct a3xx_issue *issue,
                                  const struct a3xx_operand *operand, unsigned number_behind);
/* Where the values of a step lie that is issued now; without a place for the result where that is dropped. */
struct a3xx_lane_rows a3xx_timed_rows(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                                      unsigned step);
/* Slots pass. */
void a3xx_timed_pass(struct a3xx_run *run, const struct a3xx_issue *issue, uint32_t slots);

/*
 * Loads, stores and looks into textures, whose operands are vectors of registers that are there, under either timing.
 * What they read can be seen before it is sure that all threads can do it; a3xx_vector_begin() is the way of no return,
 * after which results are put, and a3xx_vector_end() the end.
 */
const uint32_t *a3xx_vector_source(const struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                                   unsigned source, unsigned component);
void a3xx_vector_begin(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width);
/* Where a component of the result goes; null: it is dropped. */
uint32_t *a3xx_vector_result(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                             unsigned component);
void a3xx_vector_end(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op);

/* One thread's way over one instruction, for those that run it alone and for groups. */

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
