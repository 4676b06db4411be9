/* SPDX-License-Identifier: MIT */
/* The outline of an image as an answer. */
#ifndef FRONT_OUTLINE_H
#define FRONT_OUTLINE_H

#include <gpucode/answer.h>
#include <gpucode/asm.h>
#include <gpucode/outline.h>

#include <stdbool.h>
#include <stddef.h>

/* An object a unit. `image` and `options` are those that the outline was made with. */
void outline_tell(struct gpucode_answer *answer, const struct gpucode_image *image,
                  const struct gpucode_disasm_options *options, const struct gpucode_outline *outline);
/* One object that holds the text: another program can give it to `asm` again. `size` is that of the file. */
void outline_tell_whole(struct gpucode_answer *answer, const struct gpucode_image *image, const char *file, size_t size,
                        const struct gpucode_outline *outline);

/* --- What `asm` writes beside the program: the listing by lines and the map of symbols ---------------------------- */

struct listing {
    char *text; /* malloc */
    size_t length;
};

/* Address, word and source line of everything emitted; false when out of memory. */
bool listing_of_lines(struct listing *listing, const struct gpucode_program *program);
/* Section, offset and name of every label, by place; then the constants, by name. False when out of memory. */
bool listing_of_symbols(struct listing *listing, const struct gpucode_program *program);
void listing_free(struct listing *listing);

#endif
