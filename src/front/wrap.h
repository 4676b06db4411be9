/* SPDX-License-Identifier: MIT */
#ifndef FRONT_WRAP_H
#define FRONT_WRAP_H

#include <stdio.h>

/*
 * Writes a text from column `column` of the present line on, broken at spaces so that lines have at most `width`
 * columns; lines behind the first begin with `indent` spaces. Ends with a newline.
 */
void wrap_text(FILE *out, const char *text, int column, int indent, int width);

#endif
