/* SPDX-License-Identifier: MIT */
/* From packet to packet through one buffer. */
#include "base/text.h"
#include "pm4/packet/packets.h"

#include <stdlib.h>

#define OPCODE_DRAW_INDX 0x22
#define OPCODE_DRAW_INDX_2 0x36 /* with the indices in the packet */
/* Enough for the longest packet. */
#define WINDOW_WORDS (2 * (GPUCODE_PACKET_COUNT7_MAX + 1))

/* Makes the words from offset `at` on available, `count` if there are so many. False: there are not. */
static bool load_words(struct gpucode_packets *packets, struct packet_buffer *buffer, uint32_t at, uint32_t count)
{
    if (at >= buffer->first && at - buffer->first <= buffer->loaded && count <= buffer->loaded - (at - buffer->first))
        return true;
    uint32_t wanted = buffer->words - at < WINDOW_WORDS ? buffer->words - at : WINDOW_WORDS;
    size_t got = packets->options.read(packets->options.user, buffer->address + 4 * (uint64_t)at, buffer->window,
                                       4 * (size_t)wanted);
    words_of_memory(buffer->window, got / 4);
    buffer->first = at;
    buffer->loaded = (uint32_t)(got / 4);
    return count <= buffer->loaded;
}

/* Before a5xx: types 0 (registers), 2 (nothing) and 3 (commands), without parity. */
static bool take_old_header(struct packet *packet)
{
    uint32_t header = packet->header;
    packet->type = header >> 30;
    packet->count = (header >> 16 & 0x3fff) + 1;
    packet->opcode = packet->type ? header >> 8 & 0xff : header & 0x7fff;
    if (packet->type == 2) {
        packet->opcode = 0;
        packet->count = 0;
        return header == 0x80000000;
    }
    return packet->type == 0 || (packet->type == 3 && !(header & 0x80fe));
}

static inline bool take_header(const struct gpucode_packets *packets, struct packet *packet)
{
    if (packets->chip < 5)
        return take_old_header(packet);
    struct gpucode_packet_header header = gpucode_packet_header(packet->header);
    packet->type = packet->header >> 28;
    packet->opcode = header.number;
    packet->count = header.count;
    return header.type && header.parity_is_odd;
}

/* Types 3 and 7. */
static bool is_command(const struct packet *packet)
{
    return packet->type == 3 || packet->type == 7;
}

static enum gpucode_packet_condition condition_at(const struct packet_buffer *buffer)
{
    if (buffer->skipping || buffer->condition == GPUCODE_PACKET_SKIPPED)
        return GPUCODE_PACKET_SKIPPED;
    if (buffer->at < buffer->maybe_end || buffer->condition == GPUCODE_PACKET_MAYBE)
        return GPUCODE_PACKET_MAYBE;
    return buffer->at < buffer->taken_end ? GPUCODE_PACKET_TAKEN : buffer->condition;
}

static void tell_trouble(struct gpucode_packets *packets, const struct packet *packet,
                         enum gpucode_packet_event_kind kind, uint32_t count)
{
    struct gpucode_packet_event event = packets_event(packet, kind);
    event.value = packet->header;
    event.target_address = event.address;
    event.count = count;
    packets_tell(packets, &event);
}

/* The offset of the next word that is a header, with a packet that fits; the buffer's end: there is none. */
static uint32_t find_next(struct gpucode_packets *packets, struct packet_buffer *buffer)
{
    struct packet next;
    for (uint32_t at = buffer->at + 1; at < buffer->words && load_words(packets, buffer, at, 1); at++) {
        next.header = buffer->window[at - buffer->first];
        if (take_header(packets, &next) && next.count < buffer->words - at)
            return at;
    }
    return buffer->words;
}

/*
 * At a word that is not a header, or whose packet does not fit: goes on to the next that is one; false: there is none.
 * Headers before a5xx have no parity that would tell, and words that do not run need not be packets.
 */
static bool pass_over(struct gpucode_packets *packets, const struct packet *packet, enum gpucode_packet_event_kind kind)
{
    struct packet_buffer *buffer = packet->buffer;
    bool searches = packets->chip >= 5 && packet->condition != GPUCODE_PACKET_SKIPPED;
    uint32_t next = searches ? find_next(packets, buffer) : buffer->words, count = next - buffer->at;
    tell_trouble(packets, packet, kind, count);
    if (searches && packets->left <= count)
        packets_stop(packets, GPUCODE_ERROR_RANGE);
    if (packets->stopped || next == buffer->words)
        return false;
    packets->left -= count;
    buffer->at = next;
    return true;
}

static void tell_packet(struct gpucode_packets *packets, const struct packet *packet)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_BEGIN);
    if (is_command(packet))
        event.name = packets->names + packets->opcodes[packet->opcode].name;
    else if (packet->type == 2)
        event.name = "NOP";
    else if (packets_name(packets, packet->opcode, name))
        event.name = name;
    event.words = packet->payload;
    event.count = packet->count;
    packets_tell(packets, &event);
}

/*
 * Drivers write "if, else" as a condition whose words end inside a CP_NOP: where it holds, the CP_NOP jumps over the
 * words for the other case. Those words are told here; where the condition does not hold, the buffer is read on in them
 * anyway.
 */
static void read_otherwise(struct gpucode_packets *packets, const struct packet_buffer *buffer, uint32_t next)
{
    bool maybe = buffer->at < buffer->maybe_end && next > buffer->maybe_end;
    bool taken = buffer->at < buffer->taken_end && next > buffer->taken_end;
    uint32_t first = maybe ? buffer->maybe_end : buffer->taken_end;
    if (buffer->skipping || (!maybe && !taken) || packets->inside_nops == OTHERWISE_DEPTH_MAX)
        return;
    struct packet_buffer words = {
        .address = buffer->address + 4 * (uint64_t)first,
        .words = next - first,
        .source = buffer->source,
        .depth = buffer->depth,
        .outer = buffer->outer,
        .condition =
            maybe && buffer->condition != GPUCODE_PACKET_SKIPPED ? GPUCODE_PACKET_MAYBE : GPUCODE_PACKET_SKIPPED,
    };
    struct packet_state saved = packets->state;
    packets->inside_nops++;
    packets_read(packets, &words);
    packets->inside_nops--;
    if (!maybe)
        packets->state = saved;
}

uint32_t packet_absent_word(unsigned family, unsigned opcode, const uint32_t *payload, uint32_t count, bool whole)
{
    if (family != 2 || (opcode != OPCODE_DRAW_INDX && opcode != OPCODE_DRAW_INDX_2) || count < 2)
        return 0;
    bool inside = !whole || opcode == OPCODE_DRAW_INDX_2 ? payload[1] >> 16 : count % 2 == 0;
    return inside ? 2 : 0;
}

/* One packet; false: the buffer can be read no further. */
static bool read_packet(struct gpucode_packets *packets, struct packet_buffer *buffer)
{
    struct packet packet = {.buffer = buffer, .condition = condition_at(buffer)};
    if (!load_words(packets, buffer, buffer->at, 1)) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_NO_MEMORY, buffer->words - buffer->at);
        return false;
    }
    packet.header = buffer->window[buffer->at - buffer->first];
    if (!take_header(packets, &packet))
        return pass_over(packets, &packet, GPUCODE_PACKET_BAD_HEADER);
    if (packet.count > buffer->words - buffer->at - 1)
        return pass_over(packets, &packet, GPUCODE_PACKET_CUT);
    if (!load_words(packets, buffer, buffer->at, packet.count + 1)) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_NO_MEMORY, buffer->words - buffer->at);
        return false;
    }
    if (packets->left <= packet.count) {
        packets_stop(packets, GPUCODE_ERROR_RANGE);
        return false;
    }
    packets->left -= packet.count + 1;
    packet.payload = buffer->window + (buffer->at - buffer->first) + 1;
    if (is_command(&packet))
        packet.absent = packet_absent_word(packets->chip, packet.opcode, packet.payload, packet.count, true);
    tell_packet(packets, &packet);
    if (packets->options.fields && is_command(&packet) && !packets->stopped)
        packets_tell_fields(packets, &packet);
    if (!packets->stopped)
        packets_act(packets, &packet);
    uint32_t next = packet.count >= buffer->words - buffer->at ? buffer->words : buffer->at + packet.count + 1;
    if (is_command(&packet) && packets->opcodes[packet.opcode].action == ACTION_NOP && !packets->stopped)
        read_otherwise(packets, buffer, next);
    /* a condition skips a number of words, which may end inside a packet */
    buffer->at = buffer->skipping && buffer->at < buffer->skip_end && next > buffer->skip_end ? buffer->skip_end : next;
    return true;
}

void packets_read(struct gpucode_packets *packets, struct packet_buffer *buffer)
{
    struct packet_state saved;
    buffer->window = calloc(buffer->words < WINDOW_WORDS ? buffer->words + 1 : WINDOW_WORDS, sizeof *buffer->window);
    if (!buffer->window) {
        packets_stop(packets, GPUCODE_ERROR_MEMORY);
        return;
    }
    bool saving = false;
    while (!packets->stopped && buffer->at < buffer->words) {
        if (!read_packet(packets, buffer)) {
            /* skipped words need not be packets */
            if (!buffer->skipping || packets->stopped)
                break;
            buffer->at = buffer->skip_end;
        }
        if (buffer->skipping && !saving) { /* the packet was a condition that does not hold */
            saved = packets->state;
            saving = true;
        }
        if (saving && buffer->at >= buffer->skip_end) {
            packets->state = saved;
            saving = buffer->skipping = false;
        }
    }
    if (saving)
        packets->state = saved;
    free(buffer->window);
    buffer->window = NULL;
}
