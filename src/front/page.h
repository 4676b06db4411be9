/* SPDX-License-Identifier: MIT */
/* Text within XML and HTML. */
#ifndef FRONT_PAGE_H
#define FRONT_PAGE_H

#include <stdio.h>

/* A character, written so that it has no meaning of its own there: < > & and ". */
static inline void markup_put(FILE *out, char character)
{
    const char *name = character == '<'   ? "lt"
                       : character == '>' ? "gt"
                       : character == '&' ? "amp"
                       : character == '"' ? "quot"
                                          : NULL;
    if (name)
        fprintf(out, "&%s;", name);
    else
        putc(character, out);
}

static inline void markup_put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        markup_put(out, *text);
}

#endif
