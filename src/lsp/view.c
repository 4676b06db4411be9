/* SPDX-License-Identifier: MIT */
/* What a request is about: a file of a source, a place in it, the words there. */
#include "lsp/server.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages to the client. */

void lsp_send(struct lsp *lsp, json_t *message)
{
    json_object_set_new(message, "jsonrpc", json_string("2.0"));
    char *text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS);
    if (text && !memory_lacked()) /* a part of it may be missing */
        lsp->options.send(lsp->options.user, text, strlen(text));
    memory_free_json(text);
    json_decref(message);
}

void lsp_notify(struct lsp *lsp, const char *method, json_t *params)
{
    lsp_send(lsp, json_pack("{s:s, s:o}", "method", method, "params", params));
}

void lsp_fail(struct answer *answer, int error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(answer->message, sizeof answer->message, format, args);
    va_end(args);
    answer->error = error;
}

void lsp_answer(struct lsp *lsp, json_t *id, struct answer *answer)
{
    json_t *message = json_pack("{s:O?}", "id", id);
    if (!id)
        json_object_set_new(message, "id", json_null());
    if (answer->error) {
        json_object_set_new(message, "error",
                            json_pack("{s:i, s:o}", "code", answer->error, "message",
                                      json_of_bytes(answer->message, strlen(answer->message))));
        json_decref(answer->result);
    } else {
        json_object_set_new(message, "result", answer->result ? answer->result : json_null());
    }
    lsp_send(lsp, message);
}

void lsp_refuse(struct lsp *lsp, const char *why)
{
    struct answer answer = {0};
    lsp_fail(&answer, ERROR_PARSE, "%s", why);
    lsp_answer(lsp, NULL, &answer);
}

bool view_open(struct lsp *lsp, const json_t *params, struct view *view, struct answer *answer)
{
    const char *uri = text_of(json_object_get(params, "textDocument"), "uri");
    struct document *document = document_find(lsp, uri), *root;
    *view = (struct view){.document = document, .word = GPUCODE_NONE};
    if (!document) {
        lsp_fail(answer, ERROR_PARAMS, *uri ? "no such document is open: %s" : "textDocument.uri is missing%s", uri);
        return false;
    }
    /* one that includes it knows more of it */
    root = document_root(lsp, document, &view->file);
    if (root) {
        document_refresh(lsp, root);
        root = document_root(lsp, document, &view->file);
    }
    if (root)
        view->document = root;
    else
        document_refresh(lsp, document);
    if (!view->document->source) {
        lsp_fail(answer, ERROR_INTERNAL, "out of memory");
        return false;
    }
    view->source = view->document->source;
    view->target = gpucode_source_chip(view->source);
    view->text = &view->document->texts[view->file];
    view->words = gpucode_source_words(view->source, view->file, &view->word_count);
    return true;
}

bool view_open_at(struct lsp *lsp, const json_t *params, struct view *view, struct answer *answer)
{
    if (!view_open(lsp, params, view, answer))
        return false;
    if (!text_take(lsp, view->text, json_object_get(params, "position"), &view->offset)) {
        lsp_fail(answer, ERROR_PARAMS, "position is missing, or none");
        return false;
    }
    view->word = gpucode_source_word_at(view->source, view->file, view->offset);
    return true;
}

const struct gpucode_source_symbol *view_symbol(const struct view *view, uint32_t symbol)
{
    uint32_t count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(view->source, &count);
    return symbol < count ? &symbols[symbol] : NULL;
}

json_t *view_location(struct lsp *lsp, const struct document *document, uint32_t file, struct gpucode_span span)
{
    char *uri = uri_of_name(lsp, document_file(document, file));
    json_t *location = json_pack("{s:o, s:o}", "uri", json_of_bytes(uri ? uri : "", uri ? strlen(uri) : 0), "range",
                                 text_range(lsp, &document->texts[file], span));
    free(uri);
    return location;
}

const struct gpucode_word *view_named(const struct view *view)
{
    if (view->word == GPUCODE_NONE)
        return NULL;
    const struct gpucode_word *at = &view->words[view->word], *found = NULL;
    /* the mark in front of a name is not part of it, but who points there means the name */
    bool mark = view->offset < view->text->length && strchr("#@%|", view->text->bytes[view->offset]);
    for (uint32_t i = view->word + 1; mark && i < view->word_count && !found; i++) {
        if (view->words[i].span.offset > view->offset + 1)
            break;
        if (view->words[i].symbol != GPUCODE_NONE || view->words[i].kind == GPUCODE_TOKEN_NAME)
            found = &view->words[i];
    }
    for (uint32_t i = view->word + 1; i-- && !found;) {
        const struct gpucode_word *word = &view->words[i];
        bool inside = word->span.offset <= view->offset && view->offset <= word->span.offset + word->span.length;
        if (inside && (word->symbol != GPUCODE_NONE || word->kind == GPUCODE_TOKEN_NAME))
            found = word;
        if (word->span.offset + 256 < at->span.offset) /* no operand is longer that has a name in it */
            break;
    }
    return found;
}

bool view_same(const struct gpucode_word *a, const struct gpucode_word *b)
{
    if (a->symbol != GPUCODE_NONE || b->symbol != GPUCODE_NONE)
        return a->symbol == b->symbol;
    return a->kind == GPUCODE_TOKEN_NAME && b->kind == GPUCODE_TOKEN_NAME && a->space == b->space &&
           a->number == b->number;
}

/* --- from units of an image to the words that stand for them ------------------------------------------------------ */

static bool stands_for_unit(const struct gpucode_word *word)
{
    return word->kind == GPUCODE_TOKEN_MNEMONIC || word->kind == GPUCODE_TOKEN_STATEMENT ||
           word->kind == GPUCODE_TOKEN_DIRECTIVE;
}

/* The first word for each unit of the image; null: there is no image, or no memory. */
static const uint32_t *words_of_units(struct document *document, uint32_t *units)
{
    const struct gpucode_image *image = document_image(document);
    const struct gpucode_word *word;
    *units = image ? gpucode_image_info(image)->units : 0;
    if (!image || document->unit_words)
        return document->unit_words;
    uint32_t *words = document->unit_words = memory_alloc(((size_t)*units + 1) * sizeof *words);
    for (uint32_t i = 0; words && i < *units; i++)
        words[i] = GPUCODE_NONE;
    for (uint32_t i = 0; words && (word = gpucode_source_word(document->source, i)); i++)
        if (stands_for_unit(word) && word->unit < *units) {
            uint32_t before = words[word->unit];
            /* directives that make nothing stand in front of what does */
            if (before == GPUCODE_NONE ||
                (gpucode_source_word(document->source, before)->kind == GPUCODE_TOKEN_DIRECTIVE &&
                 word->kind != GPUCODE_TOKEN_DIRECTIVE))
                words[word->unit] = i;
        }
    return words;
}

bool place_of_unit(struct document *document, uint32_t unit, unsigned operand, uint32_t *file,
                   struct gpucode_span *span)
{
    uint32_t units;
    const uint32_t *words = words_of_units(document, &units);
    if (!words || unit >= units)
        return false;
    while (words[unit] == GPUCODE_NONE && unit)
        unit--; /* padding and lists are many units of one statement */
    const struct gpucode_word *word = gpucode_source_word(document->source, words[unit]);
    if (!word)
        return false;
    *file = word->file;
    *span = word->span;
    size_t end = span->offset + span->length;
    for (uint32_t i = words[unit] + 1; (word = gpucode_source_word(document->source, i)); i++) {
        if (word->file != *file || word->unit != unit || stands_for_unit(word) || word->kind == GPUCODE_TOKEN_LABEL ||
            word->kind == GPUCODE_TOKEN_COMMENT)
            break;
        if (word->kind == GPUCODE_TOKEN_OPERAND && operand && word->operand == operand - 1) {
            *span = word->span;
            return true;
        }
        if (word->kind == GPUCODE_TOKEN_OPERAND && word->span.offset + word->span.length > end)
            end = word->span.offset + word->span.length;
    }
    span->length = end - span->offset;
    return true;
}

/* --- what the manual says of an instruction, made from its row ---------------------------------------------------- */

char *row_markdown(const struct gpucode_target *target, uint32_t index)
{
    static const char *const evidence[] = {
        [GPUCODE_MANUAL] = "manual", [GPUCODE_OBSERVED] = "observed", [GPUCODE_INFERRED] = "inferred"};
    struct gpucode_row row;
    char form[512], *text = NULL;
    size_t length;
    FILE *out = gpucode_row(target, index, &row) ? open_memstream(&text, &length) : NULL;
    if (!out) {
        memory_note(!gpucode_row(target, index, &row));
        return NULL;
    }
    row_form(target, index, form, sizeof form, NULL, NULL);
    fprintf(out, "```gpucode\n%s\n```\n%s\n\n", form, row.doc);
    fprintf(out, "Bits: `%s`", row.bits);
    if (*row.effects)
        fprintf(out, "  \nEffects: %s", row.effects);
    if (*row.action)
        fprintf(out, "\n```c\n%s\n```", row.action);
    fprintf(out, "\nSource: %s (%s)\n", row.source, evidence[row.evidence]);
    bool whole = fclose(out) == 0;
    return memory_note(whole && text) ? text : NULL;
}
