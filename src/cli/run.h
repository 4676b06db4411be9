/* SPDX-License-Identifier: MIT */
/* `gpucode run`, one function per instruction set. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "front/input.h"
#include <gpucode/machine.h>

struct session;

int run_hwsq(struct session *session, const struct input *input);
int run_a3xx(struct session *session, const struct input *input);
int run_afuc(struct session *session, const struct input *input);

/*
 * The settings of --policy, after `more` (ends with a null name, or null). Complains about those without '='. *settings
 * is malloc'ed, strings and all in one; free() it.
 */
int run_policies(struct session *session, const struct gpucode_setting *more, struct gpucode_setting **settings);

#endif
