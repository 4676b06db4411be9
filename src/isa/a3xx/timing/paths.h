/* SPDX-License-Identifier: MIT */
/*
 * All paths through a shader: the scoreboard before each basic block, where paths join the worse of both, until nothing
 * changes any more. A `ret` is taken to return after every call.
 */
#ifndef ISA_A3XX_TIMING_PATHS_H
#define ISA_A3XX_TIMING_PATHS_H

#include "base/arena.h"
#include "isa/a3xx/timing/scoreboard.h"
#include "isa/lint.h"

struct a3xx_paths {
    const struct gpucode_insn *insn; /* the caller's */
    uint32_t count;
    bool *leader;                          /* a basic block begins at this instruction */
    bool *entered;                         /* by the caller */
    bool *reached;                         /* valid after settling */
    struct a3xx_saved_scoreboard **before; /* of leaders that are reached; malloc'ed each */
    /* Goes over instruction `at`; the last time for each is with its final state. */
    void (*visit)(void *user, uint32_t at, struct a3xx_scoreboard *state);
    void *user;
    /* its own */
    struct arena arena;
    struct a3xx_scoreboard *returned; /* after any ret */
    bool *queued;
    uint32_t *calls; /* all of them */
    uint32_t call_count;
    uint32_t next;
};

/* The instructions of `bytes`, `count` of them, into `insn`. */
void a3xx_decode_all(const struct gpucode_target *target, const unsigned char *bytes, uint32_t count,
                     struct gpucode_insn *insn);
/* Does it go to a place that it names? */
static inline bool a3xx_is_branch(const struct gpucode_insn *insn)
{
    enum gpucode_flow_kind flow = a3xx_flow(insn->row);
    return flow == GPUCODE_FLOW_BRANCH || flow == GPUCODE_FLOW_JUMP || flow == GPUCODE_FLOW_CALL;
}
static inline bool a3xx_is_call(const struct gpucode_insn *insn)
{
    return a3xx_flow(insn->row) == GPUCODE_FLOW_CALL;
}
/* Can the next instruction run right after it? */
static inline bool a3xx_goes_on(const struct gpucode_insn *insn)
{
    enum gpucode_flow_kind flow = a3xx_flow(insn->row);
    return flow == GPUCODE_FLOW_NEXT || flow == GPUCODE_FLOW_BRANCH;
}
/* Where the branch at `at` goes; count: outside the code. */
uint32_t a3xx_target(const struct gpucode_insn *insn, uint32_t count, uint32_t at);

/* address.c: which values instruction `at`, a move to a0.x, may give to it. */
struct a3xx_reached a3xx_address_given(const struct a3xx_paths *paths, uint32_t at);

/* False: no memory. a3xx_paths_close() is due in any case. */
bool a3xx_paths_open(struct a3xx_paths *paths, const struct gpucode_insn *insn, uint32_t count);
void a3xx_paths_close(struct a3xx_paths *paths);
/* Code is entered at `at` with nothing pending. False: no memory. */
bool a3xx_paths_entry(struct a3xx_paths *paths, uint32_t at);
/* Follows all that was entered until nothing changes. False: no memory. */
bool a3xx_paths_settle(struct a3xx_paths *paths);
/* Once more over each basic block with its final state, in the order of the program; changes nothing. */
void a3xx_paths_again(struct a3xx_paths *paths);

/* --- the checker: one run, for its two halves --------------------------------------------------------------------- */

#define A3XX_NOTES "A3XX notes, "

/* The worst finding of a kind at one instruction. */
struct a3xx_worst {
    bool seen;
    struct a3xx_finding finding;
    struct a3xx_access access;
};

struct a3xx_check {
    struct lint_context *context;
    struct a3xx_paths *paths;
    bool report;          /* states are final */
    bool declares_inputs; /* so that registers read before they are written are known to be wrong */
    struct a3xx_set inputs;
    struct a3xx_worst worst[A3XX_HAZARDS]; /* of the instruction that is gone over */
};

/* Which operand of the text it is, from 1; results stand first where there are any. */
unsigned a3xx_operand_of(const struct gpucode_insn *insn, const struct a3xx_access *access);

/* What needs no path: words, flags without effect, targets, the end. */
void a3xx_check_words(struct a3xx_check *check);

#endif
