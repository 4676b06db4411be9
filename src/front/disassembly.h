/* SPDX-License-Identifier: MIT */
/* The text that `disasm` writes, and where the units of the image are in it. */
#ifndef FRONT_DISASSEMBLY_H
#define FRONT_DISASSEMBLY_H

#include <gpucode/asm.h>

struct disassembly {
    char *text;
    size_t length;
    struct gpucode_unit_place *places; /* one per unit of the image; null for other sets than AFUC */
};

/*
 * AFUC images with words that might be data or code are run a little; see exploration.h. Not GPUCODE_OK: there is
 * nothing to free. `options` without executed and places.
 */
enum gpucode_status disassembly_make(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                     struct disassembly *out);
void disassembly_free(struct disassembly *disassembly);

#endif
