/* SPDX-License-Identifier: MIT */
/* `gpucode run --image WxH OUT.png SHADER`: a fragment shader over a grid of pixels. */
#ifndef CLI_SHADER_IMAGE_H
#define CLI_SHADER_IMAGE_H

#include "cli/input.h"
#include "cli/shader_inputs.h"

/* Runs the machine, which has its inputs, and writes the picture. Returns an exit code. */
int shader_image(struct session *session, const struct input *input, struct shader_inputs *inputs, uint64_t limit);

#endif
