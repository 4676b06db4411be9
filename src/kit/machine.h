/* SPDX-License-Identifier: MIT */
/* Machines as the command line asks for them, whatever the set. */
#ifndef KIT_MACHINE_H
#define KIT_MACHINE_H

#include "front/input.h"
#include "kit/kit.h"
#include <gpucode/machine.h>

/* Members of struct kit of these names, and names ahead of the built-in ones; each may be null. */
struct kit_machine_parts {
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    int (*give)(struct session *session, const struct input *input, struct gpucode_machine *machine);
    const struct gpucode_names *names;
};

/*
 * A machine with the settings and inputs of the parts, and those of --policy: for those who know the set. Complains and
 * returns an exit code; free *machine with gpucode_machine_free() whatever it is.
 */
int kit_machine_made(struct session *session, const struct input *input, const struct kit_machine_parts *parts,
                     struct gpucode_machine **machine);

/* The same with what the set's kit has; `names` may be null. */
static inline int kit_machine_create(struct session *session, const struct input *input,
                                     const struct gpucode_names *names, struct gpucode_machine **machine)
{
    const struct kit *kit = kit_of(input->target);
    const struct kit_machine_parts parts = {kit ? kit->settings : NULL, kit ? kit->give : NULL, names};
    return kit_machine_made(session, input, &parts, machine);
}

#endif
