/* SPDX-License-Identifier: MIT */
/* Lists of names: of a document, of all open ones; and what can be folded. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* Kinds of symbols that the protocol has. */
enum { KIND_NAMESPACE = 3, KIND_FUNCTION = 12, KIND_CONSTANT = 14, KIND_OPERATOR = 25 };

static int kind_of(const struct gpucode_source_symbol *symbol)
{
    static const int kinds[] = {KIND_FUNCTION, KIND_CONSTANT, KIND_NAMESPACE, KIND_OPERATOR, 0};
    return kinds[symbol->kind];
}

/* The word that defines a symbol in this file; null: none does. */
static const struct gpucode_word *definition_in(const struct view *view, const struct gpucode_source_symbol *symbol)
{
    const struct gpucode_word *word = gpucode_source_word(view->source, symbol->definition);
    return word && word->file == view->file && kind_of(symbol) ? word : NULL;
}

/* Number *index or one after it of the view's words that define something, and the symbol; false: no more. */
static bool next_definition(const struct view *view, uint32_t *index, const struct gpucode_word **word,
                            const struct gpucode_source_symbol **symbol)
{
    for (; *index < view->word_count; ++*index) {
        *word = &view->words[*index];
        *symbol = (*word)->defines ? view_symbol(view, (*word)->symbol) : NULL;
        if (*symbol && definition_in(view, *symbol) == *word)
            return true;
    }
    return false;
}

/* Up to the next definition of the same kind, or that ends it: sections end labels, and labels and sections labels. */
static size_t end_of(const struct view *view, const struct gpucode_word *word)
{
    const struct gpucode_source_symbol *symbol = view_symbol(view, word->symbol);
    size_t end = word->span.offset + word->span.length;
    if (symbol->kind == GPUCODE_SOURCE_MACRO)
        return symbol->body.offset + symbol->body.length > end ? symbol->body.offset + symbol->body.length : end;
    if (symbol->kind == GPUCODE_SOURCE_CONSTANT)
        return text_line_end(view->text, text_line(view->text, end));
    for (uint32_t i = (uint32_t)(word - view->words) + 1; i < view->word_count; i++) {
        const struct gpucode_word *next = &view->words[i];
        bool section = next->kind == GPUCODE_TOKEN_SECTION && next->defines;
        bool label = next->kind == GPUCODE_TOKEN_LABEL && next->defines && !next->part;
        if (next->span.offset > end && (section || (label && symbol->kind == GPUCODE_SOURCE_LABEL))) {
            size_t line = text_line(view->text, next->span.offset);
            size_t before = line ? text_line_end(view->text, line - 1) : end;
            return before > end ? before : end;
        }
    }
    return view->text->length;
}

static json_t *symbol_item(struct lsp *lsp, const struct view *view, const struct gpucode_source_symbol *symbol,
                           const struct gpucode_word *word)
{
    size_t end = end_of(view, word);
    struct gpucode_span whole = {word->span.offset, end - word->span.offset};
    return json_pack("{s:o, s:i, s:o, s:o}", "name", json_of_bytes(symbol->name, strlen(symbol->name)), "kind",
                     kind_of(symbol), "range", text_range(lsp, view->text, whole), "selectionRange",
                     text_range(lsp, view->text, word->span));
}

static json_t *flat_item(struct lsp *lsp, const struct view *view, const struct gpucode_source_symbol *symbol,
                         const struct gpucode_word *word)
{
    json_t *item = json_pack("{s:o, s:i, s:o}", "name", json_of_bytes(symbol->name, strlen(symbol->name)), "kind",
                             kind_of(symbol), "location", view_location(lsp, view->document, word->file, word->span));
    if (symbol->parent && *symbol->parent)
        json_object_set_new(item, "containerName", json_of_bytes(symbol->parent, strlen(symbol->parent)));
    return item;
}

void answer_symbols(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    const struct gpucode_word *word;
    const struct gpucode_source_symbol *symbol;
    struct view view;
    json_t *section = NULL; /* that labels go into */
    uint32_t section_symbol = GPUCODE_NONE;
    if (!view_open(lsp, params, &view, answer))
        return;
    answer->result = json_array();
    for (uint32_t i = 0; next_definition(&view, &i, &word, &symbol); i++) {
        if (!lsp->client.hierarchical) {
            json_array_append_new(answer->result, flat_item(lsp, &view, symbol, word));
            continue;
        }
        json_t *item = symbol_item(lsp, &view, symbol, word);
        bool inside = section && symbol->kind == GPUCODE_SOURCE_LABEL && symbol->parent_symbol == section_symbol;
        if (inside)
            json_array_append_new(json_object_get(section, "children"), item);
        else
            json_array_append_new(answer->result, item);
        if (symbol->kind == GPUCODE_SOURCE_SECTION) {
            json_object_set_new(item, "children", json_array());
            section = item;
            section_symbol = word->symbol;
        }
    }
}

/* Does a name have the letters of the query, in their order, in whichever case? */
static bool matches(const char *name, const char *query)
{
    for (; *name && *query; name++)
        query += (*name | 32) == (*query | 32);
    return !*query;
}

void answer_workspace_symbols(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    const char *query = text_of(params, "query");
    answer->result = json_array();
    for (struct document *document = lsp->documents; document; document = document->next) {
        uint32_t count, file;
        document_refresh(lsp, document);
        if (!document->source || document_root(lsp, document, &file))
            continue;
        struct view view = {.document = document, .source = document->source};
        const struct gpucode_source_symbol *symbols = gpucode_source_symbols(document->source, &count);
        for (uint32_t i = 0; i < count && json_array_size(answer->result) < 1000; i++) {
            const struct gpucode_word *word = gpucode_source_word(document->source, symbols[i].definition);
            if (word && kind_of(&symbols[i]) && matches(symbols[i].name, query))
                json_array_append_new(answer->result, flat_item(lsp, &view, &symbols[i], word));
        }
    }
}

/* --- folding ------------------------------------------------------------------------------------------------- */

static void add_fold(json_t *list, size_t first, size_t last, const char *kind)
{
    if (last <= first)
        return;
    json_t *fold = json_pack("{s:I, s:I}", "startLine", (json_int_t)first, "endLine", (json_int_t)last);
    if (kind)
        json_object_set_new(fold, "kind", json_string(kind));
    json_array_append_new(list, fold);
}

/* Comments on lines of their own, one below the other. */
static void fold_comments(const struct view *view, json_t *list)
{
    size_t first = 0, last = 0;
    bool open = false;
    for (uint32_t i = 0; i < view->word_count; i++) {
        const struct gpucode_word *word = &view->words[i];
        if (word->kind != GPUCODE_TOKEN_COMMENT)
            continue;
        size_t line = text_line(view->text, word->span.offset);
        size_t end = text_line(view->text, word->span.offset + word->span.length);
        bool alone =
            strspn(view->text->bytes + view->text->lines[line], " \t") >= word->span.offset - view->text->lines[line];
        if (open && alone && line == last + 1) {
            last = end;
            continue;
        }
        if (open)
            add_fold(list, first, last, "comment");
        open = alone;
        first = line;
        last = end;
    }
    if (open)
        add_fold(list, first, last, "comment");
}

/* A label's code up to the next one that is not a branch target inside it is too fine: sections, macros and labels
 * fold.
 */
void answer_folding(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    const struct gpucode_word *word;
    const struct gpucode_source_symbol *symbol;
    struct view view;
    if (!view_open(lsp, params, &view, answer))
        return;
    answer->result = json_array();
    for (uint32_t i = 0; next_definition(&view, &i, &word, &symbol); i++) {
        if (symbol->kind == GPUCODE_SOURCE_CONSTANT || word->part)
            continue;
        size_t end = end_of(&view, word), line = text_line(view.text, end);
        while (line && text_line_end(view.text, line) == view.text->lines[line]) /* empty lines stay */
            line--;
        add_fold(answer->result, text_line(view.text, word->span.offset), line, NULL);
    }
    fold_comments(&view, answer->result);
}
