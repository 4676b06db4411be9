/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_A3XX_KIT_H
#define KIT_A3XX_KIT_H

#include "kit/shader/shader.h"

int shader_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part);
unsigned shader_recognises(const struct file *file, const struct gpucode_target *target);
int shader_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

/* The options that give an A3XX shader its inputs: --const, --in, --ij, --varying, --texture, --memory, --local-size,
 * --local-id. */

#endif
