/* SPDX-License-Identifier: MIT */
/* What `info` says of A3XX shaders. */
#ifndef CLI_SHADER_H
#define CLI_SHADER_H

#include <gpucode/image.h>

struct json;

/* Nothing is written for images of other instruction sets. */
void shader_put_json(struct json *json, const struct gpucode_image *image);
void shader_put_text(const struct gpucode_image *image);

#endif
