/* SPDX-License-Identifier: MIT */
/* The firmware that a user names, beside what the dump had loaded. */
#include "front/input.h"
#include "front/names.h"
#include "front/session.h"
#include "gpu/crash_page.h"

#include <gpucode/outline.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AROUND 6        /* lines of the listing on each side */
#define PACKETS_SHOWN 3 /* of those that lead to a routine */

struct crash_code {
    struct input input;
    struct gpucode_outline *outline;
    unsigned section;               /* whose table is the loaded one */
    bool same, has_table, compared; /* compared: with the loaded table */
    unsigned different;             /* entries of the first section's table */
};

/* A section's own packet table. False: it has none. */
static bool read_table(const struct crash_code *code, unsigned section, uint32_t handlers[128])
{
    unsigned entry = 0;
    while (entry < 128 && gpucode_image_handler(code->input.image, section, entry, &handlers[entry]))
        entry++;
    return entry == 128;
}

/* Compares the loaded packet table with those of the sections. */
static void compare_tables(const struct gpucode_crash *crash, struct crash_code *code)
{
    const struct gpucode_image_info *info = gpucode_image_info(code->input.image);
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

int crash_code_open(struct session *session, const struct gpucode_crash *crash, const char *path,
                    struct crash_code **out)
{
    struct crash_code *code = *out = calloc(1, sizeof *code);
    if (!code)
        return out_of_memory(&session->diagnostics);
    int result = input_open(session, path, &code->input);
    if (result) {
        free(code);
        *out = NULL;
        return result;
    }
    compare_tables(crash, code);
    struct gpucode_disasm_options options = {.names = input_names(&code->input)};
    if (code->input.symbols) {
        options.label = gpucode_symbols_label;
        options.user = code->input.symbols;
    }
    if (gpucode_outline_create(code->input.image, &options, &code->outline) != GPUCODE_OK)
        return out_of_memory(&session->diagnostics);
    return EXIT_DONE;
}

void crash_code_close(struct crash_code *code)
{
    if (!code)
        return;
    gpucode_outline_free(code->outline);
    input_close(&code->input);
    free(code);
}

const struct gpucode_target *crash_code_target(const struct crash_code *code)
{
    return code ? code->input.target : NULL;
}

/* The packets of the handler whose code a PC is in, by the table alone: what is called behind it counts as well. */
static bool find_handler(const struct crash_code *code, uint32_t pc, struct gpucode_crash_handler *handler,
                         struct crash_place *place)
{
    uint32_t handlers[128];
    if (!read_table(code, code->section, handlers) || !gpucode_crash_handler(handlers, pc, handler))
        return false;
    crash_handler_names(code->input.target, input_names(&code->input), handlers, handler, place->packets,
                        sizeof place->packets);
    return true;
}

bool crash_code_place(const struct crash_code *code, uint32_t pc, struct crash_place *place)
{
    struct gpucode_crash_handler handler;
    *place = (struct crash_place){0};
    if (!code || (code->has_table && code->compared && !code->same))
        return false;
    const struct gpucode_analysis *analysis = input_analysis(&code->input);
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

void crash_code_confirm(struct crash_page *page)
{
    const struct crash_code *code = page->code;
    struct gpucode_crash_position *position = &page->position;
    uint64_t packets[2];
    if (!code || !code->same || !page->located || !position->has_header ||
        (position->asked & ~position->confirmed & GPUCODE_CRASH_BY_HANDLER) == 0)
        return;
    struct gpucode_packet_header header = gpucode_packet_header(position->header);
    unsigned packet = header.type == 4 ? 4 : header.number & 127;
    page->led = crash_is_header(position->header) &&
                gpucode_analysis_reached_by(input_analysis(&code->input), code->section, position->pc, packets) &&
                packets[packet / 64] >> packet % 64 & 1;
    if (page->led)
        position->confirmed |= GPUCODE_CRASH_BY_HANDLER;
}

void crash_code_put_place(const struct crash_code *code, uint32_t pc, struct json *json)
{
    struct crash_place place;
    if (!crash_code_place(code, pc, &place))
        return;
    bool handler = !*place.function;
    json_number(json, handler ? "handler_offset_words" : "function_offset_words", place.words);
    json_string(json, handler ? "handler" : "function", handler ? place.packets : place.function);
    if (!handler && *place.packets)
        json_string(json, "reached_by", place.packets);
}

void crash_print_code_place(const struct crash_place *place)
{
    printf("%" PRIu32 " word%s into ", place->words, place->words == 1 ? "" : "s");
    if (!*place->function) {
        printf("the code for %s", place->packets);
        return;
    }
    crash_print_text(place->function);
    if (*place->packets)
        printf(", which %s lead%s to", place->packets, strchr(place->packets, ' ') ? "" : "s");
}

static void print_listing(const struct crash_page *page, uint64_t pc)
{
    const struct crash_code *code = page->code;
    uint32_t count, middle = gpucode_outline_find(code->outline, code->section, pc);
    const struct gpucode_unit *units = gpucode_outline_units(code->outline, &count);
    const char *text = gpucode_outline_text(code->outline, NULL);
    size_t length;
    if (middle == GPUCODE_NONE) {
        printf("  The section has no word 0x%" PRIx64 ".\n", pc);
        return;
    }
    for (uint32_t i = middle > AROUND ? middle - AROUND : 0; i < count && i <= middle + AROUND; i++) {
        const char *name = gpucode_outline_name(code->outline, code->section, units[i].at, &length);
        if (units[i].section != code->section)
            continue;
        if (name)
            printf("%.*s:\n", (int)length, name);
        if (i == middle && page->color)
            fputs("\033[1;31m", stdout);
        printf("  %s 0x%04" PRIx64 "  %.*s%s\n", i == middle ? "=>" : "  ", units[i].at, (int)units[i].text.length,
               text + units[i].text.offset, i == middle && page->color ? "\033[0m" : "");
    }
}

/* File and line of the source that the word at the PC comes from. False: there is none. */
static bool find_source(const struct crash_code *code, uint64_t pc, struct gpucode_place *place)
{
    const struct gpucode_section *section = &gpucode_image_info(code->input.image)->sections[code->section];
    return code->input.symbols && gpucode_symbols_place(code->input.symbols, section->start + (uint32_t)pc, place) &&
           place->file;
}

static void print_source(const struct crash_code *code, uint64_t pc)
{
    struct gpucode_place place;
    if (find_source(code, pc, &place)) {
        fputs("  source: ", stdout);
        crash_print_text(place.file);
        printf(":%u\n", place.line);
    }
}

void crash_print_code(const struct crash_page *page)
{
    const struct crash_code *code = page->code;
    if (!code || !page->located || !page->position.has_pc)
        return;
    crash_heading(page, "Firmware");
    fputs("  ", stdout);
    crash_print_text(code->input.file.name);
    if (code->same)
        printf(": all 128 entries of its packet table are those that were loaded (section %s)\n",
               gpucode_image_info(code->input.image)->sections[code->section].name);
    else if (code->has_table)
        printf(": NOT the one that crashed, %u of 128 entries of its packet table differ from those loaded\n",
               code->different);
    else
        puts(": nothing to check it by; the listing below may be of other code");
    if (code->has_table && !code->same)
        return;
    print_listing(page, page->position.pc);
    print_source(code, page->position.pc);
}

void crash_code_put(const struct crash_page *page, struct json *json)
{
    const struct crash_code *code = page->code;
    struct gpucode_place place;
    if (!code)
        return;
    json_object(json, "firmware");
    json_string(json, "file", code->input.file.name);
    if (code->has_table && code->compared)
        json_bool(json, "same", code->same);
    if (code->has_table && code->compared && !code->same)
        json_number(json, "different_entries", code->different);
    if (code->same)
        json_string(json, "section", gpucode_image_info(code->input.image)->sections[code->section].name);
    if (page->located && page->position.has_pc) {
        crash_code_put_place(code, page->position.pc, json);
        if ((code->same || !code->has_table) && find_source(code, page->position.pc, &place)) {
            json_string(json, "source", place.file);
            json_number(json, "line", place.line);
        }
    }
    json_end(json);
}
