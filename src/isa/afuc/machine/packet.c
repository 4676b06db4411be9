/* SPDX-License-Identifier: MIT */
/* Packet headers and the packet table (AFUC notes, Packets; AFUC manual, Packet Table). */
#include "afuc_messages.h"
#include "isa/afuc/machine/exec.h"
#include <gpucode/packet.h>

uint32_t afuc_packet_header(unsigned entry, unsigned payload)
{
    return gpucode_packet_type7(entry, payload);
}

/* Opcode and entry of a header; false: it is none. */
static bool read_header(const struct afuc_machine *m, uint32_t header, unsigned *opcode, const char **why)
{
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    *opcode = parts.type == 4 ? m->setup->packet4 : parts.number;
    *why = parts.type == 7   ? "type 7 with wrong parity"
           : parts.type == 4 ? "type 4 with wrong parity"
                             : "neither type 4 nor type 7";
    return parts.type && (parts.parity_is_odd || m->setup->parity_ignored);
}

int64_t afuc_dispatch(struct afuc_machine *m, struct afuc_processor *p)
{
    uint32_t header;
    if (!afuc_queue_peek(m, p, &header))
        return FLOW_STOP;
    unsigned opcode;
    const char *why;
    if (!read_header(m, header, &opcode, &why))
        return afuc_fault(m, p, MSG_AFUC_HEADER, header, why);
    if (!p->table_set)
        return afuc_fault(m, p, MSG_AFUC_NO_TABLE);
    uint32_t handler = p->table[opcode];
    if (handler >= p->words)
        return afuc_fault(m, p, MSG_AFUC_HANDLER, opcode, handler);
    if (m->core->edges.map && !p->header_pending)
        isa_edge_pair(&m->core->edges, p->header >> 28 == 4 ? m->setup->packet4 : p->header >> 16 & (TABLE_COUNT - 1),
                      opcode);
    if (!p->header_pending) {
        p->taken = 0;
        p->header_queue = (uint8_t)afuc_queue_now(m, p);
    }
    p->fresh |= !p->header_pending; /* a header that the last handler has left is nothing new */
    p->header = header;
    p->header_pending = true;
    if (m->core->hook_kinds & GPUCODE_EVENT_PACKET) {
        const struct gpucode_event event = {.kind = GPUCODE_EVENT_PACKET,
                                            .processor = p->index,
                                            .pc = p->pc,
                                            .time = afuc_time(m),
                                            .address = opcode,
                                            .value = header};
        m->halt |= isa_event(m->core, &event);
    }
    return (int64_t)handler;
}
