/* SPDX-License-Identifier: MIT */
/* What lint says of a document that assembles, with places in its files. */
#include "lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOUND_MAX 500
#define ENTRIES_MAX 16

void lint_forget(struct document *document)
{
    for (size_t i = 0; i < document->found_count; i++) {
        free(document->found[i].message);
        free(document->found[i].related);
    }
    free(document->found);
    document->found = NULL;
    document->found_count = 0;
}

static char *joined(const char *message, const char *fix)
{
    size_t size = strlen(message) + (fix ? strlen(fix) : 0) + 16;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, fix ? "%s\nfix: %s" : "%s", message, fix);
    return text;
}

static void collect(void *user, const struct gpucode_finding *finding)
{
    struct document *document = user;
    const struct gpucode_image_info *info = gpucode_image_info(document->image);
    if (document->found_count == FOUND_MAX || finding->section >= info->section_count)
        return;
    uint32_t start = info->sections[finding->section].start;
    struct found found = {.severity = finding->severity, .code = finding->code, .reason = finding->reason};
    if (!place_of_unit(document, start + (uint32_t)finding->unit, finding->operand, &found.file, &found.span))
        return;
    if (finding->has_other &&
        place_of_unit(document, start + (uint32_t)finding->other, 0, &found.related_file, &found.related_span))
        found.related = strdup("this one has part in it");
    found.message = joined(finding->message, finding->fix);
    if (found.message)
        document->found[document->found_count++] = found;
}

/* Entry points that labels place, where the target has such. */
static unsigned list_entries(const struct document *document, uint64_t entries[ENTRIES_MAX])
{
    uint32_t count;
    unsigned used = 0;
    bool first = false;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(document->source, &count);
    if (!gpucode_target_facts(gpucode_source_chip(document->source))->entry_labels)
        return 0;
    for (uint32_t i = 0; i < count && used < ENTRIES_MAX - 1; i++) {
        const char *name = symbols[i].name;
        if (symbols[i].kind != GPUCODE_SOURCE_LABEL || strlen(name) != 6 || strncmp(name, "entry", 5) != 0 ||
            name[5] < '0' || name[5] > '3')
            continue;
        entries[used++] = symbols[i].unit;
        first |= name[5] == '0';
    }
    if (used && !first) /* entry point 0 is at 0 unless the source places it */
        entries[used++] = 0;
    return used;
}

static struct gpucode_declaration *list_declarations(const struct gpucode_program *program, unsigned *count)
{
    struct gpucode_declaration one, *list;
    unsigned all = 0;
    while (gpucode_program_declaration(program, all, &one))
        all++;
    list = calloc(all + 1, sizeof *list);
    for (*count = 0; list && *count < all; ++*count)
        gpucode_program_declaration(program, *count, &list[*count]);
    return list;
}

void lint_document(struct document *document)
{
    lint_forget(document);
    const struct gpucode_image *image = document_image(document);
    if (!image)
        return;
    uint64_t entries[ENTRIES_MAX];
    unsigned declared = 0;
    struct gpucode_declaration *declarations = list_declarations(gpucode_source_program(document->source), &declared);
    document->found = calloc(FOUND_MAX, sizeof *document->found);
    if (document->found && declarations) {
        struct gpucode_lint_options options = {.report = collect,
                                               .user = document,
                                               .entries = entries,
                                               .entry_count = list_entries(document, entries),
                                               .declarations = declarations,
                                               .declaration_count = declared};
        if (!options.entry_count)
            options.entries = NULL;
        gpucode_lint(image, &options, NULL);
    }
    free(declarations);
}
