/* SPDX-License-Identifier: MIT */
/* Routines: code under one name, as the empty lines of the listing show it. */
#include "outline/outline.h"

#include <stdlib.h>
#include <string.h>

/* The first label of that kind of a unit, as a string; *failed when out of memory. */
static const char *first_name(struct gpucode_outline *outline, const struct gpucode_unit *unit,
                              enum gpucode_mark_kind kind, bool *failed)
{
    const struct isa_lines *listing = &outline->listing;
    for (uint32_t i = 0; i < unit->label_count; i++) {
        const struct gpucode_mark *mark = &listing->marks[unit->first_label + i];
        if (mark->kind != kind)
            continue;
        const char *name = arena_copy(&outline->arena, listing->text.bytes + mark->name.offset, mark->name.length);
        *failed |= !name;
        return name;
    }
    return NULL;
}

/* Names the routine that begins at a unit; false when out of memory. */
static bool name_routine(struct gpucode_outline *outline, const struct gpucode_unit *unit,
                         struct gpucode_routine *routine)
{
    bool failed = false;
    const struct isa_lines *listing = &outline->listing;
    for (uint32_t i = 0; i < unit->label_count; i++)
        routine->entry_count += listing->marks[unit->first_label + i].kind == GPUCODE_MARK_PACKET;
    routine->symbol = unit->begins ? first_name(outline, unit, GPUCODE_MARK_SYMBOL, &failed) : NULL;
    routine->packet = first_name(outline, unit, GPUCODE_MARK_PACKET, &failed);
    const char *called = first_name(outline, unit, GPUCODE_MARK_CALLED, &failed);
    routine->name = routine->symbol ? routine->symbol : routine->packet ? routine->packet : called ? called : "start";
    return !failed;
}

bool outline_find_routines(struct gpucode_outline *outline)
{
    struct isa_lines *listing = &outline->listing;
    uint32_t count = 0;
    for (uint32_t i = 0; i < listing->unit_count; i++) {
        struct gpucode_unit *unit = &listing->units[i];
        unit->begins |= i == 0 || listing->units[i - 1].section != unit->section;
        count += unit->begins;
    }
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
