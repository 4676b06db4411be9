/* SPDX-License-Identifier: MIT */
/* What a request is about: a file of a source, a place in it, the words there. */
#include "lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places in texts: the library counts bytes, the protocol lines and UTF-16 units. */

bool text_index(struct text *text, const char *bytes, size_t length)
{
    size_t room = 0;
    *text = (struct text){.bytes = bytes, .length = length};
    const char *end = bytes + length;
    bool returns = length && memchr(bytes, '\r', length);
    for (const char *at = bytes;;) {
        if (text->line_count == room) {
            room = room ? room * 2 : 256;
            size_t *lines = memory_resize(text->lines, room * sizeof *lines);
            if (!lines) {
                text_free(text);
                return false;
            }
            text->lines = lines;
        }
        text->lines[text->line_count++] = (size_t)(at - bytes);
        const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
        if (returns) {
            const char *turn = memchr(at, '\r', (size_t)((stop ? stop : end) - at));
            if (turn && !(stop && turn + 1 == stop))
                stop = turn;
        }
        if (!stop)
            return true;
        at = stop + 1;
    }
}

void text_free(struct text *text)
{
    free(text->lines);
    *text = (struct text){0};
}

size_t text_line(const struct text *text, size_t offset)
{
    size_t low = 0, high = text->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (text->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

size_t text_line_end(const struct text *text, size_t line)
{
    size_t start = text->lines[line];
    size_t end = line + 1 < text->line_count ? text->lines[line + 1] : text->length;
    while (end > start && (text->bytes[end - 1] == '\n' || text->bytes[end - 1] == '\r'))
        end--;
    return end;
}

/* Units of the character that begins with this byte; those inside of characters have none. */
static size_t units_of(const struct lsp *lsp, unsigned char byte)
{
    if (lsp->client.utf8)
        return 1;
    return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

/* Places beyond a line's end are at its end, after the last line at the end of the text. */
static size_t text_offset(const struct lsp *lsp, const struct text *text, size_t line, size_t character)
{
    if (line >= text->line_count)
        return text->length;
    size_t at = text->lines[line], end = text_line_end(text, line);
    while (at < end && character) {
        size_t units = units_of(lsp, (unsigned char)text->bytes[at]);
        if (units > character) /* inside of a character: in front of it */
            break;
        character -= units;
        at++;
        while (at < end && !units_of(lsp, (unsigned char)text->bytes[at]))
            at++;
    }
    return at;
}

struct position text_position(const struct lsp *lsp, const struct text *text, size_t offset)
{
    if (offset > text->length)
        offset = text->length;
    struct position position = {text_line(text, offset), 0};
    size_t end = text_line_end(text, position.line);
    for (size_t at = text->lines[position.line]; at < offset && at < end; at++)
        position.character += units_of(lsp, (unsigned char)text->bytes[at]);
    return position;
}

json_t *text_range(const struct lsp *lsp, const struct text *text, struct gpucode_span span)
{
    struct position start = text_position(lsp, text, span.offset);
    struct position end = text_position(lsp, text, span.offset + span.length);
    return json_pack("{s:{s:I, s:I}, s:{s:I, s:I}}", "start", "line", (json_int_t)start.line, "character",
                     (json_int_t)start.character, "end", "line", (json_int_t)end.line, "character",
                     (json_int_t)end.character);
}

bool text_take(const struct lsp *lsp, const struct text *text, const json_t *position, size_t *offset)
{
    int64_t line = number_of(position, "line", -1), character = number_of(position, "character", -1);
    if (line < 0 || character < 0)
        return false;
    *offset = text_offset(lsp, text, (size_t)line, (size_t)character);
    return true;
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
