/* SPDX-License-Identifier: MIT */
#ifndef SHADER_TEXTURE_H
#define SHADER_TEXTURE_H

#include "shader/inputs.h"

/* "UNIT=FILE[,FILE...][:levels][:array|:3d|:cube]", as SHADER_TEXTURE has it. */
enum shader_status shader_give_texture(struct shader_inputs *inputs, const char *text);

#endif
