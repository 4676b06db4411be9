/* SPDX-License-Identifier: MIT */
/* Packets that lead to other buffers. */
#include "pm4/packet/packets.h"

/* Reads a buffer one level deeper. */
static void run_buffer(struct gpucode_packets *packets, const struct packet *packet, uint64_t address, uint32_t words,
                       enum gpucode_packet_condition condition)
{
    /* a buffer costs a word, or many of them that cannot be read would take for ever */
    if (!packets->left) {
        packets_stop(packets, GPUCODE_ERROR_RANGE);
        return;
    }
    packets->left--;
    struct packet_buffer buffer = {
        .address = address,
        .words = words,
        .source = packets->in_group ? GPUCODE_PACKET_GROUP : GPUCODE_PACKET_BUFFER,
        .depth = packet->buffer->depth + 1,
        .outer = packet->buffer->outer,
        .condition = condition,
    };
    const struct packet_state *state = &packets->state;
    if (state->skip_global && state->skip_local && !state->override && buffer.condition != GPUCODE_PACKET_SKIPPED)
        buffer.condition = GPUCODE_PACKET_MAYBE;
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_ENTER);
    event.condition = buffer.condition;
    event.target_address = buffer.address;
    event.count = buffer.words;
    event.source = buffer.source;
    event.number = GPUCODE_PACKET_NO_GROUP;
    event.later = packets->switching;
    event.mode = state->mode;
    packets->switching = false;
    if (buffer.depth > GPUCODE_PACKET_DEPTH_MAX) {
        event.kind = GPUCODE_PACKET_DEEP;
        packets_tell(packets, &event);
        return;
    }
    if (!packets_tell(packets, &event))
        return;
    packets_read(packets, &buffer);
    event.kind = GPUCODE_PACKET_LEAVE;
    packets_tell(packets, &event);
}

/* Address and size of CP_INDIRECT_BUFFER*: 64 bits and 20 from a5xx on, before that 32 and all. */
static void run_indirect(struct gpucode_packets *packets, const struct packet *packet,
                         enum gpucode_packet_condition condition)
{
    const uint32_t *payload = packet->payload;
    if (packets->chip >= 5 && packet->count >= 3)
        run_buffer(packets, packet, payload[0] | (uint64_t)payload[1] << 32, payload[2] & 0xfffff, condition);
    else if (packets->chip < 5 && packet->count >= 2)
        run_buffer(packets, packet, payload[0], payload[1], condition);
}

/* The hardware runs it when it switches contexts: told after the stream, once. */
static void keep_for_later(struct gpucode_packets *packets, const struct packet *packet, uint32_t address_word,
                           uint32_t words)
{
    if (packet->count < address_word + 2 || !words || packet->condition == GPUCODE_PACKET_SKIPPED || packets->detached)
        return;
    struct packet_later later = {packet->payload[address_word] | (uint64_t)packet->payload[address_word + 1] << 32,
                                 words, packet->opcode};
    for (unsigned i = 0; i < packets->later_count; i++)
        if (packets->later[i].address == later.address && packets->later[i].words == words)
            return;
    if (packets->later_count < PACKET_LATER_MAX)
        packets->later[packets->later_count++] = later;
}

void packets_tell_later(struct gpucode_packets *packets)
{
    struct packet_state saved = packets->state;
    packets->detached = true;
    for (unsigned i = 0; i < packets->later_count && !packets->stopped; i++) {
        struct packet_buffer none = {.source = GPUCODE_PACKET_STREAM, .address = packets->later[i].address};
        struct packet packet = {
            .buffer = &none, .type = 7, .opcode = packets->later[i].opcode, .condition = GPUCODE_PACKET_MAYBE};
        packets->switching = true;
        run_buffer(packets, &packet, packets->later[i].address, packets->later[i].words, GPUCODE_PACKET_MAYBE);
    }
    packets->later_count = 0;
    packets->detached = false;
    packets->state = saved;
}

/* CP_START_BIN: before each bin its prefix; the body, which stands after the packet, is read on for the last one. */
static void run_bins(struct gpucode_packets *packets, const struct packet *packet)
{
    const uint32_t *payload = packet->payload;
    if (packet->count < 5)
        return;
    uint64_t prefix = payload[1] | (uint64_t)payload[2] << 32;
    const struct packet_buffer *here = packet->buffer;
    uint32_t bins = payload[0], words = payload[3], body = payload[4], behind = here->at + packet->count + 1;
    if (body > here->words - behind)
        body = here->words - behind;
    for (uint32_t i = 0; i < bins && (words || body) && !packets->stopped; i++) {
        if (words)
            run_buffer(packets, packet, prefix + 4 * (uint64_t)i * words, words, packet->condition);
        if (body && i + 1 < bins)
            run_buffer(packets, packet, here->address + 4 * (uint64_t)behind, body, packet->condition);
    }
}

/* CP_FIXED_STRIDE_DRAW_TABLE: so many buffers of one size, one after another. */
static void run_table(struct gpucode_packets *packets, const struct packet *packet)
{
    if (packet->count < 4)
        return;
    uint64_t base = packet->payload[0] | (uint64_t)packet->payload[1] << 32;
    uint32_t words = packet->payload[2] >> 20;
    for (uint32_t i = 0; words && i < packet->payload[3] && !packets->stopped; i++)
        run_buffer(packets, packet, base + 4 * (uint64_t)i * words, words, packet->condition);
}

bool packets_lead(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
{
    enum gpucode_packet_condition condition = packet->condition;
    switch (action) {
    case ACTION_INDIRECT_BUFFER:
        run_indirect(packets, packet, condition);
        return true;
    case ACTION_CONDITIONAL_BUFFER:
        run_indirect(packets, packet, condition == GPUCODE_PACKET_SKIPPED ? condition : GPUCODE_PACKET_MAYBE);
        return true;
    case ACTION_CHAIN: /* goes there and does not come back */
        if (packet->count < 3)
            return true;
        run_indirect(packets, packet, condition);
        if (condition == GPUCODE_PACKET_ALWAYS || condition == GPUCODE_PACKET_TAKEN)
            packet->buffer->words = packet->buffer->at + packet->count + 1;
        return true;
    case ACTION_AMBLE:
        if (packet->count >= 3)
            keep_for_later(packets, packet, 0, packet->payload[2] & 0xfffff);
        return true;
    case ACTION_RENDER_MODE:
        if (packet->count >= 8)
            keep_for_later(packets, packet, 6, packet->payload[5]);
        return true;
    case ACTION_CHECKPOINT:
        if (packet->count >= 7)
            keep_for_later(packets, packet, 5, packet->payload[packet->count >= 8 ? 7 : 4]);
        return true;
    case ACTION_START_BIN:
        run_bins(packets, packet);
        return true;
    case ACTION_DRAW_TABLE:
        run_table(packets, packet);
        return true;
    default:
        return false;
    }
}

/* --- draw state: groups of packets that CP_SET_DRAW_STATE names and draws run ------------------------------------- */

void packets_set_groups(struct gpucode_packets *packets, const struct packet *packet)
{
    struct packet_state *state = &packets->state;
    if (packets->in_group)
        return;
    uint32_t entry = packets->chip < 5 ? 2 : 3; /* words; addresses had 32 bits */
    for (uint32_t i = 0; packet->count - i >= entry; i += entry) {
        uint32_t header = packet->payload[i];
        unsigned number = header >> 24 & (PACKET_GROUPS - 1);
        state->dirty = true;
        if (header >> 18 & 1) { /* DISABLE_ALL_GROUPS */
            state->active = 0;
            continue;
        }
        state->groups[number] = (struct packet_group){
            .address = packet->payload[i + 1] | (entry > 2 ? (uint64_t)packet->payload[i + 2] << 32 : 0),
            .words = header & 0xffff,
            .modes = packets->chip > 5 ? header >> 20 & 7 : 0,
        };
        state->active &= ~(1ull << number);
        if ((header & 0xffff) && !(header >> 17 & 1)) /* DISABLE */
            state->active |= 1ull << number;
    }
}

void packets_run_groups(struct gpucode_packets *packets, const struct packet *packet)
{
    struct packet_state *state = &packets->state;
    if (packets->in_group || !state->dirty)
        return;
    state->dirty = false;
    packets->in_group = true;
    for (unsigned i = 0; i < PACKET_GROUPS && !packets->stopped; i++) {
        const struct packet_group *group = &state->groups[i];
        if (!(state->active >> i & 1) || (group->modes && !(group->modes & state->mode)))
            continue;
        struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_ENTER);
        struct packet_buffer buffer = {
            .address = group->address,
            .words = group->words,
            .source = GPUCODE_PACKET_GROUP,
            .depth = packet->buffer->depth + 1,
            .outer = packet->opcode,
            .condition = packet->condition,
        };
        event.source = GPUCODE_PACKET_GROUP;
        event.target_address = group->address;
        event.count = group->words;
        event.number = i;
        event.mode = state->mode;
        if (packets_tell(packets, &event)) {
            packets_read(packets, &buffer);
            event.kind = GPUCODE_PACKET_LEAVE;
            packets_tell(packets, &event);
        }
    }
    packets->in_group = false;
}
