/* SPDX-License-Identifier: MIT */
#include "isa/analysis.h"

#include <stdlib.h>
#include <string.h>

void isa_values_free(struct isa_value_pool *pool)
{
    free(pool->sets);
    free(pool->items);
    free(pool->index);
    *pool = (struct isa_value_pool){0};
}

static const struct isa_value_set *set_of(const struct isa_value_pool *pool, isa_value value)
{
    return value >= ISA_VALUE_FIRST ? &pool->sets[value - ISA_VALUE_FIRST] : NULL;
}

const uint32_t *isa_value_constants(const struct isa_value_pool *pool, isa_value value, unsigned *count)
{
    const struct isa_value_set *set = set_of(pool, value);
    *count = set ? set->count : 0;
    return *count ? pool->items + set->first : NULL;
}

bool isa_value_is(const struct isa_value_pool *pool, isa_value value, uint32_t *constant)
{
    const struct isa_value_set *set = set_of(pool, value);
    if (!set || set->count != 1)
        return false;
    *constant = pool->items[set->first];
    return true;
}

unsigned isa_value_levels(const struct isa_value_pool *pool, isa_value value, struct isa_level levels[ISA_LEVELS_MAX])
{
    const struct isa_value_set *set = set_of(pool, value);
    for (unsigned i = 0; set && i < set->level_count; i++)
        levels[i] = (struct isa_level){pool->items[set->first + 2 * i], pool->items[set->first + 2 * i + 1]};
    return set ? set->level_count : 0;
}

/* --- the pool --- */

static unsigned items_of(const struct isa_value_set *set)
{
    return set->count ? set->count : 2u * set->level_count;
}

static uint32_t hash_of(const struct isa_value_set *set, const uint32_t *items)
{
    uint32_t hash = 2166136261u ^ set->level_count;
    for (unsigned i = 0; i < items_of(set); i++) {
        hash = (hash ^ items[i]) * 2654435761u;
        hash ^= hash >> 15;
    }
    return hash;
}

static void enter(struct isa_value_pool *pool, uint32_t number)
{
    const struct isa_value_set *set = &pool->sets[number];
    uint32_t slot = hash_of(set, pool->items + set->first) & (pool->index_room - 1);
    while (pool->index[slot])
        slot = (slot + 1) & (pool->index_room - 1);
    pool->index[slot] = number + 1;
}

static bool grow_sets(struct isa_value_pool *pool)
{
    uint32_t room = pool->room ? 2 * pool->room : 256;
    struct isa_value_set *sets = realloc(pool->sets, room * sizeof *sets);
    if (!sets)
        return false;
    pool->sets = sets;
    uint32_t *index = calloc(2 * (size_t)room, sizeof *index);
    if (!index)
        return false;
    free(pool->index);
    pool->index = index;
    pool->index_room = 2 * room;
    pool->room = room;
    for (uint32_t i = 0; i < pool->count; i++)
        enter(pool, i);
    return true;
}

static bool grow_items(struct isa_value_pool *pool)
{
    size_t room = pool->item_room ? 2 * pool->item_room : 1024;
    uint32_t *items = realloc(pool->items, room * sizeof *items);
    if (!items)
        return false;
    pool->items = items;
    pool->item_room = room;
    return true;
}

static bool is_same(const struct isa_value_pool *pool, const struct isa_value_set *a, const struct isa_value_set *b,
                    const uint32_t *items)
{
    return a->count == b->count && a->level_count == b->level_count &&
           memcmp(pool->items + a->first, items, items_of(b) * sizeof *items) == 0;
}

static isa_value keep(struct isa_value_pool *pool, struct isa_value_set set, const uint32_t *items)
{
    bool room = (pool->count < pool->room || grow_sets(pool)) &&
                (pool->item_room - pool->item_count >= 2 * ISA_CONSTANTS_MAX || grow_items(pool));
    if (!room) {
        pool->failed = true;
        return ISA_VALUE_UNKNOWN;
    }
    uint32_t slot = hash_of(&set, items) & (pool->index_room - 1);
    for (; pool->index[slot]; slot = (slot + 1) & (pool->index_room - 1))
        if (is_same(pool, &pool->sets[pool->index[slot] - 1], &set, items))
            return ISA_VALUE_FIRST + pool->index[slot] - 1;
    set.first = (uint32_t)pool->item_count;
    memcpy(pool->items + pool->item_count, items, items_of(&set) * sizeof *items);
    pool->item_count += items_of(&set);
    pool->sets[pool->count] = set;
    pool->index[slot] = ++pool->count;
    return ISA_VALUE_FIRST + pool->count - 1;
}

/* --- values --- */

isa_value isa_value_of(struct isa_value_pool *pool, uint32_t constant)
{
    return keep(pool, (struct isa_value_set){.count = 1}, &constant);
}

/* Adds to an ascending list without repeating; false: `room` is used up. */
static bool insert(uint32_t *list, unsigned *count, unsigned room, uint32_t constant)
{
    unsigned at = *count;
    while (at && list[at - 1] >= constant)
        if (list[--at] == constant)
            return true;
    if (*count == room)
        return false;
    memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
    list[at] = constant;
    ++*count;
    return true;
}

static isa_value of_set(struct isa_value_pool *pool, const uint32_t *constants, unsigned count, unsigned room)
{
    uint32_t sorted[ISA_CONSTANTS_MAX];
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++)
        if (!insert(sorted, &kept, room, constants[i]))
            return ISA_VALUE_UNKNOWN;
    return kept ? keep(pool, (struct isa_value_set){.count = (uint8_t)kept}, sorted) : ISA_VALUE_NONE;
}

isa_value isa_value_of_set(struct isa_value_pool *pool, const uint32_t *constants, unsigned count)
{
    return of_set(pool, constants, count, ISA_CONSTANTS_MAX);
}

static bool is_before(const struct isa_level *a, const struct isa_level *b)
{
    return a->mask != b->mask ? a->mask < b->mask : a->at < b->at;
}

/* The narrowest masks are kept where there are too many: those are what one looks for. */
isa_value isa_value_of_levels(struct isa_value_pool *pool, const struct isa_level *levels, unsigned count)
{
    struct isa_level sorted[ISA_LEVELS_MAX];
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned at = kept;
        while (at && is_before(&levels[i], &sorted[at - 1]))
            at--;
        bool same = at && !is_before(&sorted[at - 1], &levels[i]);
        if (same || at == ISA_LEVELS_MAX)
            continue;
        unsigned moved = kept - at;
        if (kept == ISA_LEVELS_MAX)
            moved--;
        else
            kept++;
        memmove(&sorted[at + 1], &sorted[at], moved * sizeof *sorted);
        sorted[at] = levels[i];
    }
    uint32_t items[2 * ISA_LEVELS_MAX];
    for (unsigned i = 0; i < kept; i++) {
        items[2 * i] = sorted[i].mask;
        items[2 * i + 1] = sorted[i].at;
    }
    return kept ? keep(pool, (struct isa_value_set){.level_count = (uint8_t)kept}, items) : ISA_VALUE_UNKNOWN;
}

/* --- joining --- */

static isa_value join_sets(struct isa_value_pool *pool, isa_value a, isa_value b, unsigned room)
{
    struct isa_level levels[2 * ISA_LEVELS_MAX];
    unsigned left = isa_value_levels(pool, a, levels), right = isa_value_levels(pool, b, levels + left);
    if (left && right)
        return isa_value_of_levels(pool, levels, left + right);
    if (left || right)
        return left ? a : b;
    uint32_t constants[2 * ISA_CONSTANTS_MAX];
    const uint32_t *items = isa_value_constants(pool, a, &left);
    memcpy(constants, items, left * sizeof *items);
    items = isa_value_constants(pool, b, &right);
    memcpy(constants + left, items, right * sizeof *items);
    return of_set(pool, constants, left + right, room);
}

static isa_value join(struct isa_value_pool *pool, isa_value a, isa_value b, unsigned room)
{
    if (a == b || b == ISA_VALUE_NONE)
        return a;
    if (a == ISA_VALUE_NONE)
        return b;
    if (a == ISA_VALUE_PAYLOAD || b == ISA_VALUE_PAYLOAD)
        return ISA_VALUE_PAYLOAD;
    if (a != ISA_VALUE_UNKNOWN && b != ISA_VALUE_UNKNOWN)
        return join_sets(pool, a, b, room);
    isa_value other = a == ISA_VALUE_UNKNOWN ? b : a;
    const struct isa_value_set *set = set_of(pool, other);
    return set && set->level_count ? other : ISA_VALUE_UNKNOWN;
}

isa_value isa_value_join(struct isa_value_pool *pool, isa_value a, isa_value b)
{
    return join(pool, a, b, ISA_CONSTANTS_JOINED);
}

isa_value isa_value_join_calls(struct isa_value_pool *pool, isa_value a, isa_value b)
{
    return join(pool, a, b, ISA_CONSTANTS_MAX);
}
