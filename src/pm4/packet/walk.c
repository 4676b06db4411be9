/* SPDX-License-Identifier: MIT */
/* From packet to packet through one buffer. */
#include "pm4/packet/packets.h"

#include <stdlib.h>

/* Enough for the longest packet. */
#define WINDOW_WORDS (2 * (GPUCODE_PACKET_COUNT7_MAX + 1))

static void stop_walk(struct gpucode_packets *packets, enum gpucode_status status)
{
    packets->stopped = true;
    packets->status = status;
}

bool packets_tell(struct gpucode_packets *packets, const struct gpucode_packet_event *event)
{
    if (!packets->stopped && !packets->options.event(packets->options.user, event))
        stop_walk(packets, GPUCODE_OK);
    return !packets->stopped;
}

struct gpucode_packet_event packets_event(const struct packet *packet, enum gpucode_packet_event_kind kind)
{
    const struct packet_buffer *buffer = packet->buffer;
    return (struct gpucode_packet_event){
        .kind = kind,
        .source = buffer->source,
        .condition = packet->condition,
        .depth = buffer->depth,
        .address = buffer->address + 4 * (uint64_t)buffer->at,
        .header = packet->header,
        .type = packet->type,
        .opcode = packet->opcode,
        .outer = buffer->source == GPUCODE_PACKET_GROUP ? buffer->outer
                 : packet->type == 7                    ? packet->opcode
                                                        : GPUCODE_PACKET_TYPE4,
    };
}

/* Makes the words from offset `at` on available, `count` if there are so many. False: there are not. */
static bool load_words(struct gpucode_packets *packets, struct packet_buffer *buffer, uint32_t at, uint32_t count)
{
    if (at >= buffer->first && at - buffer->first <= buffer->loaded && count <= buffer->loaded - (at - buffer->first))
        return true;
    uint32_t wanted = buffer->words - at < WINDOW_WORDS ? buffer->words - at : WINDOW_WORDS;
    size_t got = packets->options.read(packets->options.user, buffer->address + 4 * (uint64_t)at, buffer->window,
                                       4 * (size_t)wanted);
    buffer->first = at;
    buffer->loaded = (uint32_t)(got / 4);
    return count <= buffer->loaded;
}

static bool take_header(struct packet *packet)
{
    struct gpucode_packet_header header = gpucode_packet_header(packet->header);
    packet->type = packet->header >> 28;
    packet->opcode = header.number;
    packet->count = header.count;
    return header.type && header.parity_is_odd;
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
                         enum gpucode_packet_event_kind kind)
{
    struct gpucode_packet_event event = packets_event(packet, kind);
    event.value = packet->header;
    event.target_address = event.address;
    event.count = packet->buffer->words - packet->buffer->at;
    packets_tell(packets, &event);
}

static void tell_packet(struct gpucode_packets *packets, const struct packet *packet)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_BEGIN);
    const struct gpucode_packet_options *options = &packets->options;
    if (packet->type == 7)
        event.name = packets->names + packets->opcodes[packet->opcode].name;
    else if (gpucode_name_of(options->target, options->names, GPUCODE_SPACE_GPU, packet->opcode, name, sizeof name))
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

/* One packet; false: the buffer can be read no further. */
static bool read_packet(struct gpucode_packets *packets, struct packet_buffer *buffer)
{
    struct packet packet = {.buffer = buffer, .condition = condition_at(buffer)};
    if (!load_words(packets, buffer, buffer->at, 1)) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_NO_MEMORY);
        return false;
    }
    packet.header = buffer->window[buffer->at - buffer->first];
    if (!take_header(&packet)) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_BAD_HEADER);
        return false;
    }
    if (packet.count > buffer->words - buffer->at - 1) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_CUT);
        return false;
    }
    if (!load_words(packets, buffer, buffer->at, packet.count + 1)) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_NO_MEMORY);
        return false;
    }
    if (packets->left <= packet.count) {
        stop_walk(packets, GPUCODE_ERROR_RANGE);
        return false;
    }
    packets->left -= packet.count + 1;
    packet.payload = buffer->window + (buffer->at - buffer->first) + 1;
    tell_packet(packets, &packet);
    if (packets->options.fields && packet.type == 7 && !packets->stopped)
        packets_tell_fields(packets, &packet);
    if (!packets->stopped)
        packets_act(packets, &packet);
    uint32_t next = packet.count >= buffer->words - buffer->at ? buffer->words : buffer->at + packet.count + 1;
    if (packet.type == 7 && packets->opcodes[packet.opcode].action == ACTION_NOP && !packets->stopped)
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
        stop_walk(packets, GPUCODE_ERROR_MEMORY);
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
