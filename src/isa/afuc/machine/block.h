/* SPDX-License-Identifier: MIT */
/* Where an instruction stands in its block: decode.c makes them, the run loop has a label for each. */
#ifndef ISA_AFUC_MACHINE_BLOCK_H
#define ISA_AFUC_MACHINE_BLOCK_H

#include "isa/afuc/machine/exec.h"

/* Where a calculation or a branch has its sources from, and whether anybody looks at the carry that it writes. */
enum afuc_manner {
    MANNER_PLAIN,
    MANNER_FIRST,  /* the first source is what the instruction before has written: it is still in a register */
    MANNER_SECOND, /* the second is */
    MANNER_QUIET,  /* nobody looks at the carry; of a branch: it leads back, as those of loops. Added to the others */
    MANNER_COUNT = 2 * MANNER_QUIET
};

/* Places of the run loop; afuc_op.block is one of those up to BLOCK_COUNT. */
enum afuc_block {
    BLOCK_NONE,  /* not made yet */
    BLOCK_ALONE, /* in no block: a breakpoint or a watched place */
    BLOCK_ROW,   /* row 0 in manner 0 before others: a calculation, or a branch and its slot; BLOCK_PLACE() has all */
    BLOCK_LAST = BLOCK_ROW + MANNER_COUNT * AFUC_ROW_COUNT, /* action 0 as the last one of a block */
    BLOCK_COUNT = BLOCK_LAST + ACTION_COUNT,
    PLACE_ENTRY = BLOCK_COUNT,                /* the same where a block is entered: nothing was written before */
    PLACE_ACTION = PLACE_ENTRY + BLOCK_COUNT, /* action 0 outside blocks */
    PLACE_COUNT = PLACE_ACTION + ACTION_COUNT
};
#define BLOCK_PLACE(row, manner) (BLOCK_ROW + (manner)*AFUC_ROW_COUNT + (row))

/* Does the row go somewhere that its word alone does not tell, or note where it came from? Behind a delay slot. */
static inline bool afuc_is_far(unsigned row)
{
    return row == AFUC_CALL || row == AFUC_RET || row == AFUC_BL || row == AFUC_SRET || row == AFUC_JUMP_REG ||
           row == AFUC_JUMPD || row == AFUC_JUMPD2;
}

/* Makes the block that begins with an instruction of the processor's section, and those of all others in it. */
void afuc_make_block(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *from);
/* Forgets all blocks that the instruction is in or that end before it: a breakpoint or a watch comes or goes. */
void afuc_forget_blocks(const struct afuc_processor *p, uint32_t pc);

#endif
