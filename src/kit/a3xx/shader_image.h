/* SPDX-License-Identifier: MIT */
/* `gpucode run --image WxH OUT.png SHADER`: a fragment shader over a grid of pixels. */
#ifndef KIT_A3XX_SHADER_IMAGE_H
#define KIT_A3XX_SHADER_IMAGE_H

#include "front/input.h"
#include "kit/a3xx/input_options.h"

/* Runs the machine, which has its inputs, and writes the picture. Returns an exit code. */
int shader_image(struct session *session, const struct input *input, struct shader_inputs *inputs, uint64_t limit);

/*
 * Gives the machine what --image has for the quad of --pixel; *thread is the pixel's own. Complains and returns an exit
 * code.
 */
int shader_quad(struct session *session, const struct input *input, struct shader_inputs *inputs, unsigned *thread);

#endif
