/* SPDX-License-Identifier: MIT */
/* What stands at a GPU address: contents of buffers and rings. */
#include "pm4/crash/dump.h"

#include <stdlib.h>
#include <string.h>

static int compare_spans(const void *left, const void *right)
{
    const struct dump_span *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void add_span(struct gpucode_crash *crash, uint64_t start, uint64_t bytes,
                     const struct gpucode_crash_words *data)
{
    if (bytes && data->count && start <= UINT64_MAX - bytes)
        crash->spans[crash->span_count++] = (struct dump_span){start, bytes, data};
}

void memory_index(struct gpucode_crash *crash)
{
    crash->spans = calloc(crash->buffers.count + crash->rings.count + 1, sizeof *crash->spans);
    if (!crash->spans) {
        crash->no_memory = true;
        return;
    }
    for (size_t i = 0; i < crash->buffers.count; i++) {
        struct gpucode_crash_buffer *buffer = DUMP_ITEM(crash->buffers, struct gpucode_crash_buffer, i);
        add_span(crash, buffer->iova, buffer->size, &buffer->data);
    }
    for (size_t i = 0; i < crash->rings.count; i++) {
        struct gpucode_crash_ring *ring = DUMP_ITEM(crash->rings, struct gpucode_crash_ring, i);
        add_span(crash, ring->iova, ring->data.size <= UINT32_MAX ? ring->data.size * 4 : 0, &ring->data);
    }
    qsort(crash->spans, crash->span_count, sizeof *crash->spans, compare_spans);
}

/* The span an address lies in; of several the one that begins last. */
static const struct dump_span *find_span(const struct gpucode_crash *crash, uint64_t address)
{
    size_t low = 0, high = crash->span_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (crash->spans[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    /* buffers of a real dump do not overlap; in a damaged one a long one may lie under some others */
    for (size_t steps = 0; low-- && steps < 16; steps++)
        if (address - crash->spans[low].start < crash->spans[low].bytes)
            return &crash->spans[low];
    return NULL;
}

size_t gpucode_crash_load(const struct gpucode_crash *crash, uint64_t address, void *bytes, size_t size)
{
    size_t done = 0;
    while (crash && bytes && done < size) {
        const struct dump_span *span = find_span(crash, address);
        if (!span)
            break;
        uint64_t at = address - span->start, left = span->bytes - at;
        uint32_t word = gpucode_crash_word(span->data, at / 4);
        if (at % 4 == 0 && left >= 4 && size - done >= 4) {
            memcpy((char *)bytes + done, &word, 4);
            done += 4;
            address += 4;
        } else {
            ((char *)bytes)[done++] = (char)(word >> at % 4 * 8);
            address++;
        }
    }
    return done;
}
