/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_IR3_KIT_H
#define KIT_IR3_KIT_H

#include "kit/shader/shader.h"

struct recorded;

/* recorded.c: of --from. Says how large the group is, and where it finds its numbers; nothing without --from. */
void ir3_recorded_group(const struct session *session, struct shader_group *group);
/* How many groups the draw runs. */
void ir3_recorded_groups(const struct recorded *recorded, uint32_t groups[3]);
/* Memory, consts, descriptors and inputs of the draw; says what the recording lacks. Returns an exit code. */
int ir3_recorded_give(struct session *session, const struct recorded *recorded, struct shader_inputs *inputs);

int ir3_run(struct session *session, const struct input *input);
int ir3_settings(struct session *session, const struct input *input, struct kit_settings *settings);
int ir3_give(struct session *session, const struct input *input, struct gpucode_machine *machine);

#endif
