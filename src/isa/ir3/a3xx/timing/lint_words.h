/* SPDX-License-Identifier: MIT */
/* The checker of A3XX, as far as it is not that of all shaders. */
#ifndef ISA_IR3_A3XX_TIMING_LINT_WORDS_H
#define ISA_IR3_A3XX_TIMING_LINT_WORDS_H

#include "isa/ir3/timing/paths.h"

#define A3XX_NOTES "A3XX notes, "

/* What needs no path: words, flags without effect, targets, the end. */
void a3xx_check_words(struct a3xx_check *check);

#endif
