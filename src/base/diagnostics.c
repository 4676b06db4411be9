/* SPDX-License-Identifier: MIT */
#include "base/diagnostics.h"

#include "version.h"

#include <gpucode/status.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* All texts in one piece, and where they begin in it: pointers would have to be written at each start of a program. */
static const struct message_strings {
#define MESSAGE(id, code, severity, text, explanation)                                                                 \
    char id##_code[sizeof code], id##_text[sizeof text], id##_explanation[sizeof explanation];
#include "library_messages.def"
} strings = {
#define MESSAGE(id, code, severity, text, explanation) code, text, explanation,
#include "library_messages.def"
};

static const struct message_row {
    uint32_t code, text, explanation;
    uint8_t severity;
} messages[] = {
#define MESSAGE(id, code, severity, text, explanation)                                                                 \
    {offsetof(struct message_strings, id##_code), offsetof(struct message_strings, id##_text),                         \
     offsetof(struct message_strings, id##_explanation), GPUCODE_##severity},
#include "library_messages.def"
};

/* Places in `messages`, and where each room begins there. */
enum {
#define MESSAGE_ROOM(room) FIRST_OF_##room, BEFORE_##room = FIRST_OF_##room - 1,
#define MESSAGE(id, code, severity, text, explanation) PLACE_##id,
#include "library_messages.def"
    MESSAGE_COUNT
};

static const uint16_t rooms[] = {
#define MESSAGE_ROOM(room) FIRST_OF_##room,
#define MESSAGE(id, code, severity, text, explanation)
#include "library_messages.def"
};

static const struct message_row *row_of(message_id message)
{
    return &messages[rooms[message >> MESSAGE_ROOM_SHIFT] + (message & ((1u << MESSAGE_ROOM_SHIFT) - 1))];
}

static const char *string_at(uint32_t place)
{
    return (const char *)&strings + place;
}

enum gpucode_severity message_severity(message_id message)
{
    return row_of(message)->severity;
}

const char *message_code(message_id message)
{
    return string_at(row_of(message)->code);
}

void message_text(char *text, size_t size, message_id message, va_list args)
{
    vsnprintf(text, size, string_at(row_of(message)->text), args);
}

void report_v(const struct gpucode_diagnostic_handler *on_diagnostic, const struct place *place, message_id message,
              const char *hint, va_list args)
{
    if (!on_diagnostic || !on_diagnostic->report)
        return;
    const struct message_row *row = row_of(message);
    char text[512];
    vsnprintf(text, sizeof text, string_at(row->text), args);
    struct gpucode_diagnostic diagnostic = {
        .severity = row->severity,
        .code = string_at(row->code),
        .message = text,
        .hint = hint,
    };
    if (place) {
        diagnostic.file = place->file;
        if (place->text && place->at) {
            const char *start = place->text, *end = place->text + place->length, *newline;
            diagnostic.line = place->first_line ? place->first_line : 1;
            while (start < place->at && (newline = memchr(start, '\n', (size_t)(place->at - start)))) {
                diagnostic.line++;
                start = newline + 1;
            }
            newline = start < end ? memchr(start, '\n', (size_t)(end - start)) : NULL;
            if (!newline)
                newline = end;
            if (newline > start && newline[-1] == '\r')
                newline--;
            diagnostic.column = (unsigned)(place->at - start) + 1;
            diagnostic.source = start;
            diagnostic.source_length = (size_t)(newline - start);
            if (diagnostic.column > diagnostic.source_length + 1) /* after a carriage return */
                diagnostic.column = (unsigned)diagnostic.source_length + 1;
            size_t rest = newline > place->at ? (size_t)(newline - place->at) : 0;
            size_t span = place->span < rest ? place->span : rest;
            diagnostic.length = span ? (unsigned)span : 1;
            if (place->fix && place->fix_at >= start && place->fix_at + place->fix_span <= newline) {
                diagnostic.replacement = place->fix;
                diagnostic.replaced_column = (unsigned)(place->fix_at - start) + 1;
                diagnostic.replaced_length = (unsigned)place->fix_span;
            }
        }
    }
    on_diagnostic->report(on_diagnostic->user, &diagnostic);
}

void report(const struct gpucode_diagnostic_handler *on_diagnostic, const struct place *place, message_id message,
            const char *hint, ...)
{
    va_list args;
    va_start(args, hint);
    report_v(on_diagnostic, place, message, hint, args);
    va_end(args);
}

const char *gpucode_explain(const char *code)
{
    for (size_t i = 0; code && i < MESSAGE_COUNT; i++)
        if (strcmp(string_at(messages[i].code), code) == 0)
            return string_at(messages[i].explanation);
    return NULL;
}

const char *gpucode_diagnostic_code(unsigned index)
{
    return index < MESSAGE_COUNT ? string_at(messages[index].code) : NULL;
}

const char *gpucode_version(void)
{
    return GPUCODE_VERSION;
}

const char *gpucode_status_text(enum gpucode_status status)
{
    switch (status) {
    case GPUCODE_OK:
        return "done";
    case GPUCODE_ERROR_INPUT:
        return "the input is wrong";
    case GPUCODE_ERROR_NO_INSN:
        return "no instruction of the target";
    case GPUCODE_ERROR_TRUNCATED:
        return "the bytes end inside an instruction";
    case GPUCODE_ERROR_SPACE:
        return "the buffer is too small";
    case GPUCODE_ERROR_RANGE:
        return "the value does not fit";
    case GPUCODE_ERROR_MEMORY:
        return "out of memory";
    case GPUCODE_ERROR_ARGUMENT:
        return "wrong use of the library";
    case GPUCODE_ERROR_UNSUPPORTED:
        return "the target does not have this";
    }
    return "unknown status";
}
