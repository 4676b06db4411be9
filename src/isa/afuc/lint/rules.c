/* SPDX-License-Identifier: MIT */
/* What the rules share. */
#include "isa/afuc/lint/lint.h"

#include <limits.h>
#include <string.h>

void rules_each(struct rules *rules,
                void (*look)(struct rules *rules, uint32_t unit, uint32_t slot_of, const isa_value *state))
{
    struct analysis_code *code = rules->code;
    isa_value state[STATE_COUNT], written;
    for (uint32_t i = 0; i < code->piece_count; i++) {
        memcpy(state, analysis_state(rules->analysis, code, i), sizeof state);
        uint32_t slot_of = GPUCODE_NONE;
        for (uint32_t unit = code->pieces[i].start; unit < code->pieces[i].end; unit++) {
            if (slot_of != GPUCODE_NONE && analysis_is_transfer(&code->words[unit]))
                break; /* it has no effect there */
            look(rules, unit, slot_of, state);
            afuc_step(rules->facts, &code->pool, unit, UINT_MAX, state, &written);
            slot_of = code->words[unit].slot ? unit : GPUCODE_NONE;
        }
    }
}

bool rules_takes_data(const struct rules *rules, const struct afuc_op *op)
{
    const struct row_facts *row = &rules->facts->rows[op->row];
    return afuc_is_insn(op) && ((row->has_s && op->a == REG_DATA) || ((row->has_t || row->has_o) && op->b == REG_DATA));
}

uint32_t rules_reads(const struct rules *rules, const struct afuc_op *op)
{
    const struct row_facts *row = &rules->facts->rows[op->row];
    if (!afuc_is_insn(op))
        return 0;
    uint32_t reads = row->reads;
    if (row->has_s)
        reads |= UINT32_C(1) << op->a;
    if (row->has_t || row->has_o)
        reads |= UINT32_C(1) << op->b;
    if (row->reads_d && op->d < 32)
        reads |= UINT32_C(1) << op->d;
    return reads & ~UINT32_C(1);
}

uint32_t rules_writes(const struct rules *rules, const struct afuc_op *op)
{
    const struct row_facts *row = &rules->facts->rows[op->row];
    if (!afuc_is_insn(op))
        return 0;
    uint32_t writes = row->has_d && op->d < 32 ? UINT32_C(1) << op->d : 0;
    if (op->flags & OP_PREINCREMENT && row->has_o)
        writes |= UINT32_C(1) << op->b;
    if (op->flags & OP_REP)
        writes |= UINT32_C(1) << REG_REM;
    if (op->row == AFUC_BL)
        writes |= UINT32_C(1) << REG_LR;
    return writes & ~UINT32_C(1);
}

bool rules_is_handler(const struct gpucode_function *function)
{
    return function->kind == GPUCODE_FUNCTION_HANDLER;
}

bool rules_todo_begin(struct rules_todo *todo, struct rules *rules, uint32_t room)
{
    todo->count = 0;
    todo->list = lint_memory(rules->context, (size_t)room + 1, sizeof *todo->list);
    todo->seen = lint_memory(rules->context, (size_t)room + 1, sizeof *todo->seen);
    return todo->list && todo->seen;
}
