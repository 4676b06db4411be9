/* SPDX-License-Identifier: MIT */
/* Firmware that a user names, compared with what the dump had loaded. */
#include "pm4/crash/explain.h"
#include "pm4/crash/walk.h"

#include <gpucode/analysis.h>
#include <gpucode/asm.h>
#include <gpucode/outline.h>
#include <gpucode/packet.h>
#include <gpucode/symbols.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AROUND_LINES 6  /* lines of the listing on each side */
#define PACKETS_SHOWN 3 /* of those that lead to a routine */

struct crash_code {
    struct gpucode_crash_firmware given;
    struct gpucode_analysis *analysis; /* or null */
    struct gpucode_outline *outline;
    unsigned section;               /* whose table is the loaded one */
    bool same, has_table, compared; /* compared: with the loaded table */
    unsigned different;             /* entries of the first section's table */
};

/* A section's own packet table. False: it has none. */
static bool read_table(const struct crash_code *code, unsigned section, uint32_t handlers[128])
{
    unsigned entry = 0;
    while (entry < 128 && gpucode_image_handler(code->given.image, section, entry, &handlers[entry]))
        entry++;
    return entry == 128;
}

/* Compares the loaded packet table with those of the sections. */
static void compare_tables(const struct gpucode_crash *crash, struct crash_code *code)
{
    const struct gpucode_image_info *info = gpucode_image_info(code->given.image);
    uint32_t loaded[128], own[128];
    code->compared = gpucode_crash_table(crash, loaded);
    if (!code->compared)
        return;
    for (unsigned section = 0; section < info->section_count && !code->same; section++) {
        unsigned different = 0;
        if (!read_table(code, section, own))
            continue;
        for (unsigned entry = 0; entry < 128; entry++)
            different += (own[entry] & 0x1fff) != loaded[entry];
        if (!code->has_table)
            code->different = different;
        code->has_table = true;
        code->same = !different;
        if (code->same)
            code->section = section;
    }
}

enum gpucode_status crash_code_open(const struct gpucode_crash *crash, const struct gpucode_crash_firmware *firmware,
                                    struct crash_code **out)
{
    const struct gpucode_analysis_options how = {.names = firmware->names};
    struct gpucode_disasm_options options = {.names = firmware->names};
    struct crash_code *code = *out = firmware->image ? calloc(1, sizeof *code) : NULL;
    if (!code)
        return firmware->image ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_ARGUMENT;
    code->given = *firmware;
    compare_tables(crash, code);
    if (firmware->symbols) {
        options.label = gpucode_symbols_label;
        options.user = (void *)firmware->symbols;
    }
    enum gpucode_status status = gpucode_analyse(firmware->image, &how, &code->analysis);
    if (status == GPUCODE_ERROR_UNSUPPORTED) /* nothing is known of its routines */
        status = GPUCODE_OK;
    return status == GPUCODE_OK ? gpucode_outline_create(firmware->image, &options, &code->outline) : status;
}

void crash_code_close(struct crash_code *code)
{
    if (!code)
        return;
    gpucode_outline_free(code->outline);
    gpucode_analysis_free(code->analysis);
    free(code);
}

/* The packets of the handler whose code a PC is in, by the table alone: what is called after it counts as well. */
static bool find_handler(const struct crash_code *code, uint32_t pc, struct gpucode_crash_handler *handler,
                         struct crash_place *place)
{
    uint32_t handlers[128];
    if (!read_table(code, code->section, handlers) || !gpucode_crash_handler(handlers, pc, handler))
        return false;
    explain_handler(gpucode_image_info(code->given.image)->target, code->given.names, handlers, handler, place->packets,
                    sizeof place->packets);
    return true;
}

bool crash_code_place(const struct crash_code *code, uint32_t pc, struct crash_place *place)
{
    struct gpucode_crash_handler handler;
    *place = (struct crash_place){0};
    if (!code || (code->has_table && code->compared && !code->same))
        return false;
    const struct gpucode_analysis *analysis = code->analysis;
    uint32_t owner = gpucode_analysis_owner(analysis, code->section, pc);
    const struct gpucode_function *function = gpucode_analysis_function(analysis, code->section, owner);
    if (!function || function->start > pc) {
        if (!find_handler(code, pc, &handler, place))
            return false;
        place->words = pc - handler.start;
        return true;
    }
    place->words = pc - function->start;
    if (function->kind == GPUCODE_FUNCTION_HANDLER && find_handler(code, function->start, &handler, place))
        return true;
    gpucode_analysis_listed_name(analysis, code->outline, code->section, owner, place->function,
                                 sizeof place->function);
    if (function->kind == GPUCODE_FUNCTION_ROUTINE)
        gpucode_analysis_packets(analysis, function->reached_by, PACKETS_SHOWN, place->packets, sizeof place->packets);
    return true;
}

void crash_code_confirm(struct explanation *e)
{
    const struct crash_code *code = e->code;
    struct gpucode_crash_position *position = &e->position;
    uint64_t packets[2];
    if (!code || !code->same || !e->located || !position->has_header ||
        (position->asked & ~position->confirmed & GPUCODE_CRASH_BY_HANDLER) == 0)
        return;
    struct gpucode_packet_header header = gpucode_packet_header(position->header);
    unsigned packet = header.type == 4 ? 4 : header.number & 127;
    e->led = walk_packet_words(position->header) &&
             gpucode_analysis_reached_by(code->analysis, code->section, position->pc, packets) &&
             packets[packet / 64] >> packet % 64 & 1;
    if (e->led)
        position->confirmed |= GPUCODE_CRASH_BY_HANDLER;
}

void crash_code_tell(const struct crash_place *place, struct buffer *text)
{
    buffer_format(text, "%" PRIu32 " word%s into %s%s", place->words, place->words == 1 ? "" : "s",
                  *place->function ? "" : "the code for ", *place->function ? place->function : place->packets);
    if (*place->function && *place->packets)
        buffer_format(text, ", which %s lead%s to", place->packets, strchr(place->packets, ' ') ? "" : "s");
}

void put_code_place(const struct explanation *e, unsigned row, uint32_t pc)
{
    struct crash_place place;
    if (!crash_code_place(e->code, pc, &place))
        return;
    bool handler = !*place.function;
    put_number(e, row + (handler ? CODE_HANDLER_OFFSET : CODE_FUNCTION_OFFSET) - CODE_HANDLER_OFFSET, place.words);
    put_text(e, row + (handler ? CODE_HANDLER_NAME : CODE_FUNCTION) - CODE_HANDLER_OFFSET,
             handler ? place.packets : place.function);
    if (!handler && *place.packets)
        put_text(e, row + CODE_REACHED_BY - CODE_HANDLER_OFFSET, place.packets);
}

static void put_insn(const struct explanation *e, unsigned shift, const struct gpucode_unit *unit, bool here)
{
    const struct crash_code *code = e->code;
    size_t length;
    const char *name = gpucode_outline_name(code->outline, code->section, unit->at, &length);
    put_begin(e, shift + INSN);
    if (name)
        gpucode_answer_bytes(e->answer, &crash_rows[shift + INSN_LABEL], name, length);
    put_text(e, shift + INSN_MARK, here ? "=>" : "  ");
    put_number(e, shift + INSN_AT, unit->at);
    gpucode_answer_bytes(e->answer, &crash_rows[shift + INSN_TEXT],
                         gpucode_outline_text(code->outline, NULL) + unit->text.offset, unit->text.length);
    if (here)
        put_flag(e, shift + INSN_HERE, true);
    put_end(e);
}

static void put_listing(const struct explanation *e, unsigned shift, uint64_t pc)
{
    const struct crash_code *code = e->code;
    uint32_t count, middle = gpucode_outline_find(code->outline, code->section, pc);
    const struct gpucode_unit *units = gpucode_outline_units(code->outline, &count);
    if (middle == GPUCODE_NONE) {
        put_format(e, shift + NO_INSN, "The section has no word 0x%" PRIx64 ".", pc);
        return;
    }
    put_begin(e, shift + LISTING_ROWS);
    for (uint32_t i = middle > AROUND_LINES ? middle - AROUND_LINES : 0; i < count && i <= middle + AROUND_LINES; i++)
        if (units[i].section == code->section)
            put_insn(e, shift, &units[i], i == middle);
    put_end(e);
}

/* File and line of the source that the word at the PC comes from. */
static void put_source(const struct explanation *e, unsigned shift, uint64_t pc)
{
    const struct crash_code *code = e->code;
    const struct gpucode_section *section = &gpucode_image_info(code->given.image)->sections[code->section];
    struct gpucode_place place;
    if (!code->given.symbols || !gpucode_symbols_place(code->given.symbols, section->start + (uint32_t)pc, &place) ||
        !place.file)
        return;
    put_text(e, shift + SOURCE_FILE, place.file);
    put_number(e, shift + SOURCE_LINE, place.line);
}

void put_firmware(const struct explanation *e, unsigned shift, bool has_pc, uint32_t pc)
{
    const struct crash_code *code = e->code;
    if (!code)
        return;
    bool checked = code->has_table && code->compared;
    const char *section = gpucode_image_info(code->given.image)->sections[code->section].name;
    put_begin(e, shift + FIRMWARE);
    put_text(e, shift + FIRMWARE_FILE, code->given.file ? code->given.file : "firmware");
    if (checked)
        put_flag(e, shift + SAME, code->same);
    if (checked && !code->same)
        put_number(e, shift + DIFFERENT, code->different);
    put_text(e, shift + SECTION_OF, code->same ? section : NULL);
    if (code->same)
        put_format(e, shift + MATCH, "all 128 entries of its packet table are those that were loaded (section %s)",
                   section);
    else if (checked)
        put_format(e, shift + MATCH,
                   "NOT the one that crashed, %u of 128 entries of its packet table differ from those loaded",
                   code->different);
    else
        put_text(e, shift + MATCH, "nothing to check it against; the listing below may be of other code");
    if (has_pc && !shift)
        put_code_place(e, CODE_HANDLER_OFFSET, pc);
    if (has_pc && (code->same || !checked)) {
        put_listing(e, shift, pc);
        put_source(e, shift, pc);
    }
    put_end(e);
}
