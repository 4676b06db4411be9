/* SPDX-License-Identifier: MIT */
/*
 * Which matched functions are equal: both are walked together from their entries. Where a block ends only because
 * something else leads after it does not count, nor does the order of blocks.
 */
#include "analysis/compare.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define OLD 0
#define NEW 1

struct walk {
    struct compare_pair *pair;
    uint32_t own[2];        /* entries of both functions */
    uint32_t *twin[2];      /* of each unit: the other side's, or GPUCODE_NONE */
    bool *begun;            /* of the old side's units: a walk has begun here */
    struct list todo;       /* two units each */
    struct list seen;       /* the same, of words */
    struct list beginnings; /* old units */
};

static bool link_units(struct walk *walk, uint32_t a, uint32_t b)
{
    uint32_t *to = &walk->twin[OLD][a], *from = &walk->twin[NEW][b];
    if (*to == GPUCODE_NONE && *from == GPUCODE_NONE) {
        *to = b;
        *from = a;
        list_push(&walk->seen, a);
        list_push(&walk->seen, b);
        return true;
    }
    return *to == b && *from == a;
}

static bool same_callee(const struct walk *walk, uint32_t a, uint32_t b)
{
    uint32_t old = compare_callee(&walk->pair->side[OLD], a), new = compare_callee(&walk->pair->side[NEW], b);
    return (old == GPUCODE_NONE && new == GPUCODE_NONE) ||
           (old != GPUCODE_NONE && walk->pair->side[OLD].partner[old] == new);
}

/* Entry of another function. */
static bool is_other(const struct walk *walk, unsigned side, uint32_t unit)
{
    return unit != walk->own[side] && analysis_is_entry(walk->pair->side[side].code, unit);
}

/* The places where edges lead belong together. */
static bool link_places(struct walk *walk, uint32_t a, uint32_t b)
{
    const struct compare_side *old = &walk->pair->side[OLD], *new = &walk->pair->side[NEW];
    bool outside = a >= old->code->units;
    if (outside || b >= new->code->units)
        return outside && b >= new->code->units;
    bool other = is_other(walk, OLD, a);
    if (other != is_other(walk, NEW, b))
        return false;
    if (other)
        return old->partner[old->code->function_at[a]] == new->code->function_at[b];
    if ((a == walk->own[OLD]) != (b == walk->own[NEW]))
        return false;
    if (walk->begun[a])
        return walk->twin[OLD][a] == b;
    walk->begun[a] = true;
    list_push(&walk->beginnings, a);
    list_push(&walk->todo, a);
    return list_push(&walk->todo, b) && link_units(walk, a, b);
}

/* The block that a block runs into without a transfer; null: there is none, or it is another function's. */
static const struct gpucode_block *run_on(const struct walk *walk, unsigned side, const struct gpucode_block *block)
{
    const struct analysis_code *code = walk->pair->side[side].code;
    bool falls = block->edge_count == 1 && block->edges[0].kind == GPUCODE_EDGE_NEXT &&
                 block->edges[0].to == block->end && block->end < code->units;
    if (!falls || analysis_is_entry(code, block->end))
        return NULL;
    return &code->blocks[code->block_of[block->end]];
}

static bool same_edges(struct walk *walk, const struct gpucode_block *a, const struct gpucode_block *b)
{
    if (a->edge_count != b->edge_count)
        return false;
    for (uint32_t i = 0; i < a->edge_count; i++) {
        const struct gpucode_edge *left = &a->edges[i], *right = &b->edges[i];
        if (left->kind != right->kind || left->known != right->known ||
            (left->known && !link_places(walk, left->to, right->to)))
            return false;
    }
    return true;
}

static bool walk_from(struct walk *walk, uint32_t a, uint32_t b)
{
    const struct compare_side *old = &walk->pair->side[OLD], *new = &walk->pair->side[NEW];
    const struct gpucode_block *left = &old->code->blocks[old->code->block_of[a]];
    const struct gpucode_block *right = &new->code->blocks[new->code->block_of[b]];
    for (;;) {
        for (; a < left->end && b < right->end; a++, b++)
            if (old->ids[a] != new->ids[b] || !link_units(walk, a, b) || !same_callee(walk, a, b))
                return false;
        const struct gpucode_block *left_on = a == left->end ? run_on(walk, OLD, left) : left;
        const struct gpucode_block *right_on = b == right->end ? run_on(walk, NEW, right) : right;
        if (!left_on && !right_on)
            return same_edges(walk, left, right);
        if (!left_on || !right_on)
            return false;
        if (left_on != left) {
            if (walk->begun[a])
                return walk->twin[OLD][a] == b;
            walk->begun[a] = true;
            list_push(&walk->beginnings, a);
        }
        left = left_on;
        right = right_on;
    }
}

/* Then lists of pairs may have halves of them, and nothing more is to be read from them. */
static bool lacks_memory(const struct walk *walk)
{
    return walk->todo.failed || walk->seen.failed || walk->beginnings.failed;
}

static void forget(struct walk *walk)
{
    const uint32_t *seen = walk->seen.items;
    for (size_t i = 0; i < walk->seen.count; i += 2) {
        walk->twin[OLD][seen[i]] = GPUCODE_NONE;
        walk->twin[NEW][seen[i + 1]] = GPUCODE_NONE;
    }
    while (walk->beginnings.count)
        walk->begun[list_pop(&walk->beginnings)] = false;
    walk->seen.count = walk->todo.count = 0;
}

static bool is_equal(struct walk *walk, uint32_t a, uint32_t b)
{
    walk->own[OLD] = walk->pair->side[OLD].code->functions[a].start;
    walk->own[NEW] = walk->pair->side[NEW].code->functions[b].start;
    bool equal = link_places(walk, walk->own[OLD], walk->own[NEW]);
    while (equal && walk->todo.count && !lacks_memory(walk)) {
        uint32_t to = list_pop(&walk->todo), from = list_pop(&walk->todo);
        equal = walk_from(walk, from, to);
    }
    if (!lacks_memory(walk))
        forget(walk);
    return equal;
}

static enum gpucode_change judge(struct walk *walk, uint32_t a, uint32_t b)
{
    if (a == GPUCODE_NONE)
        return GPUCODE_CHANGE_NEW;
    if (b == GPUCODE_NONE)
        return GPUCODE_CHANGE_GONE;
    if (!is_equal(walk, a, b))
        return GPUCODE_CHANGE_CHANGED;
    return walk->own[OLD] == walk->own[NEW] ? GPUCODE_CHANGE_SAME : GPUCODE_CHANGE_MOVED;
}

/* New functions by place, then those that are gone. */
static bool list_functions(struct walk *walk)
{
    struct compare_pair *pair = walk->pair;
    const struct compare_side *old = &pair->side[OLD], *new = &pair->side[NEW];
    uint32_t count = 0, olds = compare_function_count(old), news = compare_function_count(new);
    struct gpucode_compared_function *list = arena_array(pair->arena, (size_t)olds + news + 1, sizeof *list);
    if (!list)
        return false;
    for (uint32_t f = 0; f < news; f++)
        list[count++].function[NEW] = f;
    for (uint32_t f = 0; f < news; f++)
        list[f].function[OLD] = new->partner[f];
    for (uint32_t f = 0; f < olds; f++)
        if (old->partner[f] == GPUCODE_NONE)
            list[count++] = (struct gpucode_compared_function){.function = {f, GPUCODE_NONE}};
    for (uint32_t i = 0; i < count && !lacks_memory(walk); i++)
        list[i].change = judge(walk, list[i].function[OLD], list[i].function[NEW]);
    pair->out->functions = list;
    pair->out->function_count = count;
    return true;
}

static enum gpucode_change judge_packet(const struct compare_pair *pair, unsigned packet)
{
    const struct compare_side *old = &pair->side[OLD], *new = &pair->side[NEW];
    uint32_t a = compare_handler(old, packet), b = compare_handler(new, packet);
    bool own_a = a != GPUCODE_NONE && a != old->standard, own_b = b != GPUCODE_NONE && b != new->standard;
    if (own_a != own_b)
        return own_b ? GPUCODE_CHANGE_NEW : GPUCODE_CHANGE_GONE;
    if (a == GPUCODE_NONE && b == GPUCODE_NONE)
        return GPUCODE_CHANGE_SAME;
    if (a == GPUCODE_NONE || b == GPUCODE_NONE || old->partner[a] != b)
        return GPUCODE_CHANGE_CHANGED;
    return pair->out->functions[b].change;
}

bool compare_judge(struct compare_pair *pair)
{
    struct walk walk = {.pair = pair};
    bool good = true;
    for (unsigned s = 0; s < 2; s++) {
        size_t units = pair->side[s].code ? (size_t)pair->side[s].code->units + 1 : 1;
        if (!(walk.twin[s] = arena_array(&pair->scratch, units, sizeof *walk.twin[s])))
            return false;
        memset(walk.twin[s], 0xff, units * sizeof *walk.twin[s]);
        pair->out->has_packets |= pair->side[s].code && pair->side[s].code->place->table != GPUCODE_NONE;
    }
    size_t units = pair->side[OLD].code ? (size_t)pair->side[OLD].code->units + 1 : 1;
    walk.begun = arena_array(&pair->scratch, units, sizeof *walk.begun);
    good = walk.begun && list_functions(&walk) && !lacks_memory(&walk);
    for (unsigned i = 0; good && i < GPUCODE_COMPARED_PACKETS; i++)
        pair->out->packets[i] = (uint8_t)judge_packet(pair, i);
    FREE_ALL(walk.todo.items, walk.seen.items, walk.beginnings.items);
    return good;
}
