/* SPDX-License-Identifier: MIT */
#ifndef KIT_HWSQ_PLOT_H
#define KIT_HWSQ_PLOT_H

#include "kit/hwsq/actions.h"

/* An SVG picture of what a script does; *text is malloc'ed. False: out of memory. */
bool plot_actions(const struct input *input, const struct actions *actions, double clock_ns, char **text,
                  size_t *length);

#endif
