/* SPDX-License-Identifier: MIT */
#ifndef GPU_CRASH_WORD_H
#define GPU_CRASH_WORD_H

#include "console/words.h"

/*
 * The command `crash` of the debugger: "break FILE" stops where the dump's packet is about to be taken, "compare FILE"
 * tells which registers are not as in the dump.
 */
bool crash_word(struct console *console, const struct console_arguments *arguments);

#endif
