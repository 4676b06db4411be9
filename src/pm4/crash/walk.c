/* SPDX-License-Identifier: MIT */
#include "pm4/crash/walk.h"

#include "base/buffer.h"
#include "base/text.h"

#include <gpucode/packet.h>
#include <gpucode/stream.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CP_INDIRECT_BUFFER 0x3f
#define CP_INDIRECT_BUFFER_PFD 0x37
#define CP_INDIRECT_BUFFER_CHAIN 0x57

bool walk_word(const struct walk_words *words, uint32_t index, uint32_t *word)
{
    uint64_t at = (uint64_t)words->from + index;
    if (!words->words || index >= words->count)
        return false;
    if (gpucode_crash_load(words->crash, words->address + at % words->words * 4, word, 4) != 4)
        return false;
    words_of_memory(word, 1);
    return true;
}

static uint64_t whole_steps(uint64_t zeros, uint32_t size)
{
    uint64_t step = size ? size : 1;
    return zeros > step ? zeros - zeros % step : step;
}

uint32_t walk_step(const struct walk_words *words, uint32_t index, uint32_t header, uint32_t size)
{
    uint64_t at = ((uint64_t)words->from + index) % words->words, left = words->count - index;
    uint64_t zeros = header ? 0 : memory_left_out(words->crash, words->address + 4 * at);
    uint64_t step = whole_steps(zeros < words->words - at ? zeros : words->words - at, size);
    return (uint32_t)(step < left ? step : left);
}

uint64_t walk_ring_step(const struct gpucode_crash_ring *ring, uint64_t index, uint32_t size)
{
    return whole_steps(index < ring->data.count ? 0 : ring->data.size - index, size);
}

uint32_t walk_packet_words(uint32_t header)
{
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    bool clean = parts.type == 4 || !(header & 0x0f004000); /* bits that type 7 has no use for */
    return parts.type && parts.parity_is_odd && clean ? parts.count + 1 : 0;
}

struct walk_shape walk_shape(const struct gpucode_crash *crash, uint32_t header)
{
    struct walk_shape shape = {walk_packet_words(header), WALK_NO_OPCODE};
    if (!crash->old) {
        if (shape.words && header >> 28 == 7)
            shape.opcode = header >> 16 & 0x7f;
        return shape;
    }
    unsigned type = header >> 30;
    shape.words = type == 1 ? 0 : type == 2 ? 1 : (header >> 16 & 0x3fff) + 2;
    if (type == 3)
        shape.opcode = header >> 8 & 0x7f;
    return shape;
}

bool walk_target(const struct gpucode_crash *crash, const uint32_t first[4], struct walk_target *target)
{
    struct walk_shape shape = walk_shape(crash, first[0]);
    if (shape.words < (crash->old ? 3u : 4u) ||
        (shape.opcode != CP_INDIRECT_BUFFER && shape.opcode != CP_INDIRECT_BUFFER_PFD &&
         (crash->old || shape.opcode != CP_INDIRECT_BUFFER_CHAIN)))
        return false;
    uint64_t high = crash->old ? 0 : first[2];
    *target = (struct walk_target){high << 32 | first[1], first[crash->old ? 2 : 3] & WALK_IB_WORDS_MAX};
    return true;
}

static void walk_history_add(struct walk_history *history, const struct walk_call *call)
{
    if (history->count == WALK_HISTORY)
        memmove(history->call, history->call + 1, --history->count * sizeof *history->call);
    history->call[history->count++] = *call;
}

/* Is the packet at `index` a call? */
static bool read_call(const struct walk_words *words, uint32_t index, uint32_t header, struct walk_call *call)
{
    uint32_t first[4] = {header};
    struct walk_target target;
    for (uint32_t i = 1; i < 4 && walk_word(words, index + i, &first[i]);)
        i++;
    if (!walk_target(words->crash, first, &target))
        return false;
    *call = (struct walk_call){target.address, target.words, index + walk_packet_words(header), words->owner};
    return true;
}

bool walk_find_call(const struct walk_words *words, uint64_t address, uint32_t now, struct walk_history *history)
{
    struct walk_history last = *history;
    struct walk_call call;
    bool found = false;
    uint32_t header;
    for (uint32_t at = 0; walk_word(words, at, &header);
         at += walk_step(words, at, header, walk_packet_words(header))) {
        if (!read_call(words, at, header, &call)) {
            last.count = 0;
            continue;
        }
        walk_history_add(&last, &call);
        if (call.address != address || (found && call.end > now))
            continue;
        *history = last;
        found = true;
        if (call.end > now)
            break;
    }
    if (!found)
        *history = last;
    return found;
}

bool walk_find_packet(const struct walk_words *words, uint32_t at, struct walk_packet *packet)
{
    uint32_t header, size;
    *packet = (struct walk_packet){0};
    for (uint32_t index = 0; walk_word(words, index, &header); index += size) {
        size = walk_step(words, index, header, walk_packet_words(header));
        bool here = at - index < size;
        uint32_t passed = header ? !here : here ? at - index : size; /* packets; each zero is one */
        for (uint32_t i = 0; i < passed && i < 2; i++) {
            packet->previous[1] = packet->previous[0];
            packet->previous[0] = header;
            packet->before += packet->before < 2;
        }
        if (here) {
            packet->index = header ? index : at;
            packet->header = header;
            return true;
        }
    }
    return false;
}

/* The command streams of a dump in the form of a recording. */

#define ZEROS_MAX 1024          /* words; of those that dumps leave out at the end of a buffer, so many are put back */
#define RING_ZEROS_MAX 8192     /* the same of a ring */
#define PACKET_WORDS_MAX 0x4000 /* with the header */
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

/* `words` of its contents; the buffer may be larger. */
static void put_buffer(struct buffer *out, uint64_t address, uint32_t bytes, const struct gpucode_crash_words *data,
                       uint64_t words, unsigned times)
{
    put_place(out, GPUCODE_RECORD_BUFFER, address, bytes);
    if (!words)
        return;
    put_record(out, GPUCODE_RECORD_CONTENTS, (uint32_t)(words * times * 4));
    for (unsigned k = 0; k < times; k++)
        for (uint64_t i = 0; i < words; i++)
            put_word(out, gpucode_crash_word(data, i));
}

static uint32_t ring_word(const struct gpucode_crash_ring *ring, uint64_t index)
{
    return gpucode_crash_word(&ring->data, index % ring->data.size);
}

/*
 * The most words before `end` whose packets end with it, at most so many; 0: there are none. Each place leads to the
 * end if the one does that its packet leads to, so one pass backwards finds out; a longer way than a packet has words
 * without such a place ends it.
 */
static uint64_t words_until(const struct gpucode_crash_ring *ring, uint64_t end, uint64_t most)
{
    unsigned char leads[PACKET_WORDS_MAX / 8] = {1}; /* a bit for each place: by its words before the end */
    uint64_t found = 0;
    for (uint64_t back = 1; back <= most && back - found <= PACKET_WORDS_MAX; back++) {
        uint32_t words = walk_packet_words(ring_word(ring, end - back));
        uint64_t next = (back - words) % PACKET_WORDS_MAX, here = back % PACKET_WORDS_MAX;
        bool good = words && words <= back && (leads[next / 8] >> next % 8 & 1);
        leads[here / 8] = (unsigned char)((leads[here / 8] & ~(1u << here % 8)) | (unsigned)good << here % 8);
        if (good)
            found = back;
    }
    return found;
}

bool gpucode_crash_ring_packets(const struct gpucode_crash_ring *ring, uint64_t *from, uint64_t *words)
{
    if (!ring || !from || !words || !ring->data.count || !ring->data.size || ring->data.size > RING_MAX)
        return false;
    uint64_t wptr = ring->wptr % ring->data.size, size = ring->data.size;
    *words = words_until(ring, wptr + size, size - 1);
    *from = (wptr + size - *words) % size;
    if (!*words) { /* something in it is not a packet: all since its start */
        *from = 0;
        *words = wptr;
    }
    return true;
}

static uint64_t words_with_zeros(uint64_t count, uint64_t words, uint64_t zeros)
{
    return words <= count ? count : words < count + zeros ? words : count + zeros;
}

/* Twice, one copy after the other, as what begins near the end goes on at the start. */
static void put_ring(struct buffer *out, const struct gpucode_crash_ring *ring)
{
    uint64_t size = ring->data.size, words = words_with_zeros(ring->data.count, size, RING_ZEROS_MAX);
    unsigned times = words < size ? 1 : 2;
    words = words < size ? words : size;
    put_buffer(out, ring->iova, (uint32_t)(words * times * 4), &ring->data, words, times);
    if (words < size)
        put_buffer(out, ring->iova + 4 * size, (uint32_t)(words * 4), &ring->data, words, 1);
}

static void put_wide(struct buffer *out, uint64_t value)
{
    put_word(out, (uint32_t)value);
    put_word(out, (uint32_t)(value >> 32));
}

/* "ring 0, fence 5, running" */
static void put_title(const struct gpucode_crash *crash, const struct gpucode_crash_submit *submit, struct buffer *out)
{
    static const char *const states[] = {"finished", "running", "pending"};
    const struct gpucode_crash_ring *ring = DUMP_ITEM(crash->rings, struct gpucode_crash_ring, submit->ring);
    char text[80], fence[24] = "";
    if (submit->has_fence)
        snprintf(fence, sizeof fence, ", fence %" PRIu32, submit->fence);
    int length = snprintf(text, sizeof text, "ring %" PRIu32 "%s, %s", ring->id, fence, states[submit->state]);
    put_record(out, GPUCODE_RECORD_COMMAND_LINE, (uint32_t)length + 1);
    buffer_append(out, text, (size_t)length + 1);
}

static void put_submit(const struct gpucode_crash *crash, size_t index, const struct gpucode_crash_submit *submit,
                       size_t *reused, struct buffer *out)
{
    struct gpucode_crash_reuse reuse;
    if (index)
        put_record(out, GPUCODE_RECORD_SAME_BUFFERS, 0);
    put_record(out, GPUCODE_RECORD_STATE, 4);
    put_word(out, GPUCODE_STREAM_FINISHED + (uint32_t)submit->state);
    /* they stand in the order of submits, the last one first */
    for (; *reused && gpucode_crash_reuse(crash, *reused - 1, &reuse) && reuse.submit == index; --*reused) {
        put_record(out, GPUCODE_RECORD_REUSED, 16);
        put_wide(out, reuse.address);
        put_wide(out, reuse.bytes);
    }
    if (crash->has_path && crash->path.submit == index) {
        put_record(out, GPUCODE_RECORD_PLACE, 8 * crash->path.count);
        for (unsigned i = 0; i < crash->path.count; i++)
            put_wide(out, crash->path.packets[i]);
    }
    put_place(out, GPUCODE_RECORD_STREAM_ADDRESS, submit->address, submit->words);
}

enum gpucode_status gpucode_crash_streams(const struct gpucode_crash *crash, void **bytes, size_t *size)
{
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    struct gpucode_crash_buffer buffer;
    struct gpucode_crash_ring ring;
    struct gpucode_crash_submit submit;
    struct buffer out = {0};
    if (!crash || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    put_record(&out, GPUCODE_RECORD_GPU_ID, 4);
    put_word(&out, head->gpu_id);
    put_record(&out, GPUCODE_RECORD_CHIP_ID, 8);
    put_word(&out, head->chip_id);
    put_word(&out, 0);
    if (gpucode_crash_submit(crash, 0, &submit))
        put_title(crash, &submit, &out);
    for (size_t i = 0; gpucode_crash_buffer(crash, i, &buffer); i++)
        if (buffer.size <= UINT32_MAX)
            put_buffer(&out, buffer.iova, (uint32_t)buffer.size, &buffer.data,
                       buffer.data.count ? words_with_zeros(buffer.data.count, buffer.size / 4, ZEROS_MAX) : 0, 1);
    for (size_t i = 0; gpucode_crash_ring(crash, i, &ring); i++)
        if (ring.data.size && ring.data.size <= RING_MAX)
            put_ring(&out, &ring);
    size_t reused = crash->reuses.count;
    for (size_t i = 0; gpucode_crash_submit(crash, i, &submit); i++) {
        if (i)
            put_title(crash, &submit, &out);
        put_submit(crash, i, &submit, &reused, &out);
    }
    if (out.failed) {
        buffer_free(&out);
        return GPUCODE_ERROR_MEMORY;
    }
    *bytes = out.bytes;
    *size = out.length;
    return GPUCODE_OK;
}
