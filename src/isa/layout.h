/* SPDX-License-Identifier: MIT */
/* How a file is divided, as an instruction set's container parser finds it. */
#ifndef ISA_LAYOUT_H
#define ISA_LAYOUT_H

#include "base/arena.h"
#include <gpucode/image.h>

struct isa;

/* Has an instruction set other than `set` a mnemonic that `word` is? What text belongs to is told by such words. */
typedef bool isa_elsewhere(const struct isa *set, const char *word, size_t length);

struct isa_layout {
    const struct isa *set;
    isa_elsewhere *elsewhere;

    struct gpucode_image_info info; /* strings and arrays in the arena or constant */
    const unsigned char *bytes;     /* the file */
    size_t size;
    const char *file_name; /* for messages; null: unknown */
};

/* An open file; the room image/ makes them, and instruction sets look into those that callers hand them. */
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
