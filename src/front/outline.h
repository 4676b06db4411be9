/* SPDX-License-Identifier: MIT */
/* The outline of an image as JSON. */
#ifndef FRONT_OUTLINE_H
#define FRONT_OUTLINE_H

#include <gpucode/outline.h>
#include <stdio.h>

/* One object a unit and line. `image` and `options` are those that the outline was made with. */
void outline_put_json(FILE *out, const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                      const struct gpucode_outline *outline);

#endif
