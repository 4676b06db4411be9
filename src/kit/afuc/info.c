/* SPDX-License-Identifier: MIT */
/* What `info` says of firmware: its id, its boot, its sections and their packet tables. */
#include "front/info.h"
#include "front/code.h"
#include "front/report.h"
#include "front/session.h"
#include "kit/afuc/boot.h"
#include "kit/afuc/kit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 128

/* Name of a packet, or UNKN and its number as in listings. */
static const char *packet_name(const struct info_view *view, unsigned entry, char name[GPUCODE_NAME_MAX])
{
    if (!gpucode_name_of(view->info->target, view->names, GPUCODE_SPACE_PACKET, entry, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "UNKN%u", entry);
    return name;
}

/* --- the head ---------------------------------------------------------------------------------------------- */

static void tell_identity(const struct gpucode_image_info *info, struct report *report)
{
    report_string(report, "generation", NULL, gpucode_target_generation(info->target));
    if (info->id != GPUCODE_NONE) {
        report_hex(report, "id", "  id            %s", 3, info->id);
        report_text(report, "%s\n", info->id_known ? "" : " (unknown)");
        report_bool(report, "id_known", NULL, info->id_known);
    }
    if (info->version != GPUCODE_NONE)
        report_hex(report, "version", "  version       %s\n", 3, info->version);
    if (info->trailer != GPUCODE_NONE) {
        report_object(report, "trailer");
        report_string(report, "date", "  built         %s ", info->date);
        report_address(report, "start_words", "(trailer at word %s)\n", 4, info->trailer);
        report_end(report);
    }
}

static int tell_boot(struct session *session, const struct info_view *view, struct report *report)
{
    struct boot boot;
    if (!boot_compare(view->image, &boot))
        return code_status(session, view->file, GPUCODE_ERROR_MEMORY);
    if (!boot.result)
        return EXIT_DONE;
    report_object(report, "boot");
    report_string(report, "result", "  boot          %s: ", boot.result);
    report_string(report, "detail", "%s ", boot.detail);
    report_number(report, "instructions", "(%s instructions run)\n", boot.instructions);
    report_end(report);
    return EXIT_DONE;
}

/* --- packet tables ------------------------------------------------------------------------------------------- */

/* The packet table of a section, entry by entry. */
static void write_table(struct json *json, const struct info_view *view, unsigned section)
{
    char text[16], name[GPUCODE_NAME_MAX];
    uint32_t handler;
    for (unsigned i = 0; i < ENTRIES && gpucode_image_handler(view->image, section, i, &handler); i++) {
        json_object(json, NULL);
        json_string(json, "section", view->info->sections[section].name);
        snprintf(text, sizeof text, "0x%02x", i);
        json_string(json, "opcode", text);
        json_string(json, "name", packet_name(view, i, name));
        json_number(json, "handler_words", handler);
        size_t length = gpucode_symbols_label(view->symbols, section, handler, 0, name, sizeof name - 1);
        name[length] = 0;
        if (length)
            json_string(json, "handler_name", name);
        json_end(json);
    }
}

struct group {
    uint32_t handler;
    unsigned count;
};

static int compare_groups(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    return a->handler < b->handler ? -1 : a->handler > b->handler;
}

/* Entries that share a handler stand together: half of a table points at one place. */
static void print_table(const struct info_view *view, unsigned number)
{
    uint32_t handlers[ENTRIES];
    struct group groups[ENTRIES];
    unsigned count = 0, entries = 0;
    char name[GPUCODE_NAME_MAX];
    while (entries < ENTRIES && gpucode_image_handler(view->image, number, entries, &handlers[entries]))
        entries++;
    for (unsigned i = 0; i < entries; i++) {
        unsigned group = 0;
        while (group < count && groups[group].handler != handlers[i])
            group++;
        if (group == count)
            groups[count++] = (struct group){handlers[i], 0};
        groups[group].count++;
    }
    qsort(groups, count, sizeof *groups, compare_groups);
    for (unsigned group = 0; group < count; group++) {
        int column = printf("    0x%04" PRIx32 ":", groups[group].handler);
        size_t named = gpucode_symbols_label(view->symbols, number, groups[group].handler, 0, name, sizeof name - 1);
        if (named)
            column += printf(" %.*s =", (int)named, name);
        int indent = column;
        for (unsigned i = 0; i < entries; i++) {
            if (handlers[i] != groups[group].handler)
                continue;
            int length = (int)strlen(packet_name(view, i, name)) + 1;
            if (column + length > 100 && column > indent)
                column = printf("\n%*s", indent, "") - 1;
            printf(" %s", name);
            column += length;
        }
        putchar('\n');
    }
}

/* --- sections ------------------------------------------------------------------------------------------------ */

static void tell_section(const struct info_view *view, struct report *report, unsigned number)
{
    const struct gpucode_section *section = &view->info->sections[number];
    char heading[128];
    snprintf(heading, sizeof heading, "section %s", section->name);
    report_heading(report, heading);
    report_object(report, NULL);
    report_string(report, "name", NULL, section->name);
    report_address(report, "start_words", "  start         word %s ", 4, section->start);
    report_string(report, "start_source", "(%s)\n", section->start_source);
    report_number(report, "size_words", "  size          %s words\n", section->size);
    if (section->table == GPUCODE_NONE) {
        report_text(report, "  packet table  none\n");
    } else {
        report_address(report, "packet_table_words", "  packet table  word %s of the section ", 4, section->table);
        report_string(report, "packet_table_source", "(%s)\n", section->table_source);
        report_text(report, "  handlers\n");
        if (!report->is_json)
            print_table(view, number);
    }
    report_end(report);
}

static void tell_sections(const struct info_view *view, struct report *report)
{
    report_array(report, "sections");
    for (unsigned i = 0; i < view->info->section_count; i++)
        tell_section(view, report, i);
    report_end(report);
    report_array(report, "packets");
    for (unsigned i = 0; report->is_json && i < view->info->section_count; i++)
        write_table(&report->json, view, i);
    report_end(report);
}

int firmware_info(struct session *session, const struct info_view *view, struct report *report, enum info_part part)
{
    if (strcmp(view->info->format, "afuc") != 0) /* words without a container */
        return EXIT_DONE;
    switch (part) {
    case INFO_SIZE:
        report_number(report, "image_words", ", %s words of image", view->info->units);
        return EXIT_DONE;
    case INFO_HEAD:
        tell_identity(view->info, report);
        return tell_boot(session, view, report);
    default:
        tell_sections(view, report);
        return EXIT_DONE;
    }
}
