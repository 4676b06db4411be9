/* SPDX-License-Identifier: MIT */
/* What `info` says of HWSQ scripts. */
#ifndef KIT_HWSQ_SCRIPT_H
#define KIT_HWSQ_SCRIPT_H

#include <gpucode/image.h>

struct json;

/* Nothing is written for images of other instruction sets. */
void script_put_json(struct json *json, const struct gpucode_image *image);
void script_put_text(const struct gpucode_image *image);

#endif
