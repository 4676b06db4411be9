/* SPDX-License-Identifier: MIT */
/* Draws, dispatches and blits: what they are called and how much they draw. */
#include "pm4/packet/packets.h"

#include <string.h>

/* Events that draw, as blits do. */
static bool is_drawing_event(const char *name)
{
    return strcmp(name, "CCU_RESOLVE") == 0 || strcmp(name, "LRZ_CLEAR") == 0;
}

void packets_tell_draw(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
{
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_DRAW);
    struct gpucode_field_value value;
    uint32_t count = 0;
    event.name = packets->names + packets->opcodes[packet->opcode].name;
    event.text = "compute";
    switch (action) {
    case ACTION_BLIT:
        if (!packets_find_field(packets, packet, "OP", &value))
            return;
        event.text = value.text;
        break;
    case ACTION_EVENT:
        if (packets->chip < 6 || !packets_find_field(packets, packet, "EVENT", &value) || !is_drawing_event(value.text))
            return;
        event.text = value.text;
        break;
    case ACTION_DRAW:
    case ACTION_DRAW_COUNTED:
        count = action == ACTION_DRAW_COUNTED ? packet->payload[2] : 0;
        if (action == ACTION_DRAW_COUNTED && !count)
            return;
        event.text = packets_find_field(packets, packet, "PRIM_TYPE", &value) ? value.text : NULL;
        break;
    default:
        break;
    }
    event.count = count;
    event.mode = packets->state.mode;
    packets_tell(packets, &event);
}
