/* SPDX-License-Identifier: MIT */
/* What lint says of a document that assembles, with places in its files. */
#include "front/input.h"
#include "lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOUND_MAX 500

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

void lint_document(struct document *document)
{
    document_forget_findings(document);
    const struct gpucode_image *image = document_image(document);
    if (!image)
        return;
    uint64_t entries[FACTS_ENTRIES_MAX];
    unsigned declared = 0;
    struct gpucode_declaration *declarations = facts_declarations(gpucode_source_program(document->source), &declared);
    document->found = calloc(FOUND_MAX, sizeof *document->found);
    if (document->found && declarations) {
        struct gpucode_lint_options options = {.report = collect,
                                               .user = document,
                                               .entries = entries,
                                               .entry_count =
                                                   facts_entries(gpucode_source_program(document->source), entries),
                                               .declarations = declarations,
                                               .declaration_count = declared};
        if (!options.entry_count)
            options.entries = NULL;
        gpucode_lint(image, &options, NULL);
    }
    free(declarations);
}
