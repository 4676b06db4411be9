/* SPDX-License-Identifier: MIT */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "cli/actions.h"

/* An SVG picture of what a script does; *text is malloc'ed. False: out of memory. */
bool plot_actions(const struct input *input, const struct actions *actions, double clock_ns, char **text,
                  size_t *length);

#endif
