/* SPDX-License-Identifier: MIT */
/* Reading maps and users' symbol files. */
#include "base/diagnostics.h"
#include "debug/symbols.h"

#include <stdlib.h>
#include <string.h>

struct word {
    const char *at;
    size_t length;
};

struct reader {
    struct gpucode_symbols *symbols;
    struct place place;
    struct gpucode_sink sink;
    bool wrong;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct word take_word(const char **at, const char *end)
{
    while (*at < end && is_space(**at))
        ++*at;
    struct word word = {*at, 0};
    while (*at < end && !is_space(**at))
        ++*at;
    word.length = (size_t)(*at - word.at);
    return word;
}

static bool is_word(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.at, text, word.length) == 0;
}

/* Decimal or 0x, with a sign; the whole of it must be a number. */
static bool take_number(const char *at, size_t length, int64_t *value)
{
    char text[32], *end;
    if (!length || length >= sizeof text)
        return false;
    memcpy(text, at, length);
    text[length] = 0;
    const char *digits = text + (*text == '-');
    if (*digits < '0' || *digits > '9')
        return false;
    uint64_t number = strtoull(digits, &end, *digits == '0' && (digits[1] | 32) == 'x' ? 16 : 10);
    *value = (int64_t)(*text == '-' ? 0 - number : number);
    return end == text + length;
}

static void refuse(struct reader *reader, struct word word, enum message message, const char *what)
{
    reader->place.at = word.at;
    reader->place.span = word.length;
    report(&reader->sink, &reader->place, message, NULL, what);
    reader->wrong = true;
}

/* The space and number of a register that is not a general one, as names callbacks need them. */
static bool find_register(const struct gpucode_symbols *symbols, struct word word, unsigned *space, uint32_t *number)
{
    static const struct {
        char prefix;
        enum gpucode_space space;
    } spaces[] = {{'@', GPUCODE_SPACE_CONTROL}, {'%', GPUCODE_SPACE_SQE}, {'|', GPUCODE_SPACE_PIPE}};
    *space = GPUCODE_SPACE_GPU;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (*word.at == spaces[i].prefix) {
            *space = spaces[i].space;
            word.at++;
            word.length--;
            break;
        }
    int64_t value;
    if (take_number(word.at, word.length, &value)) {
        *number = (uint32_t)value;
        return value >= 0 && value <= UINT32_MAX;
    }
    return gpucode_number_of(symbols->target, symbols->behind, *space, word.at, word.length, number);
}

static void take_register(struct reader *reader, struct word which, struct word name)
{
    struct gpucode_label label = {.kind = GPUCODE_LABEL_REGISTER, .name = name.at, .text = which.at};
    uint32_t number;
    if (find_register(reader->symbols, which, &label.space, &number))
        label.value = number;
    else
        label.space = GPUCODE_SPACE_GENERAL; /* the text alone tells; machines read it when it is used */
    symbols_add_label(reader->symbols, &label, name.length, which.length);
}

/* "UNIT MACRO file:line" behind the line's own statement */
static void take_use(struct reader *reader, struct word unit, struct word macro, struct word place)
{
    struct gpucode_symbols *symbols = reader->symbols;
    int64_t number, line;
    size_t colon = place.length;
    while (colon && place.at[colon - 1] != ':')
        colon--;
    const struct source_line *last = symbols->line_count ? &symbols->lines[symbols->line_count - 1] : NULL;
    bool behind = last && (!last->use_count || last->first_use + last->use_count == symbols->use_count);
    if (!take_number(unit.at, unit.length, &number) || !behind || number != (int64_t)last->unit)
        refuse(reader, unit, MSG_SYMBOL_NUMBER, "");
    else if (colon < 2 || !take_number(place.at + colon, place.length - colon, &line) || line < 1 || line > INT32_MAX)
        refuse(reader, place, MSG_SYMBOL_PLACE, "");
    else
        symbols_add_use(symbols, macro.at, macro.length, place.at, colon - 1, (unsigned)line);
}

/* "file:line", "file:line+" or "?" */
static void take_line(struct reader *reader, struct word unit, struct word place)
{
    int64_t number, line;
    if (!take_number(unit.at, unit.length, &number) || number < 0 || number > UINT32_MAX) {
        refuse(reader, unit, MSG_SYMBOL_NUMBER, "");
        return;
    }
    if (is_word(place, "?")) {
        symbols_add_line(reader->symbols, (uint32_t)number, NULL, 0, 0, false);
        return;
    }
    bool from_macro = place.length && place.at[place.length - 1] == '+';
    size_t length = place.length - from_macro, colon = length;
    while (colon && place.at[colon - 1] != ':')
        colon--;
    if (colon < 2 || !take_number(place.at + colon, length - colon, &line) || line < 1 || line > INT32_MAX)
        refuse(reader, place, MSG_SYMBOL_PLACE, "");
    else
        symbols_add_line(reader->symbols, (uint32_t)number, place.at, colon - 1, (unsigned)line, from_macro);
}

static void take_statement(struct reader *reader, const char *at, const char *end)
{
    struct word kind = take_word(&at, end), value = take_word(&at, end), name = take_word(&at, end);
    if (!kind.length)
        return;
    if (is_word(kind, "@")) { /* a path may have spaces */
        while (end > name.at && is_space(end[-1]))
            end--;
        name.length = (size_t)(end - name.at);
        at = end;
    }
    if (!name.length) {
        refuse(reader, kind, MSG_SYMBOL_COLUMNS, "");
        return;
    }
    struct word more = take_word(&at, end);
    if (is_word(kind, "use") && more.length) {
        while (end > more.at && is_space(end[-1]))
            end--;
        more.length = (size_t)(end - more.at);
        take_use(reader, value, name, more);
        return;
    }
    if (more.length) {
        refuse(reader, more, MSG_SYMBOL_COLUMNS, "");
        return;
    }
    if (is_word(kind, "@")) {
        take_line(reader, value, name);
        return;
    }
    if (is_word(kind, "reg")) {
        take_register(reader, value, name);
        return;
    }
    struct gpucode_label label = {.name = name.at};
    if (!take_number(value.at, value.length, &label.value)) {
        refuse(reader, value, MSG_SYMBOL_NUMBER, "");
        return;
    }
    bool constant = is_word(kind, "=");
    label.kind = constant ? GPUCODE_LABEL_CONSTANT : is_word(kind, "mem") ? GPUCODE_LABEL_MEMORY : GPUCODE_LABEL_CODE;
    if (label.kind == GPUCODE_LABEL_CODE) {
        label.section = kind.at;
        if (label.value < 0 || label.value > UINT32_MAX) {
            refuse(reader, value, MSG_SYMBOL_NUMBER, "");
            return;
        }
    }
    symbols_add_label(reader->symbols, &label, name.length, kind.length);
}

enum gpucode_status gpucode_symbols_read(struct gpucode_symbols *symbols, const char *text, size_t length,
                                         const char *file, struct gpucode_sink sink)
{
    if (!symbols || (!text && length))
        return GPUCODE_ERROR_ARGUMENT;
    struct reader reader = {symbols, {.file = file ? file : "<symbols>", .text = text, .length = length}, sink, false};
    const char *end = text + length;
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        const char *comment = at;
        while (comment < stop && *comment != ';' && *comment != '#')
            comment++;
        take_statement(&reader, at, comment);
        at = newline ? newline + 1 : end;
    }
    symbols_sort(symbols);
    bool failed = symbols->failed;
    symbols->failed = false;
    return failed ? GPUCODE_ERROR_MEMORY : reader.wrong ? GPUCODE_ERROR_INPUT : GPUCODE_OK;
}
