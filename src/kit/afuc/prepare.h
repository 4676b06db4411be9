/* SPDX-License-Identifier: MIT */
/* What firmware finds before it starts: registers, memory, packets, a recorded stream. */
#ifndef KIT_AFUC_PREPARE_H
#define KIT_AFUC_PREPARE_H

#include "front/input.h"
#include "kit/kit.h"
#include <gpucode/machine.h>

/* Heeds --reg and --memory. Complains and returns an exit code. */
int firmware_prepare(struct session *session, struct gpucode_machine *machine, unsigned processor);

/* kit.settings and kit.give: --section; and, for a machine that has not booted, packets and --stream too. */
int firmware_settings(struct session *session, const struct input *input, struct kit_settings *settings);
int firmware_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

/* kit.debugger: with --stream. */
int firmware_stop_at_divergence(struct session *session, const struct input *input, struct gpucode_debug *debug);

#endif
