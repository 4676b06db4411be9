/* SPDX-License-Identifier: MIT */
/* Files of the loaders here may be compressed with gzip; programs that crash leave them cut off. */
#ifndef PM4_GZIP_INFLATE_H
#define PM4_GZIP_INFLATE_H

#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does a member of a gzip file begin here? */
bool gzip_is(const void *file, size_t size);

struct inflated {
    uint8_t *bytes; /* the caller's to free, whatever the result; null: the file is not compressed */
    size_t length;
    bool damaged; /* the data are damaged or cut off after `length` bytes */
    bool large;   /* the file has more than `limit` bytes */
};

/*
 * Returns GPUCODE_OK, also for damaged data; GPUCODE_ERROR_INPUT (large), GPUCODE_ERROR_MEMORY, or
 * GPUCODE_ERROR_UNSUPPORTED: the file is compressed, and the build has no zlib.
 */
enum gpucode_status gzip_inflate(const void *bytes, size_t size, size_t limit, struct inflated *inflated);

#endif
