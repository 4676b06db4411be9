/* SPDX-License-Identifier: MIT */
/* Rules about delay slots. */
#include "afuc_messages.h"
#include "isa/afuc/lint/lint.h"

#include <stdlib.h>

#define BACK_WORDS 8 /* from a branch back to the cmp that it asks about */

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

/* Units that control comes to from elsewhere than the one in front of them; null: out of memory. */
static bool *find_jumped(const struct analysis_code *code)
{
    bool *jumped = calloc((size_t)code->units + 1, sizeof *jumped);
    for (uint32_t i = 0; jumped && i < code->block_count; i++)
        for (uint32_t k = 0; k < code->blocks[i].edge_count; k++) {
            const struct gpucode_edge *edge = &code->blocks[i].edges[k];
            if (edge->known && edge->kind != GPUCODE_EDGE_NEXT && edge->to < code->units)
                jumped[edge->to] = true;
        }
    for (uint32_t i = 0; jumped && i < code->function_count; i++)
        jumped[code->functions[i].start] = true;
    return jumped;
}

/* The cmp whose result a register holds at a unit, if control can only have come straight down from it; or null. */
static const struct afuc_op *compared(const struct rules *rules, const bool *jumped, uint32_t unit, unsigned reg)
{
    const struct analysis_word *words = rules->code->words;
    for (uint32_t at = unit; at-- > 0 && unit - at <= BACK_WORDS;) {
        const struct afuc_op *op = &rules->facts->ops[at];
        bool falls = words[at].kind == ANALYSIS_PLAIN || words[at].kind == ANALYSIS_BRANCH;
        if (jumped[at + 1] || !falls || (at && words[at - 1].slot && words[at - 1].kind != ANALYSIS_BRANCH))
            return NULL;
        if (!(afuc_writes(rules->facts, at) >> reg & 1))
            continue;
        bool compares =
            op->row == AFUC_CMP || op->row == AFUC_CMP_A5XX || op->row == AFUC_CMP_IMM || op->row == AFUC_CMP_IMM_A5XX;
        return compares && !op->flags && op->d == reg ? op : NULL;
    }
    return NULL;
}

/* A cmp has three results: can both branches go with one of them? */
static bool both_can_after(const struct rules *rules, const struct afuc_op *cmp, const struct afuc_op *a,
                           const struct afuc_op *b)
{
    static const uint32_t operands[][2] = {{0, 0}, {0, 1}, {1, 0}};
    struct afuc_facts *facts = rules->facts;
    for (unsigned i = 0; i < sizeof operands / sizeof *operands; i++) {
        uint32_t result = afuc_evaluate(facts->machine, facts->processor, cmp, operands[i][0], operands[i][1], 0);
        facts->processor->gpr[a->a] = result;
        if (afuc_branches(facts->machine, facts->processor, a) && afuc_branches(facts->machine, facts->processor, b))
            return true;
    }
    return false;
}

/* Can the branch in the slot of a branch go where that one goes? */
static bool both_go(const struct rules *rules, const bool *jumped, uint32_t unit)
{
    const struct analysis_word *word = &rules->code->words[unit], *slot = word + 1;
    const struct afuc_op *op = &rules->facts->ops[unit], *other = op + 1;
    if (word->kind != ANALYSIS_BRANCH || slot->kind != ANALYSIS_BRANCH || op->a != other->a)
        return true;
    if (!both_can(op, other))
        return false;
    const struct afuc_op *cmp = op->a < REG_FIRST_SPECIAL ? compared(rules, jumped, unit, op->a) : NULL;
    return !cmp || both_can_after(rules, cmp, op, other);
}

static void check_slot(struct rules *rules, const bool *jumped, uint32_t unit)
{
    const struct analysis_word *word = &rules->code->words[unit], *slot = word + 1;
    const struct afuc_op *other = &rules->facts->ops[unit + 1];
    switch (slot->kind) {
    case ANALYSIS_BRANCH:
    case ANALYSIS_JUMP:
    case ANALYSIS_INDIRECT:
        if (both_go(rules, jumped, unit))
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
    bool *jumped = find_jumped(code);
    for (uint32_t i = 0; jumped && i + 1 < code->units; i++)
        if (code->marks[i] & ANALYSIS_RUNS && code->words[i].slot)
            check_slot(rules, jumped, i);
    free(jumped);
    return jumped;
}
