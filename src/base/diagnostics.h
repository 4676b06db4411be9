/* SPDX-License-Identifier: MIT */
/*
 * Reporting. Every message is one line of a message.def, which the build joins; nothing else in the library holds a
 * text that a user will read as an error.
 */
#ifndef BASE_DIAGNOSTICS_H
#define BASE_DIAGNOSTICS_H

#include <gpucode/diagnostic.h>
#include <stdarg.h>
#include <stddef.h>

/* A message: the number of its room and its place in the room's message.def. What stands in base/message.def can be
 * told by all and is named here; another room includes its own ROOM_messages.h, which the build makes. */
typedef unsigned message_id;

#define MESSAGE_ROOM_SHIFT 8
#include "base_messages.h"

/* A place in a text: diagnostics find line, column and source line from it. */
struct place {
    const char *file;
    const char *text; /* whole text */
    size_t length;
    const char *at;      /* first byte meant; null: no place, the file only */
    size_t span;         /* bytes meant, 0 counts as 1 */
    unsigned first_line; /* line number of the text's first line; 0 counts as 1 */
    const char *fix;     /* a text that mends it in place of `fix_span` bytes at `fix_at`, on the same line; or null */
    const char *fix_at;
    size_t fix_span;
};

/* What would mend it; nothing for an empty text. */
static inline void place_mend(struct place *place, const char *fix, const char *at, size_t span)
{
    place->fix = *fix ? fix : NULL;
    place->fix_at = at;
    place->fix_span = span;
}

/* Counts the lines up to place->at and tells the diagnostic handler. `hint` may be null. Arguments follow the message's
 * format. */
void report(const struct gpucode_diagnostic_handler *on_diagnostic, const struct place *place, message_id message,
            const char *hint, ...);
void report_v(const struct gpucode_diagnostic_handler *on_diagnostic, const struct place *place, message_id message,
              const char *hint, va_list args);

enum gpucode_severity message_severity(message_id message);
const char *message_code(message_id message);
/* The message's text with its arguments, cut off where there is no room. */
void message_text(char *text, size_t size, message_id message, va_list args);

#endif
