/* SPDX-License-Identifier: MIT */
/* Words for tests: made up, and there and back through text. */
#ifndef TESTS_A3XX_WORDS_H
#define TESTS_A3XX_WORDS_H

#include "group.h"

#include <gpucode/gpucode.h>

/* Next of a sequence that depends on *state alone (splitmix64). */
uint64_t words_next(uint64_t *state);
/* The same, below `count`. */
unsigned words_below(uint64_t *state, unsigned count);

/*
 * Word number `index` of a test's sequence: random bits, or a row's pattern with random fields, or with few bits set
 * or cleared; so that every row comes up often.
 */
uint64_t words_make(const struct gpucode_target *target, uint64_t *state);

/*
 * Word to text in a style and back. Returns null when the same word came back, else what went wrong; `text` (room:
 * GPUCODE_TEXT_MAX) receives the text, *back the word that came back.
 */
const char *words_return(const struct gpucode_target *target, uint64_t word, unsigned style, char *text,
                         uint64_t *back);

#endif
