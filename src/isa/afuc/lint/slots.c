/* SPDX-License-Identifier: MIT */
/* Rules about delay slots. */
#include "isa/afuc/lint/lint.h"

/* Which values of a register let a branch go. */
struct condition {
    bool bit, set; /* bit `number` is set, or clear; else the value is `number`, or is not */
    uint32_t number;
};

static struct condition condition_of(const struct afuc_op *op)
{
    return (struct condition){op->row == AFUC_BRNE_BIT || op->row == AFUC_BREQ_BIT,
                              op->row == AFUC_BREQ_BIT || op->row == AFUC_BREQ_IMM, op->shift};
}

/* Is there a value that lets both go? */
static bool both_can(const struct afuc_op *a, const struct afuc_op *b)
{
    struct condition first = condition_of(a), second = condition_of(b);
    if (first.bit && second.bit)
        return first.number != second.number || first.set == second.set;
    if (first.bit || second.bit) {
        struct condition bit = first.bit ? first : second, value = first.bit ? second : first;
        return !value.set || ((value.number >> bit.number & 1) != 0) == bit.set;
    }
    if (first.set && second.set)
        return first.number == second.number;
    return first.set == second.set || first.number != second.number;
}

static void check_slot(struct rules *rules, uint32_t unit)
{
    const struct analysis_word *word = &rules->code->words[unit], *slot = word + 1;
    const struct afuc_op *op = &rules->facts->ops[unit], *other = op + 1;
    switch (slot->kind) {
    case ANALYSIS_BRANCH:
    case ANALYSIS_JUMP:
    case ANALYSIS_INDIRECT:
        if (word->kind != ANALYSIS_BRANCH || slot->kind != ANALYSIS_BRANCH || op->a != other->a || both_can(op, other))
            FIND(rules, unit + 1, MSG_LINT_AFUC_DELAY_BRANCH);
        break;
    case ANALYSIS_CALL:
    case ANALYSIS_RETURN:
    case ANALYSIS_DISPATCH:
    case ANALYSIS_SKIP:
        FIND(rules, unit + 1, MSG_LINT_AFUC_DELAY_WAITIN);
        break;
    default:
        break;
    }
    if (word->kind == ANALYSIS_DISPATCH && (!afuc_is_insn(other) || other->row != AFUC_MOV || other->d != REG_HEADER ||
                                            other->b != REG_DATA || other->flags & (OP_REP | OP_PEEK)))
        FIND(rules, unit + 1, MSG_LINT_AFUC_WAITIN_SLOT);
}

bool rules_slots(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    for (uint32_t i = 0; i + 1 < code->units; i++)
        if (code->marks[i] & ANALYSIS_RUNS && code->words[i].slot)
            check_slot(rules, i);
    return true;
}
