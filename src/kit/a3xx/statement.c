/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/statement.h"

#include <string.h>

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static size_t skip_space(const char *line, size_t at, size_t end)
{
    while (at < end && is_space(line[at]))
        at++;
    return at;
}

/* Behind `name:` at `at`; `at` when there is no label. */
static size_t skip_label(const char *line, size_t at, size_t end)
{
    size_t name = at;
    while (name < end && !is_space(line[name]) && !strchr(":;(,<[#", line[name]))
        name++;
    size_t colon = skip_space(line, name, end);
    return name > at && colon < end && line[colon] == ':' ? colon + 1 : at;
}

bool statement_parse(const char *line, size_t length, struct statement *statement)
{
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    const char *comment = length ? memchr(line, ';', length) : NULL;
    size_t end = comment ? (size_t)(comment - line) : length;
    *statement = (struct statement){.length = length, .comment = comment ? end : length};
    while (end && is_space(line[end - 1]))
        end--;
    size_t at = statement->indent = skip_space(line, 0, end);
    for (size_t behind; (behind = skip_label(line, at, end)) > at;)
        at = skip_space(line, behind, end);
    statement->start = at;
    while (at < end && line[at] == '(') {
        const char *close = memchr(line + at, ')', end - at);
        if (!close)
            break;
        at = skip_space(line, (size_t)(close - line) + 1, end);
    }
    statement->mnemonic = at;
    statement->end = end;
    return statement->start < end;
}

bool statement_operand(const char *line, const struct statement *statement, unsigned index, size_t *start, size_t *end)
{
    size_t at = statement->mnemonic;
    unsigned depth = 0;
    while (at < statement->end && !is_space(line[at]))
        at++;
    *start = skip_space(line, at, statement->end);
    for (at = *start; index && at <= statement->end; at++) {
        char c = at < statement->end ? line[at] : ',';
        depth += c == '<' || c == '[';
        depth -= depth && (c == '>' || c == ']');
        if (c != ',' || (depth && at < statement->end))
            continue;
        if (--index) {
            *start = skip_space(line, at + 1, statement->end);
            continue;
        }
        for (*end = at; *end > *start && is_space(line[*end - 1]);)
            --*end;
        return *end > *start;
    }
    return false;
}
