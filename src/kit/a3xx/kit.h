/* SPDX-License-Identifier: MIT */
/* What the files of this kit give to struct kit. */
#ifndef KIT_A3XX_KIT_H
#define KIT_A3XX_KIT_H

#include "front/input.h"
#include "kit/kit.h"

int run_a3xx(struct session *session, const struct input *input);
int shader_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part);
unsigned shader_recognises(const struct file *file, const struct gpucode_target *target);
int shader_extract(struct session *session, const struct gpucode_target *target, const struct file *file);
void shader_declare(FILE *out, const struct gpucode_program *program);

extern const struct kit_fuzz shader_fuzz; /* fuzz.c */

#endif
