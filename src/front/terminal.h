/* SPDX-License-Identifier: MIT */
/* Text on a terminal: colours, progress, wrapped lines, excerpts of inputs, colours of listings, a pager. */
#ifndef FRONT_TERMINAL_H
#define FRONT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

/* May colours go to this stream? `when` is the value of --color, or null. */
bool terminal_color(FILE *stream, const char *when);

/* Columns that text for this stream is wrapped to: of the environment variable COLUMNS, of the terminal, or 80. */
unsigned terminal_columns(FILE *stream);

/* Rows of the terminal that the stream goes to; 0: it goes elsewhere, or the system cannot tell. */
unsigned terminal_rows(FILE *stream);

/* One line on a terminal that tells how far a long command is; shows itself after a second, and never elsewhere. */
struct progress {
    struct timespec started, shown;
    bool visible;
};

void progress_begin(struct progress *progress);
void progress_show(struct progress *progress, const char *name, int done, int total);
/* Takes the line off the terminal; `progress` is a struct progress. */
void progress_clear(void *progress);

/*
 * Writes a text from column `column` of the present line on, broken at spaces so that lines have at most `width`
 * columns; lines after the first begin with `indent` spaces. Ends with a newline.
 */
void wrap_text(FILE *out, const char *text, int column, int indent, int width);

/*
 * Text of an input on a terminal. The input may hold anything: control bytes, bytes that are not UTF-8 and characters
 * that reorder text are shown as <1b> or <U+202E>, never sent.
 */

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

/*
 * Output that is longer than the terminal goes through a pager: $PAGER, or `less`, which gets LESS=FRX as git has it
 * unless it is set. What fits on the screen is shown as it is, with any pager.
 */

/*
 * From here on standard output, and standard error where it is a terminal too, are watched by another process. Nothing
 * happens where standard output is not a terminal that can do more than write, or PAGER is empty or `cat`.
 */
void pager_begin(void);

/*
 * The colours of listings on a terminal, one scheme for disasm, diff and decode: what begins a part is bold (labels,
 * draws, headings), names are cyan, comments dim; at the start of a line + is green, - red, ! and ~ yellow.
 */

/* Lines on their way to a stream. */
struct paint {
    FILE *out;
    char *line; /* the part that has come of a line */
    size_t length, room;
};

/* For gpucode_answer_options.write and gpucode_disassemble_to(); `user` is a struct paint. */
bool paint_write(void *user, const char *text, size_t length);
/* Writes what is left of a line, and frees. */
void paint_end(struct paint *paint);

#endif
