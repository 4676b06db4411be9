/* SPDX-License-Identifier: MIT */
/*
 * Where $data comes from: the ring buffer, or the indirect buffer or draw-state group that IB_LEVEL chooses (AFUC
 * notes, Queues and levels). The ring buffer has two sources: words that the host fed, and after them the ring in
 * memory that the registers CP_RB_* describe.
 */
#include "isa/afuc/machine/exec.h"

#include "afuc_messages.h"

#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Base and count registers of the queues in memory. */
static const struct {
    enum afuc_control base, dwords;
} registers[QUEUE_NONE] = {
    [QUEUE_IB1] = {CONTROL_IB1_BASE, CONTROL_IB1_DWORDS},
    [QUEUE_IB2] = {CONTROL_IB2_BASE, CONTROL_IB2_DWORDS},
    [QUEUE_IB3] = {CONTROL_IB3_BASE, CONTROL_IB3_DWORDS},
    [QUEUE_SDS] = {CONTROL_SDS_BASE, CONTROL_SDS_DWORDS},
};

/* The queue that $data reads now. */
static enum afuc_queue afuc_queue_now(const struct afuc_machine *m, const struct afuc_processor *p)
{
    const struct afuc_setup *setup = m->setup;
    if (setup->meq && p->index) /* the PFP alone follows buffers */
        return QUEUE_RB;
    if (setup->generation == AFUC_A5XX) { /* no level register is known: the deepest buffer with words left */
        if (afuc_control_get(m, p, CONTROL_IB2_DWORDS))
            return QUEUE_IB2;
        return afuc_control_get(m, p, CONTROL_IB1_DWORDS) ? QUEUE_IB1 : QUEUE_RB;
    }
    uint32_t level = afuc_control_get(m, p, CONTROL_IB_LEVEL);
    return level < 8 ? setup->level_queue[level] : QUEUE_NONE;
}

/* --- the ring in memory; only BR has one that is known --- */

/* Words of the whole ring, 0 when the driver has set up none. */
static uint64_t ring_size(const struct afuc_machine *m, const struct afuc_processor *p)
{
    uint32_t number = m->setup->gpu[GPU_RB_CNTL];
    if (p->index || number == GPU_NONE || m->setup->gpu[GPU_RB_RPTR] == GPU_NONE)
        return 0;
    uint32_t control = afuc_gpu_get(m, number) & 0x3f; /* log2 of the size in units of 64 bits */
    return control && control < 30 ? UINT64_C(2) << control : 0;
}

static uint64_t ring_words(const struct afuc_machine *m, const struct afuc_processor *p)
{
    uint64_t size = ring_size(m, p);
    if (!size)
        return 0;
    uint64_t read = afuc_gpu_get(m, m->setup->gpu[GPU_RB_RPTR]), write = afuc_gpu_get(m, m->setup->gpu[GPU_RB_WPTR]);
    return (write - read) & (size - 1);
}

static bool ring_read(struct afuc_machine *m, struct afuc_processor *p, bool take, uint32_t *word)
{
    uint32_t base = m->setup->gpu[GPU_RB_BASE], pointer = m->setup->gpu[GPU_RB_RPTR];
    uint64_t size = ring_size(m, p), read = afuc_gpu_get(m, pointer) & (size - 1);
    uint64_t start = afuc_gpu_get(m, base) | (uint64_t)afuc_gpu_get(m, base + 1) << 32;
    if (!afuc_memory_read(m, p, start + 4 * read, word))
        return false;
    if (take) {
        afuc_gpu_put(m, p, pointer, (uint32_t)((read + 1) & (size - 1)));
        afuc_control_put(m, p, m->setup->control[CONTROL_RB_RPTR], (uint32_t)((read + 1) & (size - 1)));
    }
    return true;
}

/* --- all queues --- */

uint64_t afuc_queue_words(const struct afuc_machine *m, const struct afuc_processor *p)
{
    enum afuc_queue queue = afuc_queue_now(m, p);
    if (queue == QUEUE_RB)
        return p->fed_tail - p->fed_head + ring_words(m, p);
    return queue == QUEUE_NONE ? 0 : afuc_control_get(m, p, registers[queue].dwords);
}

static bool next_word(struct afuc_machine *m, struct afuc_processor *p, bool take, uint32_t *word)
{
    enum afuc_queue queue = afuc_queue_now(m, p);
    if (take) {
        afuc_progress(p);
        if (m->setup->meq && p->index)
            afuc_shared_progress(m);
        p->taken += queue == p->header_queue;
    }
    if (queue == QUEUE_RB) {
        if (p->fed_head == p->fed_tail)
            return ring_words(m, p) && ring_read(m, p, take, word);
        pages_read(&m->core->files, afuc_fed_place(p, p->fed_head), word);
        p->fed_head += take;
        return true;
    }
    if (queue == QUEUE_NONE || !afuc_control_get(m, p, registers[queue].dwords))
        return false;
    uint64_t address = afuc_control_get64(m, p, registers[queue].base);
    if (!afuc_memory_read(m, p, address, word))
        return false;
    if (take) {
        uint32_t base = m->setup->control[registers[queue].base], dwords = m->setup->control[registers[queue].dwords];
        address += 4;
        afuc_control_put(m, p, base, (uint32_t)address);
        if ((uint32_t)(address >> 32) != p->control[base + 1])
            afuc_control_put(m, p, base + 1, (uint32_t)(address >> 32));
        afuc_control_put(m, p, dwords, p->control[dwords] - 1);
    }
    return true;
}

bool afuc_queue_peek(struct afuc_machine *m, struct afuc_processor *p, uint32_t *word)
{
    return next_word(m, p, false, word);
}

bool afuc_queue_pop(struct afuc_machine *m, struct afuc_processor *p, uint32_t *word)
{
    return next_word(m, p, true, word);
}

void afuc_queue_settle(struct afuc_machine *m, struct afuc_processor *p)
{
    uint32_t number = m->setup->control[CONTROL_IB_LEVEL];
    if (m->setup->level_firmware || p->groups_run || number >= CONTROL_COUNT)
        return;
    while (p->control[number] && p->control[number] < 8 && !afuc_queue_words(m, p))
        afuc_control_put(m, p, number, p->control[number] - 1);
}

int64_t afuc_queue_dry(struct afuc_machine *m, struct afuc_processor *p)
{
    enum afuc_queue queue = afuc_queue_now(m, p);
    if (queue == QUEUE_RB)
        return FLOW_BLOCK; /* the host may feed more */
    if (queue == QUEUE_NONE)
        return afuc_unknown(m, p, MSG_AFUC_LEVEL, afuc_control_get(m, p, CONTROL_IB_LEVEL));
    static const char *const names[] = {"ring buffer", "IB1", "IB2", "IB3", "draw-state group"};
    uint32_t left = p->gpr[REG_REM];
    char how[64] = "with a packet that has no word left to read";
    if (left)
        snprintf(how, sizeof how, "within a packet that lacks 0x%" PRIx32 " word%s", left, left == 1 ? "" : "s");
    return afuc_fault(m, p, MSG_AFUC_QUEUE_DRY, names[queue], how);
}

bool afuc_queue_enter(struct afuc_machine *m, struct afuc_processor *p, unsigned level, uint64_t address,
                      uint32_t count)
{
    const struct afuc_setup *setup = m->setup;
    if (!level) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t word;
            if (!pages_read(&m->core->memory, address + 4 * (uint64_t)i, &word) || !afuc_queue_feed(m, p, &word, 1))
                return false;
        }
        return true;
    }
    if (setup->generation == AFUC_A5XX || level >= 8 || setup->level_queue[level] == QUEUE_NONE)
        return false;
    uint32_t base = setup->control[registers[setup->level_queue[level]].base];
    uint32_t dwords = setup->control[registers[setup->level_queue[level]].dwords];
    if (base >= CONTROL_COUNT || dwords >= CONTROL_COUNT)
        return false;
    afuc_control_set(p, base, (uint32_t)address);
    afuc_control_set(p, base + 1, (uint32_t)(address >> 32));
    afuc_control_set(p, dwords, count);
    afuc_control_set(p, setup->control[CONTROL_IB_LEVEL], level);
    afuc_progress(p);
    p->spinning = false;
    return true;
}

bool afuc_queue_feed(struct afuc_machine *m, struct afuc_processor *p, const uint32_t *words, size_t count)
{
    if (p->fed_head == p->fed_tail)
        p->fed_head = p->fed_tail = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[4];
        page_set_word(bytes, words[i]);
        if (!pages_store(&m->core->files, afuc_fed_place(p, p->fed_tail + i), bytes, 4))
            return false;
    }
    p->fed_tail += count;
    p->spinning = false;
    return true;
}

/*
 * The queue from the PFP to the ME of an a5xx (MEQ), in machines whose image has both (AFUC manual, Introduction). What
 * the ME reads from $data is what the PFP has put there; the words lie where those stand that a host feeds. The manual
 * says that the queue is there and lets the PFP run ahead, but not how firmware reaches it: policies.
 */

bool afuc_is_pair(const struct afuc_machine *m)
{
    return m->setup->generation == AFUC_A5XX && m->processor_count == 2 && strcmp(m->processors[0].name, "PFP") == 0 &&
           strcmp(m->processors[1].name, "PM4") == 0;
}

static const struct afuc_processor *micro_engine(const struct afuc_machine *m)
{
    return &m->processors[1];
}

/* Words that the instruction may write to $data. */
static unsigned words_written(const struct afuc_op *op)
{
    unsigned moves = op->d >= REG_FIRST_SPECIAL && op->d <= REG_DATA ? afuc_op_count(op) : 0;
    return (op->d == REG_DATA) + (op->flags & OP_PREINCREMENT && op->b == REG_DATA) + moves;
}

bool afuc_meq_is_full(const struct afuc_machine *m, const struct afuc_processor *p, const struct afuc_op *op)
{
    const struct afuc_processor *me = micro_engine(m);
    unsigned wanted = afuc_meq_takes(m, p) ? words_written(op) : 0;
    return wanted && me->fed_tail - me->fed_head + wanted > m->setup->meq_words;
}

bool afuc_meq_put(struct afuc_machine *m, struct afuc_processor *p, uint32_t value)
{
    afuc_progress(p);
    afuc_shared_progress(m);
    if (m->core->hook_kinds & GPUCODE_EVENT_WRITE)
        afuc_tell_write(m, p, GPUCODE_SPACE_GENERAL, REG_DATA, value, value);
    return afuc_queue_feed(m, &m->processors[1], &value, 1);
}

/* Packet headers and the packet table (AFUC notes, Packets; AFUC manual, Packet Table). */

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

/*
 * Draw-state groups that the hardware runs. On a6xx the firmware does so through the SDS queue; from a7xx on hardware
 * puts a group's packets before the firmware as if they stood in the stream (policy afuc-draw-state).
 */

/* A group with content that fits the render mode; a mode mask of 0 is for all modes. */
static bool is_due(const struct afuc_machine *m, const struct afuc_processor *p, unsigned group)
{
    uint32_t modes = p->groups[group].header >> 16;
    return afuc_control_get(m, p, CONTROL_DRAW_STATE_ACTIVE_BITMASK) >> group & 1 &&
           (!modes || modes & afuc_control_get(m, p, CONTROL_MODE_BITMASK));
}

/* Puts the next group that is due before the firmware, or goes back to where the stream was left. */
static void next_group(struct afuc_machine *m, struct afuc_processor *p)
{
    const uint16_t *number = m->setup->control;
    unsigned group = p->next_group;
    while (group < GROUP_COUNT && !is_due(m, p, group))
        group++;
    afuc_progress(p);
    p->groups_run = group < GROUP_COUNT;
    p->next_group = (uint8_t)(group + 1);
    if (!p->groups_run) {
        afuc_control_put(m, p, number[CONTROL_DRAW_STATE_SET_PENDING], 0);
        afuc_control_put(m, p, number[CONTROL_IB_LEVEL], p->group_return);
        return;
    }
    const struct afuc_group *due = &p->groups[group];
    afuc_group_select(m, p, group);
    afuc_control_put(m, p, number[CONTROL_SDS_BASE], (uint32_t)due->base);
    afuc_control_put(m, p, number[CONTROL_SDS_BASE] + 1u, (uint32_t)(due->base >> 32));
    afuc_control_put(m, p, number[CONTROL_SDS_DWORDS], due->header & 0xffff);
    afuc_control_put(m, p, number[CONTROL_IB_LEVEL], m->setup->group_level);
}

/* Is the packet that comes next one that groups run before? */
static bool is_their_turn(struct afuc_machine *m, struct afuc_processor *p)
{
    uint32_t header;
    if (!afuc_queue_words(m, p) || !afuc_queue_peek(m, p, &header))
        return false;
    struct gpucode_packet_header parts = gpucode_packet_header(header);
    return m->setup->groups_at_waitin || (parts.type == 7 && m->setup->is_draw[parts.number]);
}

void afuc_groups_settle(struct afuc_machine *m, struct afuc_processor *p)
{
    if (!m->setup->group_level || !(p->groups_dirty || p->groups_run))
        return;
    if (p->groups_run) {
        while (p->groups_run && !afuc_control_get(m, p, CONTROL_SDS_DWORDS))
            next_group(m, p);
    } else if (afuc_control_get(m, p, CONTROL_IB_LEVEL) != m->setup->group_level && is_their_turn(m, p)) {
        p->groups_dirty = false;
        p->group_return = afuc_control_get(m, p, CONTROL_IB_LEVEL);
        p->next_group = 0;
        next_group(m, p);
    }
}
