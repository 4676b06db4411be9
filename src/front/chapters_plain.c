/* SPDX-License-Identifier: MIT */
/* Markdown of manuals as text for terminals, and as roff for man pages. */
#include "front/chapters.h"

#include <string.h>

#define FIRST_COLUMN 22

/* Text without the marks of code and of emphasis; returns how many columns it took. */
static int put_words(const char *at, const char *end, FILE *out)
{
    int columns = 0;
    bool code = false;
    for (; at < end; at++) {
        if (*at == '`') {
            code = !code;
            continue;
        }
        if (*at == '\\' && at + 1 < end && at[1] == '|')
            continue;
        if (*at == '*' && !code && at + 1 < end && at[1] != ' ')
            continue;
        putc(*at, out);
        columns += ((unsigned char)*at & 0xc0) != 0x80;
    }
    return columns;
}

static const char *next_cell(const char *at, const char *end)
{
    while (at < end && (*at != '|' || at[-1] == '\\'))
        at++;
    return at;
}

/* "| a | b | c |": the first cell, and the others behind it. */
static void put_row(const char *at, const char *end, FILE *out)
{
    unsigned number = 0;
    for (at++; at < end; number++) {
        const char *stop = next_cell(at, end), *behind = stop + 1;
        while (at < stop && *at == ' ')
            at++;
        while (stop > at && stop[-1] == ' ')
            stop--;
        if (number && stop > at)
            fputs("  ", out);
        int columns = put_words(at, stop, out);
        if (!number && columns < FIRST_COLUMN)
            fprintf(out, "%*s", FIRST_COLUMN - columns, "");
        at = behind;
    }
    putc('\n', out);
}

void chapters_print_plain(const char *text, size_t length, bool bold, FILE *out)
{
    bool code = false;
    for (const char *at = text, *stop = text + length; at < stop;) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        end = end ? end : stop;
        size_t marks = strspn(at, "#");
        if (strncmp(at, "```", 3) == 0) {
            code = !code;
        } else if (code) {
            fprintf(out, "    %.*s\n", (int)(end - at), at);
        } else if (strncmp(at, "<!--", 4) == 0 || strncmp(at, "|--", 3) == 0) {
            ; /* of no use to readers */
        } else if (marks && at[marks] == ' ') {
            fputs(bold ? "\033[1m" : "", out);
            put_words(at + marks + 1, end, out);
            fputs(bold ? "\033[0m\n" : "\n", out);
        } else if (*at == '|') {
            put_row(at, end, out);
        } else {
            put_words(at, end, out);
            putc('\n', out);
        }
        at = end + 1;
    }
}

/* A dot or quote at the beginning of a line, backslashes and hyphens mean something to roff. */
static void put_roff(const char *at, const char *end, FILE *out)
{
    bool code = false;
    if (at < end && (*at == '.' || *at == '\''))
        fputs("\\&", out);
    for (; at < end; at++) {
        if (*at == '`') {
            code = !code;
            fputs(code ? "\\fB" : "\\fR", out);
        } else if (*at == '\\' && at + 1 < end && at[1] == '|') {
            ;
        } else if (*at == '\\') {
            fputs("\\e", out);
        } else if (*at == '-') {
            fputs("\\-", out);
        } else if (*at != '*' || code || at + 1 == end || at[1] == ' ') {
            putc(*at, out);
        }
    }
    putc('\n', out);
}

static void put_roff_row(const char *at, const char *end, FILE *out)
{
    unsigned number = 0;
    fputs(".TP\n", out);
    for (at++; at < end; number++) {
        const char *stop = next_cell(at, end), *behind = stop + 1;
        while (at < stop && *at == ' ')
            at++;
        while (stop > at && stop[-1] == ' ')
            stop--;
        if (number > 1 && stop > at)
            fputs(".br\n", out);
        if (stop > at || !number)
            put_roff(at, stop, out);
        at = behind;
    }
}

void chapters_print_man(const char *text, size_t length, FILE *out)
{
    bool code = false;
    for (const char *at = text, *stop = text + length; at < stop;) {
        const char *end = memchr(at, '\n', (size_t)(stop - at));
        end = end ? end : stop;
        size_t marks = strspn(at, "#");
        if (strncmp(at, "```", 3) == 0) {
            code = !code;
            fputs(code ? ".IP\n.nf\n" : ".fi\n.PP\n", out);
        } else if (code) {
            put_roff(at, end, out);
        } else if (strncmp(at, "<!--", 4) == 0 || strncmp(at, "|--", 3) == 0) {
            ;
        } else if (marks && at[marks] == ' ') {
            fputs(marks > 2 ? ".SS " : ".SH ", out);
            put_roff(at + marks + 1, end, out);
        } else if (*at == '|') {
            put_roff_row(at, end, out);
        } else if (at == end) {
            fputs(".PP\n", out);
        } else if (strncmp(at, "* ", 2) == 0) {
            fputs(".IP \\(bu 2\n", out);
            put_roff(at + 2, end, out);
        } else {
            put_roff(at, end, out);
        }
        at = end + 1;
    }
}
