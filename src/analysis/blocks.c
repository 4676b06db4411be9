/* SPDX-License-Identifier: MIT */
/* Cuts what is reached into basic blocks, and these after calls into pieces. */
#include "analysis/build.h"

#include <stdlib.h>

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
