/* SPDX-License-Identifier: MIT */
/* Results that nobody reads: arithmetic into a scratch register, overwritten or lost at waitin. Looked for backwards.
 */
#include "afuc_messages.h"
#include "isa/afuc/lint/lint.h"

#define SCRATCH UINT32_C(0x0003fffc)

enum { MAYBE_DEAD = 1, ALIVE = 2 };

struct living {
    struct rules *rules;
    uint32_t *before;       /* of each block: registers that something reads later */
    uint32_t *from, *froms; /* blocks that lead to block b: from[froms[b]] .. */
    bool *queued;
    uint32_t *todo, count;
    uint8_t *marks; /* of each unit */
};

static bool is_store(const struct rules *rules, const struct afuc_op *op)
{
    const struct row_facts *row = &rules->facts->rows[op->row];
    return afuc_is_insn(op) && row->acts && row->has_d && op->d < 32 && SCRATCH >> op->d & 1 && !(op->flags & OP_REP) &&
           !afuc_extra(rules->facts, op) && !(row->has_s && op->a >= REG_FIRST_SPECIAL) &&
           !(row->has_t && op->b >= REG_FIRST_SPECIAL);
}

static uint32_t behind_block(const struct living *living, const struct gpucode_block *block)
{
    const struct analysis_code *code = living->rules->code;
    uint32_t alive = block->edge_count ? 0 : SCRATCH;
    for (uint32_t i = 0; i < block->edge_count; i++) {
        const struct gpucode_edge *edge = &block->edges[i];
        if (edge->known)
            alive |= edge->to < code->units ? living->before[code->block_of[edge->to]] : SCRATCH;
        else if (edge->kind != GPUCODE_EDGE_DISPATCH)
            alive |= SCRATCH;
    }
    return alive;
}

/* Goes through a block backwards; with `marking`, notes which stores are dead. */
static uint32_t look_at(struct living *living, const struct gpucode_block *block, bool marking)
{
    const struct rules *rules = living->rules;
    const struct analysis_code *code = rules->code;
    uint32_t alive = behind_block(living, block);
    for (uint32_t unit = block->end; unit-- > block->start;) {
        const struct afuc_op *op = &rules->facts->ops[unit];
        bool in_slot = unit > block->start && code->words[unit - 1].slot;
        if (in_slot && code->words[unit - 1].kind == ANALYSIS_CALL)
            alive = SCRATCH; /* what is called may read everything */
        if (in_slot && analysis_is_transfer(&code->words[unit]))
            continue; /* it has no effect there */
        if (marking && is_store(rules, op))
            living->marks[unit] |= alive >> op->d & 1 ? ALIVE : MAYBE_DEAD;
        if (!(op->flags & OP_REP))
            alive &= ~rules_writes(rules, op);
        alive |= rules_reads(rules, op) & SCRATCH;
    }
    return alive;
}

/* Blocks by the blocks that lead to them. */
static bool list_sources(struct living *living)
{
    const struct analysis_code *code = living->rules->code;
    struct lint_context *context = living->rules->context;
    size_t edges = 0;
    for (uint32_t i = 0; i < code->block_count; i++)
        edges += code->blocks[i].edge_count;
    living->froms = lint_memory(context, (size_t)code->block_count + 2, sizeof *living->froms);
    living->from = lint_memory(context, edges + 1, sizeof *living->from);
    uint32_t *filled = lint_memory(context, (size_t)code->block_count + 1, sizeof *filled);
    if (!living->froms || !living->from || !filled)
        return false;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < code->block_count; i++)
            for (uint32_t k = 0; k < code->blocks[i].edge_count; k++) {
                const struct gpucode_edge *edge = &code->blocks[i].edges[k];
                if (!edge->known || edge->to >= code->units)
                    continue;
                uint32_t to = code->block_of[edge->to];
                if (pass)
                    living->from[living->froms[to] + filled[to]++] = i;
                else
                    living->froms[to + 1]++;
            }
        for (uint32_t i = 0; !pass && i < code->block_count; i++)
            living->froms[i + 1] += living->froms[i];
    }
    return true;
}

static void follow(struct living *living)
{
    const struct analysis_code *code = living->rules->code;
    for (uint32_t i = 0; i < code->block_count; i++) {
        living->todo[living->count++] = i;
        living->queued[i] = true;
    }
    while (living->count) {
        uint32_t block = living->todo[--living->count];
        living->queued[block] = false;
        uint32_t alive = look_at(living, &code->blocks[block], false);
        if (alive == living->before[block])
            continue;
        living->before[block] = alive;
        for (uint32_t i = living->froms[block]; i < living->froms[block + 1]; i++)
            if (!living->queued[living->from[i]]) {
                living->queued[living->from[i]] = true;
                living->todo[living->count++] = living->from[i];
            }
    }
}

/* Only what handlers reach without calls is looked at: routines' results are their callers'. */
static bool mark(struct living *living)
{
    struct rules *rules = living->rules;
    const struct analysis_code *code = rules->code;
    struct rules_todo todo;
    if (!rules_todo_begin(&todo, rules, code->block_count))
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        if (rules_is_handler(&code->functions[i]))
            rules_todo_add(&todo, code->block_of[code->functions[i].start]);
    while (todo.count) {
        const struct gpucode_block *block = &code->blocks[todo.list[--todo.count]];
        look_at(living, block, true);
        for (uint32_t i = 0; i < block->edge_count; i++)
            if (block->edges[i].known && block->edges[i].to < code->units)
                rules_todo_add(&todo, code->block_of[block->edges[i].to]);
    }
    return true;
}

bool rules_stores(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    size_t blocks = (size_t)code->block_count + 1;
    struct living living = {.rules = rules,
                            .before = lint_memory(rules->context, blocks, sizeof *living.before),
                            .queued = lint_memory(rules->context, blocks, sizeof *living.queued),
                            .todo = lint_memory(rules->context, blocks, sizeof *living.todo),
                            .marks = lint_memory(rules->context, (size_t)code->units + 1, 1)};
    if (!living.before || !living.queued || !living.todo || !living.marks || !list_sources(&living))
        return false;
    follow(&living);
    if (!mark(&living))
        return false;
    for (uint32_t i = 0; i < code->units; i++)
        if (living.marks[i] == MAYBE_DEAD)
            FIND_OF(rules, i, MSG_LINT_AFUC_DEAD_STORE, (unsigned)rules->facts->ops[i].d);
    return true;
}
