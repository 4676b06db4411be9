/* SPDX-License-Identifier: MIT */
/* How text leaves an answer: wrapped at the width that was asked for, escaped, in the looks of its style. */
#include "answer/answer.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Answers as Markdown: the lines of the text, of which headings become headings, a line that begins with something
 * strong a paragraph, and all others indented code, which nothing that stands in them can end.
 */

static bool is_of_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Text of anybody's in a paragraph or a heading. An underscore within a word stands for itself. */
static void put_escaped(struct buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool within = text[i] == '_' && i && i + 1 < length && is_of_word(text[i - 1]) && is_of_word(text[i + 1]);
        if (!within && (strchr("\\`*_[]<>#&|~@!", text[i]) || (!i && strchr("-+=", text[i]))))
            buffer_append(out, "\\", 1);
        buffer_append(out, &text[i], 1);
    }
}

/* What was gathered in answer->line, without its newline. */
void markdown_line(struct gpucode_answer *answer)
{
    struct answer_markdown *state = &answer->markdown;
    struct buffer *out = &answer->out;
    const char *text = answer->line.bytes;
    size_t length = answer->line.length;
    bool code = !state->heading && !state->strong;
    while (length && text[length - 1] == ' ')
        length--;
    answer->line.length = 0;
    if (!length) {
        state->apart = true;
        return;
    }
    if (state->begun && (state->apart || !code || !state->code))
        buffer_append(out, "\n", 1);
    if (code) {
        buffer_append(out, "    ", 4);
        buffer_append(out, text, length);
    } else {
        for (; length && *text == ' '; length--)
            text++;
        if (state->heading)
            buffer_append(out, "## ", 3);
        put_escaped(out, text, length);
    }
    buffer_append(out, "\n", 1);
    *state = (struct answer_markdown){.begun = true, .code = code};
}

static void markdown_emit(struct gpucode_answer *answer, const char *text, size_t length)
{
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t part = newline ? (size_t)(newline - text) : length;
        buffer_append(&answer->line, text, part);
        if (!newline)
            return;
        markdown_line(answer);
        text += part + 1;
        length -= part + 1;
    }
}

static void markdown_style(struct gpucode_answer *answer, enum gpucode_answer_style style, bool on)
{
    if (style == GPUCODE_ANSWER_HEADING && (on || !answer->line.length))
        answer->markdown.heading = on;
    if (style == GPUCODE_ANSWER_STRONG && !answer->line.length)
        answer->markdown.strong = on;
}

/* The one table of what styles look like. */
static const struct {
    const char *terminal, *element;
} styles[] = {
    [GPUCODE_ANSWER_PLAIN] = {NULL, NULL},       [GPUCODE_ANSWER_HEADING] = {"\033[1m", "strong"},
    [GPUCODE_ANSWER_STRONG] = {"\033[1m", "b"},  [GPUCODE_ANSWER_GOOD] = {"\033[32m", "ins"},
    [GPUCODE_ANSWER_BAD] = {"\033[31m", "del"},  [GPUCODE_ANSWER_WARN] = {"\033[33m", "mark"},
    [GPUCODE_ANSWER_NAME] = {"\033[36m", "var"}, [GPUCODE_ANSWER_DIM] = {"\033[2m", "small"},
    [GPUCODE_ANSWER_LISTING] = {NULL, NULL},     [GPUCODE_ANSWER_TABLE] = {NULL, NULL},
    [GPUCODE_ANSWER_SIDES] = {NULL, NULL},       [GPUCODE_ANSWER_FOLD] = {NULL, NULL},
    [GPUCODE_ANSWER_PICTURE] = {NULL, NULL},
};

/* Bytes of an escape sequence, or of an element of HTML, at `text`: they take no columns. */
static size_t unseen(const struct gpucode_answer *answer, const char *text, size_t length)
{
    char first = answer_is_html(answer) ? '<' : '\033', last = answer_is_html(answer) ? '>' : 'm';
    const char *end = length && *text == first ? memchr(text, last, length) : NULL;
    return end ? (size_t)(end - text) + 1 : 0;
}

/* Where lines after the first begin: below the value where the line is a key, two spaces or more, and a value. An arrow
 * that marks the line is not a key. */
static unsigned indent_of(const struct gpucode_answer *answer, const char *text, size_t length)
{
    unsigned column = 0, key = 0;
    for (size_t at = 0; at < length && column < answer->options.columns / 2;) {
        size_t skip = unseen(answer, text + at, length - at);
        if (skip) {
            at += skip;
            continue;
        }
        bool gap = text[at] == ' ' && at + 1 < length && text[at + 1] == ' ';
        if (!key && length - at > 2 && memcmp(text + at, "=> ", 3) == 0) {
            at += 2;
            column += 2;
        }
        if (!key && text[at] != ' ')
            key = column + 1;
        for (; key && gap && at < length && text[at] == ' '; at++)
            column++;
        if (key && gap)
            return column;
        at++;
        column++;
    }
    return key ? key - 1 : 0;
}

/* Bytes of a line up to the space at which it is broken, of at most `columns`; all of it where it fits. */
static size_t fit(const struct gpucode_answer *answer, const char *text, size_t length, unsigned columns)
{
    size_t space = 0;
    unsigned column = 0;
    for (size_t at = 0; at < length;) {
        size_t skip = unseen(answer, text + at, length - at);
        if (skip) {
            at += skip;
            continue;
        }
        if (text[at] == ' ' && column && (column <= columns || !space))
            space = at;
        column += ((unsigned char)text[at] & 0xc0) != 0x80;
        if (column > columns && space)
            return space;
        at++;
    }
    return length;
}

/* Writes the line that was gathered, without its newline, on as many lines as it takes. */
void answer_wrap(struct gpucode_answer *answer)
{
    const char *text = answer->line.bytes;
    size_t length = answer->line.length;
    unsigned columns = answer->options.columns, indent = answer->listing ? 0 : indent_of(answer, text, length);
    for (bool first = true; length; first = false) {
        for (; !first && length && *text == ' '; length--)
            text++;
        /* in the first line a space in front of the value is not one to break at */
        size_t lead = first && indent < length ? indent : 0;
        size_t part = answer->listing
                          ? length
                          : lead + fit(answer, text + lead, length - lead, columns > indent ? columns - indent : 1);
        if (!first) {
            buffer_append(&answer->out, "\n", 1);
            for (unsigned i = 0; i < indent; i++)
                buffer_append(&answer->out, " ", 1);
        }
        buffer_append(&answer->out, text, part);
        text += part;
        length -= part;
    }
    answer->line.length = 0;
}

void answer_emit(struct gpucode_answer *answer, const char *text, size_t length)
{
    if (answer_is_markdown(answer)) {
        markdown_emit(answer, text, length);
        return;
    }
    bool listed = answer->in_listing && answer->listing && !answer->line.length && length;
    if (!answer->options.columns || listed) {
        buffer_append(&answer->out, text, length);
        answer->line_begun = length && text[length - 1] != '\n';
        return;
    }
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t part = newline ? (size_t)(newline - text) : length;
        if (answer->listing && !answer->line.length) { /* is never wrapped: nothing to wait for */
            buffer_append(&answer->out, text, part + (newline != NULL));
        } else {
            buffer_append(&answer->line, text, part);
            if (newline)
                answer_wrap(answer);
            if (newline)
                buffer_append(&answer->out, "\n", 1);
        }
        answer->line_begun = !newline;
        if (!newline)
            return;
        answer->listing = answer->in_listing;
        text += part + 1;
        length -= part + 1;
    }
}

void answer_emit_escaped(struct gpucode_answer *answer, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t plain = 0;
        while (at + plain < length && !strchr("<>&\"", text[at + plain]))
            plain++;
        answer_emit(answer, text + at, plain);
        at += plain;
        if (at == length)
            return;
        const char *entity = text[at] == '<' ? "&lt;" : text[at] == '>' ? "&gt;" : text[at] == '&' ? "&amp;" : "&quot;";
        answer_emit(answer, entity, strlen(entity));
        at++;
    }
}

void answer_emit_plain(struct gpucode_answer *answer, const char *text, size_t length)
{
    if (answer_is_html(answer))
        answer_emit_escaped(answer, text, length);
    else
        answer_emit(answer, text, length);
}

size_t answer_emit_safely(struct gpucode_answer *answer, const char *text, size_t length, bool lines)
{
    size_t columns = 0;
    for (size_t at = 0; at < length;) {
        size_t plain = 0;
        while (at + plain < length && ((text[at + plain] >= ' ' && text[at + plain] <= '~') ||
                                       (lines && (text[at + plain] == '\n' || text[at + plain] == '\t'))))
            plain++;
        answer_emit_plain(answer, text + at, plain);
        at += plain;
        columns += plain;
        if (at == length)
            break;
        uint32_t c;
        char hidden[16];
        size_t size = answer_character(text + at, length - at, &c);
        if (text[at] == '\t' || !utf8_is_hidden(c)) {
            answer_emit_plain(answer, text[at] == '\t' ? " " : text + at, size);
            columns++;
        } else {
            int shown = c >= 0x80 ? snprintf(hidden, sizeof hidden, "<U+%04X>", (unsigned)c)
                                  : snprintf(hidden, sizeof hidden, "<%02x>", (unsigned char)text[at]);
            answer_emit_plain(answer, hidden, (size_t)shown);
            columns += (size_t)shown;
        }
        at += size;
    }
    return columns;
}

void answer_set_style(struct gpucode_answer *answer, enum gpucode_answer_style style, bool on)
{
    char text[16];
    if (answer_is_markdown(answer))
        markdown_style(answer, style, on);
    else if (answer_is_html(answer) && styles[style].element)
        answer_emit(answer, text, (size_t)snprintf(text, sizeof text, on ? "<%s>" : "</%s>", styles[style].element));
    else if (!answer_is_html(answer) && answer->options.color && styles[style].terminal)
        answer_emit(answer, on ? styles[style].terminal : "\033[0m", on ? strlen(styles[style].terminal) : 4);
}

/* HTML: which rows of folded tables there have been. */

static uint64_t hash_of(const char *bytes, size_t length)
{
    uint64_t hash = text_hash(TEXT_HASH_START, bytes, length);
    return hash ^ hash >> 29;
}

static const char *row_at(const struct answer_rows *rows, uint32_t number, size_t *length)
{
    size_t start = number ? rows->ends[number - 1] : 0;
    *length = rows->ends[number] - start;
    return rows->bytes.bytes + start;
}

static bool make_room(struct answer_rows *rows)
{
    uint32_t room = rows->room ? 2 * rows->room : 1024;
    size_t length;
    if (rows->count < rows->room)
        return true;
    size_t *ends = room < UINT32_MAX / 4 ? realloc(rows->ends, room * sizeof *ends) : NULL;
    if (!ends)
        return false;
    rows->ends = ends;
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (!slots)
        return false;
    free(rows->slots);
    rows->slots = slots;
    rows->room = room;
    for (uint32_t i = 0; i < rows->count; i++) {
        const char *row = row_at(rows, i, &length);
        size_t at = (size_t)(hash_of(row, length) % (2 * (uint64_t)room));
        while (slots[at])
            at = (at + 1) % (2 * (size_t)room);
        slots[at] = i + 1;
    }
    return true;
}

bool page_rows_find(struct answer_rows *rows, const char *row, size_t length, uint32_t *number)
{
    size_t size;
    rows->failed |= rows->bytes.failed || !make_room(rows);
    if (rows->failed)
        return false;
    size_t at = (size_t)(hash_of(row, length) % (2 * (uint64_t)rows->room));
    for (; rows->slots[at]; at = (at + 1) % (2 * (size_t)rows->room)) {
        const char *other = row_at(rows, rows->slots[at] - 1, &size);
        if (size != length || memcmp(other, row, length) != 0)
            continue;
        *number = rows->slots[at] - 1;
        return true;
    }
    buffer_append(&rows->bytes, row, length);
    rows->failed |= rows->bytes.failed;
    rows->ends[rows->count++] = rows->bytes.length;
    rows->slots[at] = rows->count;
    return false;
}

void page_rows_free(struct answer_rows *rows)
{
    buffer_free(&rows->bytes);
    free(rows->ends);
    free(rows->slots);
}
