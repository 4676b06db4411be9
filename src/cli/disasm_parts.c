/* SPDX-License-Identifier: MIT */
#include "cli/disasm_parts.h"

#include "front/code.h"
#include "front/output.h"
#include "front/understood.h"
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

/* Packets that are named where several lead to a function. */
#define PACKETS_SHOWN 4

struct parts {
    const struct understood *understood;
    struct gpucode_outline *outline;
    struct gpucode_notes *notes; /* null: no comments are wanted */
    bool *wanted;                /* of each unit of the image; null: all of it */
    FILE *out;
};

bool disasm_parts_wanted(const struct session *session)
{
    return arguments_have(&session->arguments, OPTION_COMMENTS) ||
           arguments_have(&session->arguments, OPTION_GRAPH_FUNCTION) ||
           arguments_have(&session->arguments, OPTION_REACHABLE_FROM);
}

/* --- which units --- */

static void want_function(struct parts *parts, unsigned section, const struct gpucode_function *function)
{
    uint32_t start = parts->understood->info->sections[section].start;
    for (uint32_t i = 0; i < function->block_count; i++) {
        const struct gpucode_block *block =
            gpucode_analysis_block(parts->understood->analysis, section, function->blocks[i]);
        for (uint32_t unit = block->start; unit < block->end; unit++)
            parts->wanted[start + unit] = true;
    }
}

/* The number of a packet by its name or "UNKN12"; false: there is none. */
static bool find_packet(const struct understood *understood, const char *name, unsigned *packet)
{
    char known[GPUCODE_NAME_MAX], number[16];
    for (*packet = 0; *packet < 128; ++*packet) {
        snprintf(number, sizeof number, "UNKN%u", *packet);
        if (strcmp(name, number) == 0 ||
            (gpucode_analysis_packet_name(understood->analysis, *packet, known, sizeof known) &&
             strcmp(name, known) == 0))
            return true;
    }
    return false;
}

/* The functions that are asked for, or false: there is no such place. */
static bool want_named(struct parts *parts, const char *function, const char *packet)
{
    const struct understood *understood = parts->understood;
    const struct gpucode_function *each;
    unsigned number = 0;
    bool found = false;
    if (packet && !find_packet(understood, packet, &number))
        return false;
    for (unsigned i = 0; i < understood->info->section_count; i++) {
        uint32_t unit = GPUCODE_NONE;
        bool here = function && understood_find(understood, i, function, &unit);
        uint32_t owner = here ? gpucode_analysis_owner(understood->analysis, i, unit) : GPUCODE_NONE;
        for (unsigned k = 0; (each = gpucode_analysis_function(understood->analysis, i, k)); k++) {
            if (k != owner && !(packet && each->reached_by[number / 64] >> number % 64 & 1))
                continue;
            want_function(parts, i, each);
            found = true;
        }
    }
    return found;
}

/* Returns an exit code. */
static int choose_units(struct parts *parts)
{
    struct session *session = parts->understood->session;
    const char *function = session->arguments.value[OPTION_GRAPH_FUNCTION];
    const char *packet = session->arguments.value[OPTION_REACHABLE_FROM];
    if (!function && !packet)
        return EXIT_DONE;
    if (!(parts->wanted = calloc((size_t)parts->understood->info->units + 1, sizeof *parts->wanted)))
        return out_of_memory(&session->diagnostics);
    /* each of the two on its own, so that a wrong name is told */
    if (function && !want_named(parts, function, NULL))
        return understood_no_place(parts->understood, function);
    if (packet && !want_named(parts, NULL, packet))
        return understood_no_place(parts->understood, packet);
    return EXIT_DONE;
}

/* --- the text --- */

static bool is_wanted(const struct parts *parts, const struct gpucode_unit *unit)
{
    return !parts->wanted || (unit->unit < parts->understood->info->units && parts->wanted[unit->unit]);
}

/* A comment with the packets that lead to the function that begins here, unless they are those that it handles. */
static void put_packets(const struct parts *parts, const struct gpucode_unit *unit)
{
    char text[GPUCODE_NOTE_MAX];
    uint32_t index = unit->at <= UINT32_MAX ? understood_function(parts->understood, unit->section, (uint32_t)unit->at)
                                            : GPUCODE_NONE;
    const struct gpucode_function *function =
        gpucode_analysis_function(parts->understood->analysis, unit->section, index);
    if (!function || memcmp(function->reached_by, function->packets, sizeof function->packets) == 0 ||
        !gpucode_analysis_packets(parts->understood->analysis, function->reached_by, PACKETS_SHOWN, text, sizeof text))
        return;
    fprintf(parts->out, "; from %s\n", text);
}

/* What stands from the end of the unit before to the end of this one's line: labels, then its line. */
static void put_unit(const struct parts *parts, const struct gpucode_unit *unit, const char *from, const char *end)
{
    char note[GPUCODE_NOTE_MAX];
    if (parts->notes && *from == '\n') { /* the empty line in front of a routine */
        fputc(*from++, parts->out);
        put_packets(parts, unit);
    }
    if (!parts->notes || unit->kind != GPUCODE_UNIT_CODE || unit->at > UINT32_MAX ||
        !gpucode_notes_text(parts->notes, unit->section, (uint32_t)unit->at, note, sizeof note)) {
        fwrite(from, 1, (size_t)(end - from), parts->out);
        return;
    }
    fwrite(from, 1, (size_t)(end - from) - 1, parts->out);
    fprintf(parts->out, unit->comment.length ? "; %s\n" : "\t; %s\n", note);
}

static void put_head(const struct parts *parts)
{
    const struct session *session = parts->understood->session;
    const char *function = session->arguments.value[OPTION_GRAPH_FUNCTION];
    const char *packet = session->arguments.value[OPTION_REACHABLE_FROM];
    fprintf(parts->out, "; an excerpt of %s, no program:", parts->understood->input->file.name);
    if (function)
        fprintf(parts->out, " %s", function);
    if (packet)
        fprintf(parts->out, "%s what %s leads to", function ? " and" : "", packet);
    fputc('\n', parts->out);
}

static void put_listing(const struct parts *parts)
{
    uint32_t count;
    size_t length;
    const char *text = gpucode_outline_text(parts->outline, &length), *from = text;
    const struct gpucode_unit *units = gpucode_outline_units(parts->outline, &count);
    unsigned section = UINT32_MAX;
    bool left_out = false;
    if (parts->wanted)
        put_head(parts);
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && units[i + 1].line == units[i].line)
            continue; /* entries of a table share a line */
        const char *end = memchr(text + units[i].line, '\n', length - units[i].line);
        end = end ? end + 1 : text + length;
        if (is_wanted(parts, &units[i])) {
            if (parts->wanted && units[i].section != section && parts->understood->info->section_count > 1)
                fprintf(parts->out, "\n; section %s\n", parts->understood->info->sections[units[i].section].name);
            else if (left_out)
                fprintf(parts->out, "; ...\n");
            section = units[i].section;
            put_unit(parts, &units[i], from, end);
        }
        left_out = !is_wanted(parts, &units[i]);
        from = end;
    }
    if (!parts->wanted)
        fwrite(from, 1, (size_t)(text + length - from), parts->out);
}

/* --- all together --- */

static int make_outline(struct parts *parts)
{
    struct session *session = parts->understood->session;
    const struct input *input = parts->understood->input;
    struct gpucode_disasm_options options = {
        .names = input_names(input),
        .label = input->symbols ? gpucode_symbols_label : NULL,
        .user = input->symbols,
        .columns = arguments_have(&session->arguments, OPTION_VERBOSE),
        .gathered = arguments_have(&session->arguments, OPTION_COMMENTS),
    };
    const struct kit *kit = kit_of(input->target);
    if (kit && kit->listing)
        kit->listing(session, &options);
    enum gpucode_status status = gpucode_outline_create(input->image, &options, &parts->outline);
    if (status == GPUCODE_OK && arguments_have(&session->arguments, OPTION_COMMENTS))
        status = gpucode_notes_create(parts->understood->analysis, &parts->notes);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, input->file.name, status);
}

static void put_parts(FILE *out, const void *user)
{
    struct parts parts = *(const struct parts *)user;
    parts.out = out;
    put_listing(&parts);
}

static int write_parts(struct session *session, const struct parts *parts)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    return outputs_write_text(&session->diagnostics, path ? path : "-", put_parts, parts);
}

static int list_parts(struct session *session, const struct understood *understood)
{
    struct parts parts = {.understood = understood};
    int code = make_outline(&parts);
    if (!code)
        code = choose_units(&parts);
    if (!code)
        code = write_parts(session, &parts);
    gpucode_notes_free(parts.notes);
    gpucode_outline_free(parts.outline);
    free(parts.wanted);
    return code;
}

int disasm_parts(struct session *session)
{
    if (session->json || session->arguments.value[OPTION_FORM] || arguments_have(&session->arguments, OPTION_RAW))
        return complain(&session->diagnostics, CLI_EXCERPT_FORM, NULL, NULL);
    return understood_first(session, list_parts);
}
