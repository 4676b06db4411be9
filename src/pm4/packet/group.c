/* SPDX-License-Identifier: MIT */
/* Draw state: groups of packets that CP_SET_DRAW_STATE names and draws run. */
#include "pm4/packet/packets.h"

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
        if (packets_tell(packets, &event)) {
            packets_read(packets, &buffer);
            event.kind = GPUCODE_PACKET_LEAVE;
            packets_tell(packets, &event);
        }
    }
    packets->in_group = false;
}
