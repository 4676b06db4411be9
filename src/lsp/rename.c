/* SPDX-License-Identifier: MIT */
/*
 * New names for labels, constants, macros, parameters and sections, in all files of a source. Whether a name is free,
 * and means what it should everywhere, the assembler says: the edited texts must give the same bytes.
 */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* Would edited texts be the same program? The assembler says it. */

struct trial {
    const struct view *view;
    char *(*edit)(void *user, uint32_t file, size_t *length);
    void *user;
};

static bool include_edited(void *user, const char *from, const char *name, char **text, size_t *length)
{
    const struct trial *trial = user;
    uint32_t file = document_included(trial->view->document, from, name, strlen(name));
    *text = file ? trial->edit(trial->user, file, length) : NULL;
    return *text;
}

static uint32_t count_words(const struct gpucode_source *source)
{
    uint32_t count = 0;
    while (gpucode_source_word(source, count))
        count++;
    return count;
}

/* Has it the same words, in what they mean, the same errors and the same bytes? */
static bool is_same(const struct gpucode_source *a, const struct gpucode_source *b)
{
    uint32_t a_count, b_count, words = count_words(a);
    const struct gpucode_program *left = gpucode_source_program(a), *right = gpucode_source_program(b);
    gpucode_source_diagnostics(a, &a_count);
    gpucode_source_diagnostics(b, &b_count);
    if (a_count != b_count || !left != !right || words != count_words(b))
        return false;
    for (uint32_t i = 0; i < words; i++) {
        const struct gpucode_word *one = gpucode_source_word(a, i), *other = gpucode_source_word(b, i);
        if (one->symbol != other->symbol || one->kind != other->kind)
            return false;
    }
    size_t size = gpucode_program_size(left);
    return !left || (size == gpucode_program_size(right) &&
                     memcmp(gpucode_program_bytes(left), gpucode_program_bytes(right), size) == 0);
}

bool trial_is_same(const struct view *view, char *(*edit)(void *user, uint32_t file, size_t *length), void *user)
{
    struct trial trial = {view, edit, user};
    const struct text *first = &view->document->texts[0];
    struct gpucode_asm_options options = {.target = view->target,
                                          .file = document_file(view->document, 0),
                                          .names = document_names(view->document),
                                          .include = include_edited,
                                          .user = &trial};
    if (gpucode_source_target(first->bytes, first->length))
        options.target = NULL; /* as it was read */
    size_t length = 0;
    char *text = edit(user, 0, &length);
    struct gpucode_source *source = NULL;
    if (text)
        memory_done(gpucode_source_read(text, length, &options, &source));
    bool same = source && is_same(view->source, source);
    gpucode_source_free(source);
    free(text);
    return same;
}

/* Why a word cannot be renamed; null: it can. */
static const char *why_not(const struct view *view, const struct gpucode_word *named)
{
    const struct gpucode_word *word;
    const struct gpucode_source_symbol *symbol = named ? view_symbol(view, named->symbol) : NULL;
    if (!named)
        return "nothing with a name stands here";
    if (!symbol)
        return "the name is built in, or a symbol file brings it";
    if (symbol->definition == GPUCODE_NONE)
        return "nothing in these files defines it";
    for (uint32_t i = symbol->first; (word = gpucode_source_word(view->source, i)); i = word->next)
        if (word->part)
            return "a macro makes the name up";
    return NULL;
}

void answer_prepare_rename(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    if (!view_open_at(lsp, params, &view, answer))
        return;
    const struct gpucode_word *named = view_named(&view);
    const char *why = why_not(&view, named);
    if (why)
        lsp_fail(answer, ERROR_FAILED, "%s", why);
    else
        answer->result = json_pack("{s:o, s:o}", "range", text_range(lsp, view.text, named->span), "placeholder",
                                   json_of_bytes(view_bytes(&view, named), named->span.length));
}

static bool is_name(const char *text)
{
    if (!*text || (*text >= '0' && *text <= '9'))
        return false;
    for (; *text; text++)
        if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || (*text >= '0' && *text <= '9') ||
              *text == '_'))
            return false;
    return true;
}

struct new_name {
    const struct view *view;
    uint32_t symbol;
    const char *name;
};

/* A file's text with all words of a symbol replaced; malloc'ed. */
static char *make_renamed(void *user, uint32_t file, size_t *length)
{
    const struct new_name *new_name = user;
    const struct view *view = new_name->view;
    const char *name = new_name->name;
    uint32_t symbol = new_name->symbol;
    const struct text *text = &view->document->texts[file];
    uint32_t count, hits = 0;
    const struct gpucode_word *words = gpucode_source_words(view->source, file, &count);
    for (uint32_t i = 0; i < count; i++)
        hits += words[i].symbol == symbol;
    char *out = memory_alloc(text->length + hits * strlen(name) + 1);
    size_t from = 0;
    *length = 0;
    for (uint32_t i = 0; out && i < count; i++) {
        if (words[i].symbol != symbol)
            continue;
        memcpy(out + *length, text->bytes + from, words[i].span.offset - from);
        *length += words[i].span.offset - from;
        memcpy(out + *length, name, strlen(name));
        *length += strlen(name);
        from = words[i].span.offset + words[i].span.length;
    }
    if (out) {
        memcpy(out + *length, text->bytes + from, text->length - from);
        *length += text->length - from;
    }
    return out;
}

/* The edits of one file; null: none. */
static json_t *edits_in(struct lsp *lsp, const struct view *view, uint32_t file, uint32_t symbol, const char *name)
{
    uint32_t count;
    const struct gpucode_word *words = gpucode_source_words(view->source, file, &count);
    json_t *edits = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (words[i].symbol != symbol)
            continue;
        edits = edits ? edits : json_array();
        json_array_append_new(edits,
                              json_pack("{s:o, s:s}", "range",
                                        text_range(lsp, &view->document->texts[file], words[i].span), "newText", name));
    }
    return edits;
}

void add_edits(struct lsp *lsp, json_t *edit, const char *uri, json_t *edits)
{
    const struct document *open = document_find(lsp, uri);
    if (!lsp->client.document_changes) {
        json_t *changes = json_object_get(edit, "changes");
        if (!changes)
            json_object_set_new(edit, "changes", changes = json_object());
        json_object_set_new(changes, uri, edits);
        return;
    }
    json_t *changes = json_object_get(edit, "documentChanges");
    if (!changes)
        json_object_set_new(edit, "documentChanges", changes = json_array());
    json_array_append_new(changes, json_pack("{s:{s:s, s:o}, s:o}", "textDocument", "uri", uri, "version",
                                             open ? json_integer(open->version) : json_null(), "edits", edits));
}

void answer_rename(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    const char *name = text_of(params, "newName");
    if (!view_open_at(lsp, params, &view, answer))
        return;
    const struct gpucode_word *named = view_named(&view);
    const char *why = why_not(&view, named);
    if (!why && !is_name(name))
        why = "a name is letters, digits and _, no digit first";
    struct new_name new_name = {&view, named ? named->symbol : GPUCODE_NONE, name};
    if (!why && !trial_is_same(&view, make_renamed, &new_name))
        why = "with that name the program would be another one: it is taken, or means something";
    if (why) {
        lsp_fail(answer, ERROR_FAILED, "%s", why);
        return;
    }
    answer->result = json_object();
    for (uint32_t i = 0; i < view.document->file_count; i++) {
        json_t *edits = edits_in(lsp, &view, i, named->symbol, name);
        char *uri = edits ? uri_of_name(lsp, document_file(view.document, i)) : NULL;
        if (uri)
            add_edits(lsp, answer->result, uri, edits);
        else
            json_decref(edits);
        free(uri);
    }
}
