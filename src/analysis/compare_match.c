/* SPDX-License-Identifier: MIT */
/* Which functions of two images belong together: by names, by equal words, by the order of calls, by likeness. */
#include "analysis/compare.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/*
 * Routines that have most of their words in common, in the same order. The longest common subsequence is found for 64
 * words at a time: bit i of a row tells that it does not grow at word i.
 */

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

/* Joins routines that have most of their words in common, in the same order; false: out of memory. */
static bool compare_join_similar(struct compare_pair *pair)
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

static bool is_free(const struct compare_side *side, uint32_t function)
{
    return function != GPUCODE_NONE && side->partner[function] == GPUCODE_NONE;
}

static bool is_free_routine(const struct compare_side *side, uint32_t function)
{
    return is_free(side, function) && side->code->functions[function].kind == GPUCODE_FUNCTION_ROUTINE;
}

static void join_free(struct compare_pair *pair, uint32_t a, uint32_t b)
{
    if (is_free(&pair->side[0], a) && is_free(&pair->side[1], b))
        compare_join(pair, a, b);
}

uint32_t compare_handler(const struct compare_side *side, unsigned packet)
{
    uint32_t handler;
    bool known = side->code && gpucode_image_handler(side->analysis->image, side->code->section, packet, &handler);
    return known && handler && analysis_is_entry(side->code, handler) ? side->code->function_at[handler] : GPUCODE_NONE;
}

/* The handler of most packets; none, if most have none. */
static bool find_standard(struct compare_side *side)
{
    uint32_t *counts = calloc((size_t)compare_function_count(side) + 1, sizeof *counts), most = 1;
    side->standard = GPUCODE_NONE;
    for (unsigned i = 0; counts && i < GPUCODE_COMPARED_PACKETS; i++) {
        uint32_t handler = compare_handler(side, i);
        if (handler == GPUCODE_NONE)
            most++;
        else
            counts[handler]++;
    }
    for (uint32_t f = 0; counts && f < compare_function_count(side); f++)
        if (counts[f] > most) {
            most = counts[f];
            side->standard = f;
        }
    free(counts);
    return counts;
}

/* The first function of a kind from number `f` on. */
static uint32_t next_of_kind(const struct compare_side *side, enum gpucode_function_kind kind, uint32_t f)
{
    while (f < side->code->function_count && side->code->functions[f].kind != kind)
        f++;
    return f < side->code->function_count ? f : GPUCODE_NONE;
}

/* The first of both, the second of both, and so on: interruptions may have two entries. */
static void match_kind(struct compare_pair *pair, enum gpucode_function_kind kind)
{
    uint32_t a = next_of_kind(&pair->side[0], kind, 0), b = next_of_kind(&pair->side[1], kind, 0);
    for (; a != GPUCODE_NONE && b != GPUCODE_NONE;
         a = next_of_kind(&pair->side[0], kind, a + 1), b = next_of_kind(&pair->side[1], kind, b + 1))
        join_free(pair, a, b);
}

static void match_named(struct compare_pair *pair)
{
    struct compare_side *a = &pair->side[0], *b = &pair->side[1];
    match_kind(pair, GPUCODE_FUNCTION_BOOT);
    match_kind(pair, GPUCODE_FUNCTION_START);
    join_free(pair, a->standard, b->standard);
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++) {
        uint32_t old = compare_handler(a, i), new = compare_handler(b, i);
        if (old != a->standard && new != b->standard)
            join_free(pair, old, new);
    }
    match_kind(pair, GPUCODE_FUNCTION_PREEMPT);
}

/* --- by equal words --- */

struct hashed {
    uint64_t hash;
    uint32_t function;
    uint8_t side;
};

static int compare_hashes(const void *a, const void *b)
{
    const struct hashed *left = a, *right = b;
    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return left->side - right->side;
}

static bool match_equal(struct compare_pair *pair)
{
    size_t count = 0, room = (size_t)compare_function_count(&pair->side[0]) + compare_function_count(&pair->side[1]);
    struct hashed *list = calloc(room + 1, sizeof *list);
    for (unsigned s = 0; list && s < 2; s++)
        for (uint32_t f = 0; f < compare_function_count(&pair->side[s]); f++)
            if (is_free_routine(&pair->side[s], f))
                list[count++] = (struct hashed){pair->side[s].hashes[f], f, (uint8_t)s};
    if (!list)
        return false;
    qsort(list, count, sizeof *list, compare_hashes);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && list[next].hash == list[i].hash;)
            next++;
        if (next == i + 2 && list[i].side != list[i + 1].side)
            compare_join(pair, list[i].function, list[i + 1].function);
    }
    free(list);
    return true;
}

/* --- by the order of calls --- */

/* The callees of a function in the order of its listing, at `list`. */
static bool list_calls(const struct compare_side *side, uint32_t function, struct list *list)
{
    const struct gpucode_function *f = &side->code->functions[function];
    list->count = 0;
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 0; i < f->call_count; i++)
            if ((f->calls[i].at < f->start) == round && f->calls[i].function != GPUCODE_NONE)
                list_push(list, f->calls[i].function);
    return !list->failed;
}

/* Calls that lie between two that are matched belong together where there are as many of them. */
static unsigned join_between(struct compare_pair *pair, const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
    unsigned joined = 0;
    if (n != m)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (is_free_routine(&pair->side[0], a[i]) && is_free_routine(&pair->side[1], b[i])) {
            compare_join(pair, a[i], b[i]);
            joined++;
        }
    return joined;
}

/* The next two calls of both that are matched. */
static bool find_anchor(const struct compare_pair *pair, const uint32_t *a, size_t n, const uint32_t *b, size_t m,
                        size_t *i, size_t *k)
{
    for (*i = 0; *i < n; ++*i) {
        uint32_t partner = pair->side[0].partner[a[*i]];
        for (*k = 0; partner != GPUCODE_NONE && *k < m; ++*k)
            if (b[*k] == partner)
                return true;
    }
    return false;
}

static unsigned match_calls_of(struct compare_pair *pair, uint32_t function, struct list calls[2])
{
    if (!list_calls(&pair->side[0], function, &calls[0]) ||
        !list_calls(&pair->side[1], pair->side[0].partner[function], &calls[1]))
        return 0;
    const uint32_t *a = calls[0].items, *b = calls[1].items;
    size_t n = calls[0].count, m = calls[1].count, i, k;
    unsigned joined = 0;
    while (n && m && find_anchor(pair, a, n, b, m, &i, &k)) {
        joined += join_between(pair, a, i, b, k);
        a += i + 1;
        b += k + 1;
        n -= i + 1;
        m -= k + 1;
    }
    return joined + join_between(pair, a, n, b, m);
}

#define ROUNDS_MAX 64

static bool match_calls(struct compare_pair *pair)
{
    struct list calls[2] = {{0}};
    unsigned joined = 1;
    for (unsigned round = 0; joined && round < ROUNDS_MAX; round++) {
        joined = 0;
        for (uint32_t f = 0; f < compare_function_count(&pair->side[0]); f++)
            if (pair->side[0].partner[f] != GPUCODE_NONE)
                joined += match_calls_of(pair, f, calls);
    }
    bool good = !calls[0].failed && !calls[1].failed;
    free(calls[0].items);
    free(calls[1].items);
    return good;
}

bool compare_match(struct compare_pair *pair)
{
    if (!find_standard(&pair->side[0]) || !find_standard(&pair->side[1]))
        return false;
    if (!pair->side[0].code || !pair->side[1].code)
        return true;
    match_named(pair);
    return match_equal(pair) && match_calls(pair) && compare_join_similar(pair) && match_calls(pair);
}
