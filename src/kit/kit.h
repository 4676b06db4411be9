/* SPDX-License-Identifier: MIT */
/*
 * What the program has for one instruction set: a folder here, and in it one struct kit.
 *
 * Commands, debugger and editors ask for the kit of a target and call its members; they name no set. A null member
 * means the generic form, and a set without a kit has the generic form of everything. The list of kits is made by the
 * build from the list of sets (src/meson.build) and the folders here that have a kit.c.
 *
 *     const struct kit *kit = kit_of(target);
 *     int code = kit && kit->run ? kit->run(session, input) : run_generic(session, input);
 */
#ifndef KIT_KIT_H
#define KIT_KIT_H

#include <gpucode/machine.h>
#include <gpucode/target.h>
#include <stdbool.h>

struct session;
struct input;
struct kit_words;
struct kit_launch;

#define KIT_SETTINGS_MAX 8

/* Settings of a machine that options and source ask for, ahead of those of --policy; ended by a null name. */
struct kit_settings {
    struct gpucode_setting list[KIT_SETTINGS_MAX];
    char text[256]; /* room for values that are made */
};

struct kit {
    const char *name; /* of the set, as gpucode_target_isa() has it; or of a wing that is no set, as "pm4" */

    /* gpucode run FILE: the whole command behind the reading of the file. Returns an exit code. */
    int (*run)(struct session *session, const struct input *input);

    /* gpucode coverage FILE: likewise; runs the code and ends in coverage_report() of front/coverage.h. */
    int (*cover)(struct session *session, const struct input *input);

    /* --- machines, for `debug` and the generic `run` --- */

    /* Writes the settings that a machine is created with. Complains and returns an exit code. */
    int (*settings)(struct session *session, const struct input *input, struct kit_settings *settings);
    /* Gives the machine what options and source say, before it runs. Complains and returns an exit code. */
    int (*give)(struct session *session, const struct input *input, struct gpucode_machine *machine);

    /* --- debugger and editors --- */

    const struct kit_words *words;   /* of the debugger's command language: console/words.h */
    const struct kit_launch *launch; /* fields of the DAP launch request: dap/launch.h */
};

/* Kit number `index`, in the order of the list of sets; null behind the last. */
const struct kit *kit_at(unsigned index);
/* The kit of a target's set, or null. `target` may be null. */
const struct kit *kit_of(const struct gpucode_target *target);

#endif
