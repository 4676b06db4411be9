/* SPDX-License-Identifier: MIT */
/*
 * Divides blocks among functions: what is reached from an entry without crossing an edge to another one. Blocks without
 * an entry may belong to several.
 */
#include "analysis/build.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define HANDLERS_MAX 128

struct dividing {
    struct gpucode_analysis *analysis;
    struct analysis_code *code;
    struct list todo, blocks, calls, tails; /* of all functions, one after the other */
    uint32_t *seen;                         /* of each block: 1 + the function that saw it last */
    uint32_t function;
    size_t first; /* of `blocks`: where those of the function begin */
};

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static int compare_tails(const void *a, const void *b)
{
    const struct gpucode_tail *left = a, *right = b;
    return left->at != right->at ? compare_numbers(&left->at, &right->at)
                                 : compare_numbers(&left->function, &right->function);
}

static void visit(struct dividing *dividing, uint32_t block)
{
    if (dividing->seen[block] == dividing->function + 1)
        return;
    dividing->seen[block] = dividing->function + 1;
    list_push(&dividing->todo, block);
    list_push(&dividing->blocks, block);
}

/* The unit that a block's last edges leave from. */
static uint32_t last_of(const struct analysis_code *code, const struct gpucode_block *block)
{
    uint32_t last = block->end - 1;
    bool slot = last > block->start && analysis_is_transfer(&code->words[last - 1]);
    return slot ? last - 1 : last;
}

static void leave_block(struct dividing *dividing, const struct gpucode_block *block)
{
    struct analysis_code *code = dividing->code;
    uint32_t own = code->blocks[((uint32_t *)dividing->blocks.items)[dividing->first]].start;
    for (uint32_t i = 0; i < block->edge_count; i++) {
        const struct gpucode_edge *edge = &block->edges[i];
        if (!edge->known || edge->to >= code->units)
            continue;
        if (!analysis_is_entry(code, edge->to) || edge->to == own) {
            visit(dividing, code->block_of[edge->to]);
            continue;
        }
        struct gpucode_tail *tail = list_add(&dividing->tails, sizeof *tail);
        if (tail)
            *tail = (struct gpucode_tail){last_of(code, block), code->function_at[edge->to]};
    }
}

/* Calls of a function's blocks, which are in order by now. */
static void find_calls(struct dividing *dividing, const uint32_t *blocks, size_t count)
{
    const struct analysis_code *code = dividing->code;
    uint32_t before = GPUCODE_NONE; /* where blocks overlap, a call is counted once */
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = code->piece_of[blocks[i]]; k < code->piece_of[blocks[i] + 1]; k++) {
            uint32_t at = code->pieces[k].call;
            if (at == GPUCODE_NONE || at == before || !code->words[at].known)
                continue;
            before = at;
            struct gpucode_function_call *call = list_add(&dividing->calls, sizeof *call);
            uint32_t to = code->words[at].target;
            if (call)
                *call = (struct gpucode_function_call){at, to, code->words[at].linked,
                                                       to < code->units ? code->function_at[to] : GPUCODE_NONE};
        }
}

static bool divide_function(struct dividing *dividing, uint32_t start)
{
    struct analysis_code *code = dividing->code;
    struct gpucode_function *function = &code->functions[dividing->function];
    size_t first = dividing->blocks.count, first_call = dividing->calls.count, first_tail = dividing->tails.count;
    dividing->first = first;
    visit(dividing, code->block_of[start]);
    while (dividing->todo.count && !dividing->blocks.failed && !dividing->todo.failed && !dividing->tails.failed)
        leave_block(dividing, &code->blocks[list_pop(&dividing->todo)]);
    uint32_t *blocks = (uint32_t *)dividing->blocks.items + first;
    if (dividing->blocks.failed)
        return false;
    qsort(blocks, dividing->blocks.count - first, sizeof *blocks, compare_numbers);
    find_calls(dividing, blocks, dividing->blocks.count - first);
    if (dividing->tails.count > first_tail)
        qsort((struct gpucode_tail *)dividing->tails.items + first_tail, dividing->tails.count - first_tail,
              sizeof(struct gpucode_tail), compare_tails);
    function->start = start;
    function->block_count = (uint32_t)(dividing->blocks.count - first);
    function->call_count = (uint32_t)(dividing->calls.count - first_call);
    function->tail_count = (uint32_t)(dividing->tails.count - first_tail);
    return !dividing->todo.failed && !dividing->calls.failed && !dividing->tails.failed;
}

/* Puts the lists where the functions find them. */
static bool keep_lists(struct dividing *dividing)
{
    struct analysis_code *code = dividing->code;
    struct arena *arena = &dividing->analysis->arena;
    uint32_t *blocks = list_keep(&dividing->blocks, arena, sizeof *blocks);
    struct gpucode_function_call *calls = list_keep(&dividing->calls, arena, sizeof *calls);
    struct gpucode_tail *tails = list_keep(&dividing->tails, arena, sizeof *tails);
    if (!blocks || !calls || !tails)
        return false;
    for (uint32_t i = 0; i < code->function_count; i++) {
        struct gpucode_function *function = &code->functions[i];
        function->blocks = blocks;
        function->calls = calls;
        function->tails = tails;
        blocks += function->block_count;
        calls += function->call_count;
        tails += function->tail_count;
    }
    return true;
}

/* The functions of each block. */
static bool find_owners(struct dividing *dividing)
{
    struct analysis_code *code = dividing->code;
    code->owner_of = arena_array(&dividing->analysis->arena, (size_t)code->block_count + 2, sizeof *code->owner_of);
    if (!code->owner_of)
        return false;
    size_t total = 0;
    for (uint32_t i = 0; i < code->function_count; i++)
        for (uint32_t k = 0; k < code->functions[i].block_count; k++, total++)
            code->owner_of[code->functions[i].blocks[k] + 1]++;
    for (uint32_t i = 0; i < code->block_count; i++)
        code->owner_of[i + 1] += code->owner_of[i];
    code->owners = arena_array(&dividing->analysis->arena, total + 1, sizeof *code->owners);
    uint32_t *filled = calloc((size_t)code->block_count + 1, sizeof *filled);
    for (uint32_t i = 0; code->owners && filled && i < code->function_count; i++)
        for (uint32_t k = 0; k < code->functions[i].block_count; k++) {
            uint32_t block = code->functions[i].blocks[k];
            code->owners[code->owner_of[block] + filled[block]++] = i;
        }
    free(filled);
    return code->owners && filled;
}

static bool only_interrupts(const struct dividing *dividing, const struct gpucode_function *function)
{
    const struct isa_analysis *set = dividing->analysis->set;
    uint64_t low = function->packets[0], high = function->packets[1];
    if (!low == !high || (low & (low - 1)) || (high & (high - 1)))
        return false;
    unsigned packet = low ? (unsigned)__builtin_ctzll(low) : 64 + (unsigned)__builtin_ctzll(high);
    return set->interrupts && set->interrupts(dividing->analysis->target, packet);
}

static void name_kinds(struct dividing *dividing)
{
    struct analysis_code *code = dividing->code;
    uint32_t handler;
    enum gpucode_function_kind first = dividing->analysis->set->start ? GPUCODE_FUNCTION_START : GPUCODE_FUNCTION_BOOT;
    for (unsigned i = 0; i < HANDLERS_MAX; i++)
        if (gpucode_image_handler(dividing->analysis->image, code->section, i, &handler) && handler &&
            handler < code->units)
            code->functions[code->function_at[handler]].packets[i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t i = 0; i < code->function_count; i++) {
        struct gpucode_function *function = &code->functions[i];
        bool handles = function->packets[0] || function->packets[1];
        function->kind = function->start == code->boot        ? first
                         : handles                            ? GPUCODE_FUNCTION_HANDLER
                         : function->start == code->interrupt ? GPUCODE_FUNCTION_PREEMPT
                                                              : GPUCODE_FUNCTION_ROUTINE;
        if (function->kind == GPUCODE_FUNCTION_HANDLER && only_interrupts(dividing, function))
            function->kind = GPUCODE_FUNCTION_PREEMPT;
    }
}

static bool number_functions(struct dividing *dividing)
{
    struct analysis_code *code = dividing->code;
    struct arena *arena = &dividing->analysis->arena;
    code->function_at = arena_array(arena, (size_t)code->units + 1, sizeof *code->function_at);
    if (!code->function_at)
        return false;
    for (uint32_t i = 0; i < code->units; i++)
        code->function_at[i] = code->marks[i] & ANALYSIS_ENTRY ? code->function_count++ : GPUCODE_NONE;
    code->functions = arena_array(arena, (size_t)code->function_count + 1, sizeof *code->functions);
    return code->functions;
}

enum gpucode_status analysis_divide(struct gpucode_analysis *analysis, struct analysis_code *code)
{
    struct dividing dividing = {.analysis = analysis, .code = code};
    dividing.seen = calloc((size_t)code->block_count + 1, sizeof *dividing.seen);
    size_t most = OWNERS_PER_UNIT * ((size_t)code->units + 4096);
    bool good = dividing.seen && number_functions(&dividing), small = true;
    for (uint32_t i = 0; good && small && i < code->units; i++)
        if (code->marks[i] & ANALYSIS_ENTRY) {
            good = divide_function(&dividing, i);
            small = dividing.blocks.count <= most;
            dividing.function++;
        }
    if (good && small) {
        good = keep_lists(&dividing) && find_owners(&dividing);
        if (good)
            name_kinds(&dividing);
    }
    FREE_ALL(dividing.seen, dividing.todo.items, dividing.blocks.items, dividing.calls.items, dividing.tails.items);
    return !good ? GPUCODE_ERROR_MEMORY : small ? GPUCODE_OK : GPUCODE_ERROR_RANGE;
}

/*
 * What follows from calls: how deep the stack gets, which packets lead where, what a call may write, and whether it
 * comes back. Functions that lead to one another (Tarjan's strong components) are taken together; the components come
 * out with those that are called first.
 */

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
