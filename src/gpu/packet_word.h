/* SPDX-License-Identifier: MIT */
/* The debugger's command `packet`, for sets whose machines take PM4 packets. */
#ifndef GPU_PACKET_WORD_H
#define GPU_PACKET_WORD_H

#include "console/words.h"

/* "NAME WORD, ...", "reg REGISTER WORD, ...", "@REGISTER WORD, ..." or "raw WORD, ...": sends it to the processor. */
bool packet_send(struct console *console, const struct console_arguments *arguments);

#endif
