/* SPDX-License-Identifier: MIT */
#include "front/terminal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
