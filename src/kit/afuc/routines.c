/* SPDX-License-Identifier: MIT */
#include "kit/afuc/routines.h"

#include "kit/afuc/exploration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned routines_section(const struct routines *routines, uint32_t unit)
{
    const struct gpucode_image_info *info = routines->info;
    unsigned section = 0;
    while (section + 1 < info->section_count && info->sections[section + 1].start <= unit)
        section++;
    return section;
}

bool routines_is_insn(const struct routines *routines, uint32_t unit)
{
    enum gpucode_unit_kind kind = routines->listing.places[unit].kind;
    return routines->present[routines_section(routines, unit)] &&
           (routines->ran[unit] || kind == GPUCODE_UNIT_CODE || kind == GPUCODE_UNIT_LOOSE);
}

/* Is it the listing's name of a place that is only branched to? */
static bool is_local(const char *name, size_t length)
{
    return length > 1 && *name == 'l' && strspn(name + 1, "0123456789") == length - 1;
}

/*
 * Takes the name of the first routine's label between two places of the listing, and counts the others: each is a
 * handler. Names of users stand behind those, and are no further handler. A label with a comment is a handler's second;
 * one without an empty line in front (or the beginning of a section: `first`) is branched to from inside.
 */
static bool read_labels(const char *at, const char *end, bool first, const char *symbol, struct routine *routine)
{
    bool found = false;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        first |= !length;
        if (first && length > 1 && at[length - 1] == ':' && *at != ';' && !is_local(at, length - 1)) {
            bool own = strlen(symbol) == length - 1 && memcmp(symbol, at, length - 1) == 0;
            if (found && own)
                snprintf(routine->symbol, sizeof routine->symbol, "%s", symbol);
            else if (found)
                routine->more++;
            else
                snprintf(routine->name, sizeof routine->name, "%.*s", (int)(length - 1), at);
            found = true;
        }
        at += length + 1;
    }
    return found;
}

/* A source may have a better name for a subroutine than its place. */
static void take_symbol(struct routine *routine, const struct gpucode_program *program)
{
    struct gpucode_symbol symbol;
    if (!program || strncmp(routine->name, "fxn", 3) != 0)
        return;
    for (unsigned i = 0; gpucode_program_symbol(program, i, &symbol); i++)
        if (symbol.unit == routine->first && symbol.section) {
            snprintf(routine->name, sizeof routine->name, "%s", symbol.name);
            return;
        }
}

/* The user's first name of a unit, or "". */
static void symbol_at(const struct routines *routines, unsigned section, uint32_t unit, char name[GPUCODE_NAME_MAX])
{
    uint32_t start = section < routines->info->section_count ? routines->info->sections[section].start : 0;
    size_t length =
        gpucode_symbols_label(routines->input->symbols, section, unit - start, 0, name, GPUCODE_NAME_MAX - 1);
    name[length] = 0;
}

static void divide(struct routines *routines)
{
    const char *text = routines->listing.text, *end = text + routines->listing.length, *behind = text;
    unsigned last_section = UINT32_MAX;
    struct routine *routine = routines->list;
    for (uint32_t unit = 0; unit < routines->info->units; unit++) {
        const struct gpucode_unit_place *place = &routines->listing.places[unit];
        unsigned section = routines_section(routines, unit);
        struct routine next = {.section = section, .first = unit, .name = "start"};
        char symbol[GPUCODE_NAME_MAX];
        symbol_at(routines, section, unit, symbol);
        bool begins = place->kind != GPUCODE_UNIT_NONE &&
                      read_labels(behind, text + place->offset, section != last_section, symbol, &next);
        if (begins || section != last_section) {
            /* what has no instructions is a table */
            routine += routine->instructions != 0;
            *routine = next;
            take_symbol(routine, routines->input->program);
            last_section = section;
        }
        if (place->kind != GPUCODE_UNIT_NONE) {
            const char *line_end = memchr(text + place->offset, '\n', (size_t)(end - text) - place->offset);
            behind = line_end ? line_end + 1 : end;
        }
        routine->instructions += routines_is_insn(routines, unit);
        routine->ran += routines->ran[unit];
    }
    routine += routine->instructions != 0;
    routines->count = (size_t)(routine - routines->list);
}

enum gpucode_status routines_find(struct routines *routines, const struct input *input,
                                  const struct gpucode_machine *machine, const char *section)
{
    const struct gpucode_disasm_options options = {
        .names = input_names(input), .label = input->symbols ? gpucode_symbols_label : NULL, .user = input->symbols};
    const struct gpucode_image_info *info = gpucode_image_info(input->image);
    *routines = (struct routines){.input = input, .info = info};
    enum gpucode_status status = disassembly_make(input->image, &options, &routines->listing);
    if (status != GPUCODE_OK)
        return status;
    routines->ran = calloc((size_t)info->units + 1, 1);
    routines->present = calloc((size_t)info->section_count + 1, sizeof *routines->present);
    routines->list = calloc((size_t)info->units + 2, sizeof *routines->list);
    if (!routines->ran || !routines->present || !routines->list) {
        routines_free(routines);
        return GPUCODE_ERROR_MEMORY;
    }
    exploration_collect(input->image, machine, routines->ran);
    const char *name;
    for (unsigned i = 0; (name = gpucode_machine_processor(machine, i)); i++)
        if (!section || strcmp(section, name) == 0)
            routines->present[gpucode_machine_section(machine, i)] = true;
    divide(routines);
    return GPUCODE_OK;
}

void routines_free(struct routines *routines)
{
    disassembly_free(&routines->listing);
    free(routines->ran);
    free(routines->present);
    free(routines->list);
    *routines = (struct routines){0};
}
