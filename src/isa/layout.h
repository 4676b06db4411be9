/* SPDX-License-Identifier: MIT */
/* How a file is divided, as an instruction set's container parser finds it. */
#ifndef ISA_LAYOUT_H
#define ISA_LAYOUT_H

#include "base/arena.h"
#include <gpucode/image.h>

struct isa_layout {
    struct gpucode_image_info info; /* strings and arrays in the arena or constant */
    const unsigned char *bytes;     /* the file */
    size_t size;
};

#endif
