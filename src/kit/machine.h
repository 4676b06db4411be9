/* SPDX-License-Identifier: MIT */
/* Machines as the command line asks for them, whatever the set. */
#ifndef KIT_MACHINE_H
#define KIT_MACHINE_H

#include "front/input.h"
#include <gpucode/machine.h>

struct session;

/*
 * A machine with the settings and inputs of the set's kit, and those of --policy. `names` may be null. Complains and
 * returns an exit code; free *machine with gpucode_machine_free() whatever it is.
 */
int kit_machine_create(struct session *session, const struct input *input, const struct gpucode_names *names,
                       struct gpucode_machine **machine);

#endif
