/* SPDX-License-Identifier: MIT */
/* Packet headers and the packet table (AFUC notes, Packets; AFUC manual, Packet Table). */
#include "isa/afuc/machine/exec.h"

/* The bit that makes the number of ones odd. */
static unsigned parity(uint32_t value)
{
    return ~(unsigned)__builtin_popcount(value) & 1;
}

uint32_t afuc_packet_header(unsigned entry, unsigned payload)
{
    return UINT32_C(7) << 28 | parity(entry) << 23 | entry << 16 | parity(payload) << 15 | payload;
}

/* Opcode and entry of a header; false: it is none. */
static bool understand(const struct afuc_machine *m, uint32_t header, unsigned *opcode, const char **why)
{
    bool check = !m->setup->parity_ignored;
    if (header >> 28 == 7) {
        *opcode = header >> 16 & 0x7f;
        *why = "type 7 with wrong parity";
        return !check || (parity(*opcode) == (header >> 23 & 1) && parity(header & 0x3fff) == (header >> 15 & 1));
    }
    if (header >> 28 == 4) {
        *opcode = m->setup->packet4;
        *why = "type 4 with wrong parity";
        return !check ||
               (parity(header >> 8 & 0x3ffff) == (header >> 27 & 1) && parity(header & 0x7f) == (header >> 7 & 1));
    }
    *why = "neither type 4 nor type 7";
    return false;
}

int64_t afuc_dispatch(struct afuc_machine *m, struct afuc_processor *p)
{
    uint32_t header;
    if (!afuc_queue_peek(m, p, &header))
        return FLOW_STOP;
    unsigned opcode;
    const char *why;
    if (!understand(m, header, &opcode, &why))
        return afuc_fault(m, p, MSG_AFUC_HEADER, header, why);
    if (!p->table_set)
        return afuc_fault(m, p, MSG_AFUC_NO_TABLE);
    uint32_t handler = p->table[opcode];
    if (handler >= p->words)
        return afuc_fault(m, p, MSG_AFUC_HANDLER, opcode, handler);
    p->header = header;
    p->header_pending = true;
    p->fresh = true;
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
