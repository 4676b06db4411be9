/* SPDX-License-Identifier: MIT */
#ifndef KIT_A3XX_SHADER_TEXTURE_H
#define KIT_A3XX_SHADER_TEXTURE_H

#include "kit/a3xx/shader/inputs.h"

/* "UNIT=FILE[,FILE...][:levels][:array|:3d|:cube]", as SHADER_TEXTURE has it. */
enum shader_status shader_give_texture(struct shader_inputs *inputs, const char *text);

#endif
