/* SPDX-License-Identifier: MIT */
/* What can be done at a place: errors mended, code scheduled; what the client can run. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

static bool wants(const json_t *params, const char *kind)
{
    const json_t *only = member_of(params, "context/only"), *one;
    size_t i;
    if (!json_is_array(only))
        return true;
    json_array_foreach(only, i, one)
    {
        const char *text = json_string_value(one);
        if (text && strncmp(kind, text, strlen(text)) == 0)
            return true;
    }
    return false;
}

static json_t *one_edit(struct lsp *lsp, const struct view *view, struct gpucode_span span, const char *text,
                        size_t length)
{
    json_t *edit = json_object(), *edits;
    char *uri = uri_of_name(lsp, document_file(view->document, view->file));
    edits =
        json_pack("[{s:o, s:o}]", "range", text_range(lsp, view->text, span), "newText", json_of_bytes(text, length));
    if (uri)
        add_edits(lsp, edit, uri, edits);
    else
        json_decref(edits);
    free(uri);
    return edit;
}

/* Mends for errors that overlap a range. */
static void add_mends(struct lsp *lsp, const struct view *view, size_t from, size_t to, json_t *list)
{
    uint32_t count;
    const struct gpucode_source_diagnostic *all = gpucode_source_diagnostics(view->source, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct gpucode_source_diagnostic *at = &all[i];
        bool here = at->file == view->file &&
                    ((at->span.offset <= to && at->span.offset + at->span.length >= from) ||
                     (at->replaced.offset <= to && at->replaced.offset + at->replaced.length >= from));
        if (!at->replacement || !here)
            continue;
        char title[160];
        if (at->replaced.length)
            snprintf(title, sizeof title, "Replace by %s", at->replacement);
        else
            snprintf(title, sizeof title, "Insert '%s'", at->replacement);
        json_t *diagnostic = json_pack("{s:o, s:i, s:s, s:s, s:o}", "range", text_range(lsp, view->text, at->span),
                                       "severity", at->severity == GPUCODE_ERROR ? 1 : 2, "code", at->code, "source",
                                       "gpucode", "message", json_of_bytes(at->message, strlen(at->message)));
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:[o], s:b, s:o}", "title", json_of_bytes(title, strlen(title)),
                                        "kind", "quickfix", "diagnostics", diagnostic, "isPreferred", 1, "edit",
                                        one_edit(lsp, view, at->replaced, at->replacement, strlen(at->replacement))));
    }
}

/* The source with missing delays and sync bits; malloc'ed, null: nothing to do, or it cannot be done by editing. */
static char *scheduled_text(const struct view *view, size_t *length)
{
    const struct gpucode_image *image = document_image(view->document);
    struct gpucode_scheduled scheduled;
    struct gpucode_program *program, *again;
    char *text = NULL;
    if (!image || view->file || !memory_done(gpucode_schedule(image, NULL, &scheduled)))
        return NULL;
    struct gpucode_asm_options options = {
        .target = view->target, .names = document_names(view->document), .record_lines = true, .record_tokens = true};
    size_t size;
    const void *before = gpucode_image_bytes(image, &size);
    bool same = size == scheduled.size && memcmp(before, scheduled.bytes, size) == 0;
    if (!same && memory_done(gpucode_assemble(view->text->bytes, view->text->length, &options, &program))) {
        for (unsigned attempt = 0; attempt < 2 && !text; attempt++) { /* padding may come from a directive */
            struct gpucode_replacement code = {scheduled.bytes, scheduled.origins, scheduled.units, !attempt};
            if (!memory_done(gpucode_program_rewrite(program, &code, &text, length)))
                continue;
            bool good = memory_done(gpucode_assemble(text, *length, &options, &again));
            good = good && gpucode_program_size(again) == scheduled.size &&
                   memcmp(gpucode_program_bytes(again), scheduled.bytes, scheduled.size) == 0;
            gpucode_program_free(again);
            if (!good) {
                free(text);
                text = NULL;
            }
        }
        gpucode_program_free(program);
    }
    gpucode_scheduled_free(&scheduled);
    return text;
}

static json_t *schedule_edit(struct lsp *lsp, const struct view *view)
{
    size_t length;
    char *text = scheduled_text(view, &length);
    json_t *edit = text ? one_edit(lsp, view, (struct gpucode_span){0, view->text->length}, text, length) : NULL;
    free(text);
    return edit;
}

void answer_actions(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    const json_t *range = json_object_get(params, "range");
    size_t from, to;
    if (!view_open(lsp, params, &view, answer))
        return;
    if (!text_take(lsp, view.text, json_object_get(range, "start"), &from) ||
        !text_take(lsp, view.text, json_object_get(range, "end"), &to)) {
        lsp_fail(answer, ERROR_PARAMS, "range is missing, or none");
        return;
    }
    answer->result = json_array();
    if (wants(params, "quickfix"))
        add_mends(lsp, &view, from, to, answer->result);
    json_t *edit = wants(params, "refactor.rewrite") ? schedule_edit(lsp, &view) : NULL;
    if (edit)
        json_array_append_new(answer->result,
                              json_pack("{s:s, s:s, s:o}", "title", "Put missing delays and sync bits in", "kind",
                                        "refactor.rewrite", "edit", edit));
}

/* --- lenses -------------------------------------------------------------------------------------------------- */

/* Can the client do it? It names what it can in its settings. */
static bool client_can(const struct lsp *lsp, const char *command)
{
    const json_t *commands = json_object_get(lsp->settings, "commands"), *one;
    size_t i;
    json_array_foreach(commands, i, one)
    {
        const char *text = json_string_value(one);
        if (text && strcmp(text, command) == 0)
            return true;
    }
    return false;
}

static void add_lens(struct lsp *lsp, const struct view *view, struct gpucode_span span, const char *title,
                     const char *command, json_t *arguments, json_t *list)
{
    json_array_append_new(list, json_pack("{s:o, s:{s:s, s:s, s:o}}", "range", text_range(lsp, view->text, span),
                                          "command", "title", title, "command", command, "arguments", arguments));
}

static json_t *uri_argument(struct lsp *lsp, const struct view *view)
{
    char *uri = uri_of_name(lsp, document_file(view->document, 0));
    json_t *json = json_of_bytes(uri ? uri : "", uri ? strlen(uri) : 0);
    free(uri);
    return json;
}

/* Above the first instruction what can be done with the program, above handlers of packets what with those. */
void answer_lenses(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open(lsp, params, &view, answer))
        return;
    json_t *list = answer->result = json_array();
    if (!gpucode_source_program(view.source) || !view.target)
        return;
    bool first = view.file == 0, packets = gpucode_target_facts(view.target)->packets;
    for (uint32_t i = 0; i < view.word_count; i++) {
        const struct gpucode_word *word = &view.words[i];
        const struct gpucode_source_symbol *symbol = view_symbol(&view, word->symbol);
        uint32_t packet;
        if (first && word->kind == GPUCODE_TOKEN_MNEMONIC && !word->expanded) {
            first = false;
            if (client_can(lsp, "gpucode.run"))
                add_lens(lsp, &view, word->span, "Run", "gpucode.run", json_pack("[o]", uri_argument(lsp, &view)),
                         list);
            if (client_can(lsp, "gpucode.debug"))
                add_lens(lsp, &view, word->span, "Debug", "gpucode.debug", json_pack("[o]", uri_argument(lsp, &view)),
                         list);
            json_t *edit = schedule_edit(lsp, &view);
            if (edit)
                add_lens(lsp, &view, word->span, "Put missing delays and sync bits in", "gpucode.schedule",
                         json_pack("[o]", uri_argument(lsp, &view)), list);
            json_decref(edit);
        }
        if (packets && symbol && word->kind == GPUCODE_TOKEN_LABEL && !word->part &&
            client_can(lsp, "gpucode.debugPacket") &&
            gpucode_number_of(view.target, document_names(view.document), GPUCODE_SPACE_PACKET, symbol->name,
                              strlen(symbol->name), &packet))
            add_lens(lsp, &view, word->span, "Debug this packet", "gpucode.debugPacket",
                     json_pack("[o, s, i]", uri_argument(lsp, &view), symbol->name, (int)packet), list);
    }
}

/* --- search -------------------------------------------------------------------------------------------------- */

struct searching {
    struct lsp *lsp;
    struct view *view;
    const struct gpucode_outline *outline;
    json_t *list;
};

/* The word of the source that an instruction comes from; null: none, it was made by a directive. */
static const struct gpucode_word *word_of(const struct view *view, uint32_t unit)
{
    for (uint32_t i = 0; i < view->word_count; i++)
        if (view->words[i].kind == GPUCODE_TOKEN_MNEMONIC && view->words[i].unit == unit)
            return &view->words[i];
    return NULL;
}

static bool add_match(void *user, const struct gpucode_match *match)
{
    struct searching *searching = user;
    uint32_t count;
    const struct gpucode_unit *units = gpucode_outline_units(searching->outline, &count);
    const struct gpucode_word *word = word_of(searching->view, units[match->units[0]].unit);
    json_t *bound = json_object();
    for (unsigned i = 0; i < match->bound_count; i++)
        json_object_set_new(bound, match->bound[i].name,
                            json_of_bytes(match->bound[i].text, strlen(match->bound[i].text)));
    if (word)
        json_array_append_new(
            searching->list, json_pack("{s:o, s:o}", "location",
                                       view_location(searching->lsp, searching->view->document, word->file, word->span),
                                       "bound", bound));
    else
        json_decref(bound);
    return json_array_size(searching->list) < 1000;
}

static void keep_message(void *user, const struct gpucode_diagnostic *diagnostic)
{
    snprintf(user, 256, "%s", diagnostic->message);
}

/* gpucode.search: the arguments are a document and a pattern; the answer is places with what names stand for. */
static void search(struct lsp *lsp, struct view *view, const char *text, struct answer *answer)
{
    char message[256] = "the program is wrong, and cannot be searched";
    const struct gpucode_image *image = document_image(view->document);
    struct gpucode_outline *outline = NULL;
    struct gpucode_pattern *pattern = NULL;
    const struct gpucode_disasm_options options = {.names = document_names(view->document)};
    struct searching searching = {.lsp = lsp, .view = view};
    enum gpucode_status status = image ? gpucode_outline_create(image, &options, &outline) : GPUCODE_ERROR_INPUT;
    if (status == GPUCODE_OK)
        status = gpucode_pattern_create(gpucode_image_info(image)->target, options.names, text, strlen(text),
                                        (struct gpucode_diagnostic_handler){keep_message, message}, &pattern);
    searching.outline = outline;
    searching.list = json_array();
    if (status == GPUCODE_OK)
        status = gpucode_outline_search(outline, pattern, add_match, &searching);
    if (status == GPUCODE_OK)
        answer->result = json_incref(searching.list);
    else
        lsp_fail(answer, ERROR_PARAMS, "%s", status == GPUCODE_ERROR_INPUT ? message : gpucode_status_text(status));
    json_decref(searching.list);
    gpucode_pattern_free(pattern);
    gpucode_outline_free(outline);
}

void answer_command(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    const char *command = text_of(params, "command");
    const json_t *arguments = json_object_get(params, "arguments");
    const char *uri = json_string_value(json_array_get(arguments, 0));
    struct view view;
    bool searches = strcmp(command, "gpucode.search") == 0;
    if (strcmp(command, "gpucode.schedule") != 0 && !searches) {
        lsp_fail(answer, ERROR_PARAMS, "there is no command '%.64s'", command);
        return;
    }
    json_t *where = json_pack("{s:{s:s}}", "textDocument", "uri", uri ? uri : "");
    bool open = view_open(lsp, where, &view, answer);
    json_decref(where);
    if (!open)
        return;
    if (searches) {
        const char *pattern = json_string_value(json_array_get(arguments, 1));
        search(lsp, &view, pattern ? pattern : "", answer);
        return;
    }
    json_t *edit = schedule_edit(lsp, &view);
    if (!edit) {
        lsp_fail(answer, ERROR_FAILED, "nothing is missing, or it cannot be put in by editing lines");
        return;
    }
    lsp_send(lsp, json_pack("{s:s, s:s, s:{s:s, s:o}}", "id", "gpucode.schedule", "method", "workspace/applyEdit",
                            "params", "label", "Put missing delays and sync bits in", "edit", edit));
}

void answer_links(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open(lsp, params, &view, answer))
        return;
    answer->result = json_array();
    for (uint32_t i = 0; i < view.word_count; i++) {
        uint32_t file = included_file(&view, &view.words[i]);
        char *uri = file ? uri_of_name(lsp, document_file(view.document, file)) : NULL;
        if (uri)
            json_array_append_new(answer->result,
                                  json_pack("{s:o, s:o}", "range", text_range(lsp, view.text, view.words[i].span),
                                            "target", json_of_bytes(uri, strlen(uri))));
        free(uri);
    }
}
