/* SPDX-License-Identifier: MIT */
/* One issue of a group: the threads that run an instruction together, and where the others wait. */
#ifndef ISA_IR3_A3XX_MACHINE_GROUP_H
#define ISA_IR3_A3XX_MACHINE_GROUP_H

#include "isa/ir3/a3xx/machine/lanes.h"
#include "isa/ir3/a3xx/machine/thread.h"

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

#endif
