/* SPDX-License-Identifier: MIT */
/* What packets do, as far as it can be told without running firmware. Layouts: PM4 notes of the freedreno project. */
#include "pm4/packet/packets.h"

void packets_write(struct gpucode_packets *packets, const struct packet *packet, uint32_t word, uint32_t number,
                   uint32_t value, bool known)
{
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_WRITE);
    number &= PACKET_REGISTERS - 1;
    event.address += 4 * (uint64_t)(word + 1);
    event.number = number;
    event.value = value;
    event.known = known;
    packets_tell(packets, &event);
    if (packet->condition == GPUCODE_PACKET_SKIPPED)
        return;
    packets->shadow->value[number] = value;
    packets->shadow->state[number] =
        known && packet->condition != GPUCODE_PACKET_MAYBE ? REGISTER_KNOWN : REGISTER_UNKNOWN;
}

static void write_type4(struct gpucode_packets *packets, const struct packet *packet)
{
    for (uint32_t i = 0; i < packet->count && !packets->stopped; i++)
        packets_write(packets, packet, i, packet->opcode + i, packet->payload[i], true);
}

/* CP_CONTEXT_REG_BUNCH: pairs of register and value. */
static void write_pairs(struct gpucode_packets *packets, const struct packet *packet)
{
    for (uint32_t i = 0; packet->count - i >= 2 && !packets->stopped; i += 2)
        packets_write(packets, packet, i + 1, packet->payload[i], packet->payload[i + 1], true);
}

/* CP_MEM_TO_REG, CP_SCRATCH_TO_REG: as many registers as the count says, at least one; memory may have changed. */
static void write_unknown(struct gpucode_packets *packets, const struct packet *packet, unsigned low, unsigned width)
{
    uint64_t count = packets_bits(packet->payload[0], low, width);
    for (uint32_t i = 0; (i < count || !i) && !packets->stopped; i++)
        packets_write(packets, packet, 0, packet->payload[0] + i, 0, false);
}

/* CP_REG_RMW: rotate_left(dst & source 0, ROTATE), then + or | source 1; each source an immediate or a register. */
static void modify_register(struct gpucode_packets *packets, const struct packet *packet)
{
    uint32_t control = packet->payload[0], source0 = packet->payload[1], source1 = packet->payload[2], value;
    unsigned rotate = control >> 24 & 31;
    bool known = packets_register(packets, control, &value);
    if (control >> 31)
        known &= packets_register(packets, source0, &source0);
    if (control >> 30 & 1)
        known &= packets_register(packets, source1, &source1);
    if (packets->chip >= 7 && control >> 19 & 1) /* DST_SCRATCH: no register is written */
        return;
    value &= source0;
    if (rotate)
        value = value << rotate | value >> (32 - rotate);
    value = control >> 29 & 1 ? value + source1 : value | source1;
    packets_write(packets, packet, 0, control, known ? value : 0, known);
}

/* CP_COND_WRITE5 without WRITE_MEMORY writes a register, if memory or a register is so. */
static void write_maybe(struct gpucode_packets *packets, const struct packet *packet)
{
    if (packet->payload[0] >> 8 & 1)
        return;
    struct packet maybe = *packet;
    if ((packet->payload[0] & 7) != 0 && maybe.condition != GPUCODE_PACKET_SKIPPED) /* 0: WRITE_ALWAYS */
        maybe.condition = GPUCODE_PACKET_MAYBE;
    packets_write(packets, &maybe, 7, packet->payload[5], packet->payload[7], true);
}

static void set_marker(struct gpucode_packets *packets, const struct packet *packet)
{
    uint32_t word = packet->payload[0];
    struct packet_state *state = &packets->state;
    if (word >> 8 & 1) /* MARKER_MODE: not a render mode */
        return;
    switch (word & (packets->chip >= 8 ? 0x7f : 0xf)) {
    case 1: /* RM6_DIRECT_RENDER */
        state->mode = MODE_SYSMEM;
        break;
    case 2: /* RM6_BIN_VISIBILITY */
        state->mode = MODE_BINNING;
        break;
    case 3: /* RM6_BIN_DIRECT */
    case 4: /* RM6_BIN_RENDER_START */
        state->mode = MODE_GMEM;
        break;
    default:
        return;
    }
    state->dirty = true;
}

/* CP_REG_TEST: a bit of a register becomes a predicate bit; with bit 31 predicate bits are set as they are. */
static void test_register(struct gpucode_packets *packets, const struct packet *packet)
{
    uint32_t word = packet->payload[0], mask = 1u << (word >> 26 & 31), bits, value;
    bool known = packet->condition != GPUCODE_PACKET_MAYBE;
    if (word >> 31) {
        if (packet->count < 3)
            return;
        mask = packet->payload[1];
        bits = packet->payload[2];
    } else {
        if (packets->chip >= 7 && word >> 18 & 1) /* SOURCE_SCRATCH_MEM */
            known = false;
        known &= packets_register(packets, word, &value);
        bits = value >> (word >> 20 & 31) & 1 ? mask : 0;
    }
    struct packet_state *state = &packets->state;
    state->predicates = (state->predicates & ~mask) | (bits & mask);
    state->predicates_known = known ? state->predicates_known | mask : state->predicates_known & ~mask;
}

/* The next `words` words run or not. */
static void set_condition(const struct packet *packet, uint32_t words, enum gpucode_packet_condition condition)
{
    struct packet_buffer *buffer = packet->buffer;
    uint32_t start = buffer->at + packet->count + 1;
    uint32_t end = words < buffer->words - start ? start + words : buffer->words;
    if (packet->condition == GPUCODE_PACKET_SKIPPED)
        return;
    if (condition == GPUCODE_PACKET_TAKEN && end > buffer->taken_end)
        buffer->taken_end = end;
    if (condition == GPUCODE_PACKET_MAYBE && end > buffer->maybe_end)
        buffer->maybe_end = end;
    if (condition == GPUCODE_PACKET_SKIPPED && end > start) {
        buffer->skip_end = end;
        buffer->skipping = true;
    }
}

static void test_condition(struct gpucode_packets *packets, const struct packet *packet)
{
    const struct packet_state *state = &packets->state;
    uint32_t word = packet->payload[0], bit = 1u << (word >> 18 & 31), words = packet->payload[1] & 0xffffff;
    bool holds = true, known = true;
    switch (word >> 28) {
    case 1: /* PRED_TEST */
        known = state->predicates_known & bit;
        holds = state->predicates & bit;
        break;
    case 3: /* RENDER_MODE: BINNING, GMEM, SYSMEM */
        holds = word >> 25 & 7 & state->mode;
        break;
    case 5: /* THREAD_MODE: BV, BR, LPAC */
        holds = word >> 26 & 1;
        break;
    case 2: /* REG_COMPARE */
    case 4: /* REG_COMPARE_IMM */
        if (packet->count < 3)
            return;
        words = packet->payload[2] & 0xffffff;
        known = false;
        break;
    default:
        known = false;
    }
    set_condition(packet, words, !known ? GPUCODE_PACKET_MAYBE : holds ? GPUCODE_PACKET_TAKEN : GPUCODE_PACKET_SKIPPED);
}

static void run_buffer(struct gpucode_packets *packets, const struct packet *packet)
{
    struct packet_buffer buffer = {
        .address = packet->payload[0] | (uint64_t)packet->payload[1] << 32,
        .words = packet->payload[2] & 0xfffff,
        .source = packets->in_group ? GPUCODE_PACKET_GROUP : GPUCODE_PACKET_BUFFER,
        .depth = packet->buffer->depth + 1,
        .outer = packet->buffer->outer,
        .condition = packet->condition,
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

/* Packets with fewer payload words than this are ignored. */
static const uint8_t least_words[] = {
    [ACTION_INDIRECT_BUFFER] = 3, [ACTION_CHAIN] = 3,      [ACTION_SET_MARKER] = 1, [ACTION_REG_TEST] = 1,
    [ACTION_SKIP_GLOBAL] = 1,     [ACTION_SKIP_LOCAL] = 1, [ACTION_OVERRIDE] = 1,   [ACTION_COND_REG_EXEC] = 2,
    [ACTION_COND_EXEC] = 6,       [ACTION_REG_WRITE] = 3,  [ACTION_REG_RMW] = 3,    [ACTION_MEM_TO_REG] = 1,
    [ACTION_SCRATCH_TO_REG] = 1,  [ACTION_COND_WRITE] = 8,
};

/* Packets that write registers; false: it is none of them. */
static bool write_registers(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
{
    switch (action) {
    case ACTION_REG_WRITE:
        packets_write(packets, packet, 2, packet->payload[1], packet->payload[2], true);
        return true;
    case ACTION_REG_BUNCH:
        write_pairs(packets, packet);
        return true;
    case ACTION_REG_RMW:
        modify_register(packets, packet);
        return true;
    case ACTION_MEM_TO_REG:
        write_unknown(packets, packet, 19, 11);
        return true;
    case ACTION_SCRATCH_TO_REG:
        write_unknown(packets, packet, 24, 3);
        return true;
    case ACTION_COND_WRITE:
        write_maybe(packets, packet);
        return true;
    default:
        return false;
    }
}

/* Packets that decide which of the next words run; false: it is none of them. */
static bool change_condition(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
{
    switch (action) {
    case ACTION_SKIP_GLOBAL:
        packets->state.skip_global = packet->payload[0] & 1;
        return true;
    case ACTION_SKIP_LOCAL:
        packets->state.skip_local = packet->payload[0] & 1;
        return true;
    case ACTION_OVERRIDE:
        packets->state.override = packet->payload[0] & 1;
        return true;
    case ACTION_SET_MARKER:
        set_marker(packets, packet);
        return true;
    case ACTION_REG_TEST:
        test_register(packets, packet);
        return true;
    case ACTION_COND_REG_EXEC:
        test_condition(packets, packet);
        return true;
    case ACTION_COND_EXEC:
        set_condition(packet, packet->payload[5], GPUCODE_PACKET_MAYBE);
        return true;
    default:
        return false;
    }
}

/* Packets that lead to others. */
static void run_packets(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
{
    switch (action) {
    case ACTION_INDIRECT_BUFFER:
        run_buffer(packets, packet);
        break;
    case ACTION_CHAIN: /* goes there and does not come back */
        run_buffer(packets, packet);
        if (packet->condition == GPUCODE_PACKET_ALWAYS || packet->condition == GPUCODE_PACKET_TAKEN)
            packet->buffer->words = packet->buffer->at + packet->count + 1;
        break;
    case ACTION_SET_DRAW_STATE:
        packets_set_groups(packets, packet);
        break;
    case ACTION_DRAW:
        packets_run_groups(packets, packet);
        break;
    default:
        break;
    }
}

void packets_act(struct gpucode_packets *packets, const struct packet *packet)
{
    if (packet->type == 4) {
        write_type4(packets, packet);
        return;
    }
    enum packet_action action = packets->opcodes[packet->opcode].action;
    if (packet->count >= least_words[action] && !write_registers(packets, packet, action) &&
        !change_condition(packets, packet, action))
        run_packets(packets, packet, action);
}
