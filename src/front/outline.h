/* SPDX-License-Identifier: MIT */
/* The outline of an image as an answer. */
#ifndef FRONT_OUTLINE_H
#define FRONT_OUTLINE_H

#include <gpucode/answer.h>
#include <gpucode/outline.h>

/* An object a unit. `image` and `options` are those that the outline was made with. */
void outline_tell(struct gpucode_answer *answer, const struct gpucode_image *image,
                  const struct gpucode_disasm_options *options, const struct gpucode_outline *outline);
/* One object that holds the text: another program can give it to `asm` again. `size` is that of the file. */
void outline_tell_whole(struct gpucode_answer *answer, const struct gpucode_image *image, const char *file, size_t size,
                        const struct gpucode_outline *outline);

#endif
