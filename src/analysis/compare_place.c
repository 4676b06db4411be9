/* SPDX-License-Identifier: MIT */
/* Where a place of the old code stands in the new one. */
#include "analysis/compare.h"

#include <stdlib.h>
#include <string.h>

/* One pair of sections, ready to be asked. */
struct placing {
    const struct gpucode_compared_section *pair;
    struct compare_side side[2];
    struct list units[2];
};

static bool begin(const struct gpucode_comparison *comparison, unsigned section, struct placing *placing)
{
    for (unsigned i = 0; i < comparison->section_count; i++) {
        const struct gpucode_compared_section *pair = &comparison->sections[i];
        if (pair->section[GPUCODE_OLD] != section || pair->section[GPUCODE_NEW] == GPUCODE_NONE)
            continue;
        placing->pair = pair;
        for (unsigned s = 0; s < 2; s++)
            placing->side[s] = (struct compare_side){.analysis = comparison->analysis[s],
                                                     .code = &comparison->analysis[s]->code[pair->section[s]]};
        return true;
    }
    return false;
}

/* Number of a unit in a list; its count: none. */
static size_t find(const struct list *list, uint32_t unit)
{
    size_t at = 0;
    while (at < list->count && ((const uint32_t *)list->items)[at] != unit)
        at++;
    return at;
}

static uint32_t in_lines(const struct gpucode_compared_function *function, uint32_t unit)
{
    for (uint32_t i = 0; i < function->line_count; i++)
        if (function->lines[i].unit[GPUCODE_OLD] == unit)
            return function->lines[i].unit[GPUCODE_NEW];
    return GPUCODE_NONE;
}

/* The place of a unit of a function; GPUCODE_NONE: it is gone. False: out of memory. */
static bool place_in(struct placing *placing, uint32_t owner, uint32_t unit, struct gpucode_carried_place *place)
{
    const struct gpucode_compared_function *function = placing->pair->functions;
    uint32_t left = placing->pair->function_count;
    while (left && function->function[GPUCODE_OLD] != owner) {
        function++;
        left--;
    }
    if (!left || function->function[GPUCODE_NEW] == GPUCODE_NONE)
        return true;
    uint32_t new = function->function[GPUCODE_NEW];
    if (unit == placing->side[GPUCODE_OLD].code->functions[owner].start)
        place->unit = placing->side[GPUCODE_NEW].code->functions[new].start;
    else if (function->change == GPUCODE_CHANGE_CHANGED)
        place->unit = in_lines(function, unit);
    else {
        if (!compare_units(&placing->side[0], owner, &placing->units[0]) ||
            !compare_units(&placing->side[1], new, &placing->units[1]))
            return false;
        size_t at = find(&placing->units[0], unit);
        if (at < placing->units[0].count && at < placing->units[1].count)
            place->unit = ((const uint32_t *)placing->units[1].items)[at];
    }
    place->change = place->unit == GPUCODE_NONE ? GPUCODE_CHANGE_GONE
                    : function->change == GPUCODE_CHANGE_CHANGED
                        ? GPUCODE_CHANGE_CHANGED
                        : (place->unit == unit ? GPUCODE_CHANGE_SAME : GPUCODE_CHANGE_MOVED);
    return true;
}

static bool owned(const struct analysis_code *code, uint32_t unit)
{
    return unit < code->units && code->marks[unit] & ANALYSIS_REACHED;
}

static bool same_bits(const struct placing *placing, uint32_t old, uint32_t new)
{
    const struct compare_side *side = placing->side;
    struct gpucode_insn insn;
    uint64_t bits[2];
    if (owned(side[1].code, new) || new >= side[1].code->units)
        return false;
    compare_decode(&side[0], old, &insn, &bits[0]);
    compare_decode(&side[1], new, &insn, &bits[1]);
    return bits[0] == bits[1];
}

/* Words that no function has keep their distance from the function in front of them, or from the one that follows. */
static bool place_data(struct placing *placing, uint32_t unit, struct gpucode_carried_place *place)
{
    const struct analysis_code *code = placing->side[GPUCODE_OLD].code, *other = placing->side[GPUCODE_NEW].code;
    const struct gpucode_analysis *analysis = placing->side[GPUCODE_OLD].analysis;
    uint32_t first = unit, end = unit;
    if (unit < code->boot && unit < other->boot) {
        place->unit = unit;
        return true;
    }
    while (first && !owned(code, first - 1))
        first--;
    while (end < code->units && !owned(code, end))
        end++;
    for (unsigned way = 0; way < 2 && place->unit == GPUCODE_NONE; way++) {
        struct gpucode_carried_place next = {.unit = GPUCODE_NONE};
        uint32_t anchor = way ? end : first - 1;
        if (way ? end >= code->units : !first)
            continue;
        if (!place_in(placing, gpucode_analysis_owner(analysis, code->section, anchor), anchor, &next))
            return false;
        uint32_t to = next.unit + unit - anchor; /* modulo 2^32 */
        if (next.unit != GPUCODE_NONE && same_bits(placing, unit, to))
            place->unit = to;
    }
    return true;
}

enum gpucode_status gpucode_comparison_place(const struct gpucode_comparison *comparison, unsigned section,
                                             uint32_t unit, struct gpucode_carried_place *place)
{
    struct placing placing = {0};
    if (!comparison || !place)
        return GPUCODE_ERROR_ARGUMENT;
    *place = (struct gpucode_carried_place){GPUCODE_CHANGE_GONE, GPUCODE_NONE, GPUCODE_NONE};
    if (!begin(comparison, section, &placing))
        return GPUCODE_OK;
    const struct analysis_code *code = placing.side[0].code, *other = placing.side[1].code;
    bool good = true;
    place->section = placing.pair->section[GPUCODE_NEW];
    if (unit >= code->units) { /* the packet table, and the end */
        uint32_t at = unit - code->units;
        bool end = unit == code->place->size;
        if (end || at < other->place->size - other->units)
            place->unit = end ? other->place->size : other->units + at;
    } else if (owned(code, unit)) {
        uint32_t owner = gpucode_analysis_owner(comparison->analysis[GPUCODE_OLD], section, unit);
        good = place_in(&placing, owner, unit, place);
    } else {
        good = place_data(&placing, unit, place);
    }
    if (place->unit != GPUCODE_NONE && place->change == GPUCODE_CHANGE_GONE)
        place->change = place->unit == unit ? GPUCODE_CHANGE_SAME : GPUCODE_CHANGE_MOVED;
    free(placing.units[0].items);
    free(placing.units[1].items);
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}
