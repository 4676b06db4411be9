/* SPDX-License-Identifier: MIT */
/* What `asm` writes beside the program: the listing by lines and the map of symbols. */
#ifndef FRONT_LISTING_H
#define FRONT_LISTING_H

#include <gpucode/asm.h>
#include <stdbool.h>
#include <stddef.h>

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
