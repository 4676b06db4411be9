/* SPDX-License-Identifier: MIT */
/* Making a machine with what a set adds to it, for those who know the set: its own kit, and kit_machine_create(). */
#ifndef KIT_MACHINE_MADE_H
#define KIT_MACHINE_MADE_H

#include <gpucode/machine.h>

struct session;
struct input;
struct kit_settings;

/* Members of struct kit of these names, and names ahead of the built-in ones; each may be null. */
struct kit_machine_parts {
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    int (*give)(struct session *session, const struct input *input, struct gpucode_machine *machine);
    const struct gpucode_names *names;
};

/* Complains and returns an exit code; free *machine with gpucode_machine_free() whatever it is. */
int kit_machine_made(struct session *session, const struct input *input, const struct kit_machine_parts *parts,
                     struct gpucode_machine **machine);

#endif
