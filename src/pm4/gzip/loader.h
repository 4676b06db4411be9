/* SPDX-License-Identifier: MIT */
/* What the loaders of files here begin and end with: arguments, decompression, messages, what is freed. */
#ifndef PM4_GZIP_LOADER_H
#define PM4_GZIP_LOADER_H

#include "base/arena.h"
#include "base/diagnostics.h"
#include <gpucode/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first member of what a loader makes. */
struct loader {
    struct arena arena;
    struct gpucode_diagnostic_handler on_diagnostic; /* the caller's, and there only while the file is read; */
    const char *file_name;                           /* so is this */
    uint8_t *inflated;                               /* null: the caller's bytes are used */
    const uint8_t *bytes;                            /* what is read */
    size_t size;
    bool damaged;     /* the compressed bytes are, and that was told */
    const void *more; /* loader_file.more, there only while the file is read */
};

struct loader_kind {
    size_t object_size;
    message_id large, damaged; /* with the limit; with the bytes that there are */
    /* Takes the bytes apart; what it made so far is freed when this fails. */
    enum gpucode_status (*read)(struct loader *loader);
    /* Frees what the object has beside the loader. */
    void (*release)(struct loader *loader);
};

/* Arguments of a public function. */
struct loader_file {
    const void *bytes;
    size_t size, limit;
    const char *name;
    struct gpucode_diagnostic_handler on_diagnostic;
    const void *more; /* for loader_kind.read, which knows what it is */
};

/* Makes the object. Returns what `read` does, GPUCODE_ERROR_ARGUMENT, _INPUT (larger than the limit) or _MEMORY. */
enum gpucode_status loader_open(const struct loader_kind *kind, const struct loader_file *file, struct loader **out);
/* Frees the object; null is allowed. */
void loader_close(const struct loader_kind *kind, struct loader *loader);
/* A message about the file as a whole. */
void loader_report(const struct loader *loader, message_id message, ...);

/* --- Files of the loaders here may be compressed with gzip; programs that crash leave them cut off ---------------- */

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
