/* SPDX-License-Identifier: MIT */
#ifndef FRONT_TEXT_STREAM_H
#define FRONT_TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * A stream that writes to memory, as open_memstream() has it: *text (malloc'ed, ends with a zero) and *length are valid
 * when it is closed, which tells, unlike there, when memory ran out. Null: out of memory.
 */
FILE *text_stream_open(char **text, size_t *length);
/* Closes it. False: out of memory at some point, and the text, still to be freed, is not whole. */
bool text_stream_close(FILE *out);

#endif
