/* SPDX-License-Identifier: MIT */
/* gzip: the only file of the library that knows zlib. */
#ifndef RD_UNPACK_H
#define RD_UNPACK_H

#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool unpack_is_packed(const void *bytes, size_t size);
/*
 * Unpacks, or copies what is not packed. *out is malloc'ed. *whole becomes false when the packed data break off; what came
 * before is kept. GPUCODE_OK, GPUCODE_ERROR_INPUT (damaged, or larger than `limit`) or GPUCODE_ERROR_MEMORY.
 */
enum gpucode_status unpack(const void *bytes, size_t size, size_t limit, unsigned char **out, size_t *length, bool *whole);

#endif
