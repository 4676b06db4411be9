/* SPDX-License-Identifier: MIT */
/* The beginning and the end, settings, and documents that come, change and go. */
#include "lsp/server.h"

#include <gpucode/status.h>
#include <stdlib.h>
#include <string.h>

static bool has_item(const json_t *array, const char *wanted)
{
    const json_t *item;
    size_t i;
    json_array_foreach(array, i, item)
    {
        const char *text = json_string_value(item);
        if (text && strcmp(text, wanted) == 0)
            return true;
    }
    return false;
}

static void learn_client(struct client *client, const json_t *can)
{
    client->markdown = has_item(member_of(can, "textDocument/hover/contentFormat"), "markdown");
    client->hierarchical =
        json_is_true(member_of(can, "textDocument/documentSymbol/hierarchicalDocumentSymbolSupport"));
    client->document_changes = json_is_true(member_of(can, "workspace/workspaceEdit/documentChanges"));
    client->related = json_is_true(member_of(can, "textDocument/publishDiagnostics/relatedInformation"));
    /* the first that the client prefers and that we know */
    const json_t *encodings = member_of(can, "general/positionEncodings"), *encoding;
    size_t i;
    json_array_foreach(encodings, i, encoding)
    {
        const char *name = json_string_value(encoding);
        if (name && (strcmp(name, "utf-16") == 0 || strcmp(name, "utf-8") == 0)) {
            client->utf8 = strcmp(name, "utf-8") == 0;
            return;
        }
    }
}

/* Settings come at the beginning, and later under a section of their name or without. */
static void take_settings(struct lsp *lsp, const json_t *settings)
{
    const json_t *section = json_object_get(settings, "gpucode");
    if (json_is_object(section))
        settings = section;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)settings, key, value) json_object_set(lsp->settings, key, value);
}

static json_t *capabilities(const struct lsp *lsp)
{
    json_t *can = json_pack("{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:b, s:b, s:b, s:b, s:b, s:b}", "positionEncoding",
                            lsp->client.utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose", 1, "change", 2,
                            "save", "includeText", 0, "hoverProvider", 1, "definitionProvider", 1,
                            "declarationProvider", 1, "referencesProvider", 1, "documentHighlightProvider", 1,
                            "documentSymbolProvider", 1, "workspaceSymbolProvider", 1, "foldingRangeProvider", 1);
    json_object_set_new(can, "renameProvider", json_pack("{s:b}", "prepareProvider", 1));
    json_object_set_new(
        can, "completionProvider",
        json_pack("{s:[s,s,s,s,s,s], s:b}", "triggerCharacters", "@", "%", "$", "#", ".", "(", "resolveProvider", 0));
    json_object_set_new(can, "signatureHelpProvider",
                        json_pack("{s:[s,s], s:[s]}", "triggerCharacters", " ", ",", "retriggerCharacters", ","));
    json_object_set_new(can, "semanticTokensProvider",
                        json_pack("{s:o, s:b, s:b}", "legend", tokens_legend(), "full", 1, "range", 1));
    json_object_set_new(can, "inlayHintProvider", json_true());
    json_object_set_new(can, "documentFormattingProvider", json_true());
    json_object_set_new(can, "callHierarchyProvider", json_true());
    json_object_set_new(can, "documentLinkProvider", json_pack("{s:b}", "resolveProvider", 0));
    json_object_set_new(can, "codeActionProvider", json_pack("{s:[s,s]}", "codeActionKinds", "quickfix", "refactor"));
    json_object_set_new(can, "codeLensProvider", json_pack("{s:b}", "resolveProvider", 0));
    json_object_set_new(can, "executeCommandProvider", json_pack("{s:[s, s]}", "commands", "gpucode.schedule", "gpucode.search"));
    return can;
}

void answer_initialize(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    learn_client(&lsp->client, json_object_get(params, "capabilities"));
    take_settings(lsp, json_object_get(params, "initializationOptions"));
    lsp->initialized = true;
    answer->result = json_pack("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(lsp), "serverInfo", "name",
                               "gpucode", "version", gpucode_version());
}

void answer_shutdown(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    (void)params;
    (void)answer;
    lsp->down = true;
}

void notify_exit(struct lsp *lsp, const json_t *params)
{
    (void)params;
    lsp->ended = true;
}

void notify_initialized(struct lsp *lsp, const json_t *params)
{
    (void)lsp;
    (void)params;
}

void notify_cancel(struct lsp *lsp, const json_t *params)
{
    (void)lsp; /* lsp_take() did it when it came */
    (void)params;
}

void notify_trace(struct lsp *lsp, const json_t *params)
{
    (void)lsp;
    (void)params;
}

static void touch_all(struct lsp *lsp)
{
    for (struct document *document = lsp->documents; document; document = document->next)
        document->dirty = true;
}

/* A document has other contents now: so have those that include it. */
static void touch(struct lsp *lsp, struct document *changed)
{
    changed->dirty = true;
    for (struct document *document = lsp->documents; document; document = document->next)
        for (uint32_t i = 1; document != changed && i < document->file_count; i++)
            document->dirty |= document_named(lsp, document_file(document, i)) == changed;
}

void notify_configuration(struct lsp *lsp, const json_t *params)
{
    take_settings(lsp, json_object_get(params, "settings"));
    touch_all(lsp);
}

void notify_watched(struct lsp *lsp, const json_t *params)
{
    (void)params;
    touch_all(lsp);
}

static void set_text(struct document *document, const char *text, size_t length)
{
    char *copy = memory_alloc(length + 1);
    if (!copy)
        return; /* the old text stays; the next change is likely to fail as well */
    memcpy(copy, text, length);
    copy[length] = 0;
    free(document->text);
    document->text = copy;
    document->length = length;
}

void notify_open(struct lsp *lsp, const json_t *params)
{
    const json_t *opened = json_object_get(params, "textDocument"), *text = json_object_get(opened, "text");
    const char *uri = text_of(opened, "uri");
    struct document *document = document_find(lsp, uri);
    if (!*uri || !json_is_string(text))
        return;
    if (!document) {
        document = memory_zeroed(1, sizeof *document);
        if (!document)
            return;
        document->uri = memory_copy(uri);
        document->name = name_of_uri(uri);
        document->language = memory_copy(text_of(opened, "languageId"));
        if (!document->uri || !document->name || !document->language) {
            document_free(document);
            return;
        }
        document->next = lsp->documents;
        lsp->documents = document;
        touch_all(lsp); /* what others include may be this one */
    }
    set_text(document, json_string_value(text), json_string_length(text));
    document->version = number_of(opened, "version", 0);
    touch(lsp, document);
}

/* One change: a range's new text, or all of it. */
static void change_text(struct lsp *lsp, struct document *document, const json_t *change)
{
    const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
    if (!json_is_string(text))
        return;
    size_t start = 0, end = document->length, more = json_string_length(text);
    struct text index;
    if (json_is_object(range)) {
        if (!text_index(&index, document->text, document->length))
            return;
        bool good = text_take(lsp, &index, json_object_get(range, "start"), &start) &&
                    text_take(lsp, &index, json_object_get(range, "end"), &end) && start <= end;
        text_free(&index);
        if (!good)
            return;
    }
    size_t length = document->length - (end - start) + more;
    char *changed = memory_alloc(length + 1);
    if (!changed)
        return;
    memcpy(changed, document->text, start);
    memcpy(changed + start, json_string_value(text), more);
    memcpy(changed + start + more, document->text + end, document->length - end);
    changed[length] = 0;
    free(document->text);
    document->text = changed;
    document->length = length;
}

void notify_change(struct lsp *lsp, const json_t *params)
{
    const json_t *changed = json_object_get(params, "textDocument"), *changes, *change;
    struct document *document = document_find(lsp, text_of(changed, "uri"));
    size_t i;
    if (!document)
        return;
    changes = json_object_get(params, "contentChanges");
    json_array_foreach(changes, i, change) change_text(lsp, document, change);
    document->version = number_of(changed, "version", document->version);
    touch(lsp, document);
}

void notify_save(struct lsp *lsp, const json_t *params)
{
    struct document *document = document_find(lsp, text_of(json_object_get(params, "textDocument"), "uri"));
    if (document)
        touch(lsp, document);
}

void notify_close(struct lsp *lsp, const json_t *params)
{
    struct document *closed = document_find(lsp, text_of(json_object_get(params, "textDocument"), "uri"));
    if (!closed)
        return;
    struct document **at = &lsp->documents;
    while (*at != closed)
        at = &(*at)->next;
    *at = closed->next;
    diagnostics_forget(lsp, closed);
    document_free(closed);
    touch_all(lsp); /* those that include it read the file again */
}
