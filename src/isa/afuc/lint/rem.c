/* SPDX-License-Identifier: MIT */
/* Words of a packet that are taken where none can be left: $rem is 0 on all paths of the handler. */
#include "afuc_messages.h"
#include "isa/afuc/lint/lint.h"

enum left { LEFT_NOT_SEEN, LEFT_NONE, LEFT_SOME };

struct taking {
    struct rules *rules;
    uint8_t *before; /* of each block: enum left */
    bool *queued;
    uint32_t *todo, count;
};

static enum left behind(const struct rules *rules, uint32_t unit, enum left left)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    if (!(rules_writes(rules, op) >> REG_REM & 1))
        return left;
    bool clears = afuc_is_move(op->row) ? op->imm == 0 : op->row == AFUC_MOV && op->b == 0;
    return op->flags & OP_REP || clears ? LEFT_NONE : LEFT_SOME;
}

static void arrive(struct taking *taking, uint32_t unit, enum left left)
{
    const struct analysis_code *code = taking->rules->code;
    if (unit >= code->units || code->block_of[unit] == GPUCODE_NONE)
        return;
    uint32_t block = code->block_of[unit];
    if (taking->before[block] >= left)
        return;
    taking->before[block] = (uint8_t)left;
    if (!taking->queued[block])
        taking->todo[taking->count++] = block;
    taking->queued[block] = true;
}

/* Steps through a block and goes on; or, with `telling`, tells what it takes. */
static void look_at(struct taking *taking, uint32_t number, bool telling)
{
    struct rules *rules = taking->rules;
    const struct analysis_code *code = rules->code;
    const struct gpucode_block *block = &code->blocks[number];
    enum left left = taking->before[number], taken, next;
    const struct afuc_op *branch = NULL;
    bool in_slot = false;
    taken = next = left;
    for (uint32_t unit = block->start; unit < block->end; unit++) {
        const struct analysis_word *word = &code->words[unit];
        const struct afuc_op *op = &rules->facts->ops[unit];
        if (in_slot && analysis_is_transfer(word))
            break;
        bool header = in_slot && code->words[unit - 1].kind == ANALYSIS_DISPATCH;
        if (telling && left == LEFT_NONE && !header && rules_takes_data(rules, op) && !(op->flags & OP_REP))
            FIND(rules, unit, MSG_LINT_AFUC_REM);
        left = behind(rules, unit, left);
        if (in_slot && code->words[unit - 1].kind == ANALYSIS_CALL)
            left = LEFT_SOME; /* who knows what is called does, after the slot */
        taken = next = left;
        if (branch && rules_writes(rules, op) >> REG_REM & 1)
            branch = NULL; /* the slot has the last word */
        if (word->kind == ANALYSIS_BRANCH && op->a == REG_REM && op->shift == 0 &&
            (op->row == AFUC_BRNE_IMM || op->row == AFUC_BREQ_IMM))
            branch = op;
        in_slot = word->slot;
    }
    if (telling)
        return;
    if (branch) {
        taken = branch->row == AFUC_BREQ_IMM ? LEFT_NONE : LEFT_SOME;
        next = branch->row == AFUC_BREQ_IMM ? LEFT_SOME : LEFT_NONE;
    }
    for (uint32_t i = 0; i < block->edge_count; i++)
        if (block->edges[i].known)
            arrive(taking, block->edges[i].to, block->edges[i].kind == GPUCODE_EDGE_TAKEN ? taken : next);
}

bool rules_rem(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    size_t blocks = (size_t)code->block_count + 1;
    struct taking taking = {.rules = rules,
                            .before = lint_memory(rules->context, blocks, sizeof *taking.before),
                            .queued = lint_memory(rules->context, blocks, sizeof *taking.queued),
                            .todo = lint_memory(rules->context, blocks, sizeof *taking.todo)};
    if (!taking.before || !taking.queued || !taking.todo)
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        if (rules_is_handler(&code->functions[i]))
            arrive(&taking, code->functions[i].start, LEFT_SOME);
    while (taking.count) {
        uint32_t block = taking.todo[--taking.count];
        taking.queued[block] = false;
        look_at(&taking, block, false);
    }
    for (uint32_t i = 0; i < code->block_count; i++)
        if (taking.before[i])
            look_at(&taking, i, true);
    return true;
}
