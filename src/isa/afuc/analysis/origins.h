/* SPDX-License-Identifier: MIT */
/* Where the value of a register comes from: the immediates of instructions, back along all paths. */
#ifndef ISA_AFUC_ANALYSIS_ORIGINS_H
#define ISA_AFUC_ANALYSIS_ORIGINS_H

#include "isa/afuc/analysis/facts.h"

struct afuc_origin {
    uint32_t at;     /* the instruction with the number */
    uint32_t low;    /* the one with its lower 16 bits, `at` having those above; GPUCODE_NONE: `at` has all of it */
    uint64_t number; /* as it stands there, */
    uint64_t value;  /* and what it brings: shifted as it is there and on the way */
    bool added;      /* to something else */
};

struct afuc_origins {
    const struct afuc_facts *facts;
    const struct analysis_code *code;
    uint32_t *before, *before_of;   /* of block b: what comes in front of it, before[before_of[b]] .., calls last */
    uint32_t *returns, *returns_of; /* of function f: its blocks that return, in the same way */
    bool *unknown;                  /* of each function: it has jumps that lead nobody knows where */
    uint64_t left; /* words that may still be looked at, so that all takes time in proportion to the code */
};

/* False: out of memory; call afuc_origins_end() whatever it is. */
bool afuc_origins_begin(struct afuc_origins *origins, const struct afuc_facts *facts, const struct analysis_code *code);
void afuc_origins_end(struct afuc_origins *origins);
/*
 * Calls `found` for each origin of register `reg` in front of a unit of a piece. False: there are others, which are no
 * immediates: from memory, packets, other arithmetic, or too far away.
 */
bool afuc_origins_each(struct afuc_origins *origins, uint32_t piece, uint32_t unit, unsigned reg,
                       void (*found)(void *user, const struct afuc_origin *origin), void *user);

#endif
