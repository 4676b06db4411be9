/* SPDX-License-Identifier: MIT */
/*
 * Recorded streams of freedreno (.rd, gzip-compressed as a rule). In a library of its own, gpucode-rd, because it needs
 * zlib.
 *
 *     struct gpucode_rd *rd;
 *     struct gpucode_rd_section section;
 *     if (gpucode_rd_open(bytes, size, "trace.rd.gz", &sink, &rd) == GPUCODE_OK)
 *         for (unsigned i = 0; gpucode_rd_section(rd, i, &section); i++)
 *             puts(gpucode_rd_name(section.type));
 *     gpucode_rd_free(rd);
 *
 * A stream is a list of sections, each with a type and a size. Sections of unknown type are kept as they are.
 */
#ifndef GPUCODE_RD_H
#define GPUCODE_RD_H

#include <gpucode/diagnostic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An unpacked stream may be this large, in bytes. */
#define GPUCODE_RD_SIZE_MAX ((size_t)1 << 30)

struct gpucode_rd;

enum gpucode_rd_type {
    GPUCODE_RD_TEST = 1,
    GPUCODE_RD_COMMAND = 2,
    GPUCODE_RD_ADDRESS = 3, /* u32 address low, u32 size, u32 address high of the buffer whose contents follow */
    GPUCODE_RD_CONTEXT = 4,
    GPUCODE_RD_STREAM = 5,
    GPUCODE_RD_STREAM_ADDRESS = 6, /* u32 address low, u32 dwords, u32 address high */
    GPUCODE_RD_PARAMETER = 7,
    GPUCODE_RD_FLUSH = 8,
    GPUCODE_RD_PROGRAM = 9,
    GPUCODE_RD_VERTEX_SHADER = 10,
    GPUCODE_RD_FRAGMENT_SHADER = 11,
    GPUCODE_RD_BUFFER = 12,
    GPUCODE_RD_GPU_ID = 13,
    GPUCODE_RD_CHIP_ID = 14,
    GPUCODE_RD_SHADER_LOG = 15,
    GPUCODE_RD_CP_LOG = 16,
    GPUCODE_RD_WRITE_BUFFER = 17,
};

/* The bytes live as long as the stream. */
struct gpucode_rd_section {
    uint32_t type;
    const unsigned char *bytes;
    size_t size;
    uint64_t offset; /* of the section's header in the unpacked stream */
};

/* Do the bytes begin like a stream, packed or not? */
GPUCODE_API bool gpucode_rd_is(const void *bytes, size_t size);
/*
 * Unpacks and takes apart; the input need not live on. `file` names it for the sink. Returns GPUCODE_OK,
 * GPUCODE_ERROR_INPUT (the sink was told; a stream that breaks off keeps what is whole and gives a warning only),
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_rd_open(const void *bytes, size_t size, const char *file,
                                                const struct gpucode_sink *sink, struct gpucode_rd **out);
/* null is allowed. */
GPUCODE_API void gpucode_rd_free(struct gpucode_rd *rd);
/* Section number `index`; false behind the last. */
GPUCODE_API bool gpucode_rd_section(const struct gpucode_rd *rd, unsigned index, struct gpucode_rd_section *section);
/* "vertex shader"; "unknown" for types that are not known. */
GPUCODE_API const char *gpucode_rd_name(uint32_t type);

#ifdef __cplusplus
}
#endif
#endif
