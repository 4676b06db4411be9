/* SPDX-License-Identifier: MIT */
/*
 * Tables of jumps: a register jump goes to 2 * n + table, and the instructions in front of it tell the table and how
 * large n gets. Looked for backwards, where control can only have come straight down.
 */
#include "isa/afuc/analysis/facts.h"

#define SLICE_WORDS 24

struct slice {
    const struct afuc_facts *facts;
    const struct analysis_word *words;
    uint32_t at, limit; /* looked at: down to `limit` */
};

/* One word back; null: control may come from elsewhere. */
static const struct afuc_op *back(struct slice *slice)
{
    if (slice->at <= slice->limit)
        return NULL;
    uint32_t at = slice->at - 1;
    const struct analysis_word *word = &slice->words[at];
    if (word->kind != ANALYSIS_PLAIN && word->kind != ANALYSIS_BRANCH)
        return NULL;
    if (at && analysis_is_transfer(&slice->words[at - 1]) && slice->words[at - 1].kind != ANALYSIS_BRANCH)
        return NULL; /* the delay slot of something that does not fall through */
    slice->at = at;
    return &slice->facts->ops[at];
}

/* The last instruction that writes a register, an ordinary one that does nothing else with it; or null. */
static const struct afuc_op *writer(struct slice *slice, unsigned reg)
{
    const struct afuc_op *op;
    while ((op = back(slice)))
        if (afuc_writes(slice->facts, slice->at) >> reg & 1)
            return slice->facts->rows[op->row].acts && !op->flags && op->d == reg ? op : NULL;
    return NULL;
}

static bool doubles(const struct afuc_op *op)
{
    return ((op->row == AFUC_SHL_IMM16 || op->row == AFUC_SHL_IMM12) && op->imm == 1) ||
           (op->row == AFUC_ADD && op->a == op->b);
}

/* mov $x, $s after cmp $c, $s, m; brne $c, b2, elsewhere: s < m. */
static uint32_t compared(struct slice *slice, unsigned reg)
{
    const struct afuc_op *op, *branch = NULL;
    while ((op = back(slice))) {
        uint64_t writes = afuc_writes(slice->facts, slice->at);
        if (op->row == AFUC_BRNE_BIT && op->shift == 2 && !branch && slice->words[slice->at].kind == ANALYSIS_BRANCH)
            branch = op;
        else if (branch && writes >> branch->a & 1)
            return (op->row == AFUC_CMP_IMM || op->row == AFUC_CMP_IMM_A5XX) && op->a == reg && !op->flags ? op->imm
                                                                                                           : 0;
        if (writes >> reg & 1)
            return 0;
    }
    return 0;
}

/* How many values the register may have; 0: nobody knows. */
static uint32_t bound(struct slice *slice, unsigned reg)
{
    const struct afuc_op *op = writer(slice, reg);
    if (!op)
        return 0;
    switch (op->row) {
    case AFUC_AND_IMM:
        return op->imm & (op->imm + 1) ? 0 : op->imm + 1;
    case AFUC_MIN_IMM:
    case AFUC_MIN_IMM_A5XX:
        return op->imm + 1;
    case AFUC_UBFX: /* bits `shift` to `imm` */
        return op->imm < op->shift ? 1 : op->imm - op->shift < 31 ? UINT32_C(2) << (op->imm - op->shift) : 0;
    case AFUC_MOV:
        return op->b < REG_FIRST_SPECIAL ? compared(slice, op->b) : 0;
    default:
        return 0;
    }
}

bool afuc_find_table(const void *facts, const struct analysis_word *words, struct analysis_table *table)
{
    const struct afuc_facts *f = facts;
    const struct afuc_op *jump = &f->ops[table->at];
    struct slice slice = {f, words, table->at, table->at > SLICE_WORDS ? table->at - SLICE_WORDS : 0};
    unsigned reg = jump->row == AFUC_JUMP_REG ? jump->b : jump->a;
    if (reg >= REG_FIRST_SPECIAL)
        return false;
    const struct afuc_op *adds = writer(&slice, reg);
    if (!adds || adds->row != AFUC_ADD_IMM || adds->a >= REG_FIRST_SPECIAL)
        return false;
    table->adds = slice.at;
    table->base = adds->imm;
    const struct afuc_op *scales = writer(&slice, adds->a);
    if (!scales || !doubles(scales) || scales->a >= REG_FIRST_SPECIAL)
        return false;
    table->count = bound(&slice, scales->a);
    return table->count;
}

/* How far in front of the instruction that uses a number the one stands that has it. */
uint32_t afuc_immediate(const void *facts, uint32_t unit, uint32_t place)
{
    const struct afuc_facts *f = facts;
    unsigned reg = f->ops[unit].a;
    for (uint32_t at = unit; at-- > 0 && unit - at <= SLICE_WORDS;) {
        const struct afuc_op *op = &f->ops[at];
        if (!(afuc_writes(f, at) >> reg & 1))
            continue;
        bool moves = afuc_is_move(op->row) && !op->shift && op->imm == place;
        return moves && afuc_is_insn(op) ? at : GPUCODE_NONE;
    }
    return GPUCODE_NONE;
}
