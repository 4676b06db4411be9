/* SPDX-License-Identifier: MIT */
/*
 * Follows control from the entries. A delay slot runs with its transfer; a transfer that stands in the slot of a branch
 * is an ordinary one where the branch is not taken, and nothing where it is.
 */
#include "analysis/build.h"

#include <stdlib.h>

#define HANDLERS_MAX 128

size_t analysis_first_from(const void *list, size_t count, size_t size, uint32_t unit)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (((const struct gpucode_seen_edge *)((const char *)list + middle * size))->from < unit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of a jump by a register: to the places that numbers say. */
static unsigned edges_of_jump(const struct analysis_code *code, uint32_t unit, struct gpucode_edge edges[EDGES_MAX])
{
    unsigned count = 0;
    bool alone = true;
    size_t i = analysis_first_from(code->jumps, code->jump_count, sizeof *code->jumps, unit);
    for (; i < code->jump_count && code->jumps[i].edge.from == unit && count < TABLE_ENTRIES_MAX; i++) {
        edges[count++] = (struct gpucode_edge){.kind = GPUCODE_EDGE_TAKEN, .known = true, .to = code->jumps[i].edge.to};
        alone &= code->jumps[i].alone;
    }
    if (!count || !alone)
        edges[count++] = (struct gpucode_edge){.kind = GPUCODE_EDGE_UNRESOLVED};
    return count;
}

static unsigned edges_of_code(const struct analysis_code *code, uint32_t unit, struct gpucode_edge edges[EDGES_MAX])
{
    const struct analysis_word *word = &code->words[unit];
    uint32_t after = unit + (word->slot ? 2 : 1);
    switch (word->kind) {
    case ANALYSIS_BRANCH:
        edges[0] = (struct gpucode_edge){.kind = GPUCODE_EDGE_TAKEN, .known = word->known, .to = word->target};
        edges[1] = (struct gpucode_edge){
            .kind = GPUCODE_EDGE_NEXT, .known = true, .to = analysis_slot_branches(code, unit) ? unit + 1 : after};
        if (word->ends)
            edges[1] = (struct gpucode_edge){.kind = GPUCODE_EDGE_STOP};
        return 2;
    case ANALYSIS_SKIP:
        edges[0] = (struct gpucode_edge){.kind = GPUCODE_EDGE_NEXT, .known = true, .to = unit + 1};
        edges[1] = (struct gpucode_edge){.kind = GPUCODE_EDGE_TAKEN, .known = word->known, .to = word->target};
        return 2;
    case ANALYSIS_JUMP:
        edges[0] = (struct gpucode_edge){.kind = GPUCODE_EDGE_TAKEN, .known = word->known, .to = word->target};
        return 1;
    case ANALYSIS_INDIRECT:
        if (!word->known)
            return edges_of_jump(code, unit, edges);
        for (uint32_t i = 0; i < code->tables[word->target].count; i++)
            edges[i] = (struct gpucode_edge){
                .kind = GPUCODE_EDGE_TABLE, .known = true, .to = code->tables[word->target].base + 2 * i};
        return code->tables[word->target].count;
    case ANALYSIS_RETURN:
        edges[0] = (struct gpucode_edge){.kind = GPUCODE_EDGE_RETURN};
        return 1;
    case ANALYSIS_DISPATCH:
        edges[0] = (struct gpucode_edge){.kind = GPUCODE_EDGE_DISPATCH};
        return 1;
    case ANALYSIS_STOP:
        edges[0] = (struct gpucode_edge){.kind = GPUCODE_EDGE_STOP};
        return 1;
    default:
        return 0;
    }
}

static unsigned analysis_edges(const struct analysis_code *code, uint32_t unit, struct gpucode_edge edges[EDGES_MAX])
{
    unsigned known = edges_of_code(code, unit, edges);
    uint8_t kind = code->words[unit].kind;
    /* what skips words may skip those at the target, where it stands in a slot */
    if (known && code->words[unit].slot && unit + 1 < code->units && code->words[unit + 1].kind == ANALYSIS_SKIP)
        edges[known++] = (struct gpucode_edge){.kind = GPUCODE_EDGE_UNRESOLVED};
    unsigned count = known;
    if (!code->seen_count ||
        (kind != ANALYSIS_BRANCH && kind != ANALYSIS_SKIP && kind != ANALYSIS_JUMP && kind != ANALYSIS_INDIRECT))
        return count;
    for (size_t i = analysis_first_from(code->seen, code->seen_count, sizeof *code->seen, unit);
         i < code->seen_count && code->seen[i].from == unit; i++) {
        unsigned same = 0;
        /* a branch that holds another one in its slot goes on there */
        uint32_t to = code->seen[i].to,
                 slot = kind == ANALYSIS_BRANCH && analysis_slot_branches(code, unit) && to == unit + 2;
        while (same < count && !(edges[same].known && (edges[same].to == to || (slot && edges[same].to == unit + 1))))
            same++;
        if (same < count)
            edges[same].seen = true;
        else if (count < known + SEEN_MAX)
            edges[count++] = (struct gpucode_edge){.kind = GPUCODE_EDGE_SEEN, .known = true, .seen = true, .to = to};
    }
    return count;
}

struct reach {
    struct analysis_code *code;
    struct list todo;
    struct gpucode_edge edges[EDGES_MAX];
};

static void go_to(struct reach *reach, uint32_t unit, unsigned mark)
{
    struct analysis_code *code = reach->code;
    if (unit >= code->units)
        return;
    if (!(code->marks[unit] & ANALYSIS_RUNS))
        list_push(&reach->todo, unit);
    code->marks[unit] |= (uint8_t)(ANALYSIS_RUNS | ANALYSIS_REACHED | mark);
}

static void enter(struct reach *reach, uint32_t unit)
{
    go_to(reach, unit, ANALYSIS_ENTRY | ANALYSIS_LEADER);
}

static void leave(struct reach *reach, uint32_t unit)
{
    struct analysis_code *code = reach->code;
    const struct analysis_word *word = &code->words[unit];
    if (word->slot && unit + 1 < code->units)
        code->marks[unit + 1] |= ANALYSIS_REACHED;
    if (word->kind == ANALYSIS_PLAIN || word->kind == ANALYSIS_CALL)
        go_to(reach, unit + (word->slot ? 2 : 1), 0);
    if (word->kind == ANALYSIS_CALL && word->known)
        enter(reach, word->target);
    unsigned count = analysis_edges(code, unit, reach->edges);
    for (unsigned i = 0; i < count; i++)
        if (reach->edges[i].known)
            go_to(reach, reach->edges[i].to, ANALYSIS_LEADER);
}

/* Are all bytes of the section from a unit on 0? Padding after the end is not code. */
static bool is_padding(const struct gpucode_analysis *analysis, const struct analysis_code *code, uint32_t unit)
{
    size_t size = analysis->target->isa->unit_bytes, offset = analysis->layout->info.prefix;
    const unsigned char *bytes = analysis->layout->bytes + offset + (size_t)code->place->start * size;
    for (size_t i = unit * size; i < code->units * size; i++)
        if (bytes[i])
            return false;
    return true;
}

/* Code that nothing leads to begins a function. */
static void enter_rest(const struct gpucode_analysis *analysis, struct reach *reach)
{
    struct analysis_code *code = reach->code;
    for (uint32_t unit = 0; unit < code->units; unit++) {
        const struct analysis_word *word = &code->words[unit];
        if (!(code->marks[unit] & ANALYSIS_REACHED) && word->kind != ANALYSIS_WRONG && !word->inside) {
            if (is_padding(analysis, code, unit))
                return;
            enter(reach, unit);
            while (reach->todo.count)
                leave(reach, list_pop(&reach->todo));
        }
    }
}

/* Resolves the register jumps; a resolved one has the number of its table as its target. */
static bool find_tables(struct gpucode_analysis *analysis, struct analysis_code *code, struct analysis_word *words)
{
    struct list tables = {0};
    for (uint32_t i = 0; i < code->units; i++) {
        struct analysis_table table = {.at = i};
        if (words[i].kind != ANALYSIS_INDIRECT || !analysis->set->table(code->facts, words, &table) ||
            table.count > TABLE_ENTRIES_MAX)
            continue;
        words[i].known = true;
        words[i].target = (uint32_t)tables.count;
        struct analysis_table *kept = list_add(&tables, sizeof *kept);
        if (kept)
            *kept = table;
    }
    code->table_count = (uint32_t)tables.count;
    code->tables = list_keep(&tables, &analysis->arena, sizeof *code->tables);
    return code->tables;
}

bool analysis_reach(struct gpucode_analysis *analysis, struct analysis_code *code)
{
    struct analysis_word *words = arena_array(&analysis->arena, (size_t)code->units + 1, sizeof *words);
    code->marks = arena_alloc(&analysis->arena, (size_t)code->units + 1);
    if (!words || !code->marks)
        return false;
    for (uint32_t i = 0; i < code->units; i++)
        words[i] = analysis->set->word(code->facts, i);
    code->words = words;
    if (!find_tables(analysis, code, words))
        return false;
    struct reach *reach = calloc(1, sizeof *reach);
    if (!reach)
        return false;
    reach->code = code;
    enter(reach, code->boot);
    uint32_t handler;
    for (unsigned i = 0; i < HANDLERS_MAX; i++)
        if (gpucode_image_handler(analysis->image, code->section, i, &handler) && handler)
            enter(reach, handler);
    if (code->interrupt != GPUCODE_NONE)
        enter(reach, code->interrupt);
    while (reach->todo.count)
        leave(reach, list_pop(&reach->todo));
    if (analysis->set->start)
        enter_rest(analysis, reach);
    bool good = !reach->todo.failed;
    free(reach->todo.items);
    free(reach);
    return good;
}

/* Cuts what is reached into basic blocks, and these after calls into pieces. */

struct cutting {
    struct analysis_code *code;
    struct list blocks, edges, pieces, piece_of;
    struct gpucode_edge leaving[EDGES_MAX];
};

static bool add_edge(struct cutting *cutting, struct gpucode_edge edge)
{
    struct gpucode_edge *kept = list_add(&cutting->edges, sizeof *kept);
    if (kept)
        *kept = edge;
    return kept;
}

static void add_piece(struct cutting *cutting, uint32_t start, uint32_t end, uint32_t call)
{
    struct analysis_piece *piece = list_add(&cutting->pieces, sizeof *piece);
    if (piece)
        *piece = (struct analysis_piece){start, end, (uint32_t)cutting->blocks.count - 1, call};
}

/* Edges of the block that ends with the transfer at `unit`; returns where the block ends. */
static uint32_t end_with(struct cutting *cutting, uint32_t unit)
{
    const struct analysis_code *code = cutting->code;
    const struct analysis_word *word = &code->words[unit];
    unsigned count = analysis_edges(code, unit, cutting->leaving);
    for (unsigned i = 0; i < count; i++)
        add_edge(cutting, cutting->leaving[i]);
    bool alone = !word->slot || (word->kind == ANALYSIS_BRANCH && analysis_slot_branches(code, unit));
    return unit + (alone ? 1 : 2);
}

/* From a leader to where its block ends. */
static uint32_t cut_block(struct cutting *cutting, uint32_t leader)
{
    const struct analysis_code *code = cutting->code;
    uint32_t piece = leader, unit = leader;
    for (;;) {
        const struct analysis_word *word = &code->words[unit];
        if (word->kind != ANALYSIS_PLAIN && word->kind != ANALYSIS_CALL) {
            uint32_t end = end_with(cutting, unit);
            end = end < code->units ? end : code->units;
            add_piece(cutting, piece, end, GPUCODE_NONE);
            return end;
        }
        uint32_t after = unit + (word->slot ? 2 : 1);
        uint32_t end = after < code->units ? after : code->units;
        bool last = after >= code->units || code->marks[after] & ANALYSIS_LEADER;
        if (word->kind == ANALYSIS_CALL) {
            add_piece(cutting, piece, end, unit);
            piece = end;
        } else if (last) {
            add_piece(cutting, piece, end, GPUCODE_NONE);
        }
        if (last) {
            if (after < code->units)
                add_edge(cutting, (struct gpucode_edge){.kind = GPUCODE_EDGE_NEXT, .known = true, .to = after});
            return end;
        }
        unit = after;
    }
}

static void cut_all(struct cutting *cutting)
{
    struct analysis_code *code = cutting->code;
    for (uint32_t i = 0; i < code->units; i++) {
        if (!(code->marks[i] & ANALYSIS_LEADER))
            continue;
        struct gpucode_block *block = list_add(&cutting->blocks, sizeof *block);
        if (!block || !list_push(&cutting->piece_of, (uint32_t)cutting->pieces.count))
            return;
        code->block_of[i] = (uint32_t)cutting->blocks.count - 1;
        size_t first = cutting->edges.count;
        block->start = i;
        block->end = cut_block(cutting, i);
        block->edge_count = (uint32_t)(cutting->edges.count - first);
    }
    list_push(&cutting->piece_of, (uint32_t)cutting->pieces.count);
}

bool analysis_cut(struct gpucode_analysis *analysis, struct analysis_code *code)
{
    struct cutting *cutting = calloc(1, sizeof *cutting);
    code->block_of = arena_array(&analysis->arena, (size_t)code->units + 1, sizeof *code->block_of);
    if (!cutting || !code->block_of) {
        free(cutting);
        return false;
    }
    for (uint32_t i = 0; i <= code->units; i++)
        code->block_of[i] = GPUCODE_NONE;
    cutting->code = code;
    cut_all(cutting);
    code->block_count = (uint32_t)cutting->blocks.count;
    code->piece_count = (uint32_t)cutting->pieces.count;
    code->blocks = list_keep(&cutting->blocks, &analysis->arena, sizeof *code->blocks);
    code->pieces = list_keep(&cutting->pieces, &analysis->arena, sizeof *code->pieces);
    code->piece_of = list_keep(&cutting->piece_of, &analysis->arena, sizeof *code->piece_of);
    const struct gpucode_edge *edges = list_keep(&cutting->edges, &analysis->arena, sizeof *edges);
    free(cutting);
    if (!code->blocks || !code->pieces || !code->piece_of || !edges)
        return false;
    for (uint32_t i = 0; i < code->block_count; i++) {
        code->blocks[i].edges = edges;
        edges += code->blocks[i].edge_count;
    }
    return true;
}
