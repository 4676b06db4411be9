/* SPDX-License-Identifier: MIT */
/*
 * The source of a program with what scheduling changed, and nothing else changed: lines, comments, labels and
 * directives stay; nops are put in with the indentation of the line behind them; flags and offsets are edited; where
 * instructions change places, the comment at the end of a line goes along.
 */
#ifndef KIT_A3XX_REWRITE_H
#define KIT_A3XX_REWRITE_H

#include "front/input.h"
#include <gpucode/schedule.h>

/*
 * False: it cannot be done by editing lines (what changed comes from a macro, an included file or a directive), or
 * there is no memory. `padding`: nops behind the last instruction that was there are written too. *text is malloc'ed.
 * Whether the text gives the scheduled bytes is for the caller to see.
 */
bool rewrite_source(const struct input *input, const struct gpucode_scheduled *scheduled, bool padding, char **text,
                    size_t *length);

#endif
