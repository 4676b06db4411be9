/* SPDX-License-Identifier: MIT */
/* Where an instruction stands in its block: block.c makes them, the run loop has a label for each. */
#ifndef ISA_AFUC_MACHINE_BLOCK_H
#define ISA_AFUC_MACHINE_BLOCK_H

#include "isa/afuc/machine/exec.h"

/* Places of the run loop. Values of afuc_op.block are those up to BLOCK_LAST and its actions. */
enum afuc_block {
    BLOCK_NONE,                                /* not made yet */
    BLOCK_ALONE,                               /* in no block: a breakpoint or a watched place */
    BLOCK_ROW,                                 /* row 0 before others: a calculation, or a branch and its slot */
    BLOCK_QUIET = BLOCK_ROW + AFUC_ROW_COUNT,  /* row 0 before others, whose carry nobody looks at */
    BLOCK_LAST = BLOCK_QUIET + AFUC_ROW_COUNT, /* action 0 as the last one of a block */
    PLACE_ACTION = BLOCK_LAST + ACTION_COUNT,  /* action 0 outside blocks */
    PLACE_COUNT = PLACE_ACTION + ACTION_COUNT
};

/* Makes the block that begins with an instruction of the processor's section, and those of all others in it. */
void afuc_make_block(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *from);
/* Forgets all blocks that the instruction is in or that end before it: a breakpoint or a watch comes or goes. */
void afuc_forget_blocks(const struct afuc_processor *p, uint32_t pc);

#endif
