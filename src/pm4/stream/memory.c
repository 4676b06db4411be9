/* SPDX-License-Identifier: MIT */
/*
 * Which buffer's bytes stand at an address. A submit may name a buffer twice or buffers that overlap; the last one
 * counts. All ends of buffers cut the address space into pieces; each piece belongs to the last buffer over it. Going
 * from the last buffer to the first, `skip` leads past pieces that are taken already, so that this takes time in
 * proportion to the number of pieces.
 */
#include "pm4/stream/recording.h"

#include <stdlib.h>
#include <string.h>

static int compare_addresses(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static size_t piece_at(const uint64_t *cuts, size_t count, uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cuts[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t next_free(size_t *skip, size_t piece)
{
    size_t free = piece;
    while (skip[free] != free)
        free = skip[free];
    while (skip[piece] != free) {
        size_t further = skip[piece];
        skip[piece] = free;
        piece = further;
    }
    return free;
}

enum gpucode_status stream_find_spans(struct gpucode_stream *stream, struct recorded_submit *submit)
{
    const struct gpucode_stream_buffer *buffers = stream->buffers + submit->buffer;
    size_t most = 2 * submit->buffer_count + 1, cut_count = 0, pieces = 0;
    uint64_t *cuts = calloc(most, sizeof *cuts);
    size_t *owner = calloc(most, sizeof *owner); /* buffer + 1 */
    size_t *skip = calloc(most + 1, sizeof *skip);
    struct recorded_span *spans = arena_array(&stream->loader.arena, most, sizeof *spans);
    bool memory = cuts && owner && skip && spans;
    if (!memory)
        goto out;
    for (size_t i = 0; i < submit->buffer_count; i++) {
        if (!buffers[i].length)
            continue;
        cuts[cut_count++] = buffers[i].address;
        /* after the last byte of the address space there is nothing to cut */
        if (buffers[i].address + buffers[i].length)
            cuts[cut_count++] = buffers[i].address + buffers[i].length;
    }
    qsort(cuts, cut_count, sizeof *cuts, compare_addresses);
    for (size_t i = 0; i < cut_count; i++)
        if (!i || cuts[i] != cuts[i - 1])
            cuts[pieces++] = cuts[i];
    for (size_t i = 0; i <= pieces; i++)
        skip[i] = i;
    for (size_t i = submit->buffer_count; i-- > 0;) {
        if (!buffers[i].length)
            continue;
        uint64_t last = buffers[i].address + (buffers[i].length - 1);
        size_t piece = next_free(skip, piece_at(cuts, pieces, buffers[i].address));
        for (; piece < pieces && cuts[piece] <= last; piece = next_free(skip, piece)) {
            owner[piece] = i + 1;
            skip[piece] = piece + 1;
        }
    }
    for (size_t i = 0; i < pieces; i++)
        if (owner[i]) {
            const struct gpucode_stream_buffer *buffer = &buffers[owner[i] - 1];
            spans[submit->span_count++] = (struct recorded_span){
                .start = cuts[i],
                .end = i + 1 < pieces ? cuts[i + 1] - 1 : UINT64_MAX,
                .bytes = buffer->bytes ? (const uint8_t *)buffer->bytes + (cuts[i] - buffer->address) : NULL,
                .place = stream->contents
                             ? stream->contents[submit->buffer + owner[i] - 1] + (cuts[i] - buffer->address)
                             : 0,
            };
        }
    submit->spans = spans;
out:
    free(cuts);
    free(owner);
    free(skip);
    return memory ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* Bytes from the address on that were not used again, at most `size`. */
static size_t stream_unused(const struct gpucode_stream *stream, const struct recorded_submit *submit, uint64_t address,
                            size_t size)
{
    for (size_t i = 0; i < submit->reused_count; i++) {
        const struct recorded_span *reused = &stream->reused[submit->reused + i];
        if (address <= reused->end && size && (address >= reused->start || reused->start - address < size))
            size = address >= reused->start ? 0 : (size_t)(reused->start - address);
    }
    return size;
}

bool gpucode_stream_reused(const struct gpucode_stream *stream, size_t submit, uint64_t address)
{
    return stream && submit < stream->submit_count && !stream_unused(stream, &stream->submits[submit], address, 1);
}

/* The bytes of a span from an offset on, from memory or the file. Returns how many there are. */
static size_t copy_span(const struct gpucode_stream *stream, const struct recorded_span *span, uint64_t offset,
                        void *bytes, size_t size)
{
    if (!span->bytes)
        return stream->parts.read(stream->parts.user, span->place + offset, bytes, size);
    memcpy(bytes, span->bytes + offset, size);
    return size;
}

size_t gpucode_stream_load(const struct gpucode_stream *stream, size_t submit, uint64_t address, void *bytes,
                           size_t size)
{
    if (!stream || submit >= stream->submit_count || (!bytes && size))
        return 0;
    const struct recorded_submit *from = &stream->submits[submit];
    size_t low = 0, high = from->span_count, done = 0;
    if (from->reused_count)
        size = stream_unused(stream, from, address, size);
    while (low < high) { /* the first span that does not end before the address */
        size_t middle = low + (high - low) / 2;
        if (from->spans[middle].end < address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; done < size && low < from->span_count && from->spans[low].start <= address; low++) {
        const struct recorded_span *span = &from->spans[low];
        uint64_t left = span->end - address;
        size_t part = left < size - done - 1 ? (size_t)left + 1 : size - done;
        size_t copied = copy_span(stream, span, address - span->start, (uint8_t *)bytes + done, part);
        done += copied;
        address += copied;
        if (!address || copied < part)
            break;
    }
    return done;
}
