/* SPDX-License-Identifier: MIT */
/* CP_LOAD_STATE*: descriptors, constants and shaders, in the packet or in memory. */
#include "pm4/packet/packets.h"

#include <string.h>

static bool is_text(const struct gpucode_field_value *value, const char *tail)
{
    size_t length = strlen(value->text), size = strlen(tail);
    return length >= size && strcmp(value->text + length - size, tail) == 0;
}

void packets_tell_load(struct gpucode_packets *packets, const struct packet *packet)
{
    struct gpucode_field_value source, block, type, units, first;
    struct gpucode_contents contents;
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_LOAD);
    uint32_t fixed = packets->chip < 5 ? 2 : 3; /* words in front of contents */
    if (!packets->options.fields || packet->count < fixed)
        return;
    if (!packets_find_field(packets, packet, "STATE_SRC", &source) ||
        !packets_find_field(packets, packet, "STATE_BLOCK", &block) ||
        !packets_find_field(packets, packet, "STATE_TYPE", &type) ||
        !packets_find_field(packets, packet, "NUM_UNIT", &units) ||
        !packets_find_field(packets, packet, "DST_OFF", &first))
        return;
    const char *name = gpucode_packet_name(packets->chip, packet->opcode);
    if (!gpucode_contents_find(packets->chip, name, block.text, type.text, &contents)) {
        type.text[0] = (char)('0' + (type.value & 3)); /* some rows have the number */
        type.text[1] = 0;
        if (!gpucode_contents_find(packets->chip, name, block.text, type.text, &contents))
            return;
    }
    uint64_t address = packet->payload[1] & ~3u;
    if (packets->chip >= 5)
        address |= (uint64_t)packet->payload[2] << 32;
    bool direct = is_text(&source, "_DIRECT") || (is_text(&source, "_INDIRECT") && !address);
    if (!direct && !is_text(&source, "_INDIRECT"))
        return; /* relative to a base that other packets set */
    event.name = contents.kind;
    event.text = block.text;
    event.index = (unsigned)first.value;
    event.value = contents.words;
    event.number = (uint32_t)units.value;
    event.count = (uint32_t)units.value * contents.words;
    event.target_address = direct ? event.address + 4 * (uint64_t)(1 + fixed) : address;
    if (direct && event.count > packet->count - fixed)
        event.count = packet->count - fixed;
    if (event.count)
        packets_tell(packets, &event);
}
