/* SPDX-License-Identifier: MIT */
/* What is told, to whom, and by which names. */
#include "pm4/packet/packets.h"

#include <string.h>

void packets_stop(struct gpucode_packets *packets, enum gpucode_status status)
{
    packets->stopped = true;
    packets->status = status;
}

bool packets_tell(struct gpucode_packets *packets, const struct gpucode_packet_event *event)
{
    if (!packets->stopped && !packets->options.event(packets->options.user, event))
        packets_stop(packets, GPUCODE_OK);
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
        .outer = buffer->source == GPUCODE_PACKET_GROUP     ? buffer->outer
                 : (packet->type == 7 || packet->type == 3) ? packet->opcode
                                                            : GPUCODE_PACKET_TYPE4,
    };
}

size_t packets_callers_name(const struct gpucode_names *names, enum gpucode_space space, uint32_t number, char *text)
{
    if (!names || !names->name)
        return 0;
    size_t length = names->name(names->user, space, number, text, GPUCODE_NAME_MAX - 1);
    if (length >= GPUCODE_NAME_MAX)
        length = 0;
    text[length] = 0;
    return length;
}

size_t packets_name(const struct gpucode_packets *packets, uint32_t number, char *name)
{
    size_t length = packets_callers_name(packets->options.names, GPUCODE_SPACE_GPU, number, name);
    return length ? length : gpucode_register_name(packets->chip, number, name, GPUCODE_NAME_MAX);
}
