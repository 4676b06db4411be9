/* SPDX-License-Identifier: MIT */
/* From a name to where it is defined and used. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* Calls `take` for each word of the source that names the same thing; `written`: it is made there. */
static void each_word(const struct view *view, const struct gpucode_word *named,
                      void (*take)(void *user, const struct gpucode_word *word, bool written), void *user)
{
    const struct gpucode_word *word;
    const struct gpucode_source_symbol *symbol = view_symbol(view, named->symbol);
    if (symbol)
        for (uint32_t i = symbol->first; (word = gpucode_source_word(view->source, i)); i = word->next)
            take(user, word, word->defines);
    else
        for (uint32_t i = 0; (word = gpucode_source_word(view->source, i)); i++)
            if (view_same(named, word))
                take(user, word, word->defines);
}

struct places {
    struct lsp *lsp;
    const struct view *view;
    json_t *list;
    bool definitions, uses;
    bool here; /* only this file, as highlights */
};

static void take_place(void *user, const struct gpucode_word *word, bool written)
{
    struct places *places = user;
    if (written ? !places->definitions : !places->uses)
        return;
    if (!places->here)
        json_array_append_new(places->list, view_location(places->lsp, places->view->document, word->file, word->span));
    else if (word->file == places->view->file)
        json_array_append_new(places->list,
                              json_pack("{s:o, s:i}", "range", text_range(places->lsp, places->view->text, word->span),
                                        "kind", written ? 3 : 2)); /* written, read */
}

static void find_places(struct lsp *lsp, const struct view *view, struct places places, struct answer *answer)
{
    const struct gpucode_word *named = view_named(view);
    places.lsp = lsp;
    places.view = view;
    places.list = json_array();
    if (named)
        each_word(view, named, take_place, &places);
    else
        registers_each(view, take_place, &places); /* the same value, not the same letters */
    answer->result = places.list;
    if (!named && !json_array_size(places.list)) {
        json_decref(places.list);
        answer->result = NULL;
    }
}

uint32_t included_file(const struct view *view, const struct gpucode_word *word)
{
    if (word->kind != GPUCODE_TOKEN_FILE)
        return 0;
    for (uint32_t i = 1; i < view->document->file_count; i++) {
        const char *name = document_file(view->document, i);
        size_t length = strlen(name);
        if (length >= word->span.length &&
            memcmp(name + length - word->span.length, view_bytes(view, word), word->span.length) == 0)
            return i;
    }
    return 0;
}

/* An included file leads to its beginning. */
static bool find_file(struct lsp *lsp, const struct view *view, struct answer *answer)
{
    const struct gpucode_word *word = view->word == GPUCODE_NONE ? NULL : &view->words[view->word];
    uint32_t file = word ? included_file(view, word) : 0;
    if (file)
        answer->result = json_pack("[o]", view_location(lsp, view->document, file, (struct gpucode_span){0, 0}));
    return file;
}

/* Names that a symbol file brings are defined there. */
static json_t *find_in_symbols(struct lsp *lsp, const struct view *view, const struct gpucode_word *word)
{
    struct gpucode_label label;
    const char *file;
    size_t offset, length = 0;
    for (unsigned i = 0; gpucode_symbols_at(view->document->symbols, i, &label); i++) {
        if (strlen(label.name) != word->span.length ||
            memcmp(label.name, view_bytes(view, word), word->span.length) != 0 ||
            !gpucode_symbols_origin(view->document->symbols, i, &file, &offset))
            continue;
        char *bytes = document_read(lsp, file, &length), *uri = uri_of_name(lsp, file);
        struct text text;
        json_t *place = NULL;
        if (bytes && uri && offset + word->span.length <= length && text_index(&text, bytes, length)) {
            place = json_pack("[{s:o, s:o}]", "uri", json_of_bytes(uri, strlen(uri)), "range",
                              text_range(lsp, &text, (struct gpucode_span){offset, word->span.length}));
            text_free(&text);
        }
        free(bytes);
        free(uri);
        return place;
    }
    return NULL;
}

void answer_definition(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open_at(lsp, params, &view, answer) || find_file(lsp, &view, answer))
        return;
    const struct gpucode_word *named = view_named(&view);
    if (named && named->kind == GPUCODE_TOKEN_NAME)
        answer->result = find_in_symbols(lsp, &view, named);
    if (!answer->result)
        find_places(lsp, &view, (struct places){.definitions = true}, answer);
}

void answer_declaration(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    answer_definition(lsp, params, answer);
}

void answer_references(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    bool definitions = flag_of(json_object_get(params, "context"), "includeDeclaration");
    if (view_open_at(lsp, params, &view, answer))
        find_places(lsp, &view, (struct places){.definitions = definitions, .uses = true}, answer);
}

void answer_highlight(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (view_open_at(lsp, params, &view, answer))
        find_places(lsp, &view, (struct places){.definitions = true, .uses = true, .here = true}, answer);
}
