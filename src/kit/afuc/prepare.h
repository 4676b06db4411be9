/* SPDX-License-Identifier: MIT */
/* What firmware finds before it starts: registers, memory, packets, a recorded stream. */
#ifndef KIT_AFUC_PREPARE_H
#define KIT_AFUC_PREPARE_H

#include "front/input.h"
#include "kit/kit.h"
#include <gpucode/machine.h>

/* Heeds --reg and --memory. Complains and returns an exit code. */
int firmware_prepare(struct session *session, struct gpucode_machine *machine, unsigned processor);

/*
 * What --section says to the policy afuc-processor; null: nothing, as it is not given or the firmware has that section
 * alone. Complains of a section that there is not, and returns an exit code.
 */
int firmware_section(struct session *session, const struct input *input, const char **section);
/* The processor that --section names, or the first. */
unsigned firmware_processor(const struct session *session, const struct gpucode_machine *machine);

/* kit.settings and kit.give: --section; and, for a machine that has not booted, --stream too. */
int firmware_settings(struct session *session, const struct input *input, struct kit_settings *settings);
int firmware_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

/* kit.debugger: packets, and what files of them say beside (debugger.c). */
int firmware_debugger(struct session *session, const struct input *input, struct gpucode_debug *debug);
/* With --stream (divergence.c). */
int firmware_stop_at_divergence(struct session *session, const struct input *input, struct gpucode_debug *debug);

#endif
