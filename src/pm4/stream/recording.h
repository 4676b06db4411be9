/* SPDX-License-Identifier: MIT */
/* Inside of the loader of recorded streams. */
#ifndef PM4_STREAM_RECORDING_H
#define PM4_STREAM_RECORDING_H

#include "pm4/gzip/loader.h"
#include <gpucode/stream.h>

/* GPU memory whose bytes come from one buffer. */
struct recorded_span {
    uint64_t start, end; /* end is the last byte, so that a span may reach the end of the address space */
    const uint8_t *bytes;
    uint64_t place; /* in the file, where that is read in parts */
};

struct recorded_submit {
    const char *text;
    size_t buffer, buffer_count;
    size_t command, command_count;
    const struct recorded_span *spans; /* by address, without overlaps */
    size_t span_count;
    bool same_buffers; /* as the submit before */
    enum gpucode_stream_state state;
    size_t reused, reused_count; /* records of memory that was used again */
    const uint8_t *place;        /* null: the packet in hand is elsewhere */
    size_t place_count;
};

struct gpucode_stream {
    struct loader loader;
    struct gpucode_stream_parts parts; /* read: null: the file is in memory */
    uint64_t *places;                  /* of what records contain, in the file; */
    uint64_t *contents;                /* and of what buffers contain */
    uint32_t gpu_id;
    uint64_t chip_id;
    const char *test;
    struct gpucode_record *records;
    struct recorded_span *reused; /* of all submits, without bytes */
    struct gpucode_stream_buffer *buffers;
    struct gpucode_stream_command *commands;
    struct recorded_submit *submits;
    size_t record_count, buffer_count, command_count, submit_count, reused_count;
};

/* Makes the submits out of the records. */
enum gpucode_status stream_find_submits(struct gpucode_stream *stream);

static inline uint32_t stream_word(const void *bytes, size_t index)
{
    const uint8_t *at = (const uint8_t *)bytes + 4 * index;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#endif
