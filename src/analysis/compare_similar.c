/* SPDX-License-Identifier: MIT */
/*
 * Routines that have most of their words in common, in the same order. The longest common subsequence is found for 64
 * words at a time: bit i of a row tells that it does not grow at word i.
 */
#include "analysis/compare.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 4096                /* larger routines are not compared */
#define STEPS_MAX (UINT64_C(1) << 27) /* of 64 words, over all */

struct likeness {
    uint32_t a, b;
    uint64_t both, common; /* words of both; twice those in common */
};

struct similar {
    struct compare_pair *pair;
    struct list units;   /* of the function at hand */
    struct list *others; /* of the other side's free routines, kept */
    uint32_t *slots;     /* of each id: 1 + its row of masks */
    uint64_t *masks, *row;
    struct list found;
    uint64_t steps;
};

static bool is_candidate(const struct compare_side *side, uint32_t function)
{
    return side->partner[function] == GPUCODE_NONE && side->code->functions[function].kind == GPUCODE_FUNCTION_ROUTINE;
}

static const uint32_t *ids_of(struct list *units, const struct compare_side *side)
{
    uint32_t *items = units->items;
    for (size_t i = 0; i < units->count; i++)
        items[i] = side->ids[items[i]];
    return items;
}

/* Where each word stands in the function at hand. */
static bool make_masks(struct similar *similar, size_t wide)
{
    const uint32_t *ids = similar->units.items;
    size_t used = 0;
    free(similar->masks);
    if (!(similar->masks = calloc(similar->units.count * wide + 1, sizeof *similar->masks)))
        return false;
    for (size_t i = 0; i < similar->units.count; i++) {
        if (!similar->slots[ids[i]])
            similar->slots[ids[i]] = (uint32_t)++used;
        similar->masks[(similar->slots[ids[i]] - 1) * wide + i / 64] |= UINT64_C(1) << i % 64;
    }
    return true;
}

static uint64_t common_words(struct similar *similar, const struct list *other, size_t wide)
{
    const uint32_t *ids = other->items;
    size_t count = similar->units.count;
    uint64_t length = 0;
    memset(similar->row, 0xff, wide * sizeof *similar->row);
    for (size_t i = 0; i < other->count; i++) {
        if (!similar->slots[ids[i]])
            continue;
        const uint64_t *mask = similar->masks + (similar->slots[ids[i]] - 1) * wide;
        unsigned carry = 0;
        for (size_t k = 0; k < wide; k++) {
            uint64_t row = similar->row[k], both = row & mask[k], sum = row + both, whole = sum + carry;
            carry = sum < row || whole < sum;
            similar->row[k] = whole | (row & ~mask[k]);
        }
    }
    for (size_t k = 0; k < wide; k++) {
        uint64_t grows = ~similar->row[k];
        if (64 * (k + 1) > count && count % 64)
            grows &= (UINT64_C(1) << count % 64) - 1;
        length += (uint64_t)__builtin_popcountll(grows);
    }
    similar->steps += other->count * wide;
    return length;
}

/* More than 0.6 of both. */
static bool is_alike(const struct likeness *likeness)
{
    return 10 * likeness->common > 6 * likeness->both;
}

static bool compare_one(struct similar *similar, uint32_t function)
{
    const struct compare_pair *pair = similar->pair;
    size_t count, wide;
    if (!compare_units(&pair->side[0], function, &similar->units))
        return false;
    count = similar->units.count;
    wide = (count + 63) / 64;
    const uint32_t *ids = ids_of(&similar->units, &pair->side[0]);
    if (!count || count > WORDS_MAX)
        return true;
    if (!make_masks(similar, wide))
        return false;
    for (uint32_t f = 0; f < pair->side[1].code->function_count && similar->steps < STEPS_MAX; f++) {
        size_t other = similar->others[f].count;
        struct likeness likeness = {function, f, count + other, 2 * (count < other ? count : other)};
        if (!other || other > WORDS_MAX || !is_alike(&likeness))
            continue;
        likeness.common = 2 * common_words(similar, &similar->others[f], wide);
        struct likeness *kept = is_alike(&likeness) ? list_add(&similar->found, sizeof *kept) : NULL;
        if (kept)
            *kept = likeness;
    }
    for (size_t i = 0; i < count; i++)
        similar->slots[ids[i]] = 0;
    return true;
}

/* The most alike first, then by place. */
static int compare_likeness(const void *left, const void *right)
{
    const struct likeness *a = left, *b = right;
    uint64_t x = a->common * b->both, y = b->common * a->both;
    if (x != y)
        return x > y ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

static bool compare_all(struct similar *similar)
{
    struct compare_pair *pair = similar->pair;
    for (uint32_t f = 0; f < pair->side[1].code->function_count; f++)
        if (is_candidate(&pair->side[1], f)) {
            if (!compare_units(&pair->side[1], f, &similar->others[f]))
                return false;
            ids_of(&similar->others[f], &pair->side[1]);
        }
    for (uint32_t f = 0; f < pair->side[0].code->function_count; f++)
        if (is_candidate(&pair->side[0], f) && !compare_one(similar, f))
            return false;
    if (similar->found.failed)
        return false;
    struct likeness *found = similar->found.items;
    if (similar->found.count)
        qsort(found, similar->found.count, sizeof *found, compare_likeness);
    for (size_t i = 0; i < similar->found.count; i++)
        if (is_candidate(&pair->side[0], found[i].a) && is_candidate(&pair->side[1], found[i].b))
            compare_join(pair, found[i].a, found[i].b);
    return true;
}

bool compare_join_similar(struct compare_pair *pair)
{
    struct similar similar = {.pair = pair};
    size_t count = pair->side[1].code->function_count;
    size_t ids = (size_t)pair->side[0].code->units + pair->side[1].code->units + 1;
    similar.others = calloc(count + 1, sizeof *similar.others);
    similar.slots = calloc(ids, sizeof *similar.slots);
    similar.row = calloc(WORDS_MAX / 64 + 1, sizeof *similar.row);
    bool good = similar.others && similar.slots && similar.row && compare_all(&similar);
    for (size_t i = 0; similar.others && i < count; i++)
        free(similar.others[i].items);
    FREE_ALL(similar.others, similar.slots, similar.row, similar.masks, similar.units.items, similar.found.items);
    return good;
}
