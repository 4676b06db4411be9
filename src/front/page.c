/* SPDX-License-Identifier: MIT */
#include "front/page.h"

void markup_put(FILE *out, char character)
{
    switch (character) {
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '&':
        fputs("&amp;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    default:
        putc(character, out);
    }
}

void markup_put_text(FILE *out, const char *text)
{
    for (; *text; text++)
        markup_put(out, *text);
}
