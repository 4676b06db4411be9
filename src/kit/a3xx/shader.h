/* SPDX-License-Identifier: MIT */
/* What `info` says of A3XX shaders. */
#ifndef KIT_A3XX_SHADER_H
#define KIT_A3XX_SHADER_H

#include <gpucode/image.h>

struct json;

/* Nothing is written for images of other instruction sets. */
void shader_put_json(struct json *json, const struct gpucode_image *image);
void shader_put_text(const struct gpucode_image *image);

#endif
