/* SPDX-License-Identifier: MIT */
/* Packets that decide what runs: modes, predicates, conditions. */
#include "pm4/packet/packets.h"

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

/* Packets that decide which of the next words run; false: it is none of them. */
bool packets_change_condition(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
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
