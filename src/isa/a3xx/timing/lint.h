/* SPDX-License-Identifier: MIT */
/* One run of the checker, for its two halves: what depends on paths, and what an instruction shows by itself. */
#ifndef ISA_A3XX_TIMING_LINT_H
#define ISA_A3XX_TIMING_LINT_H

#include "isa/a3xx/timing/paths.h"
#include "isa/lint.h"

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
