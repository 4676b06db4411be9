/* SPDX-License-Identifier: MIT */
#include "front/terminal.h"

#include "utf8/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_color(FILE *stream, const char *when)
{
    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no_color && *no_color) && isatty(fileno(stream)) && terminal && strcmp(terminal, "dumb") != 0;
}

#define COLUMNS_USUAL 80
#define COLUMNS_LEAST 40

/* Of the terminal; zeros: it is not one, or the system cannot tell. */
static void measure(FILE *stream, unsigned *rows, unsigned *columns)
{
    *rows = *columns = 0;
#ifdef TIOCGWINSZ
    struct winsize size;
    if (isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0) {
        *rows = size.ws_row;
        *columns = size.ws_col;
    }
#endif
    (void)stream;
}

unsigned terminal_rows(FILE *stream)
{
    unsigned rows, columns;
    measure(stream, &rows, &columns);
    return rows;
}

unsigned terminal_columns(FILE *stream)
{
    const char *asked = getenv("COLUMNS");
    unsigned columns = asked ? (unsigned)strtoul(asked, NULL, 10) : 0, rows;
    if (!columns)
        measure(stream, &rows, &columns);
    return !columns ? COLUMNS_USUAL : columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns;
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

void progress_begin(struct progress *progress)
{
    clock_gettime(CLOCK_MONOTONIC, &progress->started);
    progress->shown = progress->started;
    progress->visible = false;
}

void progress_show(struct progress *progress, const char *name, int done, int total)
{
    if (!isatty(STDERR_FILENO) || seconds_since(&progress->started) < 1 || seconds_since(&progress->shown) < 0.1)
        return;
    size_t length = strlen(name), shown = length > 50 ? 50 : length;
    fprintf(stderr, "\r\033[K%d/%d ", done, total);
    excerpt_text(stderr, name + length - shown, shown);
    fflush(stderr);
    clock_gettime(CLOCK_MONOTONIC, &progress->shown);
    progress->visible = true;
}

void progress_clear(void *user)
{
    struct progress *progress = user;
    if (progress->visible) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->visible = false;
}

void wrap_text(FILE *out, const char *text, int column, int indent, int width)
{
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + length > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%.*s", length, text);
        text += length;
        if (*text == ' ' || *text == '\n') {
            if (text[1] && column + 1 + (int)strcspn(text + 1, " \n") <= width)
                column += fprintf(out, " ");
            else
                column = width;
            text++;
        }
    }
    fputc('\n', out);
}

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
    } else if (utf8_is_hidden(c)) {
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
        caret_position = position; /* after the last character */
    fprintf(out, "%*s%s^", (int)caret_position, "", color);
    for (unsigned i = caret_position + 1; i < caret_end; i++)
        fputc('~', out);
    fprintf(out, "%s\n", plain);
}

#define PLAIN "\033[0m"
#define BOLD "\033[1m"
#define DIM "\033[2m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define CYAN "\033[36m"

static void put(FILE *out, const char *color, const char *text, size_t length)
{
    if (*color && length)
        fputs(color, out);
    fwrite(text, 1, length, out);
    if (*color && length)
        fputs(PLAIN, out);
}

/* A sequence that colours what comes: it is there already. Bytes of it, or 0. */
static size_t escape_length(const char *text, const char *end)
{
    const char *at = text;
    if (end - text < 2 || text[0] != '\033' || text[1] != '[')
        return 0;
    while (at < end && *at != 'm')
        at++;
    return at < end ? (size_t)(at + 1 - text) : 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Bytes of a word with the mark in front of it. */
static size_t word_length(const char *text, const char *end)
{
    const char *at = text + (strchr("#@|%$", *text) != NULL);
    while (at < end && is_word(*at))
        at++;
    return (size_t)(at - text);
}

/* Has it a mark in front, or is it written in capitals? */
static bool is_name(const char *word, size_t length)
{
    if (length > 1 && strchr("#@|%", *word))
        return true;
    bool capital = false;
    for (size_t i = 0; i < length; i++) {
        if (islower((unsigned char)word[i]))
            return false;
        capital |= i > 0 && isupper((unsigned char)word[i]);
    }
    return capital && isupper((unsigned char)*word);
}

/* Does a comment begin here? It goes to the end of the line. */
static bool begins_comment(const char *text, const char *start, const char *end)
{
    bool free = text == start || isspace((unsigned char)text[-1]);
    return free && (*text == ';' || (end - text > 1 && text[0] == '/' && text[1] == '/'));
}

/* Bytes of the start of a line that say what the part after it is: "CP_NOP:", "draw 1:", "packets:". */
static size_t head_length(const char *line, const char *end)
{
    const char *at = line;
    while (at < end && is_word(*at))
        at++;
    if (at > line && at + 1 < end && *at == ' ' && isdigit((unsigned char)at[1]))
        for (at++; at < end && isdigit((unsigned char)*at);)
            at++;
    return at > line && at < end && *at == ':' && (at + 1 == end || at[1] == ' ') ? (size_t)(at + 1 - line) : 0;
}

static const char *sign_color(const char *line, const char *end)
{
    if (end - line < 2 || line[1] != ' ')
        return "";
    return *line == '+' ? GREEN : *line == '-' ? RED : *line == '!' || *line == '~' ? YELLOW : "";
}

static void put_line(FILE *out, const char *line, size_t length)
{
    const char *end = line + length, *at = line;
    const char *sign = sign_color(line, end);
    size_t head = *sign ? 1 : head_length(line, end);
    bool colored = false; /* by a sequence that is in the text */
    put(out, *sign ? sign : BOLD, line, head);
    for (at += head; at < end;) {
        size_t escape = escape_length(at, end), word = word_length(at, end);
        if (begins_comment(at, line, end)) {
            put(out, DIM, at, (size_t)(end - at));
            return;
        }
        word = escape ? escape : word ? word : 1;
        colored = escape ? strncmp(at, PLAIN, strlen(PLAIN)) != 0 : colored;
        put(out, !colored && !escape && is_name(at, word) ? CYAN : "", at, word);
        at += word;
    }
}

bool paint_write(void *user, const char *text, size_t length)
{
    struct paint *paint = user;
    while (length) {
        const char *newline = memchr(text, '\n', length);
        size_t size = newline ? (size_t)(newline - text) : length;
        if (newline && !paint->length) {
            put_line(paint->out, text, size);
        } else {
            if (paint->length + size > paint->room) {
                size_t room = 2 * (paint->length + size);
                char *line = realloc(paint->line, room);
                if (!line)
                    return false;
                paint->line = line;
                paint->room = room;
            }
            memcpy(paint->line + paint->length, text, size);
            paint->length += size;
            if (newline)
                put_line(paint->out, paint->line, paint->length);
        }
        if (newline) {
            fputc('\n', paint->out);
            paint->length = 0;
            size++;
        }
        text += size;
        length -= size;
    }
    return true;
}

void paint_end(struct paint *paint)
{
    if (paint->length)
        put_line(paint->out, paint->line, paint->length);
    free(paint->line);
    *paint = (struct paint){.out = paint->out};
}
