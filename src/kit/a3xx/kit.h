/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_A3XX_KIT_H
#define KIT_A3XX_KIT_H

#include "kit/shader/shader.h"

int run_a3xx(struct session *session, const struct input *input);
int compare_a3xx(struct session *session, const struct input *first, const struct input *second);
int shader_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part);
unsigned shader_recognises(const struct file *file, const struct gpucode_target *target);
int shader_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

/* The options that give an A3XX shader its inputs: --const, --in, --ij, --varying, --texture, --memory, --local-size,
 * --local-id. */

/* The members `settings` and `give` of the kit. */
int shader_settings(struct session *session, const struct input *input, struct kit_settings *settings);
/* Of the machine that shader_give_machine() made: the thread of --pixel in its quad. */
int shader_select_thread(struct session *session, const struct input *input, struct gpucode_debug *debug);
int shader_give_machine(struct session *session, const struct input *input, struct gpucode_machine *machine);

#endif
