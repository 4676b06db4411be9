/* SPDX-License-Identifier: MIT */
/*
 * Formatting: indentation, one space where there were several, comments below one another. Lines stay lines. What comes
 * out must be the same program, which is tried before it is told.
 */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

#define COMMENT_COLUMN_MAX 60

struct format {
    const struct view *view;
    bool spaces;
    bool indents;                /* instructions are indented in this file */
    struct gpucode_span *bodies; /* of macros */
    size_t body_count;
    unsigned tab;
    char *out; /* the new text */
    size_t length, room;
    bool failed;
};

/* A line, taken apart. */
struct line {
    size_t start, end;       /* without the newline */
    size_t next;             /* where the next one starts */
    size_t content, comment; /* first byte that is not a space; where the comment begins, or `end` */
    bool opaque;             /* stays as it is but for spaces at its end */
    bool indented;
};

static void put_bytes(struct format *format, const char *bytes, size_t length)
{
    if (format->length + length > format->room) {
        size_t room = (format->length + length) * 2 + 256;
        char *out = memory_resize(format->out, room);
        format->failed |= !out;
        if (!out)
            return;
        format->out = out;
        format->room = room;
    }
    memcpy(format->out + format->length, bytes, length);
    format->length += length;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* --- lines --------------------------------------------------------------------------------------------------- */

/*
 * Bodies of macros of this file: they are read when they are used, if ever, and what a line of them is may depend on
 * that.
 */
static void find_bodies(struct format *format)
{
    uint32_t count;
    const struct view *view = format->view;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(view->source, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct gpucode_word *word =
            symbols[i].kind == GPUCODE_SOURCE_MACRO ? gpucode_source_word(view->source, symbols[i].definition) : NULL;
        if (!word || word->file != view->file)
            continue;
        struct gpucode_span *bodies = memory_resize(format->bodies, (format->body_count + 1) * sizeof *bodies);
        format->failed |= !bodies;
        if (!bodies)
            return;
        bodies[format->body_count++] = symbols[i].body;
        format->bodies = bodies;
    }
}

static bool in_body(const struct format *format, size_t offset)
{
    for (size_t i = 0; i < format->body_count; i++)
        if (offset >= format->bodies[i].offset && offset < format->bodies[i].offset + format->bodies[i].length)
            return true;
    return false;
}

/* Labels, and directives that say something about the program, stand at the left. */
static bool stays_left(const struct view *view, const struct gpucode_word *word)
{
    static const char *const left[] = {".target", ".equ", ".section", ".include", ".macro", ".endm"};
    const char *bytes = view_bytes(view, word);
    if (word->kind == GPUCODE_TOKEN_LABEL)
        return true;
    if (word->kind != GPUCODE_TOKEN_DIRECTIVE)
        return false;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (strlen(left[i]) == word->span.length && memcmp(left[i], bytes, word->span.length) == 0)
            return true;
    return false;
}

/* *word is the first of the file's words that may be on the line, and moves on. */
static void look_at_line(const struct format *format, size_t number, uint32_t *word, struct line *line)
{
    const struct view *view = format->view;
    const char *bytes = view->text->bytes;
    *line = (struct line){.start = view->text->lines[number], .end = text_line_end(view->text, number)};
    line->next = number + 1 < view->text->line_count ? view->text->lines[number + 1] : view->text->length;
    line->comment = line->end;
    for (line->content = line->start; line->content < line->end && is_space(bytes[line->content]);)
        line->content++;
    line->indented = line->content > line->start;
    while (*word < view->word_count && view->words[*word].span.offset + view->words[*word].span.length <= line->start)
        ++*word;
    bool first = true;
    for (uint32_t i = *word; i < view->word_count && view->words[i].span.offset < line->end; i++) {
        const struct gpucode_word *at = &view->words[i];
        size_t end = at->span.offset + at->span.length;
        line->opaque |= at->span.offset < line->start || (end > line->end && end > line->next); /* goes on over lines */
        if (at->kind == GPUCODE_TOKEN_COMMENT && end >= line->end && at->span.offset < line->comment)
            line->comment = at->span.offset;
        if (first && at->span.offset >= line->content) {
            /* instructions are indented; what makes code or is a set's own keeps its side */
            bool keeps = at->kind == GPUCODE_TOKEN_STATEMENT || at->kind == GPUCODE_TOKEN_COMMENT ||
                         at->kind == GPUCODE_TOKEN_DIRECTIVE;
            line->indented = !stays_left(view, at) && (!keeps || line->indented);
            line->opaque |= at->span.offset > line->content && at->kind == GPUCODE_TOKEN_COMMENT;
            first = false;
        }
    }
    line->opaque |= first && line->content < line->end; /* nothing is known of it, as after an error */
    line->opaque |= in_body(format, line->start);
}

/* --- content ------------------------------------------------------------------------------------------------- */

/* Is this byte inside of a word whose spaces count: text in quotes, what a set reads its own way, a comment? */
static bool is_kept(const struct view *view, uint32_t word, size_t at, size_t end)
{
    for (uint32_t i = word; i < view->word_count && view->words[i].span.offset < end; i++) {
        const struct gpucode_word *inside = &view->words[i];
        if ((inside->kind == GPUCODE_TOKEN_STATEMENT || inside->kind == GPUCODE_TOKEN_COMMENT ||
             inside->kind == GPUCODE_TOKEN_FILE) &&
            at >= inside->span.offset && at < inside->span.offset + inside->span.length)
            return true;
    }
    return false;
}

/* From the first byte to the comment: one space for several, one after commas and none before them. */
static void put_content(struct format *format, const struct line *line, uint32_t word)
{
    const char *bytes = format->view->text->bytes;
    size_t end = line->comment;
    while (end > line->content && is_space(bytes[end - 1]))
        end--;
    for (size_t at = line->content; at < end; at++) {
        if (is_kept(format->view, word, at, line->end)) {
            put_bytes(format, bytes + at, 1);
        } else if (is_space(bytes[at])) {
            size_t behind = at;
            while (behind < end && is_space(bytes[behind]))
                behind++;
            if (bytes[behind] != ',')
                put_bytes(format, " ", 1);
            at = behind - 1;
        } else {
            put_bytes(format, bytes + at, 1);
            if (bytes[at] == ',' && at + 1 < end && !is_space(bytes[at + 1]))
                put_bytes(format, " ", 1);
        }
    }
}

static void put_indent(struct format *format, const struct line *line)
{
    if (!line->indented || line->content == line->end || !format->indents)
        return;
    if (!format->spaces)
        put_bytes(format, "\t", 1);
    for (unsigned i = 0; format->spaces && i < format->tab; i++)
        put_bytes(format, " ", 1);
}

/* Columns that a piece of the new text takes. */
static size_t columns_of(const struct format *format, size_t from)
{
    size_t column = 0;
    for (size_t i = from; i < format->length; i++)
        column += format->out[i] == '\t' ? format->tab - column % format->tab : ((format->out[i] & 0xc0) != 0x80);
    return column;
}

/* The column of the comments of neighbouring lines that have one after code. */
static size_t comment_column(struct format *format, size_t number, uint32_t word)
{
    size_t widest = 0, kept = format->length;
    struct line line;
    for (; number < format->view->text->line_count; number++) {
        look_at_line(format, number, &word, &line);
        if (line.opaque || line.comment == line.end || line.comment == line.content)
            break;
        put_indent(format, &line);
        put_content(format, &line, word);
        size_t columns = columns_of(format, kept);
        format->length = kept;
        widest = columns > widest && columns <= COMMENT_COLUMN_MAX ? columns : widest;
    }
    size_t tab = format->tab ? format->tab : 1;
    return (widest / tab + 1) * tab;
}

static void put_comment(struct format *format, const struct line *line, size_t from, size_t column)
{
    const char *bytes = format->view->text->bytes;
    size_t end = line->end, now = columns_of(format, from);
    while (end > line->comment && is_space(bytes[end - 1]))
        end--;
    if (line->comment > line->content) {
        if (!format->spaces)
            do
                put_bytes(format, "\t", 1);
            while (columns_of(format, from) < column && !format->failed);
        else
            do
                put_bytes(format, " ", 1);
            while (++now < column);
    }
    put_bytes(format, bytes + line->comment, end - line->comment);
}

static void put_opaque(struct format *format, const struct line *line)
{
    const char *bytes = format->view->text->bytes;
    size_t end = line->end;
    while (end > line->start && is_space(bytes[end - 1]) && !(end > line->start + 1 && bytes[end - 2] == '\\'))
        end--;
    put_bytes(format, bytes + line->start, end - line->start);
}

/* Scripts without labels are often written without indentation: then they stay so. */
static bool has_indented(const struct view *view)
{
    for (uint32_t i = 0; i < view->word_count; i++) {
        size_t line = view->text->lines[text_line(view->text, view->words[i].span.offset)];
        if (view->words[i].kind == GPUCODE_TOKEN_MNEMONIC && view->words[i].span.offset > line &&
            is_space(view->text->bytes[line]))
            return true;
    }
    return false;
}

static void format_file(struct format *format)
{
    find_bodies(format);
    format->indents = has_indented(format->view);
    uint32_t word = 0;
    size_t column = 0;
    bool in_block = false; /* of lines with comments after code */
    for (size_t number = 0; number < format->view->text->line_count; number++) {
        struct line line;
        look_at_line(format, number, &word, &line);
        size_t from = format->length;
        bool trailing = !line.opaque && line.comment < line.end && line.comment > line.content;
        if (trailing && !in_block)
            column = comment_column(format, number, word);
        in_block = trailing;
        if (line.opaque) {
            put_opaque(format, &line);
        } else {
            put_indent(format, &line);
            put_content(format, &line, word);
            if (line.comment < line.end)
                put_comment(format, &line, from, column);
        }
        put_bytes(format, format->view->text->bytes + line.end, line.next - line.end);
    }
}

/* --- the answer ---------------------------------------------------------------------------------------------- */

static char *make_formatted(void *user, uint32_t file, size_t *length)
{
    const struct format *format = user;
    const struct text *text = &format->view->document->texts[file];
    bool mine = file == format->view->file;
    const char *bytes = mine ? format->out : text->bytes;
    *length = mine ? format->length : text->length;
    char *copy = memory_alloc(*length + 1);
    if (copy)
        memcpy(copy, bytes, *length);
    return copy;
}

/* An edit for each line that has changed. */
static json_t *list_edits(struct lsp *lsp, const struct format *format)
{
    json_t *edits = json_array();
    const struct text *text = format->view->text;
    const char *at = format->out, *end = format->out + format->length;
    for (size_t number = 0; number < text->line_count; number++) {
        size_t start = text->lines[number], stop = text_line_end(text, number);
        size_t next = number + 1 < text->line_count ? text->lines[number + 1] : text->length;
        const char *newline = next > stop ? memchr(at, text->bytes[stop], (size_t)(end - at)) : end;
        if (!newline)
            break;
        size_t length = (size_t)(newline - at);
        if (length != stop - start || memcmp(at, text->bytes + start, length) != 0)
            json_array_append_new(edits, json_pack("{s:o, s:o}", "range",
                                                   text_range(lsp, text, (struct gpucode_span){start, stop - start}),
                                                   "newText", json_of_bytes(at, length)));
        at = newline + (next - stop);
    }
    return edits;
}

void answer_formatting(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    const json_t *options = json_object_get(params, "options");
    int64_t tab = number_of(options, "tabSize", 8);
    if (!view_open(lsp, params, &view, answer))
        return;
    struct format format = {
        .view = &view, .spaces = flag_of(options, "insertSpaces"), .tab = tab > 0 && tab < 64 ? (unsigned)tab : 8};
    if (view.target)
        format_file(&format);
    if (format.failed)
        lsp_fail(answer, ERROR_INTERNAL, "out of memory");
    else if (view.target && !trial_is_same(&view, make_formatted, &format))
        lsp_fail(answer, ERROR_FAILED, "formatted, it would be another program");
    else if (view.target)
        answer->result = list_edits(lsp, &format);
    free(format.out);
    free(format.bodies);
}
