/* SPDX-License-Identifier: MIT */
#include "front/page.h"

#include "front/markup.h"

#include <stdbool.h>

void page_begin(FILE *out, const char *title, const char *style)
{
    fprintf(out,
            "<!doctype html><html lang=en><meta charset=utf-8>"
            "<meta name=viewport content=\"width=device-width\"><title>%s</title>\n%s",
            title, style);
}

void page_end(FILE *out)
{
    fputs("</html>\n", out);
}

void page_put_text(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool is_ascii = (unsigned char)text[i] >= ' ' && (unsigned char)text[i] <= '~';
        markup_put(out, is_ascii ? text[i] : '?');
    }
}
