/* SPDX-License-Identifier: MIT */
#include "gpu/crash_stream.h"
#include "front/output.h"
#include "gpu/crash_file.h"
#include <gpucode/packet.h>
#include <gpucode/stream.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_MAX ((uint64_t)1 << 20) /* words; those of drivers have 8192 */

static void put_word(FILE *out, uint32_t word)
{
    const unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                                    (unsigned char)(word >> 24)};
    fwrite(bytes, 1, 4, out);
}

static void put_record(FILE *out, enum gpucode_record_type type, uint32_t size)
{
    put_word(out, type);
    put_word(out, size);
}

static void put_place(FILE *out, enum gpucode_record_type type, uint64_t address, uint32_t size)
{
    put_record(out, type, 12);
    put_word(out, (uint32_t)address);
    put_word(out, size);
    put_word(out, (uint32_t)(address >> 32));
}

static void put_buffer(FILE *out, uint64_t address, const struct gpucode_crash_words *data, uint64_t words,
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
        uint32_t header = ring_word(ring, at);
        if (!crash_is_header(header))
            return 0;
        at += gpucode_packet_header(header).count + 1;
    }
    return at == end ? end - from : 0;
}

bool crash_stream_ring(const struct gpucode_crash_ring *ring, uint64_t *from, uint64_t *words)
{
    if (!ring->data.count || !ring->data.size || ring->data.size > RING_MAX)
        return false;
    uint64_t end = ring->wptr % ring->data.size + ring->data.size, at = end - ring->data.size + 1;
    *words = 0;
    while (at < end && !(*words = words_from(ring, at, end)))
        at++;
    if (!*words) { /* something in it is no packet: all since its start */
        at = 0;
        *words = ring->wptr % ring->data.size;
    }
    *from = at % ring->data.size;
    return true;
}

bool crash_stream_make(const struct gpucode_crash *crash, void **bytes, size_t *size)
{
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    struct gpucode_crash_buffer buffer;
    struct gpucode_crash_ring ring;
    uint64_t from, words;
    char *text = NULL;
    FILE *out = text_stream_open(&text, size);
    if (!out)
        return false;
    put_record(out, GPUCODE_RECORD_GPU_ID, 4);
    put_word(out, head->gpu_id);
    put_record(out, GPUCODE_RECORD_CHIP_ID, 8);
    put_word(out, head->chip_id);
    put_word(out, 0);
    for (size_t i = 0; gpucode_crash_buffer(crash, i, &buffer); i++)
        if (buffer.data.count && buffer.size <= UINT32_MAX)
            put_buffer(out, buffer.iova, &buffer.data, buffer.data.count, 1);
    for (size_t i = 0; gpucode_crash_ring(crash, i, &ring); i++)
        if (ring.data.size && ring.data.size <= RING_MAX)
            put_buffer(out, ring.iova, &ring.data, ring.data.size, 2);
    for (size_t i = 0; gpucode_crash_ring(crash, i, &ring); i++)
        if (crash_stream_ring(&ring, &from, &words))
            put_place(out, GPUCODE_RECORD_STREAM_ADDRESS, ring.iova + from * 4, (uint32_t)words);
    bool good = text_stream_close(out);
    *bytes = text;
    return good;
}
