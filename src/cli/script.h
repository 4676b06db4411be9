/* SPDX-License-Identifier: MIT */
/* What `info` says of HWSQ scripts. */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include <gpucode/image.h>

struct json;

/* Nothing is written for images of other instruction sets. */
void script_put_json(struct json *json, const struct gpucode_image *image);
void script_put_text(const struct gpucode_image *image);

#endif
