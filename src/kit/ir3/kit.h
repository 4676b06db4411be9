/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_IR3_KIT_H
#define KIT_IR3_KIT_H

#include "kit/shader/shader.h"

int ir3_run(struct session *session, const struct input *input);
int ir3_settings(struct session *session, const struct input *input, struct kit_settings *settings);
int ir3_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

#endif
