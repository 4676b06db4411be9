/* SPDX-License-Identifier: MIT */
/* What an image is inside the library. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "base/arena.h"
#include "isa/isa.h"
#include <gpucode/image.h>

struct gpucode_image {
    const struct isa *isa;
    struct isa_layout layout;
    struct arena arena; /* owns this object and all that the layout points at, the file's bytes excepted */
};

/* How the file is divided; lives as long as the image. */
static inline const struct isa_layout *image_layout(const struct gpucode_image *image)
{
    return &image->layout;
}

#endif
