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
