/* SPDX-License-Identifier: MIT */
/* One issue of a group: the threads that run an instruction together, and where the others wait. */
#ifndef ISA_A3XX_MACHINE_GROUP_H
#define ISA_A3XX_MACHINE_GROUP_H

#include "isa/a3xx/machine/thread.h"

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

/* The instruction at a pc, which may lie behind the code: nothing. */
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

#endif
