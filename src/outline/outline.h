/* SPDX-License-Identifier: MIT */
/* What outlines are inside the library. */
#ifndef OUTLINE_OUTLINE_H
#define OUTLINE_OUTLINE_H

#include "base/arena.h"
#include "isa/lines.h"
#include <gpucode/machine.h>
#include <gpucode/outline.h>

struct gpucode_outline {
    const struct gpucode_image *image;
    struct isa_lines listing;
    struct arena arena; /* names of routines */
    struct gpucode_routine *routines;
    uint32_t routine_count;
    uint32_t *section_start; /* per section and after the last: its first unit in the listing's list */
    unsigned section_count;
    uint32_t *near; /* of each unit: the last one with a name at or before it in its section; GPUCODE_NONE: none */
};

/*
 * The listing of an image, with the marks of units kept if `recorded`; where paths leave in doubt what is code, the
 * image is run a little. Not GPUCODE_OK: there is nothing to free.
 */
enum gpucode_status outline_list(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                 bool recorded, struct isa_lines *listing);

/*
 * A byte per unit of the image, 1 where it ran, to be freed by the caller; null when the image cannot be run or memory
 * is short. Takes a few milliseconds at most, whatever the image does.
 */
uint8_t *outline_explore(const struct gpucode_image *image);

/* Divides the units into routines; false when out of memory. */
bool outline_find_routines(struct gpucode_outline *outline);

#endif
