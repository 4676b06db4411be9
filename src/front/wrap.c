/* SPDX-License-Identifier: MIT */
#include "front/wrap.h"

#include <string.h>

void wrap_text(FILE *out, const char *text, int column, int indent, int width)
{
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (column > indent && column + length > width) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, "%.*s", length, text);
        text += length;
        if (*text == ' ' || *text == '\n') {
            if (text[1] && column + 1 + (int)strcspn(text + 1, " \n") <= width)
                column += fprintf(out, " ");
            else
                column = width;
            text++;
        }
    }
    fputc('\n', out);
}
