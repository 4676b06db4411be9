/* SPDX-License-Identifier: MIT */
/* Hex text as input: dumps of scripts and shaders, words copied from a log. */
#include "front/file.h"
#include "front/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 32) >= 'a' && (c | 32) <= 'f')
        return (c | 32) - 'a' + 10;
    return -1;
}

static const char *skip(const char *at, const char *end)
{
    while (at < end) {
        if (*at == ';' || *at == '#' || (*at == '/' && at + 1 < end && at[1] == '/')) {
            while (at < end && *at != '\n')
                at++;
        } else if (strchr(" \t\r\n\f\v,[]{}", *at) && *at) {
            at++;
        } else {
            break;
        }
    }
    return at;
}

static const char *end_of_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static int refuse(const struct file *file, struct diagnostics *diagnostics, enum cli_message message, const char *at,
                  size_t span, const char *argument)
{
    const char *line = file->bytes, *newline;
    struct gpucode_diagnostic place = {.file = file->name, .line = 1};
    while ((newline = memchr(line, '\n', (size_t)(at - line)))) {
        line = newline + 1;
        place.line++;
    }
    const char *end = file->bytes + file->size;
    newline = memchr(line, '\n', (size_t)(end - line));
    place.source = line;
    place.source_length = (size_t)((newline ? newline : end) - line);
    place.column = (unsigned)(at - line) + 1;
    place.length = (unsigned)span;
    return complain_at(diagnostics, message, &place, NULL, argument);
}

/* `count` bytes from digits, first byte first, or last byte first for words. */
static unsigned char *write_digits(unsigned char *to, const char *digits, size_t count, bool little)
{
    for (size_t i = 0; i < count; i++) {
        const char *pair = digits + 2 * (little ? count - 1 - i : i);
        *to++ = (unsigned char)(digit(pair[0]) << 4 | digit(pair[1]));
    }
    return to;
}

/*
 * A line of a shader dump, "0003[hi_lo] text" where hi and lo may end in an x: *at moves to hi, the text after the
 * bracket is for people. A step of a repeat has blanks in the brackets and no word of its own. False: no such line.
 */
static bool dump_line(const char **at, const char *end)
{
    const char *mark = *at;
    while (mark < end && *mark >= '0' && *mark <= '9')
        mark++;
    if (mark == *at || mark == end || *mark != '[')
        return false;
    *at = mark + 1;
    for (mark++; mark < end && *mark == ' ';)
        mark++;
    if (mark < end && *mark == ']')
        *at = end_of_line(mark, end);
    return true;
}

/* Behind hi_lo: does the line go on with something that is no other hi_lo and no punctuation? */
static bool text_follows(const char *at, const char *end)
{
    if (at == end || (*at != ' ' && *at != '\t'))
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *token = at + (end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x' ? 2 : 0);
    size_t digits = 0;
    while (token + digits < end && digit(token[digits]) >= 0)
        digits++;
    bool word = digits && (token + digits == end || strchr(" \t\r\n_x,]}", token[digits]));
    return at < end && !word && !strchr("\r\n,[]{};#/", *at);
}

bool file_is_dump(const struct file *file)
{
    const char *end = file->bytes + file->size, *at = skip(file->bytes, end);
    const char *digits = at;
    if (dump_line(&at, end))
        return true;
    while (at < end && digit(*at) >= 0)
        at++;
    return at - digits == 8 && end - at > 9 && *at == '_' && text_follows(at + 9, end);
}

int file_from_hex(struct file *file, struct diagnostics *diagnostics)
{
    const char *end = file->bytes + file->size;
    unsigned char *bytes = malloc(file->size / 2 + 1), *to = bytes;
    int code = bytes ? EXIT_DONE : out_of_memory(diagnostics);
    for (const char *at = skip(file->bytes, end); !code && at < end; at = skip(at, end)) {
        const char *token = at;
        bool dump = dump_line(&at, end);
        if (dump && (at == end || *at == '\n'))
            continue;
        if (at + 2 < end && at[0] == '0' && (at[1] | 32) == 'x' && digit(at[2]) >= 0)
            at += 2;
        const char *digits = at;
        while (at < end && digit(*at) >= 0)
            at++;
        size_t count = (size_t)(at - digits), low = 0;
        const char *second = at + (at < end && *at == 'x' ? 2 : 1); /* a template's x after the digits */
        if (count == 8 && second < end && second[-1] == '_') {
            while (second + low < end && digit(second[low]) >= 0)
                low++;
            if (low == 8)
                at = second + 8 + (second + 8 < end && second[8] == 'x');
        }
        if (low == 8 && ((dump && at < end && *at == ']') || text_follows(at, end)))
            at = end_of_line(at, end);
        char text[32];
        snprintf(text, sizeof text, "%zu", count);
        if (!count || (at < end && at == skip(at, end)))
            code = refuse(file, diagnostics, CLI_HEX, count ? at : token, 1, "");
        else if (low == 8)
            to = write_digits(write_digits(to, second, 4, true), digits, 4, true);
        else if (count == 2 || count == 8 || count == 16)
            to = write_digits(to, digits, count / 2, true);
        else if (count > 16 && count % 2 == 0)
            to = write_digits(to, digits, count / 2, false);
        else
            code = refuse(file, diagnostics, CLI_HEX_DIGITS, token, (size_t)(at - token), text);
    }
    if (code) {
        free(bytes);
        file_free(file);
        return code;
    }
    free(file->bytes);
    file->bytes = (char *)bytes;
    file->size = (size_t)(to - bytes);
    return EXIT_DONE;
}
