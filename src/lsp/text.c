/* SPDX-License-Identifier: MIT */
/* Places in texts: the library counts bytes, the protocol lines and UTF-16 units. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

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
