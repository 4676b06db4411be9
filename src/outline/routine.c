/* SPDX-License-Identifier: MIT */
/* Routines: code under one name, as the empty lines of the listing show it. */
#include "isa/isa.h"
#include "outline/outline.h"

#include <inttypes.h>

#include <stdlib.h>
#include <string.h>

/* The label of that kind that names a unit, as a string; *failed when out of memory. */
static const char *best_name(struct gpucode_outline *outline, const struct gpucode_unit *unit,
                             enum gpucode_mark_kind kind, bool *failed)
{
    const struct isa_lines *listing = &outline->listing;
    const struct gpucode_mark *best = NULL;
    for (uint32_t i = 0; i < unit->label_count; i++) {
        const struct gpucode_mark *mark = &listing->marks[unit->first_label + i];
        if (mark->kind == kind && (!best || mark->rank < best->rank))
            best = mark;
    }
    if (!best)
        return NULL;
    const char *name = arena_copy(&outline->arena, listing->text.bytes + best->name.offset, best->name.length);
    *failed |= !name;
    return name;
}

/* Names the routine that begins at a unit; false when out of memory. */
static bool name_routine(struct gpucode_outline *outline, const struct gpucode_unit *unit,
                         struct gpucode_routine *routine)
{
    bool failed = false;
    const struct isa_lines *listing = &outline->listing;
    for (uint32_t i = 0; i < unit->label_count; i++)
        routine->entry_count += listing->marks[unit->first_label + i].kind == GPUCODE_MARK_PACKET;
    routine->symbol = unit->begins ? best_name(outline, unit, GPUCODE_MARK_SYMBOL, &failed) : NULL;
    routine->packet = best_name(outline, unit, GPUCODE_MARK_PACKET, &failed);
    const char *called = best_name(outline, unit, GPUCODE_MARK_BUILT_IN, &failed);
    if (!called)
        called = best_name(outline, unit, GPUCODE_MARK_CALLED, &failed);
    routine->name = routine->symbol ? routine->symbol : routine->packet ? routine->packet : called ? called : "start";
    return !failed;
}

static bool has_symbol(const struct isa_lines *listing, const struct gpucode_unit *unit)
{
    for (uint32_t i = 0; i < unit->label_count; i++)
        if (listing->marks[unit->first_label + i].kind == GPUCODE_MARK_SYMBOL)
            return true;
    return false;
}

/*
 * Marks where routines begin: at the targets of calls, at names of the caller's that no branch leads to, and where a
 * section begins. False when out of memory.
 */
static bool find_beginnings(struct gpucode_outline *outline)
{
    struct isa_lines *listing = &outline->listing;
    bool *branched = calloc((size_t)listing->unit_count + 1, sizeof *branched);
    if (!branched)
        return false;
    for (uint32_t i = 0; i < listing->unit_count; i++) {
        struct gpucode_insn insn;
        struct gpucode_flow flow;
        if (listing->units[i].kind != GPUCODE_UNIT_CODE || !gpucode_outline_insn(outline, i, &insn) ||
            !gpucode_insn_flow(&insn, &flow) || !flow.known)
            continue;
        uint32_t target = gpucode_outline_find(outline, listing->units[i].section, flow.target);
        if (target == GPUCODE_NONE || listing->units[target].at != flow.target)
            continue;
        if (flow.kind == GPUCODE_FLOW_CALL)
            listing->units[target].begins |= listing->units[target].kind == GPUCODE_UNIT_CODE;
        else
            branched[target] = true;
    }
    for (uint32_t i = 0; i < listing->unit_count; i++) {
        struct gpucode_unit *unit = &listing->units[i];
        unit->begins |= i == 0 || unit[-1].section != unit->section || (!branched[i] && has_symbol(listing, unit));
    }
    free(branched);
    return true;
}

bool outline_find_routines(struct gpucode_outline *outline)
{
    struct isa_lines *listing = &outline->listing;
    uint32_t count = 0;
    if (!find_beginnings(outline))
        return false;
    for (uint32_t i = 0; i < listing->unit_count; i++)
        count += listing->units[i].begins;
    outline->routines = calloc((size_t)count + 1, sizeof *outline->routines);
    if (!outline->routines)
        return false;
    struct gpucode_routine *routine = NULL;
    for (uint32_t i = 0; i < listing->unit_count; i++) {
        struct gpucode_unit *unit = &listing->units[i];
        if (unit->kind == GPUCODE_UNIT_TABLE || (routine && !unit->begins && unit->section != routine->section))
            continue;
        if (unit->begins) {
            routine = &outline->routines[outline->routine_count++];
            *routine = (struct gpucode_routine){.first = i, .section = unit->section};
            if (!name_routine(outline, unit, routine))
                return false;
        }
        unit->routine = outline->routine_count - 1;
        routine->count = i - routine->first + 1;
    }
    return true;
}
