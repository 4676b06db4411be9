/* SPDX-License-Identifier: MIT */
/* What packets do, as far as it can be told without running firmware. Layouts: PM4 notes of the freedreno project. */
#include "pm4/packet/packets.h"

#include <string.h>

/* Packets that decide what runs: modes, predicates, conditions. */

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
static bool packets_change_condition(struct gpucode_packets *packets, const struct packet *packet,
                                     enum packet_action action)
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

/* --- draws, dispatches and blits: what they are called and how much they draw ------------------------------------- */

/* Events that draw, as blits do. */
static bool is_drawing_event(const char *name)
{
    return strcmp(name, "CCU_RESOLVE") == 0 || strcmp(name, "LRZ_CLEAR") == 0;
}

/*
 * a2xx has two forms of CP_DRAW_INDX*: a word of its own for the count, or the upper half of the initiator and no such
 * word (a20x). What draws with bins, with that half always, is known of a2xx alone.
 */
static uint32_t count_indices(const struct gpucode_packets *packets, const struct packet *packet,
                              enum packet_action action)
{
    if (packets->chip == 2 && (packet->payload[1] >> 16 || action == ACTION_DRAW_BIN))
        return packet->payload[1] >> 16;
    return action == ACTION_DRAW_COUNTED && packet->count >= 3 && !packet->absent ? packet->payload[2] : 0;
}

/* Tells of a draw, dispatch or blit after what it did. */
static void tell_draw(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
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
    case ACTION_DRAW_COUNTED:
    case ACTION_DRAW_BIN:
        if (!(count = count_indices(packets, packet, action)))
            return;
        /* fall through */
    case ACTION_DRAW:
        event.text = packets_find_field(packets, packet, "PRIM_TYPE", &value) ? value.text : NULL;
        break;
    default:
        break;
    }
    event.count = count;
    event.mode = packets->state.mode;
    packets_tell(packets, &event);
}

/* --- cP_LOAD_STATE*: descriptors, constants and shaders, in the packet or in memory ------------------------------- */

static bool is_text(const struct gpucode_field_value *value, const char *tail)
{
    size_t length = strlen(value->text), size = strlen(tail);
    return length >= size && strcmp(value->text + length - size, tail) == 0;
}

/* Tells what a packet loads. */
static void tell_load(struct gpucode_packets *packets, const struct packet *packet)
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

/* --- acting ------------------------------------------------------------------------------------------------------- */

/*
 * Writes a register: the packet's event for writes is told, and the value is kept, of which bits may be unknown. `word`
 * is the payload word that has it.
 */
static void write_next(struct gpucode_packets *packets, const struct packet *packet, struct gpucode_packet_event *event,
                       uint32_t word, uint32_t number, uint32_t value, uint32_t unknown)
{
    number &= PACKET_REGISTERS - 1;
    event->address = packet->buffer->address + 4 * ((uint64_t)packet->buffer->at + word + 1);
    event->number = number;
    event->value = value;
    event->known = !unknown;
    event->unknown = unknown;
    packets_tell(packets, event);
    if (packet->condition == GPUCODE_PACKET_SKIPPED || packets->detached)
        return;
    bool maybe = packet->condition == GPUCODE_PACKET_MAYBE;
    packets->shadow->value[number] = value;
    packets->shadow->state[number] = !unknown ? (maybe ? REGISTER_MAYBE : REGISTER_KNOWN)
                                     : maybe  ? REGISTER_UNKNOWN
                                              : REGISTER_PARTLY;
    if (unknown)
        packets->shadow->unknown[number] = unknown;
}

/* The only one of a packet. */
static void packets_write(struct gpucode_packets *packets, const struct packet *packet, uint32_t word, uint32_t number,
                          uint32_t value, uint32_t unknown)
{
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_WRITE);
    write_next(packets, packet, &event, word, number, value, unknown);
}

/* Types 0 and 4. Bit 15 of type 0: all words go to one register. */
static void write_range(struct gpucode_packets *packets, const struct packet *packet)
{
    bool same = packet->type == 0 && packet->header >> 15 & 1;
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_WRITE);
    for (uint32_t i = 0; i < packet->count && !packets->stopped; i++)
        write_next(packets, packet, &event, i, packet->opcode + (same ? 0 : i), packet->payload[i], 0);
}

/* Words after the first go to registers from a number on. */
static void write_after(struct gpucode_packets *packets, const struct packet *packet, uint32_t number)
{
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_WRITE);
    for (uint32_t i = 1; i < packet->count && !packets->stopped; i++)
        write_next(packets, packet, &event, i, number + i - 1, packet->payload[i], 0);
}

/* CP_CONTEXT_REG_BUNCH: pairs of register and value. */
static void write_pairs(struct gpucode_packets *packets, const struct packet *packet, uint32_t first)
{
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_WRITE);
    for (uint32_t i = first; i <= packet->count && packet->count - i >= 2 && !packets->stopped; i += 2)
        write_next(packets, packet, &event, i + 1, packet->payload[i], packet->payload[i + 1], 0);
}

/* CP_MEM_TO_REG, CP_SCRATCH_TO_REG: as many registers as the count says, at least one; memory may have changed. */
static void write_unknown(struct gpucode_packets *packets, const struct packet *packet, unsigned low, unsigned width)
{
    uint64_t count = packets_bits(packet->payload[0], low, width);
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_WRITE);
    for (uint32_t i = 0; (i < count || !i) && !packets->stopped; i++)
        write_next(packets, packet, &event, 0, packet->payload[0] + i, 0, UINT32_MAX);
}

/* A value of which some bits may be unknown; these are 0 in it. */
struct bits {
    uint32_t value, unknown;
};

/* What a packet finds in a register. What a condition may have written counts where the same may hold for the packet.
 */
static struct bits read_bits(const struct gpucode_packets *packets, const struct packet *packet, uint32_t number)
{
    struct bits bits = {.unknown = UINT32_MAX};
    number &= PACKET_REGISTERS - 1;
    unsigned state = packets->shadow->state[number];
    if (packets_register(packets, number, &bits.value) ||
        (state == REGISTER_MAYBE && packet->condition == GPUCODE_PACKET_MAYBE))
        bits.unknown = 0;
    else if (state == REGISTER_PARTLY)
        bits.unknown = packets->shadow->unknown[number];
    bits.value &= ~bits.unknown;
    return bits;
}

static uint32_t rotate_left(uint32_t word, unsigned count)
{
    return count ? word << count | word >> (32 - count) : word;
}

/* CP_REG_RMW: rotate_left(dst & source 0, ROTATE), then + or | source 1; each source an immediate or a register. */
static void modify_register(struct gpucode_packets *packets, const struct packet *packet)
{
    uint32_t control = packet->payload[0];
    unsigned rotate = control >> 24 & 31;
    struct bits first = {packet->payload[1], 0}, second = {packet->payload[2], 0},
                old = read_bits(packets, packet, control), made;
    if (control >> 31)
        first = read_bits(packets, packet, first.value);
    if (control >> 30 & 1)
        second = read_bits(packets, packet, second.value);
    if (packets->chip >= 7 && control >> 19 & 1) /* DST_SCRATCH: no register is written */
        return;
    /* a bit is known to be 0 where one of both is */
    made.unknown = (old.value | old.unknown) & (first.value | first.unknown) & (old.unknown | first.unknown);
    made.unknown = rotate_left(made.unknown, rotate);
    made.value = rotate_left(old.value & first.value, rotate);
    if (control >> 29 & 1) { /* + carries upwards from the first unknown bit */
        uint32_t unknown = made.unknown | second.unknown;
        made.unknown = unknown ? ~((unknown & -unknown) - 1) : 0;
        made.value += second.value;
    } else {
        made.value |= second.value;
        made.unknown = (made.unknown | second.unknown) & ~made.value;
    }
    packets_write(packets, packet, 0, control, made.value & ~made.unknown, made.unknown);
}

/* CP_COND_WRITE5 without WRITE_MEMORY writes a register, if memory or a register is so. */
static void write_maybe(struct gpucode_packets *packets, const struct packet *packet)
{
    if (packet->payload[0] >> 8 & 1)
        return;
    struct packet maybe = *packet;
    if ((packet->payload[0] & 7) != 0 && maybe.condition != GPUCODE_PACKET_SKIPPED) /* 0: WRITE_ALWAYS */
        maybe.condition = GPUCODE_PACKET_MAYBE;
    packets_write(packets, &maybe, 7, packet->payload[5], packet->payload[7], 0);
}

/* Packets with fewer payload words than this are ignored. */
static const uint8_t least_words[] = {
    [ACTION_SET_MARKER] = 1,   [ACTION_REG_TEST] = 1,      [ACTION_SKIP_GLOBAL] = 1,    [ACTION_SKIP_LOCAL] = 1,
    [ACTION_OVERRIDE] = 1,     [ACTION_COND_REG_EXEC] = 2, [ACTION_COND_EXEC] = 6,      [ACTION_REG_WRITE] = 3,
    [ACTION_REG_RMW] = 3,      [ACTION_MEM_TO_REG] = 1,    [ACTION_SCRATCH_TO_REG] = 1, [ACTION_COND_WRITE] = 8,
    [ACTION_SET_CONSTANT] = 1, [ACTION_WIDE_WRITE] = 1,    [ACTION_DRAW_COUNTED] = 2,   [ACTION_EVENT] = 1,
    [ACTION_DRAW_BIN] = 2,
};

/* Packets that write registers; false: it is none of them. */
static bool write_registers(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
{
    switch (action) {
    case ACTION_REG_WRITE:
        packets_write(packets, packet, 2, packet->payload[1], packet->payload[2], 0);
        return true;
    case ACTION_REG_BUNCH:
        write_pairs(packets, packet, 0);
        return true;
    case ACTION_REG_BUNCH_LATER:
        write_pairs(packets, packet, 2);
        return true;
    case ACTION_SET_CONSTANT: /* kind 4: registers */
        if ((packet->payload[0] >> 16 & 0xf) == 4)
            write_after(packets, packet, 0x2000 + (packet->payload[0] & 0xffff));
        return true;
    case ACTION_WIDE_WRITE:
        write_after(packets, packet, packet->payload[0] & 0xffff);
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

void packets_act(struct gpucode_packets *packets, const struct packet *packet)
{
    if (packet->type == 4 || packet->type == 0) {
        write_range(packets, packet);
        return;
    }
    enum packet_action action = packet->type == 2 ? ACTION_NONE : packets->opcodes[packet->opcode].action;
    if (packet->count < least_words[action] || write_registers(packets, packet, action) ||
        packets_change_condition(packets, packet, action) || packets_lead(packets, packet, action))
        return;
    if (action == ACTION_SET_DRAW_STATE)
        packets_set_groups(packets, packet);
    if (action == ACTION_LOAD)
        tell_load(packets, packet);
    if (action >= ACTION_DRAW && action <= ACTION_DISPATCH)
        packets_run_groups(packets, packet);
    if (action >= ACTION_DRAW && action <= ACTION_EVENT)
        tell_draw(packets, packet, action);
}
