/* SPDX-License-Identifier: MIT */
/* The checker of ir3, as far as it is not that of all shaders. */
#ifndef ISA_IR3_TIMING_WORDS_H
#define ISA_IR3_TIMING_WORDS_H

#include "isa/ir3/timing/paths.h"

/* What needs no path: words, what a generation or chip lacks, operands that compilers keep apart, the end. */
void ir3_check_words(struct a3xx_check *check);

#endif
