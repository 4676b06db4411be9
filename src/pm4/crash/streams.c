/* SPDX-License-Identifier: MIT */
/* The command streams of a dump in the form of a recording. */
#include "base/buffer.h"
#include "pm4/crash/walk.h"
#include <gpucode/stream.h>

#include <string.h>

#define RING_MAX ((uint64_t)1 << 20) /* words; those of drivers have 8192 */

static void put_word(struct buffer *out, uint32_t word)
{
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                    (unsigned char)(word >> 24)};
    buffer_append(out, bytes, sizeof bytes);
}

static void put_record(struct buffer *out, enum gpucode_record_type type, uint32_t size)
{
    put_word(out, type);
    put_word(out, size);
}

static void put_place(struct buffer *out, enum gpucode_record_type type, uint64_t address, uint32_t size)
{
    put_record(out, type, 12);
    put_word(out, (uint32_t)address);
    put_word(out, size);
    put_word(out, (uint32_t)(address >> 32));
}

static void put_buffer(struct buffer *out, uint64_t address, const struct gpucode_crash_words *data, uint64_t words,
                       unsigned times)
{
    put_place(out, GPUCODE_RECORD_BUFFER, address, (uint32_t)(words * times * 4));
    put_record(out, GPUCODE_RECORD_CONTENTS, (uint32_t)(words * times * 4));
    for (unsigned k = 0; k < times; k++)
        for (uint64_t i = 0; i < words; i++)
            put_word(out, gpucode_crash_word(data, i));
}

static uint32_t ring_word(const struct gpucode_crash_ring *ring, uint64_t index)
{
    return gpucode_crash_word(&ring->data, index % ring->data.size);
}

/* Words between a place and the end of what was written, if packets counted from there end with it; 0: they do not. */
static uint64_t words_from(const struct gpucode_crash_ring *ring, uint64_t from, uint64_t end)
{
    uint64_t at = from;
    while (at < end) {
        uint32_t words = walk_packet_words(ring_word(ring, at));
        if (!words)
            return 0;
        at += words;
    }
    return at == end ? end - from : 0;
}

bool gpucode_crash_ring_packets(const struct gpucode_crash_ring *ring, uint64_t *from, uint64_t *words)
{
    if (!ring || !from || !words || !ring->data.count || !ring->data.size || ring->data.size > RING_MAX)
        return false;
    uint64_t end = ring->wptr % ring->data.size + ring->data.size, at = end - ring->data.size + 1;
    *words = 0;
    while (at < end && !(*words = words_from(ring, at, end)))
        at++;
    if (!*words) { /* something in it is not a packet: all since its start */
        at = 0;
        *words = ring->wptr % ring->data.size;
    }
    *from = at % ring->data.size;
    return true;
}

enum gpucode_status gpucode_crash_streams(const struct gpucode_crash *crash, void **bytes, size_t *size)
{
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    struct gpucode_crash_buffer buffer;
    struct gpucode_crash_ring ring;
    uint64_t from, words;
    struct buffer out = {0};
    if (!crash || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    put_record(&out, GPUCODE_RECORD_GPU_ID, 4);
    put_word(&out, head->gpu_id);
    put_record(&out, GPUCODE_RECORD_CHIP_ID, 8);
    put_word(&out, head->chip_id);
    put_word(&out, 0);
    for (size_t i = 0; gpucode_crash_buffer(crash, i, &buffer); i++)
        if (buffer.data.count && buffer.size <= UINT32_MAX)
            put_buffer(&out, buffer.iova, &buffer.data, buffer.data.count, 1);
    for (size_t i = 0; gpucode_crash_ring(crash, i, &ring); i++)
        if (ring.data.size && ring.data.size <= RING_MAX)
            put_buffer(&out, ring.iova, &ring.data, ring.data.size, 2);
    for (size_t i = 0; gpucode_crash_ring(crash, i, &ring); i++)
        if (gpucode_crash_ring_packets(&ring, &from, &words))
            put_place(&out, GPUCODE_RECORD_STREAM_ADDRESS, ring.iova + from * 4, (uint32_t)words);
    if (out.failed) {
        buffer_free(&out);
        return GPUCODE_ERROR_MEMORY;
    }
    *bytes = out.bytes;
    *size = out.length;
    return GPUCODE_OK;
}
