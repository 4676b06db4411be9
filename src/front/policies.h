/* SPDX-License-Identifier: MIT */
/* --policy NAME=VALUE, as settings of a machine. */
#ifndef FRONT_POLICIES_H
#define FRONT_POLICIES_H

#include <gpucode/machine.h>

struct session;

/*
 * The settings of --policy, behind `more` (ends with a null name, or null). Complains about those without '='.
 * *settings is malloc'ed, strings and all in one; free() it. Returns an exit code.
 */
int policies_read(struct session *session, const struct gpucode_setting *more, struct gpucode_setting **settings);

#endif
