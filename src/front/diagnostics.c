/* SPDX-License-Identifier: MIT */
#include "front/diagnostics.h"
#include "front/grow.h"
#include "front/session.h"
#include "front/terminal.h"
#include "utf8/utf8.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define JOINED_(id, part) id##part
#define JOINED(id, part) JOINED_(id, part)

/* All texts in one piece, and where they begin in it: pointers would have to be written at each start of a program. */
static const struct message_strings {
#define MESSAGE(id, code, severity, exit_code, text, explanation)                                                      \
    char JOINED(SET_ID(id), _code)[sizeof code], JOINED(SET_ID(id), _text)[sizeof text],                               \
        JOINED(SET_ID(id), _explanation)[sizeof explanation];
#include "messages.def"
} strings = {
#define MESSAGE(id, code, severity, exit_code, text, explanation) code, text, explanation,
#include "messages.def"
};

static const struct message_row {
    uint32_t code, text, explanation;
    uint8_t severity, exit_code;
} messages[] = {
#define MESSAGE(id, code, severity, exit_code, text, explanation)                                                      \
    {offsetof(struct message_strings, JOINED(SET_ID(id), _code)),                                                      \
     offsetof(struct message_strings, JOINED(SET_ID(id), _text)),                                                      \
     offsetof(struct message_strings, JOINED(SET_ID(id), _explanation)), GPUCODE_##severity, exit_code},
#include "messages.def"
};

/* Places in `messages`, and where each table begins there. */
enum {
#define MESSAGE_ROOM(room) FIRST_OF_##room, BEFORE_##room = FIRST_OF_##room - 1,
#define MESSAGE(id, ...) JOINED(SET_ID(id), _place),
#include "messages.def"
    MESSAGE_COUNT
};

static const uint16_t rooms[] = {
#define MESSAGE_ROOM(room) FIRST_OF_##room,
#define MESSAGE(...)
#include "messages.def"
};

static const char *string_at(uint32_t place)
{
    return (const char *)&strings + place;
}

static const struct {
    const char *name, *color;
} severities[] = {
    [GPUCODE_NOTE] = {"note", "\033[1;36m"},
    [GPUCODE_WARNING] = {"warning", "\033[1;35m"},
    [GPUCODE_ERROR] = {"error", "\033[1;31m"},
};

#define BOLD "\033[1m"
#define GREEN "\033[1;32m"
#define PLAIN "\033[0m"

static const char *color_code(const struct diagnostics *diagnostics, const char *color)
{
    return diagnostics->color ? color : "";
}

/* --- JSON: by hand, not as an answer, for messages are told when there is no memory left, too --- */

/* As answers write texts (src/answer/json.c): what a terminal would act on is escaped. */
static void write_text(FILE *out, const char *text)
{
    size_t length = strlen(text), size;
    for (; length; text += size, length -= size) {
        uint32_t c = 0;
        size = utf8_decode(text, length, &c);
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", (char)c);
        else if (c == '\n' || c == '\t')
            fputs(c == '\n' ? "\\n" : "\\t", out);
        else if (size && utf8_is_hidden(c) && c >= 0x10000)
            fprintf(out, "\\u%04x\\u%04x", 0xd800u + ((c - 0x10000) >> 10), 0xdc00u + (c & 0x3ff));
        else if (size && utf8_is_hidden(c))
            fprintf(out, "\\u%04x", (unsigned)c);
        else if (size)
            fwrite(text, 1, size, out);
        else
            fputs("\xef\xbf\xbd", out);
        size = size ? size : 1;
    }
}

/* A member after the first one; a null text is left out. */
static void write_member(FILE *out, const char *key, const char *text)
{
    if (!text)
        return;
    fprintf(out, ", \"%s\": \"", key);
    write_text(out, text);
    fputc('"', out);
}

static void write_object(const struct diagnostics *diagnostics, const struct gpucode_diagnostic *d)
{
    FILE *out = diagnostics->out;
    fprintf(out, "{\"severity\": \"%s\"", severities[d->severity].name);
    write_member(out, "code", d->code);
    write_member(out, "file", d->file);
    if (d->line)
        fprintf(out, ", \"line\": %u, \"column\": %u, \"length\": %u", d->line, d->column, d->length);
    write_member(out, "message", d->message);
    write_member(out, "hint", d->hint);
    fputs("}\n", out);
}

static void print_diagnostic(const struct diagnostics *diagnostics, const struct gpucode_diagnostic *d)
{
    FILE *out = diagnostics->out;
    const char *file = !d->file ? "gpucode" : *d->file ? d->file : "''";
    fputs(color_code(diagnostics, BOLD), out);
    excerpt_text(out, file, strlen(file));
    fputc(':', out);
    if (d->line)
        fprintf(out, "%u:", d->line);
    if (d->line && d->column)
        fprintf(out, "%u:", d->column);
    fprintf(out, " %s%s:%s%s ", color_code(diagnostics, severities[d->severity].color), severities[d->severity].name,
            color_code(diagnostics, PLAIN), color_code(diagnostics, BOLD));
    excerpt_text(out, d->message, strlen(d->message));
    fputs(color_code(diagnostics, PLAIN), out);
    if (d->code)
        fprintf(out, " [%s]", d->code);
    fputc('\n', out);
    if (d->source && d->line)
        excerpt_line(out, d->source, d->source_length, d->column, d->length, color_code(diagnostics, GREEN),
                     color_code(diagnostics, PLAIN));
    if (d->hint && (d->line || !diagnostics->brief)) {
        fprintf(out, "%shint:%s ", color_code(diagnostics, BOLD), color_code(diagnostics, PLAIN));
        excerpt_text(out, d->hint, strlen(d->hint));
        fputc('\n', out);
    }
}

void diagnostics_report(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct diagnostics *diagnostics = user;
    if (diagnostic->severity == GPUCODE_ERROR)
        diagnostics->errors++;
    if (diagnostic->severity == GPUCODE_WARNING)
        diagnostics->warnings++;
    if (diagnostics->mute)
        return;
    if (diagnostics->before)
        diagnostics->before(diagnostics->user);
    fflush(stdout); /* what was printed earlier comes first where both go to one place */
    if (diagnostics->json)
        write_object(diagnostics, diagnostic);
    else
        print_diagnostic(diagnostics, diagnostic);
    fflush(diagnostics->out);
}

/* --- in the order of lines --- */

struct held {
    struct gpucode_diagnostic diagnostic; /* its texts are ours */
    size_t number, leader;                /* as they came; the one that it belongs to, itself as a rule */
    size_t file, line;                    /* of the leader; the file by the first one that has it */
};

/* A copy of a text of the diagnostic; null stays null, and *good becomes false without memory. */
static char *keep(const char *text, size_t length, bool *good)
{
    char *copy = text ? malloc(length + 1) : NULL;
    *good &= copy || !text;
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

static char *keep_text(const char *text, bool *good)
{
    return keep(text, text ? strlen(text) : 0, good);
}

static void free_held(struct held *held)
{
    free((char *)held->diagnostic.file);
    free((char *)held->diagnostic.message);
    free((char *)held->diagnostic.hint);
    free((char *)held->diagnostic.source);
}

static int compare(size_t a, size_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_held(const void *left, const void *right)
{
    const struct held *a = left, *b = right;
    int order = compare(a->file, b->file);
    order = order ? order : compare(a->line, b->line);
    order = order ? order : compare(a->leader, b->leader);
    return order ? order : compare(a->number, b->number);
}

static bool same_file(const struct held *a, const struct held *b)
{
    const char *left = a->diagnostic.file, *right = b->diagnostic.file;
    return left && right ? strcmp(left, right) == 0 : left == right;
}

void diagnostics_hold(void *user, const struct gpucode_diagnostic *diagnostic)
{
    struct held_diagnostics *all = user;
    bool good = grow(&all->held, all->count, &all->room, sizeof *all->held);
    if (!good) {
        all->to.report(all->to.user, diagnostic);
        return;
    }
    size_t number = all->count;
    struct held *held = &all->held[number];
    *held = (struct held){.diagnostic = *diagnostic, .number = number, .leader = number, .line = diagnostic->line};
    held->diagnostic.file = keep_text(diagnostic->file, &good);
    held->diagnostic.message = keep_text(diagnostic->message, &good);
    held->diagnostic.hint = keep_text(diagnostic->hint, &good);
    held->diagnostic.source = keep(diagnostic->source, diagnostic->source_length, &good);
    held->diagnostic.replacement = NULL; /* nothing here shows it */
    if (!good) {
        free_held(held);
        all->to.report(all->to.user, diagnostic);
        return;
    }
    while (!same_file(&all->held[held->file], held))
        held->file++;
    if (number && (diagnostic->severity == GPUCODE_NOTE || !diagnostic->line)) {
        const struct held *leader = &all->held[number - 1];
        held->leader = leader->leader;
        held->file = leader->file;
        held->line = leader->line;
    }
    all->count++;
}

void diagnostics_release(struct held_diagnostics *all)
{
    if (all->count)
        qsort(all->held, all->count, sizeof *all->held, compare_held);
    for (size_t i = 0; i < all->count; i++) {
        all->to.report(all->to.user, &all->held[i].diagnostic);
        free_held(&all->held[i]);
    }
    free(all->held);
    *all = (struct held_diagnostics){.to = all->to};
}

static int report_message(struct diagnostics *diagnostics, cli_message message, const struct gpucode_diagnostic *place,
                          const char *hint, va_list arguments)
{
    const struct message_row *row = &messages[rooms[message >> CLI_ROOM_SHIFT] + message % (1u << CLI_ROOM_SHIFT)];
    char text[1024];
    vsnprintf(text, sizeof text, string_at(row->text), arguments);
    struct gpucode_diagnostic diagnostic = *place;
    diagnostic.severity = row->severity;
    diagnostic.code = string_at(row->code);
    diagnostic.message = text;
    diagnostic.hint = hint;
    diagnostics_report(diagnostics, &diagnostic);
    return row->exit_code;
}

int complain(struct diagnostics *diagnostics, cli_message message, const char *file, const char *hint, ...)
{
    va_list arguments;
    va_start(arguments, hint);
    int code = report_message(diagnostics, message, &(struct gpucode_diagnostic){.file = file}, hint, arguments);
    va_end(arguments);
    return code;
}

int out_of_memory(struct diagnostics *diagnostics)
{
    diagnostics->lacked_memory = true;
    return complain(diagnostics, CLI_MEMORY, NULL, NULL);
}

int complain_at(struct diagnostics *diagnostics, cli_message message, const struct gpucode_diagnostic *place,
                const char *hint, ...)
{
    va_list arguments;
    va_start(arguments, hint);
    int code = report_message(diagnostics, message, place, hint, arguments);
    va_end(arguments);
    return code;
}

void diagnostics_total(const struct diagnostics *diagnostics)
{
    unsigned errors = diagnostics->errors, warnings = diagnostics->warnings;
    if (diagnostics->json || errors + warnings == 0)
        return;
    if (errors)
        fprintf(diagnostics->out, "%u error%s", errors, errors == 1 ? "" : "s");
    if (warnings)
        fprintf(diagnostics->out, "%s%u warning%s", errors ? ", " : "", warnings, warnings == 1 ? "" : "s");
    fputc('\n', diagnostics->out);
}

const char *cli_explain(const char *code)
{
    for (size_t i = 0; i < MESSAGE_COUNT; i++)
        if (strcmp(string_at(messages[i].code), code) == 0)
            return string_at(messages[i].explanation);
    return NULL;
}

const char *cli_diagnostic_code(unsigned index)
{
    return index < MESSAGE_COUNT ? string_at(messages[index].code) : NULL;
}
