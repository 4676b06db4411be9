/* SPDX-License-Identifier: MIT */
/*
 * Blocks: stretches of instructions that the run loop pays for at once, and then runs without looking up in between.
 *
 * A block begins wherever control comes to, and ends with the first instruction that is more than a calculation on
 * plain registers or a quick access (quick.h); what has a delay slot takes it along. Nothing in it but its end can
 * stop, wait, be seen by hooks or ask for the time: an access that is not quick after all leaves the block, and what
 * was paid for those after it is given back. Blocks are not copies: each instruction in the array of the section has
 * `run`, how many there are from it to the end of its block, and `block`, the place in the run loop that runs it and
 * goes on to the next one. So every instruction begins a block of its own, the rest of those that it stands in, and a
 * jump into the middle of one needs nothing. They are made when control comes to an instruction that has none.
 */
#include "isa/afuc/machine/block.h"

/* Instructions before the end that are made into a block at most. */
#define LONGEST 48

static bool is_straight(const struct afuc_op *op)
{
    return op->action >= ACTION_ROW && op->action < ACTION_SLOW && afuc_rows.rows[op->action - ACTION_ROW].facts.acts;
}

static bool is_access(const struct afuc_op *op)
{
    return op->flags & OP_QUICK && op->action < ACTION_SLOW && !afuc_is_far(op->row);
}

/* May it stand before others in a block? */
static bool goes_on(const struct afuc_op *op)
{
    return is_straight(op) || is_access(op);
}

/* How a row uses the carry, as enum gpucode_use. */
static unsigned carry_use(const struct afuc_op *op)
{
    const struct isa_row *row = &afuc_rows.rows[op->row];
    unsigned use = 0;
    for (unsigned i = 0; i < row->effect_count; i++)
        if (row->effects[i].verb == ISA_EFFECT_REGISTER && row->effects[i].space == AFUC_SPACE_STATE)
            use |= row->effects[i].use;
    return use;
}

/* Does the carry that stands before the instruction matter to nobody if that after it does not (`dead`), or does? */
static bool carry_dies(const struct afuc_op *op, bool dead)
{
    unsigned use = carry_use(op);
    return !(use & GPUCODE_USE_READ) && (dead || use & GPUCODE_USE_WRITE);
}

/* Which source of a calculation is the result of the one before it? */
static unsigned kept_source(const struct afuc_op *before, const struct afuc_op *op)
{
    return op->a == before->d ? MANNER_FIRST : op->b == before->d ? MANNER_SECOND : MANNER_PLAIN;
}

/* Makes the end of a block. Returns how many instructions it is, 0: those before it must do without. */
static unsigned make_end(const struct afuc_machine *m, const struct afuc_processor *p, struct afuc_op *op, bool *dead)
{
    *dead = false;
    if (op->action >= ACTION_WATCH) {
        op->block = BLOCK_ALONE;
        op->run = op->reach = 0;
        return 0;
    }
    op->block = (uint16_t)(BLOCK_LAST + op->action);
    op->run = op->reach = 1;
    bool far = op->flags & OP_QUICK && afuc_is_far(op->row);
    if (!(far || op->flags & OP_BRANCH) || op->imm >= p->words)
        return 1;
    afuc_decode_now(m, p, op + 1);
    if (op[1].action >= ACTION_WATCH)
        return 1;
    op->block = (uint16_t)BLOCK_PLACE(op->row, MANNER_PLAIN);
    op->run = 2;
    op->reach = far ? 1 : 2;
    *dead = !far && is_straight(op + 1) && carry_dies(op + 1, false);
    return 2;
}

void afuc_make_block(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *from)
{
    struct afuc_op *first = (struct afuc_op *)from; /* the arena's; constant for the run loop only */
    struct afuc_op *end = first;
    afuc_decode_now(m, p, end);
    while (goes_on(end) && end - first < LONGEST)
        afuc_decode_now(m, p, ++end);
    bool dead = false;
    unsigned run = goes_on(end) ? 0 : make_end(m, p, end, &dead);
    unsigned reach = run ? end->reach : 0;
    if (run == 2) {
        unsigned back = end->imm <= (uint32_t)(end - p->code) ? MANNER_QUIET : MANNER_PLAIN;
        bool kept = end > first && end->a == end[-1].d;
        end->block = (uint16_t)BLOCK_PLACE(end->row, back + (kept ? MANNER_FIRST : MANNER_PLAIN));
    }
    for (struct afuc_op *op = end; op-- > first;) {
        unsigned manner = op == first ? MANNER_PLAIN : kept_source(op - 1, op);
        bool access = is_access(op);
        if (dead && carry_use(op) == GPUCODE_USE_WRITE)
            manner += MANNER_QUIET;
        op->block = (uint16_t)(run ? BLOCK_PLACE(op->row, manner) : (unsigned)BLOCK_LAST + op->action);
        op->run = (uint8_t)++run;
        op->reach = (uint8_t)(access ? 1 : ++reach);
        reach = op->reach;
        dead = !access && carry_dies(op, dead); /* who leaves the block shows the carry */
    }
}

void afuc_forget_blocks(const struct afuc_processor *p, uint32_t pc)
{
    struct afuc_op *code = (struct afuc_op *)p->code;
    for (uint32_t back = 0; back <= LONGEST + 2 && back <= pc; back++) {
        struct afuc_op *op = &code[pc - back];
        if (op->run >= back) { /* it goes up to there, or ends before it because of it */
            op->block = BLOCK_NONE;
            op->run = op->reach = 0;
        }
    }
}
