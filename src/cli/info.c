/* SPDX-License-Identifier: MIT */
/* gpucode info: how a file is divided, and how we know. */
#include "front/code.h"
#include "front/json.h"
#include "front/registers.h"
#include "front/session.h"
#include "front/symbols.h"
#include "kit/a3xx/shader.h"
#include "kit/afuc/boot.h"
#include "kit/hwsq/script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int command_info(struct session *session);

#define ENTRIES 128

struct view {
    const struct gpucode_image *image;
    const struct gpucode_image_info *info;
    const struct gpucode_names *names;
    struct gpucode_symbols *symbols; /* null: there are none */
    const char *file;
    size_t size;
    bool words; /* an AFUC image: sections, tables and an id */
    bool color;
    struct boot boot;
};

/* Name of a packet, or UNKN and its number as in listings. */
static const char *packet_name(const struct view *view, unsigned entry, char name[GPUCODE_NAME_MAX])
{
    if (!gpucode_name_of(view->info->target, view->names, GPUCODE_SPACE_PACKET, entry, name, GPUCODE_NAME_MAX))
        snprintf(name, GPUCODE_NAME_MAX, "UNKN%u", entry);
    return name;
}

/* --- JSON -------------------------------------------------------------------------------------------- */

static void put_section_json(struct json *json, const struct view *view, unsigned number)
{
    const struct gpucode_section *section = &view->info->sections[number];
    json_object(json, NULL);
    json_string(json, "name", section->name);
    json_number(json, "start_words", section->start);
    json_number(json, "size_words", section->size);
    json_string(json, "start_source", section->start_source);
    if (section->table != GPUCODE_NONE) {
        json_number(json, "packet_table_words", section->table);
        json_string(json, "packet_table_source", section->table_source);
    }
    json_end(json);
}

/* The packet tables of all sections, entry by entry. */
static void put_packets_json(struct json *json, const struct view *view)
{
    char text[16], name[GPUCODE_NAME_MAX];
    uint32_t handler;
    size_t length;
    json_array(json, "packets");
    for (unsigned section = 0; section < view->info->section_count; section++)
        for (unsigned i = 0; i < ENTRIES && gpucode_image_handler(view->image, section, i, &handler); i++) {
            json_object(json, NULL);
            json_string(json, "section", view->info->sections[section].name);
            snprintf(text, sizeof text, "0x%02x", i);
            json_string(json, "opcode", text);
            json_string(json, "name", packet_name(view, i, name));
            json_number(json, "handler_words", handler);
            length = gpucode_symbols_label(view->symbols, section, handler, 0, name, sizeof name - 1);
            name[length] = 0;
            if (length)
                json_string(json, "handler_name", name);
            json_end(json);
        }
    json_end(json);
}

static void put_words_json(struct json *json, const struct view *view)
{
    const struct gpucode_image_info *info = view->info;
    char text[16];
    json_string(json, "generation", gpucode_target_generation(info->target));
    if (info->id != GPUCODE_NONE) {
        snprintf(text, sizeof text, "0x%03" PRIx32, info->id);
        json_string(json, "id", text);
        json_bool(json, "id_known", info->id_known);
    }
    if (info->version != GPUCODE_NONE) {
        snprintf(text, sizeof text, "0x%03" PRIx32, info->version);
        json_string(json, "version", text);
    }
    json_number(json, "image_words", info->units);
    json_array(json, "sections");
    for (unsigned i = 0; i < info->section_count; i++)
        put_section_json(json, view, i);
    json_end(json);
    put_packets_json(json, view);
    if (info->trailer != GPUCODE_NONE) {
        json_object(json, "trailer");
        json_number(json, "start_words", info->trailer);
        json_string(json, "date", info->date);
        json_end(json);
    }
}

static void put_json(const struct view *view)
{
    const struct gpucode_image_info *info = view->info;
    struct json json = {.out = stdout};
    json_object(&json, NULL);
    json_string(&json, "file", view->file);
    json_string(&json, "format", info->format);
    json_string(&json, "layout", info->layout);
    json_string(&json, "target", gpucode_target_name(info->target));
    json_string(&json, "target_source", info->target_given ? "given" : "found");
    json_number(&json, "size_bytes", view->size);
    json_number(&json, "tail_bytes", info->tail);
    if (view->words)
        put_words_json(&json, view);
    shader_put_json(&json, view->image);
    script_put_json(&json, view->image);

    if (view->boot.result) {
        json_object(&json, "boot");
        json_string(&json, "result", view->boot.result);
        json_string(&json, "detail", view->boot.detail);
        json_number(&json, "instructions", view->boot.instructions);
        json_end(&json);
    }
    json_array(&json, "facts");
    for (unsigned i = 0; i < info->fact_count; i++) {
        json_object(&json, NULL);
        json_string(&json, "name", info->facts[i].name);
        json_string(&json, "value", info->facts[i].value);
        json_string(&json, "source", info->facts[i].source);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

/* --- text -------------------------------------------------------------------------------------------- */

static void put_heading(const struct view *view, const char *text)
{
    printf("%s%s%s\n", view->color ? "\033[1m" : "", text, view->color ? "\033[0m" : "");
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
static void put_table(const struct view *view, unsigned number)
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
        int column = printf("    0x%04" PRIx32 ": ", groups[group].handler);
        size_t named = gpucode_symbols_label(view->symbols, number, groups[group].handler, 0, name, sizeof name - 1);
        if (named)
            column += printf("%.*s = ", (int)named, name);
        int indent = column;
        for (unsigned i = 0; i < entries; i++) {
            if (handlers[i] != groups[group].handler)
                continue;
            int length = (int)strlen(packet_name(view, i, name)) + 1;
            if (column + length > 100 && column > indent)
                column = printf("\n%*s", indent, "") - 1;
            printf("%s ", name);
            column += length;
        }
        putchar('\n');
    }
}

static void put_section(const struct view *view, unsigned number)
{
    const struct gpucode_section *section = &view->info->sections[number];
    char heading[128];
    snprintf(heading, sizeof heading, "section %s", section->name);
    put_heading(view, heading);
    printf("  start         word 0x%04" PRIx32 " (%s)\n", section->start, section->start_source);
    printf("  size          %" PRIu32 " words\n", section->size);
    if (section->table == GPUCODE_NONE) {
        puts("  packet table  none");
        return;
    }
    printf("  packet table  word 0x%04" PRIx32 " of the section (%s)\n", section->table, section->table_source);
    puts("  handlers");
    put_table(view, number);
}

static void put_text(const struct view *view)
{
    const struct gpucode_image_info *info = view->info;
    put_heading(view, view->file);
    printf("  format        %s, %s\n", info->format, info->layout);
    printf("  target        %s (%s)%s\n", gpucode_target_name(info->target), gpucode_target_description(info->target),
           info->target_given ? ", given" : "");
    printf("  size          %zu bytes", view->size);
    if (view->words)
        printf(", %" PRIu32 " words of image", info->units);
    if (info->tail)
        printf(", %" PRIu32 " bytes behind the last whole one", info->tail);
    putchar('\n');
    if (info->id != GPUCODE_NONE)
        printf("  id            0x%03" PRIx32 "%s\n", info->id, info->id_known ? "" : " (unknown)");
    if (info->version != GPUCODE_NONE)
        printf("  version       0x%03" PRIx32 "\n", info->version);
    if (info->trailer != GPUCODE_NONE)
        printf("  built         %s (trailer at word 0x%04" PRIx32 ")\n", info->date, info->trailer);
    if (view->boot.result)
        printf("  boot          %s: %s (%" PRIu64 " instructions run)\n", view->boot.result, view->boot.detail,
               view->boot.instructions);
    if (info->fact_count)
        put_heading(view, "facts");
    for (unsigned i = 0; i < info->fact_count; i++)
        printf("  %s: %s (%s)\n", info->facts[i].name, info->facts[i].value, info->facts[i].source);
    for (unsigned i = 0; i < info->section_count; i++)
        if (view->words)
            put_section(view, i);
    shader_put_text(view->image);
    script_put_text(view->image);
}

int command_info(struct session *session)
{
    struct registers *registers = NULL;
    struct gpucode_symbols *symbols = NULL;
    struct code opened;
    int code = code_open(session, session->arguments.operands[0], &opened);
    if (code)
        return code;
    struct view view = {
        .image = opened.image,
        .info = gpucode_image_info(opened.image),
        .file = opened.file.name,
        .size = opened.file.size,
        .color = session->color,
    };
    view.words = strcmp(view.info->format, "afuc") == 0;
    code = registers_load(session, view.info->target, &registers);
    if (!code)
        code = symbols_load(session, view.info->target, registers_names(registers), &symbols);
    if (!code)
        code = symbols_bind(session, symbols, NULL, opened.image, view.file);
    view.names = symbols_names(symbols, registers_names(registers));
    view.symbols = symbols;
    if (!code && view.words && !boot_compare(view.image, &view.boot))
        code = code_status(session, view.file, GPUCODE_ERROR_MEMORY);
    if (!code && session->json)
        put_json(&view);
    else if (!code)
        put_text(&view);
    gpucode_symbols_free(symbols);
    registers_free(registers);
    code_close(&opened);
    return code;
}
