/* SPDX-License-Identifier: MIT */
#include "front/excerpt.h"
#include "utf8/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TAB_STOP 8
#define WINDOW 120 /* bytes of a long line that are shown */
#define BEFORE 60  /* of them in front of the column */
#define CELL_MAX 16

/* What one character of the input looks like. */
struct cell {
    size_t bytes;   /* of the input */
    unsigned width; /* columns of the terminal */
    char text[CELL_MAX];
};

/* A terminal would act on it instead of showing it. */
static bool is_hidden(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || utf8_is_format(c);
}

static bool is_wide(uint32_t c)
{
    return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) || (c >= 0xac00 && c <= 0xd7a3) ||
           (c >= 0xf900 && c <= 0xfaff) || (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
           (c >= 0xffe0 && c <= 0xffe6) || (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

static bool is_combining(uint32_t c)
{
    return (c >= 0x300 && c <= 0x36f) || (c >= 0x20d0 && c <= 0x20ff) || (c >= 0xfe00 && c <= 0xfe0f);
}

static struct cell cell_at(const char *text, size_t length, unsigned position)
{
    struct cell cell = {.bytes = 1};
    uint32_t c;
    if (*text == '\t') {
        cell.width = TAB_STOP - position % TAB_STOP;
        for (unsigned i = 0; i < cell.width; i++)
            cell.text[i] = ' ';
        return cell;
    }
    size_t size = utf8_decode(text, length, &c);
    if (!size) {
        cell.width = (unsigned)snprintf(cell.text, CELL_MAX, "<%02x>", (unsigned char)*text);
    } else if (is_hidden(c)) {
        cell.bytes = size;
        cell.width = (unsigned)snprintf(cell.text, CELL_MAX, c < 0x80 ? "<%02x>" : "<U+%04X>", (unsigned)c);
    } else {
        cell.bytes = size;
        cell.width = is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
        for (size_t i = 0; i < size; i++)
            cell.text[i] = text[i];
    }
    return cell;
}

/* ASCII that a terminal shows as it is; `kept` are other characters that stay. */
static size_t count_plain(const char *text, size_t length, const char *kept)
{
    size_t count = 0;
    while (count < length && ((text[count] >= ' ' && text[count] <= '~') || (text[count] && strchr(kept, text[count]))))
        count++;
    return count;
}

static void write_text(FILE *out, const char *text, size_t length, const char *kept)
{
    for (size_t at = 0; at < length;) {
        size_t plain = count_plain(text + at, length - at, kept);
        fwrite(text + at, 1, plain, out);
        at += plain;
        if (at == length)
            return;
        struct cell cell = cell_at(text + at, length - at, TAB_STOP - 1);
        fputs(cell.text, out);
        at += cell.bytes;
    }
}

void excerpt_text(FILE *out, const char *text, size_t length)
{
    write_text(out, text, length, "");
}

void excerpt_lines(FILE *out, const char *text, size_t length)
{
    write_text(out, text, length, "\n\t");
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

void excerpt_line(FILE *out, const char *line, size_t length, unsigned column, unsigned span, const char *color,
                  const char *plain)
{
    size_t caret = column ? column - 1 : 0, first = 0, last = length;
    if (caret > length)
        caret = length;
    if (length > WINDOW) {
        first = caret > WINDOW - BEFORE ? caret - BEFORE : 0;
        if (first > length - WINDOW)
            first = length - WINDOW;
        last = first + WINDOW;
        for (unsigned i = 0; i < 3 && first > 0 && is_continuation(line[first]); i++)
            first--;
        for (unsigned i = 0; i < 3 && last < length && is_continuation(line[last]); i++)
            last++;
    }
    unsigned position = 1, caret_position = 0, caret_end = 0;
    fputc(' ', out);
    if (first > 0) {
        fputs("...", out);
        position += 3;
    }
    for (size_t at = first; at < last;) {
        struct cell cell = cell_at(line + at, last - at, position - 1);
        bool meant = at + cell.bytes > caret && at < caret + span;
        if (meant && !caret_position)
            caret_position = position;
        fputs(cell.text, out);
        position += cell.width;
        at += cell.bytes;
        if (meant)
            caret_end = position;
    }
    fputs(last < length ? "...\n" : "\n", out);
    if (!column)
        return;
    if (!caret_position)
        caret_position = position; /* behind the last character */
    fprintf(out, "%*s%s^", (int)caret_position, "", color);
    for (unsigned i = caret_position + 1; i < caret_end; i++)
        fputc('~', out);
    fprintf(out, "%s\n", plain);
}
