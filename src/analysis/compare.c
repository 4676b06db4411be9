/* SPDX-License-Identifier: MIT */
/* The comparison of two images, and what can be asked of it. */
#include "analysis/compare.h"

#include <stdlib.h>
#include <string.h>

#define WORK_MAX (UINT64_C(1) << 30) /* steps of alignments, of a pair of sections */

/* The new image's section that an old one belongs to: of its name; the first one belongs to the first. */
static bool belong(const struct gpucode_analysis *before, unsigned a, const struct gpucode_analysis *after, unsigned b)
{
    const struct gpucode_section *old = before->layout->info.sections, *new = after->layout->info.sections;
    if (strcmp(old[a].name, new[b].name) == 0)
        return true;
    bool named = false;
    for (unsigned i = 0; i < after->section_count; i++)
        named |= !a && strcmp(old[0].name, new[i].name) == 0;
    for (unsigned i = 0; i < before->section_count; i++)
        named |= !b && strcmp(old[i].name, new[0].name) == 0;
    return !a && !b && !named;
}

static unsigned find_section(const struct gpucode_comparison *comparison, unsigned side, unsigned section)
{
    const struct gpucode_analysis *before = comparison->analysis[0], *after = comparison->analysis[1];
    const struct gpucode_analysis *others = comparison->analysis[!side];
    for (unsigned i = 0; i < others->section_count; i++)
        if (side ? belong(before, i, after, section) : belong(before, section, after, i))
            return i;
    return GPUCODE_NONE;
}

static bool compare_sections(struct gpucode_comparison *comparison, struct gpucode_compared_section *out,
                             struct list *edits)
{
    struct compare_pair pair = {.out = out, .arena = &comparison->arena, .work = WORK_MAX};
    for (unsigned s = 0; s < 2; s++) {
        pair.side[s].analysis = comparison->analysis[s];
        pair.side[s].code = out->section[s] == GPUCODE_NONE ? NULL : &comparison->analysis[s]->code[out->section[s]];
    }
    bool good = compare_number(&pair) && compare_match(&pair) && compare_judge(&pair) && compare_align(&pair) &&
                compare_list_edits(&pair, edits);
    arena_free(&pair.scratch);
    return good;
}

static bool compare_all(struct gpucode_comparison *comparison, struct list *edits)
{
    const struct gpucode_analysis *before = comparison->analysis[0], *after = comparison->analysis[1];
    size_t room = (size_t)before->section_count + after->section_count + 1;
    comparison->sections = arena_array(&comparison->arena, room, sizeof *comparison->sections);
    if (!comparison->sections)
        return false;
    struct gpucode_compared_section *at = comparison->sections;
    for (unsigned i = 0; i < after->section_count; i++, at++) {
        at->section[GPUCODE_OLD] = find_section(comparison, GPUCODE_NEW, i);
        at->section[GPUCODE_NEW] = i;
    }
    for (unsigned i = 0; i < before->section_count; i++)
        if (find_section(comparison, GPUCODE_OLD, i) == GPUCODE_NONE) {
            at->section[GPUCODE_OLD] = i;
            at++->section[GPUCODE_NEW] = GPUCODE_NONE;
        }
    comparison->section_count = (unsigned)(at - comparison->sections);
    for (unsigned i = 0; i < comparison->section_count; i++)
        if (!compare_sections(comparison, &comparison->sections[i], edits))
            return false;
    return compare_count_edits(comparison, edits);
}

enum gpucode_status gpucode_compare(const struct gpucode_analysis *before, const struct gpucode_analysis *after,
                                    struct gpucode_comparison **out)
{
    if (!before || !after || !out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (before->target->isa != after->target->isa)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_comparison *comparison = calloc(1, sizeof *comparison);
    struct list edits = {0};
    if (!comparison)
        return GPUCODE_ERROR_MEMORY;
    comparison->analysis[GPUCODE_OLD] = before;
    comparison->analysis[GPUCODE_NEW] = after;
    bool good = compare_all(comparison, &edits);
    free(edits.items);
    if (!good)
        gpucode_comparison_free(comparison);
    else
        *out = comparison;
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

void gpucode_comparison_free(struct gpucode_comparison *comparison)
{
    if (!comparison)
        return;
    arena_free(&comparison->arena);
    free(comparison);
}

const struct gpucode_compared_section *gpucode_comparison_section(const struct gpucode_comparison *comparison,
                                                                  unsigned index)
{
    return comparison && index < comparison->section_count ? &comparison->sections[index] : NULL;
}

const struct gpucode_edit *gpucode_comparison_edit(const struct gpucode_comparison *comparison, unsigned index)
{
    return comparison && index < comparison->edit_count ? &comparison->edits[index] : NULL;
}

const char *gpucode_change_name(enum gpucode_change change)
{
    static const char *const names[] = {"same", "moved", "changed", "new", "gone"};
    return (unsigned)change < sizeof names / sizeof *names ? names[change] : NULL;
}

/* Where a place of the old code stands in the new one. */

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
