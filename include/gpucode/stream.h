/* SPDX-License-Identifier: MIT */
/*
 * Recorded command streams (.rd, as a rule compressed with gzip): what a driver gave to an Adreno GPU, taken apart. In
 * a library of its own, gpucode-stream, because zlib decompresses them.
 *
 *     struct gpucode_stream *stream;
 *     if (gpucode_stream_open(bytes, size, NULL, &stream) == GPUCODE_OK) {
 *         printf("%u submits\n", gpucode_stream_submit_count(stream));
 *         gpucode_stream_free(stream);
 *     }
 *
 * A file is a list of records. They add up to submits: the buffers that the GPU could see, with their contents at that
 * moment, and the command streams it was to run. <gpucode/packet.h> decodes those.
 */
#ifndef GPUCODE_STREAM_H
#define GPUCODE_STREAM_H

#include <gpucode/diagnostic.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_stream;

/* A file may be this large when decompressed, unless the options say otherwise. */
#define GPUCODE_STREAM_SIZE_MAX ((size_t)1 << 30)

/* Types of records. There are others in files; they are kept, with their number. */
enum gpucode_record_type {
    GPUCODE_RECORD_NONE = 0,
    GPUCODE_RECORD_TEST = 1,         /* name of a test */
    GPUCODE_RECORD_COMMAND_LINE = 2, /* text: program, or what it was doing */
    GPUCODE_RECORD_BUFFER = 3,       /* address, low; size; address, high */
    GPUCODE_RECORD_CONTEXT = 4,
    GPUCODE_RECORD_STREAM = 5,
    GPUCODE_RECORD_STREAM_ADDRESS = 6, /* address, low; words; address, high */
    GPUCODE_RECORD_PARAMETER = 7,
    GPUCODE_RECORD_FLUSH = 8,
    GPUCODE_RECORD_PROGRAM = 9,          /* a program, in its maker's form */
    GPUCODE_RECORD_VERTEX_SHADER = 10,   /* source of a shader */
    GPUCODE_RECORD_FRAGMENT_SHADER = 11, /* source of a shader */
    GPUCODE_RECORD_CONTENTS = 12,        /* contents of the buffer before it */
    GPUCODE_RECORD_GPU_ID = 13,
    GPUCODE_RECORD_CHIP_ID = 14,
    GPUCODE_RECORD_SHADER_LOG = 15,
    GPUCODE_RECORD_CP_LOG = 16,
    GPUCODE_RECORD_WRITE_BUFFER = 17,
    /* In what gpucode_crash_streams() makes of a crash dump alone: */
    GPUCODE_RECORD_SAME_BUFFERS = 0x10000, /* the submit has the buffers of the one before */
    GPUCODE_RECORD_STATE = 0x10001,        /* enum gpucode_stream_state of the submit */
    GPUCODE_RECORD_REUSED = 0x10002,       /* address and bytes, 64 bits each: memory that was used again since */
    GPUCODE_RECORD_PLACE = 0x10003,        /* packets that call, and the one in hand: addresses of 64 bits each */
};

struct gpucode_stream_options {
    size_t limit;          /* bytes when decompressed; 0: GPUCODE_STREAM_SIZE_MAX */
    const char *file_name; /* for diagnostics, or null */
    struct gpucode_diagnostic_handler on_diagnostic;
};

struct gpucode_record {
    uint32_t type;     /* enum gpucode_record_type, or a number without a name */
    const void *bytes; /* lives as long as the stream; may be unaligned; null: see gpucode_stream_open_parts() */
    size_t size;
};

struct gpucode_stream_buffer {
    uint64_t address;  /* GPU address */
    uint64_t size;     /* bytes, never beyond the end of the address space */
    const void *bytes; /* contents; null when they were not recorded, or see gpucode_stream_open_parts() */
    size_t length;     /* bytes recorded, at most `size` */
};

struct gpucode_stream_command {
    uint64_t address; /* GPU address of the first packet */
    uint32_t words;   /* 32-bit */
};

/* What went to the GPU at once. Pointers live as long as the stream. */
struct gpucode_submit {
    const char *text; /* the last command line recorded for it ("glmark2/53710: fence=165247"); null: none */
    const struct gpucode_stream_buffer *buffers; /* in the order of the file: where two overlap, the later counts */
    size_t buffer_count;
    const struct gpucode_stream_command *commands; /* at least one */
    size_t command_count;
};

/*
 * Takes a file apart, decompressing it if needed. `options` may be null. Bytes that are not compressed must live as
 * long as the stream. What a cut off or damaged file still has is used, with a warning.
 *
 * Returns GPUCODE_OK; GPUCODE_ERROR_INPUT (not such a file, larger than the limit, or compressed where the library was
 * built without zlib; the diagnostic handler was told); GPUCODE_ERROR_MEMORY; GPUCODE_ERROR_ARGUMENT. Different streams
 * may be used in different threads; an open stream does not change, so that one may be read in several.
 */
GPUCODE_API enum gpucode_status gpucode_stream_open(const void *bytes, size_t size,
                                                    const struct gpucode_stream_options *options,
                                                    struct gpucode_stream **out);

/* A file that is read in parts, so that it is not in memory. */
struct gpucode_stream_parts {
    uint64_t size; /* bytes of the file */
    /* Reads `size` bytes from `offset` on; how many it could: fewer at the end of the file, or on errors. */
    size_t (*read)(void *user, uint64_t offset, void *bytes, size_t size);
    void *user;
};

/*
 * The same for a file that is not compressed and that may be larger than memory. The contents of buffers stay in it:
 * `bytes` of buffers and of records that submits are not made of are null, and gpucode_stream_load() reads what it is
 * asked for. `parts` is copied; its function must work as long as the stream lives, and is called by every thread that
 * uses the stream. The limit of the options does not apply. gpucode_stream_source() does not support such a stream.
 */
GPUCODE_API enum gpucode_status gpucode_stream_open_parts(const struct gpucode_stream_parts *parts,
                                                          const struct gpucode_stream_options *options,
                                                          struct gpucode_stream **out);
/* Null is allowed. */
GPUCODE_API void gpucode_stream_free(struct gpucode_stream *stream);

/* Numbers the file gives; 0 when it does not. A GPU id is what a name says: 630; a chip id has a byte per part. */
GPUCODE_API uint32_t gpucode_stream_gpu_id(const struct gpucode_stream *stream);
GPUCODE_API uint64_t gpucode_stream_chip_id(const struct gpucode_stream *stream);
/* Name of the test, or null. Lives as long as the stream. */
GPUCODE_API const char *gpucode_stream_test(const struct gpucode_stream *stream);
/* The target whose names the packets have, by GPU or chip id; null when neither tells. */
GPUCODE_API const struct gpucode_target *gpucode_stream_target(const struct gpucode_stream *stream);

/* Record number `index` in the order of the file; false after the last. */
GPUCODE_API bool gpucode_stream_record(const struct gpucode_stream *stream, size_t index,
                                       struct gpucode_record *record);
GPUCODE_API size_t gpucode_stream_submit_count(const struct gpucode_stream *stream);
/* False when there is no such submit. */
GPUCODE_API bool gpucode_stream_submit(const struct gpucode_stream *stream, size_t index,
                                       struct gpucode_submit *submit);

/*
 * Copies what a submit's buffers have at a GPU address. Returns how many bytes from there on were recorded without a
 * gap, at most `size`.
 */
GPUCODE_API size_t gpucode_stream_load(const struct gpucode_stream *stream, size_t submit, uint64_t address,
                                       void *bytes, size_t size);

/* --- of a crash dump ---------------------------------------------------------------------------------------------- */

/* How far the GPU came with a submit. */
enum gpucode_stream_state {
    GPUCODE_STREAM_RECORDED, /* it is a recording: nobody knows */
    GPUCODE_STREAM_FINISHED,
    GPUCODE_STREAM_RUNNING,
    GPUCODE_STREAM_PENDING,
};
/* RECORDED also where there is no such submit. */
GPUCODE_API enum gpucode_stream_state gpucode_stream_state(const struct gpucode_stream *stream, size_t submit);
/* Was the memory there used for something else after the submit had run? gpucode_stream_load() has nothing of it. */
GPUCODE_API bool gpucode_stream_reused(const struct gpucode_stream *stream, size_t submit, uint64_t address);
/*
 * The packets that lead to the one that the command processor had in hand, outermost first, and that one: their GPU
 * addresses, at most `room` of them. Returns how many there are; 0: it was not in this submit.
 */
GPUCODE_API size_t gpucode_stream_place(const struct gpucode_stream *stream, size_t submit, uint64_t *packets,
                                        size_t room);

#ifdef __cplusplus
}
#endif
#endif
