/* SPDX-License-Identifier: MIT */
/*
 * Text of an input on a terminal. The input may hold anything: control bytes, bytes that are no UTF-8 and characters
 * that reorder text are shown as <1b> or <U+202E>, never sent.
 */
#ifndef FRONT_EXCERPT_H
#define FRONT_EXCERPT_H

#include <stddef.h>
#include <stdio.h>

/* Writes text with nothing in it that a terminal would act on; a tab becomes a space. */
void excerpt_text(FILE *out, const char *text, size_t length);
/* The same; newlines and tabs stay. */
void excerpt_lines(FILE *out, const char *text, size_t length);

/*
 * Writes a source line, and below it a caret under byte `column` (1 = first, 0 = no caret) with an underline of
 * `span` bytes. Of a long line only the part around the column is shown.
 */
void excerpt_line(FILE *out, const char *line, size_t length, unsigned column, unsigned span, const char *color,
                  const char *plain);

#endif
