/* SPDX-License-Identifier: MIT */
/*
 * A recorded command stream as a text that can be edited, and back: packets by their names and fields, buffers by
 * labels, so that addresses and sizes follow when something grows, shaders as assembly. In the library gpucode-stream.
 * docs/source.md describes the text.
 *
 *     struct gpucode_stream_source_options options = {.family = 6};
 *     gpucode_stream_source(stream, &options, write, file);
 *     ...
 *     void *bytes;
 *     size_t size;
 *     if (gpucode_stream_encode(text, length, NULL, &bytes, &size) == GPUCODE_OK) {
 *         fwrite(bytes, 1, size, out);
 *         free(bytes);
 *     }
 *
 * The text of a recording gives the same bytes again, those of its file when it is not compressed.
 */
#ifndef GPUCODE_STREAM_SOURCE_H
#define GPUCODE_STREAM_SOURCE_H

#include <gpucode/diagnostic.h>
#include <gpucode/stream.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_stream_source_options {
    const struct gpucode_target *target;  /* whose packets these are (AFUC); null with a family */
    unsigned family;                      /* ahead of the target's: 2 for a2xx, ..., 8 for gen8; 0: the target's */
    const struct gpucode_target *shaders; /* the instruction set of its shaders; null: they are words */
};

/*
 * Hands the text of a recording to `write` in pieces, none of which ends in a zero; false from it ends the text. Memory
 * grows with the buffers of one submit. `user` is handed on and may be null. Returns GPUCODE_OK; GPUCODE_ERROR_SPACE:
 * `write` has returned false; GPUCODE_ERROR_UNSUPPORTED: the target has no packets, or nothing says what GPU it is;
 * GPUCODE_ERROR_MEMORY; GPUCODE_ERROR_ARGUMENT. Texts of one stream may be made in different threads.
 */
GPUCODE_API enum gpucode_status gpucode_stream_source(const struct gpucode_stream *stream,
                                                      const struct gpucode_stream_source_options *options,
                                                      bool (*write)(void *user, const char *text, size_t length),
                                                      void *user);

/* Does the text begin as that of a recording, with `.recording`? Comments and empty lines may stand before it. */
GPUCODE_API bool gpucode_stream_source_recognise(const char *text, size_t length);

struct gpucode_stream_encode_options {
    const char *file_name; /* for diagnostics, or null */
    struct gpucode_diagnostic_handler on_diagnostic;
};

/*
 * The recording that a text describes; `options` may be null. *bytes is malloc'ed and belongs to the caller. All errors
 * go to the diagnostic handler in one run; on any error nothing is returned. A buffer that has grown into another one
 * of its submit gets another address, with a warning. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT, GPUCODE_ERROR_MEMORY or
 * GPUCODE_ERROR_ARGUMENT. Different calls may run in different threads.
 */
GPUCODE_API enum gpucode_status gpucode_stream_encode(const char *text, size_t length,
                                                      const struct gpucode_stream_encode_options *options, void **bytes,
                                                      size_t *size);

#ifdef __cplusplus
}
#endif
#endif
