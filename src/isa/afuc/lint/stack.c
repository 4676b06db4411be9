/* SPDX-License-Identifier: MIT */
/* Rules about the hardware's stack of eight return addresses, about $lr, and about where handlers end. */
#include "afuc_messages.h"
#include "isa/afuc/lint/lint.h"

#include <string.h>

/* More calls of functions that lead back to their callers are not looked at one by one. */
#define RECURSIONS_MAX 256

/* --- how full the stack can get --- */

/* Can control come from a root to `to` without going through `around`? */
static bool leads_to(struct rules *rules, uint32_t to, uint32_t around)
{
    const struct analysis_code *code = rules->code;
    struct rules_todo todo;
    if (!rules_todo_begin(&todo, rules, code->function_count))
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        if (code->functions[i].kind != GPUCODE_FUNCTION_ROUTINE && i != around)
            rules_todo_add(&todo, i);
    while (todo.count) {
        const struct gpucode_function *function = &code->functions[todo.list[--todo.count]];
        for (uint32_t i = 0; i < function->call_count + function->tail_count; i++) {
            uint32_t next = i < function->call_count ? function->calls[i].function
                                                     : function->tails[i - function->call_count].function;
            if (next != GPUCODE_NONE && next != around)
                rules_todo_add(&todo, next);
        }
    }
    return todo.seen[to];
}

/* Is the function called on the path already, wherever that comes from? */
static bool recurs(struct rules *rules, uint32_t from, const struct gpucode_function_call *call, unsigned *count)
{
    const struct analysis_code *code = rules->code;
    if (call->linked || code->component[from] != code->component[call->function])
        return false;
    return call->function == from || ++*count > RECURSIONS_MAX || leads_to(rules, call->function, from);
}

/* heights[f]: bit n: f can be entered with n addresses on the stack. */
static bool check_heights(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    uint16_t *heights = lint_memory(rules->context, (size_t)code->function_count + 1, sizeof *heights);
    uint32_t *todo = lint_memory(rules->context, (STACK_DEPTH + 2) * ((size_t)code->function_count + 1), sizeof *todo);
    unsigned count = 0, looked = 0;
    if (!heights || !todo)
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        if (code->functions[i].kind != GPUCODE_FUNCTION_ROUTINE) {
            heights[i] = 1;
            todo[count++] = i;
        }
    while (count) { /* each function gets in once for each height at most */
        uint32_t from = todo[--count];
        const struct gpucode_function *function = &code->functions[from];
        for (uint32_t i = 0; i < function->call_count + function->tail_count; i++) {
            bool calls = i < function->call_count;
            uint32_t to = calls ? function->calls[i].function : function->tails[i - function->call_count].function;
            unsigned next = heights[from];
            if (calls && !function->calls[i].linked) {
                if (next >> STACK_DEPTH & 1)
                    FIND_OF(rules, function->calls[i].at, MSG_LINT_AFUC_STACK_OVERFLOW,
                            "can push a ninth return address on the stack of eight");
                next = next << 1 & ((2u << STACK_DEPTH) - 1);
            }
            if (to == GPUCODE_NONE)
                continue;
            if (calls && recurs(rules, from, &function->calls[i], &looked)) {
                FIND_OF(rules, function->calls[i].at, MSG_LINT_AFUC_STACK_OVERFLOW,
                        "calls a function that it is part of");
                continue;
            }
            if (next & ~(unsigned)heights[to]) {
                heights[to] |= (uint16_t)next;
                todo[count++] = to;
            }
        }
    }
    return true;
}

/* --- walks over blocks --- */

struct walk {
    struct rules *rules;
    struct rules_todo todo;
    bool tails; /* goes on into other functions */
};

static void walk_to(struct walk *walk, uint32_t unit)
{
    const struct analysis_code *code = walk->rules->code;
    if (unit < code->units && code->block_of[unit] != GPUCODE_NONE)
        rules_todo_add(&walk->todo, code->block_of[unit]);
}

static void walk_on(struct walk *walk, const struct gpucode_block *block)
{
    const struct analysis_code *code = walk->rules->code;
    for (uint32_t i = 0; i < block->edge_count; i++)
        if (block->edges[i].known && block->edges[i].to < code->units &&
            (walk->tails || !(code->marks[block->edges[i].to] & ANALYSIS_ENTRY)))
            walk_to(walk, block->edges[i].to);
}

/* ret where nothing was called: what handlers reach by jumps and bl alone. */
static bool check_underflow(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    struct walk walk = {.rules = rules, .tails = true};
    if (!rules_todo_begin(&walk.todo, rules, code->block_count))
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        if (code->functions[i].kind != GPUCODE_FUNCTION_ROUTINE)
            walk_to(&walk, code->functions[i].start);
    while (walk.todo.count) {
        uint32_t number = walk.todo.list[--walk.todo.count];
        const struct gpucode_block *block = &code->blocks[number];
        for (uint32_t unit = block->start; unit < block->end; unit += code->words[unit].slot ? 2 : 1) {
            if (code->words[unit].unstacks)
                FIND(rules, unit, MSG_LINT_AFUC_STACK_UNDERFLOW);
            if (code->words[unit].kind == ANALYSIS_CALL && code->words[unit].linked)
                walk_to(&walk, code->words[unit].target);
        }
        walk_on(&walk, block);
    }
    return true;
}

/* waitin in what was called: the return addresses stay on the stack, unless %SP is written. */
static bool check_leak(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    struct walk walk = {.rules = rules, .tails = true};
    if (!rules_todo_begin(&walk.todo, rules, code->block_count))
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        for (uint32_t k = 0; k < code->functions[i].call_count; k++) {
            const struct gpucode_function_call *call = &code->functions[i].calls[k];
            if (!call->linked && call->function != GPUCODE_NONE &&
                code->functions[call->function].kind == GPUCODE_FUNCTION_ROUTINE)
                walk_to(&walk, call->to);
        }
    while (walk.todo.count) {
        const struct gpucode_block *block = &code->blocks[walk.todo.list[--walk.todo.count]];
        bool dropped = false;
        for (uint32_t unit = block->start; unit < block->end && !dropped; unit++) {
            const struct afuc_op *op = &rules->facts->ops[unit];
            bool in_slot = unit > block->start && code->words[unit - 1].slot;
            dropped = op->real == ACTION_ROW + AFUC_SWRITE && op->b == 0 && op->imm == SQE_SP;
            if (code->words[unit].kind == ANALYSIS_DISPATCH && !in_slot)
                FIND(rules, unit, MSG_LINT_AFUC_STACK_LEAK);
        }
        if (!dropped)
            walk_on(&walk, block);
    }
    return true;
}

/* What a function entered by bl calls before anything has read $lr. */
static bool check_link(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    struct walk walk = {.rules = rules};
    if (!rules_todo_begin(&walk.todo, rules, code->block_count))
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        for (uint32_t k = 0; k < code->functions[i].call_count; k++) {
            const struct gpucode_function_call *call = &code->functions[i].calls[k];
            if (call->linked && call->function != GPUCODE_NONE &&
                code->functions[call->function].kind == GPUCODE_FUNCTION_ROUTINE)
                walk_to(&walk, call->to);
        }
    while (walk.todo.count) {
        const struct gpucode_block *block = &code->blocks[walk.todo.list[--walk.todo.count]];
        bool saved = false;
        for (uint32_t unit = block->start; unit < block->end && !saved; unit++) {
            const struct analysis_word *word = &code->words[unit];
            bool in_slot = unit > block->start && code->words[unit - 1].slot;
            if (in_slot && analysis_is_transfer(word))
                break;
            uint32_t to = word->kind == ANALYSIS_CALL && word->known && word->target < code->units
                              ? code->function_at[word->target]
                              : GPUCODE_NONE;
            if (to != GPUCODE_NONE && (word->linked || code->writes[to] >> REG_LR & 1))
                FIND(rules, unit, MSG_LINT_AFUC_LINK);
            saved = word->kind != ANALYSIS_RETURN && rules_reads(rules, &rules->facts->ops[unit]) >> REG_LR & 1;
        }
        if (!saved)
            walk_on(&walk, block);
    }
    return true;
}

/*
 * Does a path from the unit come to waitin, or to where the code does not tell how it goes on? Returns end it where
 * `calls` is false; else what is called is part of it.
 */
static bool comes_to_end(struct walk *walk, uint32_t from, bool calls)
{
    const struct analysis_code *code = walk->rules->code;
    bool ends = false;
    memset(walk->todo.seen, 0, code->block_count * sizeof *walk->todo.seen);
    walk->todo.count = 0;
    for (walk_to(walk, from); walk->todo.count && !ends;) {
        const struct gpucode_block *block = &code->blocks[walk->todo.list[--walk->todo.count]];
        for (uint32_t i = 0; i < block->edge_count; i++) {
            enum gpucode_edge_kind kind = block->edges[i].kind;
            ends |= kind == GPUCODE_EDGE_DISPATCH || kind == GPUCODE_EDGE_UNRESOLVED ||
                    (kind == GPUCODE_EDGE_RETURN && !calls);
        }
        for (uint32_t unit = block->start; calls && unit < block->end; unit += code->words[unit].slot ? 2 : 1)
            if (code->words[unit].kind == ANALYSIS_CALL && code->words[unit].known)
                walk_to(walk, code->words[unit].target);
        walk_on(walk, block);
    }
    return ends;
}

/* Handlers that never come to waitin. */
static bool check_ends(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    struct walk walk = {.rules = rules, .tails = true};
    if (!rules_todo_begin(&walk.todo, rules, code->block_count))
        return false;
    for (uint32_t i = 0; i < code->function_count; i++) {
        uint32_t start = code->functions[i].start;
        if (rules_is_handler(&code->functions[i]) && !comes_to_end(&walk, start, false) &&
            !comes_to_end(&walk, start, true))
            FIND(rules, start, MSG_LINT_AFUC_NO_WAITIN);
    }
    return true;
}

bool rules_stack(struct rules *rules)
{
    return check_heights(rules) && check_underflow(rules) && check_leak(rules) && check_link(rules) &&
           check_ends(rules);
}
