/* SPDX-License-Identifier: MIT */
/* What is wrong with open documents, told file by file. */
#include "front/input.h"
#include "lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 500

/* The protocol's numbers: 1 error, 2 warning, 3 information. */
static int severity_of(enum gpucode_severity severity)
{
    return severity == GPUCODE_ERROR ? 1 : severity == GPUCODE_WARNING ? 2 : 3;
}

static json_t *range_in(const struct lsp *lsp, const struct document *document, uint32_t file, struct gpucode_span span)
{
    return text_range(lsp, &document->texts[file < document->file_count ? file : 0], span);
}

/* The notes after a diagnostic are its related information; returns how many there are. */
static uint32_t add_related(struct lsp *lsp, const struct document *document,
                            const struct gpucode_source_diagnostic *notes, uint32_t count, json_t *out)
{
    uint32_t taken = 0;
    json_t *related = json_array();
    for (; taken < count && notes[taken].severity == GPUCODE_NOTE; taken++)
        if (notes[taken].file != GPUCODE_NONE)
            json_array_append_new(
                related,
                json_pack("{s:o, s:o}", "location", view_location(lsp, document, notes[taken].file, notes[taken].span),
                          "message", json_of_bytes(notes[taken].message, strlen(notes[taken].message))));
    if (lsp->client.related && json_array_size(related))
        json_object_set(out, "relatedInformation", related);
    json_decref(related);
    return taken;
}

static json_t *message_with(const char *message, const char *word, const char *more)
{
    size_t size = strlen(message) + strlen(word) + (more ? strlen(more) : 0) + 4;
    char *text = memory_alloc(size);
    if (!text)
        return json_string("out of memory");
    snprintf(text, size, more ? "%s\n%s%s" : "%s", message, word, more);
    json_t *string = json_of_bytes(text, strlen(text));
    free(text);
    return string;
}

static json_t *entry(struct lsp *lsp, const struct document *document, uint32_t file, struct gpucode_span span,
                     enum gpucode_severity severity, const char *code, json_t *message)
{
    return json_pack("{s:o, s:i, s:s, s:s, s:o}", "range", range_in(lsp, document, file, span), "severity",
                     severity_of(severity), "code", code, "source", "gpucode", "message", message);
}

/* Adds a diagnostic; those after the last that is shown are only counted. */
static void put_entry(json_t *list, size_t *left_out, json_t *diagnostic)
{
    if (json_array_size(list) < SHOWN_MAX) {
        json_array_append_new(list, diagnostic);
    } else {
        ++*left_out;
        json_decref(diagnostic);
    }
}

static void add_errors(struct lsp *lsp, const struct document *document, uint32_t file, json_t *list, size_t *left_out)
{
    uint32_t count;
    const struct gpucode_source_diagnostic *all = gpucode_source_diagnostics(document->source, &count);
    for (uint32_t i = 0; i < count;) {
        const struct gpucode_source_diagnostic *at = &all[i++];
        if ((at->file == GPUCODE_NONE ? 0 : at->file) != file || at->severity == GPUCODE_NOTE)
            continue;
        if (json_array_size(list) >= SHOWN_MAX) {
            ++*left_out;
            continue;
        }
        json_t *diagnostic =
            entry(lsp, document, file, at->span, at->severity, at->code, message_with(at->message, "hint: ", at->hint));
        add_related(lsp, document, at + 1, count - i, diagnostic);
        if (at->replacement)
            json_object_set_new(diagnostic, "data",
                                json_pack("{s:o, s:o}", "text", json_of_bytes(at->replacement, strlen(at->replacement)),
                                          "range", range_in(lsp, document, file, at->replaced)));
        put_entry(list, left_out, diagnostic);
    }
}

static void add_findings(struct lsp *lsp, const struct document *document, uint32_t file, json_t *list,
                         size_t *left_out)
{
    for (size_t i = 0; i < document->found_count; i++) {
        const struct found *found = &document->found[i];
        if (found->file != file)
            continue;
        json_t *diagnostic = entry(lsp, document, file, found->span, found->severity, found->code,
                                   json_of_bytes(found->message, strlen(found->message)));
        if (found->related && lsp->client.related)
            json_object_set_new(diagnostic, "relatedInformation",
                                json_pack("[{s:o, s:s}]", "location",
                                          view_location(lsp, document, found->related_file, found->related_span),
                                          "message", found->related));
        put_entry(list, left_out, diagnostic);
    }
    if (document->found_left && document->found[document->found_count - 1].file == file)
        *left_out += document->found_left;
}

/* Sends all there is about a file, whichever open documents include it. */
static void publish_file(struct lsp *lsp, const char *uri)
{
    json_t *list = json_array();
    size_t left_out = 0;
    const struct document *open = document_find(lsp, uri);
    for (struct document *document = lsp->documents; document; document = document->next) {
        uint32_t file;
        if (!document->source || (document == open && document_root(lsp, document, &file)))
            continue; /* a file that is included makes no sense alone */
        for (uint32_t i = 0; i < document->file_count; i++) {
            char *name = uri_of_name(lsp, document_file(document, i));
            if (name && strcmp(name, uri) == 0) {
                add_errors(lsp, document, i, list, &left_out);
                add_findings(lsp, document, i, list, &left_out);
            }
            free(name);
        }
    }
    if (left_out) {
        json_t *last = json_array_get(list, json_array_size(list) - 1);
        char text[64];
        snprintf(text, sizeof text, "and %zu more", left_out);
        json_object_set_new(last, "message", message_with(text_of(last, "message"), "", text));
    }
    json_t *params = json_pack("{s:o, s:o}", "uri", json_of_bytes(uri, strlen(uri)), "diagnostics", list);
    if (open)
        json_object_set_new(params, "version", json_integer(open->version));
    lsp_notify(lsp, "textDocument/publishDiagnostics", params);
}

static bool is_among(char *const *uris, size_t count, const char *uri)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(uris[i], uri) == 0)
            return true;
    return false;
}

void diagnostics_publish(struct lsp *lsp, struct document *document)
{
    char **before = document->published;
    size_t before_count = document->published_count;
    document->published = memory_zeroed(document->file_count + 1, sizeof *document->published);
    document->published_count = 0;
    document->unpublished = false;
    for (uint32_t i = 0; document->published && i < document->file_count; i++) {
        char *uri = uri_of_name(lsp, document_file(document, i));
        if (!uri || is_among(document->published, document->published_count, uri)) {
            free(uri);
            continue;
        }
        document->published[document->published_count++] = uri;
        publish_file(lsp, uri);
    }
    for (size_t i = 0; i < before_count; i++) {
        if (!is_among(document->published, document->published_count, before[i]))
            publish_file(lsp, before[i]);
        free(before[i]);
    }
    free(before);
}

void diagnostics_forget(struct lsp *lsp, struct document *document)
{
    for (size_t i = 0; i < document->published_count; i++)
        publish_file(lsp, document->published[i]);
}

/* --- what lint finds ---------------------------------------------------------------------------------------------- */

#define FOUND_MAX 500

static char *joined(const char *message, const char *fix)
{
    size_t size = strlen(message) + (fix ? strlen(fix) : 0) + 16;
    char *text = memory_alloc(size);
    if (text)
        snprintf(text, size, fix ? "%s\nfix: %s" : "%s", message, fix);
    return text;
}

static void collect(void *user, const struct gpucode_finding *finding)
{
    struct document *document = user;
    const struct gpucode_image_info *info = gpucode_image_info(document->image);
    if (finding->section >= info->section_count)
        return;
    uint32_t start = info->sections[finding->section].start;
    struct found found = {.severity = finding->severity, .code = finding->code, .reason = finding->reason};
    if (!place_of_unit(document, start + (uint32_t)finding->unit, finding->operand, &found.file, &found.span))
        return;
    if (document->found_count == FOUND_MAX) {
        document->found_left += found.file == document->found[FOUND_MAX - 1].file;
        return;
    }
    if (finding->has_other &&
        place_of_unit(document, start + (uint32_t)finding->other, 0, &found.related_file, &found.related_span))
        found.related = memory_copy("this one has part in it");
    found.message = joined(finding->message, finding->fix);
    if (found.message)
        document->found[document->found_count++] = found;
}

static void lint(struct document *document)
{
    document_forget_findings(document);
    const struct gpucode_image *image = document_image(document);
    if (!image)
        return;
    uint64_t entries[FACTS_ENTRIES_MAX];
    unsigned declared = 0;
    struct gpucode_declaration *declarations = facts_declarations(gpucode_source_program(document->source), &declared);
    memory_note(declarations);
    document->found = memory_zeroed(FOUND_MAX, sizeof *document->found);
    if (document->found && declarations) {
        struct gpucode_lint_options options = {.report = collect,
                                               .user = document,
                                               .entries = entries,
                                               .entry_count =
                                                   facts_entries(gpucode_source_program(document->source), entries),
                                               .declarations = declarations,
                                               .declaration_count = declared};
        memory_done(gpucode_lint(image, &options, NULL));
    }
    free(declarations);
}

void diagnostics_lint(struct lsp *lsp, struct document *document)
{
    uint32_t file;
    if (!document->unlinted)
        return;
    if (!document_root(lsp, document, &file))
        lint(document);
    document->unlinted = false;
    if (document->found_count)
        diagnostics_publish(lsp, document);
}
