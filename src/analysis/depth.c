/* SPDX-License-Identifier: MIT */
/*
 * What follows from calls: how deep the stack gets, which packets lead where, what a call may write, and whether it
 * comes back. Functions that lead to one another (Tarjan's strong components) are taken together; the components come
 * out with those that are called first.
 */
#include "analysis/build.h"

#include <stdlib.h>

struct measuring {
    struct gpucode_analysis *analysis;
    struct analysis_code *code;
    uint32_t *number, *low, *component; /* of each function; number 0: not visited */
    uint32_t *stack, *path, *edge;      /* the open components; the functions on the way here, and their next edge */
    uint32_t stack_count, path_count, visited, components, ordered;
};

/* Edge number `index` of a function: its calls, then its tails. GPUCODE_NONE: out of the code. False: no more. */
static bool edge_of(const struct gpucode_function *function, uint32_t index, uint32_t *to)
{
    if (index < function->call_count) {
        *to = function->calls[index].function;
        return true;
    }
    index -= function->call_count;
    if (index >= function->tail_count)
        return false;
    *to = function->tails[index].function;
    return true;
}

/* All of the component's functions are on top of the stack, and what they lead to outside is done. */
static void close_component(struct measuring *m, uint32_t root)
{
    struct analysis_code *code = m->code;
    uint32_t first = m->stack_count;
    do
        m->component[m->stack[--first]] = m->components + 1;
    while (m->stack[first] != root);
    int depth = 0;
    uint64_t writes = 0;
    bool returns = false;
    for (uint32_t i = first; i < m->stack_count; i++) {
        const struct gpucode_function *function = &code->functions[m->stack[i]];
        writes |= code->writes[m->stack[i]];
        returns |= code->returns[m->stack[i]];
        for (uint32_t k = 0; k < function->call_count + function->tail_count; k++) {
            uint32_t to;
            bool calls = k < function->call_count;
            if (!edge_of(function, k, &to) || to == GPUCODE_NONE)
                continue;
            if (m->component[to] == m->components + 1) {
                depth = calls ? -1 : depth;
                code->recurs = true;
                continue;
            }
            writes |= code->writes[to];
            returns |= !calls && code->returns[to];
            int deep = code->functions[to].depth;
            if (deep >= 0 && calls && !function->calls[k].linked)
                deep++;
            depth = depth < 0 || deep < 0 ? -1 : deep > depth ? deep : depth;
        }
    }
    code->recurs |= m->stack_count - first > 1;
    for (uint32_t i = first; i < m->stack_count; i++) {
        code->order[m->ordered++] = m->stack[i];
        code->functions[m->stack[i]].depth = depth;
        code->writes[m->stack[i]] = writes;
        code->returns[m->stack[i]] = returns;
    }
    m->components++;
    m->stack_count = first;
}

static void open_function(struct measuring *m, uint32_t function)
{
    m->number[function] = m->low[function] = ++m->visited;
    m->stack[m->stack_count++] = function;
    m->path[m->path_count] = function;
    m->edge[m->path_count++] = 0;
}

static void visit_all(struct measuring *m, uint32_t start)
{
    open_function(m, start);
    while (m->path_count) {
        uint32_t at = m->path[m->path_count - 1], to;
        if (edge_of(&m->code->functions[at], m->edge[m->path_count - 1]++, &to)) {
            if (to == GPUCODE_NONE || m->component[to])
                continue;
            if (!m->number[to])
                open_function(m, to);
            else if (m->number[to] < m->low[at])
                m->low[at] = m->number[to];
            continue;
        }
        if (m->low[at] == m->number[at])
            close_component(m, at);
        if (--m->path_count && m->low[at] < m->low[m->path[m->path_count - 1]])
            m->low[m->path[m->path_count - 1]] = m->low[at];
    }
}

/* What functions write and whether they return, by themselves. */
static void look_at_blocks(struct measuring *m)
{
    struct analysis_code *code = m->code;
    for (uint32_t i = 0; i < code->block_count; i++) {
        const struct gpucode_block *block = &code->blocks[i];
        uint64_t writes = 0;
        bool returns = false;
        for (uint32_t unit = block->start; unit < block->end; unit++)
            writes |= m->analysis->set->writes(code->facts, unit);
        for (uint32_t k = 0; k < block->edge_count; k++)
            returns |= block->edges[k].kind == GPUCODE_EDGE_RETURN || block->edges[k].kind == GPUCODE_EDGE_UNRESOLVED;
        for (uint32_t k = code->owner_of[i]; k < code->owner_of[i + 1]; k++) {
            code->writes[code->owners[k]] |= writes;
            code->returns[code->owners[k]] |= returns;
        }
    }
}

/* Packets lead along edges until nothing is new. */
static bool spread_packets(struct measuring *m)
{
    struct analysis_code *code = m->code;
    struct list todo = {0};
    for (uint32_t i = 0; i < code->function_count; i++) {
        struct gpucode_function *function = &code->functions[i];
        function->reached_by[0] = function->packets[0];
        function->reached_by[1] = function->packets[1];
        if (function->packets[0] || function->packets[1])
            list_push(&todo, i);
    }
    while (todo.count) {
        const struct gpucode_function *from = &code->functions[list_pop(&todo)];
        uint32_t to;
        for (uint32_t k = 0; edge_of(from, k, &to); k++) {
            if (to == GPUCODE_NONE)
                continue;
            struct gpucode_function *function = &code->functions[to];
            if (!(from->reached_by[0] & ~function->reached_by[0]) && !(from->reached_by[1] & ~function->reached_by[1]))
                continue;
            function->reached_by[0] |= from->reached_by[0];
            function->reached_by[1] |= from->reached_by[1];
            list_push(&todo, to);
        }
    }
    free(todo.items);
    return !todo.failed;
}

bool analysis_measure(struct gpucode_analysis *analysis, struct analysis_code *code)
{
    size_t count = (size_t)code->function_count + 1;
    uint32_t *memory = calloc(5 * count, sizeof *memory);
    code->component = arena_array(&analysis->arena, count, sizeof *code->component);
    code->order = arena_array(&analysis->arena, count, sizeof *code->order);
    code->writes = arena_array(&analysis->arena, count, sizeof *code->writes);
    code->returns = arena_array(&analysis->arena, count, sizeof *code->returns);
    bool good = memory && code->component && code->order && code->writes && code->returns;
    if (good) {
        struct measuring m = {.analysis = analysis,
                              .code = code,
                              .number = memory,
                              .low = memory + count,
                              .component = code->component,
                              .stack = memory + 2 * count,
                              .path = memory + 3 * count,
                              .edge = memory + 4 * count};
        look_at_blocks(&m);
        for (uint32_t i = 0; i < code->function_count; i++)
            if (!m.number[i])
                visit_all(&m, i);
        good = spread_packets(&m);
    }
    free(memory);
    return good;
}
