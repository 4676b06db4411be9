/* SPDX-License-Identifier: MIT */
/* The listing as data. */
#include "outline/outline.h"

#include "base/arena.h"
#include "isa/isa.h"
#include "isa/machine.h"
#include "isa/plain/plain.h"
#include "machine/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of an image. */

/* Running an image a little, to learn what of it is code: its boot, and each packet handler on a payload of zeros. */

#define ENTRIES 128
#define PAYLOAD 16           /* words */
#define BOOT_LIMIT 20000     /* instructions */
#define HANDLERS_LIMIT 20000 /* of all handlers together */
#define HANDLER_LIMIT 200    /* of one: a loop that waits says nothing new */
#define REPETITIONS 1024     /* of one instruction of a handler, which has few words: more is a count that ran away */

void gpucode_machine_ran(const struct gpucode_machine *machine, const struct gpucode_image *image, uint8_t *ran)
{
    if (!machine)
        return;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    for (unsigned i = 0; gpucode_machine_processor(machine, i); i++) {
        unsigned number = gpucode_machine_section(machine, i);
        uint32_t start = number < info->section_count ? info->sections[number].start : 0;
        uint32_t size = number < info->section_count ? info->sections[number].size : info->units;
        size_t units;
        const uint8_t *covered = gpucode_machine_covered(machine, i, &units);
        for (size_t k = 0; covered && k < units && k < size && start + k < info->units; k++)
            ran[start + k] |= covered[k];
    }
}

/* Runs each handler of a processor once, from the state `booted`. */
static void run_handlers(const struct gpucode_image *image, struct gpucode_machine *machine, unsigned processor,
                         const struct gpucode_snapshot *booted, uint64_t *left)
{
    const struct isa_machine *emulator = image_layout(image)->info.target->isa->machine;
    unsigned section = gpucode_machine_section(machine, processor);
    uint32_t seen[ENTRIES], handler, words[PAYLOAD + 1] = {0};
    unsigned count = 0;
    for (unsigned entry = 0; *left && entry < ENTRIES && gpucode_image_handler(image, section, entry, &handler);
         entry++) {
        unsigned i = 0;
        while (i < count && seen[i] != handler)
            i++;
        if (i < count)
            continue;
        seen[count++] = handler;
        struct gpucode_stop stop;
        words[0] = emulator->packet(entry, PAYLOAD);
        if (gpucode_machine_restore(machine, booted) != GPUCODE_OK ||
            gpucode_machine_feed(machine, processor, words, PAYLOAD + 1) != GPUCODE_OK)
            return;
        uint64_t ran = gpucode_machine_run(machine, *left < HANDLER_LIMIT ? *left : HANDLER_LIMIT, &stop);
        *left -= ran < *left ? ran : *left;
    }
}

/*
 * A byte per unit of the image, 1 where it ran, to be freed by the caller; null when the image cannot be run or memory
 * is short. Takes a few milliseconds at most, whatever the image does.
 */
static uint8_t *outline_explore(const struct gpucode_image *image)
{
    struct gpucode_machine *machine;
    struct gpucode_snapshot *booted;
    struct gpucode_stop stop;
    uint8_t *ran = calloc((size_t)gpucode_image_info(image)->units + 1, 1);
    if (!ran)
        return NULL;
    if (gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK) {
        free(ran);
        return NULL;
    }
    uint64_t left = HANDLERS_LIMIT;
    gpucode_machine_coverage(machine, true);
    gpucode_machine_run(machine, BOOT_LIMIT, &stop);
    if (stop.reason == GPUCODE_STOP_IDLE && gpucode_machine_snapshot(machine, &booted) == GPUCODE_OK) {
        machine->core.repetitions = REPETITIONS;
        for (unsigned i = 0; gpucode_machine_processor(machine, i); i++)
            run_handlers(image, machine, i, booted, &left);
        gpucode_snapshot_free(booted);
    }
    gpucode_machine_ran(machine, image, ran);
    gpucode_machine_free(machine);
    return ran;
}

/* Text that is handed over in pieces of this size, or a little more. */
#define WINDOW 65536

/* Fills the text of *listing, or its window. */
static void list_image(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                       struct isa_lines *listing)
{
    static const struct gpucode_disasm_options defaults;
    const struct isa_layout *layout = image_layout(image);
    const struct isa *isa = layout->info.target->isa;
    if (!options)
        options = &defaults;
    listing->image = image;
    if (isa->machine && isa->machine->packet && !options->raw && !options->executed && !options->static_only)
        listing->explore = outline_explore;
    (isa->listing.disassemble ? isa->listing.disassemble : isa_plain_disassemble)(layout, options, listing);
}

/*
 * The listing of an image, with the marks of units kept if `recorded`; where paths leave in doubt what is code, the
 * image is run a little. Not GPUCODE_OK: there is nothing to free.
 */
static enum gpucode_status outline_list(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                        bool recorded, struct isa_lines *listing)
{
    *listing = (struct isa_lines){.recorded = recorded};
    buffer_reserve(&listing->text, image_layout(image)->size * 8 + 4096);
    list_image(image, options, listing);
    buffer_append(&listing->text, "", 1);
    if (!listing->text.failed)
        return GPUCODE_OK;
    isa_lines_free(listing);
    return GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_disassemble(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                        char **text, size_t *length)
{
    struct isa_lines listing;
    if (!image || !text || !length)
        return GPUCODE_ERROR_ARGUMENT;
    enum gpucode_status status = outline_list(image, options, false, &listing);
    if (status != GPUCODE_OK)
        return status;
    *text = listing.text.bytes;
    *length = listing.text.length - 1;
    listing.text = (struct buffer){0};
    isa_lines_free(&listing);
    return GPUCODE_OK;
}

enum gpucode_status gpucode_disassemble_to(const struct gpucode_image *image,
                                           const struct gpucode_disasm_options *options,
                                           bool (*write)(void *user, const char *text, size_t length), void *user)
{
    if (!image || !write)
        return GPUCODE_ERROR_ARGUMENT;
    struct isa_lines listing = {.text = {.flush = write, .user = user}};
    if (buffer_reserve(&listing.text, WINDOW))
        list_image(image, options, &listing);
    bool good = buffer_finish(&listing.text), refused = listing.text.refused;
    isa_lines_free(&listing);
    return good ? GPUCODE_OK : refused ? GPUCODE_ERROR_SPACE : GPUCODE_ERROR_MEMORY;
}

/* Where the units of each section begin in the list; false when out of memory. */
static bool index_sections(struct gpucode_outline *outline)
{
    const struct isa_lines *listing = &outline->listing;
    outline->section_count = listing->unit_count ? listing->units[listing->unit_count - 1].section + 1u : 1;
    outline->section_start = arena_array(&outline->arena, outline->section_count + 1, sizeof *outline->section_start);
    if (!outline->section_start)
        return false;
    uint32_t at = 0;
    for (unsigned section = 0; section <= outline->section_count; section++) {
        while (at < listing->unit_count && listing->units[at].section < section)
            at++;
        outline->section_start[section] = at;
    }
    return true;
}

/* The label of a unit that names it best, null: none. */
static const struct gpucode_mark *best_mark(const struct gpucode_outline *outline, const struct gpucode_unit *unit)
{
    const struct gpucode_mark *best = NULL;
    for (uint32_t i = 0; i < unit->label_count; i++) {
        const struct gpucode_mark *mark = &outline->listing.marks[unit->first_label + i];
        if (!best || mark->kind < best->kind || (mark->kind == best->kind && mark->rank < best->rank))
            best = mark;
    }
    return best;
}

/* Which unit names what stands after it; false when out of memory. */
static bool find_near(struct gpucode_outline *outline)
{
    const struct isa_lines *listing = &outline->listing;
    uint32_t last = GPUCODE_NONE;
    outline->near = arena_array(&outline->arena, (size_t)listing->unit_count + 1, sizeof *outline->near);
    if (!outline->near)
        return false;
    for (uint32_t i = 0; i < listing->unit_count; i++) {
        const struct gpucode_mark *mark = best_mark(outline, &listing->units[i]);
        if (i && listing->units[i].section != listing->units[i - 1].section)
            last = GPUCODE_NONE;
        if (mark && mark->kind != GPUCODE_MARK_BRANCHED)
            last = i;
        outline->near[i] = last;
    }
    return true;
}

static bool outline_find_routines(struct gpucode_outline *outline);

enum gpucode_status gpucode_outline_create(const struct gpucode_image *image,
                                           const struct gpucode_disasm_options *options, struct gpucode_outline **out)
{
    if (!image || !out)
        return GPUCODE_ERROR_ARGUMENT;
    struct gpucode_outline *outline = calloc(1, sizeof *outline);
    if (!outline)
        return GPUCODE_ERROR_MEMORY;
    outline->image = image;
    enum gpucode_status status = outline_list(image, options, true, &outline->listing);
    if (status == GPUCODE_OK && (!index_sections(outline) || !outline_find_routines(outline) || !find_near(outline)))
        status = GPUCODE_ERROR_MEMORY;
    return DELIVER(status, outline, out, gpucode_outline_free);
}

void gpucode_outline_free(struct gpucode_outline *outline)
{
    if (!outline)
        return;
    isa_lines_free(&outline->listing);
    arena_free(&outline->arena);
    FREE_ALL(outline->routines, outline);
}

const char *gpucode_outline_text(const struct gpucode_outline *outline, size_t *length)
{
    if (length)
        *length = outline ? outline->listing.text.length - 1 : 0;
    return outline ? outline->listing.text.bytes : NULL;
}

const struct gpucode_unit *gpucode_outline_units(const struct gpucode_outline *outline, uint32_t *count)
{
    if (count)
        *count = outline ? outline->listing.unit_count : 0;
    return outline ? outline->listing.units : NULL;
}

const struct gpucode_mark *gpucode_outline_marks(const struct gpucode_outline *outline, uint32_t *count)
{
    if (count)
        *count = outline ? outline->listing.mark_count : 0;
    return outline ? outline->listing.marks : NULL;
}

const struct gpucode_routine *gpucode_outline_routines(const struct gpucode_outline *outline, uint32_t *count)
{
    if (count)
        *count = outline ? outline->routine_count : 0;
    return outline ? outline->routines : NULL;
}

bool gpucode_outline_insn(const struct gpucode_outline *outline, uint32_t index, struct gpucode_insn *insn)
{
    if (!outline)
        return false;
    const struct gpucode_target *target = gpucode_image_info(outline->image)->target;
    if (index >= outline->listing.unit_count || outline->listing.units[index].row == GPUCODE_ROW_NONE)
        return false;
    const struct gpucode_unit *unit = &outline->listing.units[index];
    *insn = (struct gpucode_insn){target, unit->bits, unit->at, unit->row, unit->size, true};
    insn->exact = !(unit->bits & target->isa->text.rows->rows[unit->row].facts.ignored);
    return true;
}

uint32_t gpucode_outline_find(const struct gpucode_outline *outline, unsigned section, uint64_t at)
{
    if (!outline)
        return 0;
    const struct gpucode_unit *units = outline->listing.units;
    if (section >= outline->section_count)
        return GPUCODE_NONE;
    uint32_t low = outline->section_start[section], high = outline->section_start[section + 1];
    while (low < high) { /* the last unit that does not begin after `at` */
        uint32_t middle = low + (high - low) / 2;
        if (units[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == outline->section_start[section])
        return GPUCODE_NONE;
    const struct gpucode_unit *unit = &units[low - 1];
    unsigned unit_bytes = gpucode_target_unit_bytes(gpucode_image_info(outline->image)->target);
    return at - unit->at < (unit->size + unit_bytes - 1u) / unit_bytes ? low - 1 : GPUCODE_NONE;
}

const char *gpucode_outline_name(const struct gpucode_outline *outline, unsigned section, uint64_t at, size_t *length)
{
    if (length)
        *length = 0;
    if (!outline)
        return NULL;
    uint32_t index = gpucode_outline_find(outline, section, at);
    if (index == GPUCODE_NONE || outline->listing.units[index].at != at)
        return NULL;
    const struct gpucode_mark *best = best_mark(outline, &outline->listing.units[index]);
    if (!best)
        return NULL;
    if (length)
        *length = best->name.length;
    return outline->listing.text.bytes + best->name.offset;
}

size_t gpucode_outline_near(const struct gpucode_outline *outline, unsigned section, uint64_t at, char *text,
                            size_t size)
{
    if (text && size)
        *text = 0;
    uint32_t index = outline && text && size ? gpucode_outline_find(outline, section, at) : GPUCODE_NONE;
    if (index == GPUCODE_NONE)
        return 0;
    const struct gpucode_unit *units = outline->listing.units,
                              *unit = &units[outline->near[index] == GPUCODE_NONE ? index : outline->near[index]];
    const struct gpucode_mark *mark = best_mark(outline, unit);
    if (!mark || (outline->near[index] == GPUCODE_NONE && unit->at != at))
        return 0;
    const char *name = outline->listing.text.bytes + mark->name.offset;
    int length = at == unit->at ? snprintf(text, size, "%.*s", (int)mark->name.length, name)
                                : snprintf(text, size, "%.*s+0x%llx", (int)mark->name.length, name,
                                           (unsigned long long)(at - unit->at));
    return length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1;
}

/* Routines: code under one name, as the empty lines of the listing show it. */

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

/* Divides the units into routines; false when out of memory. */
static bool outline_find_routines(struct gpucode_outline *outline)
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
