/* SPDX-License-Identifier: MIT */
/* The independent second opinion on an AFUC image: its boot code run, and the packet tables that it loads compared. */
#ifndef KIT_AFUC_BOOT_H
#define KIT_AFUC_BOOT_H

#include <gpucode/image.h>
#include <stdbool.h>
#include <stdint.h>

struct boot {
    const char *result; /* "agrees", "differs", "stopped"; null: the image has no boot code that loads a table */
    char detail[400];
    uint64_t instructions;
};

/* Any AFUC image. False: out of memory. */
bool boot_compare(const struct gpucode_image *image, struct boot *boot);

#endif
