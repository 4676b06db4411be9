/* SPDX-License-Identifier: MIT */
/*
 * The colours of listings on a terminal, one scheme for disasm, diff and decode: what begins a part is bold (labels,
 * draws, headings), names are cyan, comments dim; at the start of a line + is green, - red, ! and ~ yellow.
 */
#ifndef FRONT_PAINT_H
#define FRONT_PAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
