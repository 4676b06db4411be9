/* SPDX-License-Identifier: MIT */
#ifndef FRONT_TEXT_STREAM_H
#define FRONT_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

/*
 * A stream that writes to memory, as open_memstream() has it: *text (malloc'ed, ends with a zero) and *length are valid
 * when it is closed. Unlike there, ferror() tells when memory ran out. Null: out of memory.
 */
FILE *text_stream_open(char **text, size_t *length);

#endif
