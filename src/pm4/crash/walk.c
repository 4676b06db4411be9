/* SPDX-License-Identifier: MIT */
#include "pm4/crash/walk.h"

#include "base/text.h"

#include <gpucode/packet.h>
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
