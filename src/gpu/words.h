/* SPDX-License-Identifier: MIT */
/* The debugger's command `packet`, for sets whose machines take PM4 packets. */
#ifndef GPU_WORDS_H
#define GPU_WORDS_H

#include "console/words.h"

/* "WORD, ...": feeds the words to the processor; false: an error was written. */
bool words_send(struct console *console, const char *text);

/* "NAME WORD, ...", "reg REGISTER WORD, ...", "@REGISTER WORD, ..." or "raw WORD, ...": sends it to the processor. */
bool packet_send(struct console *console, const struct console_arguments *arguments);

/*
 * The command `crash` of the debugger: "break FILE" stops where the dump's packet is about to be taken, "compare FILE"
 * tells which registers are not as in the dump.
 */
bool crash_word(struct console *console, const struct console_arguments *arguments);

#endif
