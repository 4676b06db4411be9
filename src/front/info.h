/* SPDX-License-Identifier: MIT */
/* What `gpucode info` tells of. */
#ifndef FRONT_INFO_H
#define FRONT_INFO_H

#include <gpucode/image.h>
#include <gpucode/symbols.h>

struct info_view {
    const struct gpucode_image *image;
    const struct gpucode_image_info *info;
    const struct gpucode_names *names;
    struct gpucode_symbols *symbols; /* null: there are none */
    const char *file;
    size_t size;
};

/* Where a set has more to tell. */
enum info_part {
    INFO_SIZE, /* the end of the line with the file's size */
    INFO_HEAD, /* the lines below that */
    INFO_BODY, /* after the facts of how it was found out */
};

#endif
