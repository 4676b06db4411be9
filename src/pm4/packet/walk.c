/* SPDX-License-Identifier: MIT */
/* From packet to packet through one buffer. */
#include "pm4/packet/packets.h"

#include "base/text.h"

#include <stdlib.h>

#define OPCODE_DRAW_INDX 0x22
#define OPCODE_DRAW_INDX_2 0x36 /* with the indices in the packet */
/* Enough for the longest packet. */
#define WINDOW_WORDS (2 * (GPUCODE_PACKET_COUNT7_MAX + 1))

/* Makes the words from offset `at` on available, `count` if there are so many. False: there are not. */
static bool load_words(struct gpucode_packets *packets, struct packet_buffer *buffer, uint32_t at, uint32_t count)
{
    if (at >= buffer->first && at - buffer->first <= buffer->loaded && count <= buffer->loaded - (at - buffer->first))
        return true;
    uint32_t wanted = buffer->words - at < WINDOW_WORDS ? buffer->words - at : WINDOW_WORDS;
    size_t got = packets->options.read(packets->options.user, buffer->address + 4 * (uint64_t)at, buffer->window,
                                       4 * (size_t)wanted);
    words_of_memory(buffer->window, got / 4);
    buffer->first = at;
    buffer->loaded = (uint32_t)(got / 4);
    return count <= buffer->loaded;
}

/* Before a5xx: types 0 (registers), 2 (nothing) and 3 (commands), without parity. */
static bool take_old_header(struct packet *packet)
{
    uint32_t header = packet->header;
    packet->type = header >> 30;
    packet->count = (header >> 16 & 0x3fff) + 1;
    packet->opcode = packet->type ? header >> 8 & 0xff : header & 0x7fff;
    if (packet->type == 2) {
        packet->opcode = 0;
        packet->count = 0;
        return header == 0x80000000;
    }
    return packet->type == 0 || (packet->type == 3 && !(header & 0x80fe));
}

static inline bool take_header(const struct gpucode_packets *packets, struct packet *packet)
{
    if (packets->chip < 5)
        return take_old_header(packet);
    struct gpucode_packet_header header = gpucode_packet_header(packet->header);
    packet->type = packet->header >> 28;
    packet->opcode = header.number;
    packet->count = header.count;
    return header.type && header.parity_is_odd;
}

/* Types 3 and 7. */
static bool is_command(const struct packet *packet)
{
    return packet->type == 3 || packet->type == 7;
}

static enum gpucode_packet_condition condition_at(const struct packet_buffer *buffer)
{
    if (buffer->skipping || buffer->condition == GPUCODE_PACKET_SKIPPED)
        return GPUCODE_PACKET_SKIPPED;
    if (buffer->at < buffer->maybe_end || buffer->condition == GPUCODE_PACKET_MAYBE)
        return GPUCODE_PACKET_MAYBE;
    return buffer->at < buffer->taken_end ? GPUCODE_PACKET_TAKEN : buffer->condition;
}

static void tell_trouble(struct gpucode_packets *packets, const struct packet *packet,
                         enum gpucode_packet_event_kind kind, uint32_t count)
{
    struct gpucode_packet_event event = packets_event(packet, kind);
    event.value = packet->header;
    event.target_address = event.address;
    event.count = count;
    packets_tell(packets, &event);
}

/* The offset of the next word that is a header, with a packet that fits; the buffer's end: there is none. */
static uint32_t find_next(struct gpucode_packets *packets, struct packet_buffer *buffer)
{
    struct packet next;
    for (uint32_t at = buffer->at + 1; at < buffer->words && load_words(packets, buffer, at, 1); at++) {
        next.header = buffer->window[at - buffer->first];
        if (take_header(packets, &next) && next.count < buffer->words - at)
            return at;
    }
    return buffer->words;
}

/*
 * At a word that is not a header, or whose packet does not fit: goes on to the next that is one; false: there is none.
 * Headers before a5xx have no parity that would tell, and words that do not run need not be packets.
 */
static bool pass_over(struct gpucode_packets *packets, const struct packet *packet, enum gpucode_packet_event_kind kind)
{
    struct packet_buffer *buffer = packet->buffer;
    bool searches = packets->chip >= 5 && packet->condition != GPUCODE_PACKET_SKIPPED;
    uint32_t next = searches ? find_next(packets, buffer) : buffer->words, count = next - buffer->at;
    tell_trouble(packets, packet, kind, count);
    if (searches && packets->left <= count)
        packets_stop(packets, GPUCODE_ERROR_RANGE);
    if (packets->stopped || next == buffer->words)
        return false;
    packets->left -= count;
    buffer->at = next;
    return true;
}

static void tell_packet(struct gpucode_packets *packets, const struct packet *packet)
{
    char name[GPUCODE_NAME_MAX];
    struct gpucode_packet_event event = packets_event(packet, GPUCODE_PACKET_BEGIN);
    if (is_command(packet))
        event.name = packets->names + packets->opcodes[packet->opcode].name;
    else if (packet->type == 2)
        event.name = "NOP";
    else if (packets_name(packets, packet->opcode, name))
        event.name = name;
    event.words = packet->payload;
    event.count = packet->count;
    packets_tell(packets, &event);
}

/*
 * Drivers write "if, else" as a condition whose words end inside a CP_NOP: where it holds, the CP_NOP jumps over the
 * words for the other case. Those words are told here; where the condition does not hold, the buffer is read on in them
 * anyway.
 */
static void read_otherwise(struct gpucode_packets *packets, const struct packet_buffer *buffer, uint32_t next)
{
    bool maybe = buffer->at < buffer->maybe_end && next > buffer->maybe_end;
    bool taken = buffer->at < buffer->taken_end && next > buffer->taken_end;
    uint32_t first = maybe ? buffer->maybe_end : buffer->taken_end;
    if (buffer->skipping || (!maybe && !taken) || packets->inside_nops == OTHERWISE_DEPTH_MAX)
        return;
    struct packet_buffer words = {
        .address = buffer->address + 4 * (uint64_t)first,
        .words = next - first,
        .source = buffer->source,
        .depth = buffer->depth,
        .outer = buffer->outer,
        .condition =
            maybe && buffer->condition != GPUCODE_PACKET_SKIPPED ? GPUCODE_PACKET_MAYBE : GPUCODE_PACKET_SKIPPED,
    };
    struct packet_state saved = packets->state;
    packets->inside_nops++;
    packets_read(packets, &words);
    packets->inside_nops--;
    if (!maybe)
        packets->state = saved;
}

uint32_t packet_absent_word(unsigned family, unsigned opcode, const uint32_t *payload, uint32_t count, bool whole)
{
    if (family != 2 || (opcode != OPCODE_DRAW_INDX && opcode != OPCODE_DRAW_INDX_2) || count < 2)
        return 0;
    bool inside = !whole || opcode == OPCODE_DRAW_INDX_2 ? payload[1] >> 16 : count % 2 == 0;
    return inside ? 2 : 0;
}

/* One packet; false: the buffer can be read no further. */
static bool read_packet(struct gpucode_packets *packets, struct packet_buffer *buffer)
{
    struct packet packet = {.buffer = buffer, .condition = condition_at(buffer)};
    if (!load_words(packets, buffer, buffer->at, 1)) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_NO_MEMORY, buffer->words - buffer->at);
        return false;
    }
    packet.header = buffer->window[buffer->at - buffer->first];
    if (!take_header(packets, &packet))
        return pass_over(packets, &packet, GPUCODE_PACKET_BAD_HEADER);
    if (packet.count > buffer->words - buffer->at - 1)
        return pass_over(packets, &packet, GPUCODE_PACKET_CUT);
    if (!load_words(packets, buffer, buffer->at, packet.count + 1)) {
        tell_trouble(packets, &packet, GPUCODE_PACKET_NO_MEMORY, buffer->words - buffer->at);
        return false;
    }
    if (packets->left <= packet.count) {
        packets_stop(packets, GPUCODE_ERROR_RANGE);
        return false;
    }
    packets->left -= packet.count + 1;
    packet.payload = buffer->window + (buffer->at - buffer->first) + 1;
    if (is_command(&packet))
        packet.absent = packet_absent_word(packets->chip, packet.opcode, packet.payload, packet.count, true);
    tell_packet(packets, &packet);
    if (packets->options.fields && is_command(&packet) && !packets->stopped)
        packets_tell_fields(packets, &packet);
    if (!packets->stopped)
        packets_act(packets, &packet);
    uint32_t next = buffer->at + packet.count + 1;
    if (is_command(&packet) && packets->opcodes[packet.opcode].action == ACTION_NOP && !packets->stopped)
        read_otherwise(packets, buffer, next);
    /* a condition skips a number of words, which may end inside a packet */
    buffer->at = buffer->skipping && buffer->at < buffer->skip_end && next > buffer->skip_end ? buffer->skip_end : next;
    return true;
}

void packets_read(struct gpucode_packets *packets, struct packet_buffer *buffer)
{
    struct packet_state saved;
    buffer->window = calloc(buffer->words < WINDOW_WORDS ? buffer->words + 1 : WINDOW_WORDS, sizeof *buffer->window);
    if (!buffer->window) {
        packets_stop(packets, GPUCODE_ERROR_MEMORY);
        return;
    }
    bool saving = false;
    while (!packets->stopped && buffer->at < buffer->words) {
        if (!read_packet(packets, buffer)) {
            /* skipped words need not be packets */
            if (!buffer->skipping || packets->stopped)
                break;
            buffer->at = buffer->skip_end;
        }
        if (buffer->skipping && !saving) { /* the packet was a condition that does not hold */
            saved = packets->state;
            saving = true;
        }
        if (saving && buffer->at >= buffer->skip_end) {
            packets->state = saved;
            saving = buffer->skipping = false;
        }
    }
    if (saving)
        packets->state = saved;
    free(buffer->window);
    buffer->window = NULL;
}

/* Packets that lead to other buffers. */

/* Reads a buffer one level deeper. */
static void run_buffer(struct gpucode_packets *packets, const struct packet *packet, uint64_t address, uint32_t words,
                       enum gpucode_packet_condition condition)
{
    /* a buffer costs a word, or many of them that cannot be read would take for ever */
    if (!packets->left) {
        packets_stop(packets, GPUCODE_ERROR_RANGE);
        return;
    }
    packets->left--;
    struct packet_buffer buffer = {
        .address = address,
        .words = words,
        .source = packets->in_group ? GPUCODE_PACKET_GROUP : GPUCODE_PACKET_BUFFER,
        .depth = packet->buffer->depth + 1,
        .outer = packet->buffer->outer,
        .condition = condition,
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
    event.later = packets->switching;
    event.mode = state->mode;
    packets->switching = false;
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

/* Address and size of CP_INDIRECT_BUFFER*: 64 bits and 20 from a5xx on, before that 32 and all. */
static void run_indirect(struct gpucode_packets *packets, const struct packet *packet,
                         enum gpucode_packet_condition condition)
{
    const uint32_t *payload = packet->payload;
    if (packets->chip >= 5 && packet->count >= 3)
        run_buffer(packets, packet, payload[0] | (uint64_t)payload[1] << 32, payload[2] & 0xfffff, condition);
    else if (packets->chip < 5 && packet->count >= 2)
        run_buffer(packets, packet, payload[0], payload[1], condition);
}

/* The hardware runs it when it switches contexts: told after the stream, once. */
static void keep_for_later(struct gpucode_packets *packets, const struct packet *packet, uint32_t address_word,
                           uint32_t words)
{
    if (!words || packet->condition == GPUCODE_PACKET_SKIPPED || packets->detached)
        return;
    struct packet_later later = {packet->payload[address_word] | (uint64_t)packet->payload[address_word + 1] << 32,
                                 words, packet->opcode};
    for (unsigned i = 0; i < packets->later_count; i++)
        if (packets->later[i].address == later.address && packets->later[i].words == words)
            return;
    if (packets->later_count < PACKET_LATER_MAX)
        packets->later[packets->later_count++] = later;
}

void packets_tell_later(struct gpucode_packets *packets)
{
    struct packet_state saved = packets->state;
    packets->detached = true;
    for (unsigned i = 0; i < packets->later_count && !packets->stopped; i++) {
        struct packet_buffer none = {.source = GPUCODE_PACKET_STREAM, .address = packets->later[i].address};
        struct packet packet = {
            .buffer = &none, .type = 7, .opcode = packets->later[i].opcode, .condition = GPUCODE_PACKET_MAYBE};
        packets->switching = true;
        run_buffer(packets, &packet, packets->later[i].address, packets->later[i].words, GPUCODE_PACKET_MAYBE);
    }
    packets->later_count = 0;
    packets->detached = false;
    packets->state = saved;
}

/* CP_START_BIN: before each bin its prefix; the body, which stands after the packet, is read on for the last one. */
static void run_bins(struct gpucode_packets *packets, const struct packet *packet)
{
    const uint32_t *payload = packet->payload;
    if (packet->count < 5)
        return;
    uint64_t prefix = payload[1] | (uint64_t)payload[2] << 32;
    const struct packet_buffer *here = packet->buffer;
    uint32_t bins = payload[0], words = payload[3], body = payload[4], behind = here->at + packet->count + 1;
    if (body > here->words - behind)
        body = here->words - behind;
    for (uint32_t i = 0; i < bins && (words || body) && !packets->stopped; i++) {
        if (words)
            run_buffer(packets, packet, prefix + 4 * (uint64_t)i * words, words, packet->condition);
        if (body && i + 1 < bins)
            run_buffer(packets, packet, here->address + 4 * (uint64_t)behind, body, packet->condition);
    }
}

/* CP_FIXED_STRIDE_DRAW_TABLE: so many buffers of one size, one after another. */
static void run_table(struct gpucode_packets *packets, const struct packet *packet)
{
    if (packet->count < 4)
        return;
    uint64_t base = packet->payload[0] | (uint64_t)packet->payload[1] << 32;
    uint32_t words = packet->payload[2] >> 20;
    for (uint32_t i = 0; words && i < packet->payload[3] && !packets->stopped; i++)
        run_buffer(packets, packet, base + 4 * (uint64_t)i * words, words, packet->condition);
}

bool packets_lead(struct gpucode_packets *packets, const struct packet *packet, enum packet_action action)
{
    enum gpucode_packet_condition condition = packet->condition;
    switch (action) {
    case ACTION_INDIRECT_BUFFER:
        run_indirect(packets, packet, condition);
        return true;
    case ACTION_CONDITIONAL_BUFFER:
        run_indirect(packets, packet, condition == GPUCODE_PACKET_SKIPPED ? condition : GPUCODE_PACKET_MAYBE);
        return true;
    case ACTION_CHAIN: /* goes there and does not come back */
        if (packet->count < 3)
            return true;
        run_indirect(packets, packet, condition);
        if (condition == GPUCODE_PACKET_ALWAYS || condition == GPUCODE_PACKET_TAKEN)
            packet->buffer->words = packet->buffer->at + packet->count + 1;
        return true;
    case ACTION_AMBLE:
        if (packet->count >= 3)
            keep_for_later(packets, packet, 0, packet->payload[2] & 0xfffff);
        return true;
    case ACTION_RENDER_MODE:
        if (packet->count >= 8)
            keep_for_later(packets, packet, 6, packet->payload[5]);
        return true;
    case ACTION_CHECKPOINT:
        if (packet->count >= 7)
            keep_for_later(packets, packet, 5, packet->payload[packet->count >= 8 ? 7 : 4]);
        return true;
    case ACTION_START_BIN:
        run_bins(packets, packet);
        return true;
    case ACTION_DRAW_TABLE:
        run_table(packets, packet);
        return true;
    default:
        return false;
    }
}

/* --- draw state: groups of packets that CP_SET_DRAW_STATE names and draws run ------------------------------------- */

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
        event.mode = state->mode;
        if (packets_tell(packets, &event)) {
            packets_read(packets, &buffer);
            event.kind = GPUCODE_PACKET_LEAVE;
            packets_tell(packets, &event);
        }
    }
    packets->in_group = false;
}
