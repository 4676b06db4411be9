/* SPDX-License-Identifier: MIT */
/* From a name to where it is defined and used. */
#include "lsp/server.h"

#include <string.h>

/* Calls `take` for each word of the source that names the same thing. */
static void each_word(const struct view *view, const struct gpucode_word *named,
                      void (*take)(void *user, const struct gpucode_word *word), void *user)
{
    const struct gpucode_word *word;
    const struct gpucode_source_symbol *symbol = view_symbol(view, named->symbol);
    if (symbol)
        for (uint32_t i = symbol->first; (word = gpucode_source_word(view->source, i)); i = word->next)
            take(user, word);
    else
        for (uint32_t i = 0; (word = gpucode_source_word(view->source, i)); i++)
            if (view_same(named, word))
                take(user, word);
}

struct places {
    struct lsp *lsp;
    const struct view *view;
    json_t *list;
    bool definitions, uses;
    bool here; /* only this file, as highlights */
};

static void take_place(void *user, const struct gpucode_word *word)
{
    struct places *places = user;
    if (word->defines ? !places->definitions : !places->uses)
        return;
    if (!places->here)
        json_array_append_new(places->list, view_location(places->lsp, places->view->document, word->file, word->span));
    else if (word->file == places->view->file)
        json_array_append_new(places->list,
                              json_pack("{s:o, s:i}", "range", text_range(places->lsp, places->view->text, word->span),
                                        "kind", word->defines ? 3 : 2)); /* written, read */
}

static void find_places(struct lsp *lsp, const struct view *view, struct places places, struct answer *answer)
{
    const struct gpucode_word *named = view_named(view);
    if (!named)
        return;
    places.lsp = lsp;
    places.view = view;
    places.list = json_array();
    each_word(view, named, take_place, &places);
    answer->result = places.list;
}

/* An included file leads to its beginning. */
static bool find_file(struct lsp *lsp, const struct view *view, struct answer *answer)
{
    const struct gpucode_word *word = view->word == GPUCODE_NONE ? NULL : &view->words[view->word];
    if (!word || word->kind != GPUCODE_TOKEN_FILE)
        return false;
    for (uint32_t i = 1; i < view->document->file_count; i++) {
        const char *name = document_file(view->document, i);
        size_t length = strlen(name);
        if (length >= word->span.length &&
            memcmp(name + length - word->span.length, view_bytes(view, word), word->span.length) == 0) {
            answer->result = json_pack("[o]", view_location(lsp, view->document, i, (struct gpucode_span){0, 0}));
            return true;
        }
    }
    return true;
}

void answer_definition(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (view_open_at(lsp, params, &view, answer) && !find_file(lsp, &view, answer))
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
