/* SPDX-License-Identifier: MIT */
/* Where the command processor stood, how sure that is, and why it stopped. */
#include "pm4/crash/explain.h"
#include "pm4/crash/walk.h"

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- what the packet in hand tells by itself ---------------------------------------------------------------------- */

/* Bits by the index of the reason. */
enum { NOT_A_PACKET = 1, NO_HANDLER = 2, CUT = 4, NOT_WRITTEN = 8, SWITCHING = 16, UNREADABLE = 32 };

static const struct {
    const char *name, *sentence;
} reasons[] = {
    {"no packet", " What it was given there is not a command: the command stream is wrong, or memory was overwritten."},
    {"unknown opcode", " The firmware has no code for this opcode."},
    {"longer than its buffer", " The packet has more words than its buffer: one of their sizes is wrong."},
    {"not all written",
     " Not all words of the packet were in the ring: the write pointer is in the middle of the packet."},
    {"switch of contexts", " A switch of contexts (preemption) was under way."},
    {"buffer not readable", " The next words of the buffer of packets would be there: its address or size is wrong, or "
                            "it was freed."},
};
#define REASONS_COUNT (sizeof reasons / sizeof *reasons)

/* Words from the packet's header to the end of what there is to read. */
static uint32_t words_after(const struct explanation *e)
{
    const struct gpucode_crash_place *place = e->position.place;
    uint32_t write;
    if (e->position.level != GPUCODE_CRASH_RB)
        return place->words - place->word;
    if (!gpucode_crash_read(e->crash, gpucode_crash_number(e->crash, GPUCODE_CRASH_RB_WPTR), &write))
        return UINT32_MAX;
    return (uint32_t)((write % (uint64_t)place->words + place->words - place->word) % place->words);
}

/* The control register that asks for another context; known of a7xx and later, and of dumps that gpucode wrote. */
static bool is_switching(const struct explanation *e)
{
    static const char name[] = "PREEMPT_TRIGGER";
    struct gpucode_crash_block block;
    uint32_t number;
    bool known = gpucode_target_family(e->target) >= 7 || (e->head->kernel && strcmp(e->head->kernel, "gpucode") == 0);
    return known && gpucode_number_of(e->target, NULL, GPUCODE_SPACE_CONTROL, name, sizeof name - 1, &number) &&
           gpucode_crash_find_block(e->crash, "SQE_UCODE_DBG", &block) && number < 0x400 &&
           gpucode_crash_word(&block.data, 7 * GPUCODE_CRASH_UCODE_SECTION + number) & 1;
}

/*
 * A buffer that was entered and of which nothing was read: the packet in hand is still the one that calls it. That
 * packet's place, of the level above; null: it is not so.
 */
static const struct gpucode_crash_place *find_call(const struct explanation *e)
{
    const struct gpucode_crash_place *place = e->position.place, *above = place ? place - 1 : NULL;
    struct gpucode_crash_block block;
    if (!place || e->position.level == GPUCODE_CRASH_RB || place->has_packet || !place->known || place->next)
        return NULL;
    bool same = !e->has_states || (gpucode_crash_find_block(e->crash, "SQE_STAT", &block) &&
                                   gpucode_crash_word(&block.data, 1) == above->header);
    return same && above->has_packet ? above : NULL;
}

/* The fetcher reads up to so many bytes at once. */
#define FETCH_BYTES 64

static bool is_unreadable(const struct explanation *e)
{
    const struct gpucode_crash_place *place = e->position.place;
    struct gpucode_crash_fault fault;
    if (!place || !place->known || e->position.level == GPUCODE_CRASH_RB || place->next >= place->words ||
        !gpucode_crash_fault(e->crash, &fault) || (fault.direction && strcmp(fault.direction, "READ") != 0))
        return false;
    uint64_t next = place->buffer + 4 * (uint64_t)place->next;
    return fault.iova - next < FETCH_BYTES && fault.iova < place->buffer + 4 * (uint64_t)place->words;
}

static unsigned find_reasons(const struct explanation *e)
{
    const struct gpucode_crash_position *position = &e->position;
    const struct gpucode_crash_place *place = position->place;
    char name[GPUCODE_NAME_MAX];
    unsigned found = (is_switching(e) ? SWITCHING : 0) | (is_unreadable(e) ? UNREADABLE : 0);
    if (!position->has_header)
        return found;
    if (!walk_packet_words(position->header))
        return found | NOT_A_PACKET;
    /* firmware may pass over CP_NOP and unknown opcodes by the same code */
    const char *packet = explain_packet(e, position->header, name);
    if (position->unknown && (!packet || strcmp(packet, "CP_NOP") != 0))
        found |= NO_HANDLER;
    if (place && place->has_packet && place->words && place->header == position->header &&
        gpucode_packet_header(position->header).count >= words_after(e))
        found |= position->level == GPUCODE_CRASH_RB ? NOT_WRITTEN : CUT;
    return found;
}

/* --- the sentences ------------------------------------------------------------------------------------------------ */

static void tell_packet(const struct explanation *e, struct buffer *text, uint32_t header)
{
    char name[GPUCODE_NAME_MAX];
    const char *packet = explain_packet(e, header, name);
    if (!walk_packet_words(header)) {
        buffer_format(text, "0x%08" PRIx32 ", which is not a packet", header);
    } else if (header >> 28 == 4) {
        packet = explain_name(e, GPUCODE_SPACE_GPU, header >> 8 & 0x3ffff, name);
        buffer_format(text, "a write of %s and what follows", packet ? packet : "registers");
    } else if (packet) {
        buffer_text(text, packet);
    } else {
        buffer_format(text, "a packet with the unknown opcode 0x%02x", (unsigned)(header >> 16 & 0x7f));
    }
}

static void tell_word(struct buffer *text, const struct gpucode_crash_place *place, enum gpucode_crash_level level)
{
    uint64_t address = place->buffer + 4 * (uint64_t)place->word;
    buffer_format(text, ", at 0x%" PRIx64 ", word 0x%" PRIx32 " of 0x%" PRIx32 " of the %s at 0x%" PRIx64, address,
                  place->word, place->words, level == GPUCODE_CRASH_RB ? "ring" : explain_level(level), place->buffer);
}

/* Whose code the PC is in. */
static void tell_pc(const struct explanation *e, struct buffer *text)
{
    const struct gpucode_crash_position *position = &e->position;
    struct crash_place code;
    char packets[512];
    uint32_t words = position->pc - position->handler;
    if (!position->has_pc)
        return;
    buffer_format(text, ", at PC 0x%" PRIx32, position->pc);
    if (crash_code_place(e->code, position->pc, &code)) {
        buffer_text(text, ", ");
        crash_code_tell(&code, text);
    } else if (explain_own_handler(e, packets, sizeof packets)) {
        /* a table says where handlers begin; whether the next ones are routines, none can tell without the code */
        buffer_format(text, ", %" PRIu32 " word%s %s the code for %s", words, words == 1 ? "" : "s",
                      position->confirmed & GPUCODE_CRASH_BY_HANDLER ? "into" : "after the start of", packets);
    }
}

static void tell_place(const struct explanation *e, struct buffer *text)
{
    const struct gpucode_crash_position *position = &e->position;
    const struct gpucode_crash_place *place = position->place, *call = find_call(e);
    buffer_format(text, "The %s stood in ", e->has_states ? "SQE" : "command processor");
    if (call || position->has_header)
        tell_packet(e, text, call ? call->header : position->header);
    else
        buffer_text(text, "an unknown packet");
    if (call) {
        tell_word(text, call, (enum gpucode_crash_level)(position->level - 1));
        buffer_format(text, ", and had not read anything yet of the %s at 0x%" PRIx64 " that it calls",
                      explain_level(position->level), place->buffer);
    } else if (place && place->has_packet) {
        tell_word(text, place, position->level);
    } else if (position->level == GPUCODE_CRASH_SDS) {
        buffer_text(text, ", in a draw-state group");
    } else {
        buffer_format(text, ", in %s", explain_level(position->level));
    }
    tell_pc(e, text);
    unsigned asked = 0, good = 0;
    for (unsigned bit = 0; bit < 4; bit++) {
        asked += position->asked >> bit & 1;
        good += position->confirmed >> bit & 1;
    }
    if (asked)
        buffer_format(text, " (%u of %u signs agree)", good, asked);
    else if (!e->has_states)
        buffer_text(text, " (by the words left of its buffers alone)");
    buffer_text(text, ".");
}

/* The bits that are set in the register of a role, as far as they have names. */
static bool tell_bits(const struct explanation *e, struct buffer *text, enum gpucode_crash_role role,
                      const char *(*name_of)(const struct gpucode_crash *crash, unsigned bit), const char *begin)
{
    uint32_t value;
    unsigned told = 0;
    if (!gpucode_crash_read(e->crash, gpucode_crash_number(e->crash, role), &value))
        return false;
    for (unsigned bit = 0; bit < 32; bit++)
        if (value >> bit & 1 && name_of(e->crash, bit))
            buffer_format(text, "%s%s", told++ ? ", " : begin, name_of(e->crash, bit));
    if (told)
        buffer_text(text, ".");
    return told != 0;
}

/* No error was flagged: what it may be waiting for. */
static void tell_hang(const struct explanation *e, struct buffer *text)
{
    struct gpucode_crash_queue queue;
    struct gpucode_crash_ring ring;
    char name[GPUCODE_NAME_MAX];
    const char *packet = e->located && e->position.has_header ? explain_packet(e, e->position.header, name) : NULL;
    buffer_text(text, packet && strncmp(packet, "CP_WAIT", 7) == 0
                          ? " No error is flagged: it waits there for something that did not come."
                          : " No error is flagged: the GPU hung.");
    for (size_t i = 0; gpucode_crash_queue(e->crash, i, &queue); i++)
        if (queue.entries) {
            buffer_format(text, " Cluster %s had not taken %" PRIu32 " register writes that wait for it.", queue.name,
                          queue.entries);
            return;
        }
    for (size_t i = 0; gpucode_crash_ring(e->crash, i, &ring); i++)
        if (ring.last_fence && ring.last_fence == ring.retired_fence && ring.current)
            buffer_text(text, " All that was submitted had been finished.");
}

void put_verdict(const struct explanation *e)
{
    struct gpucode_crash_protection protection;
    struct buffer text = {0};
    bool flagged = e->has_fault;
    if (e->located)
        tell_place(e, &text);
    else
        buffer_format(&text, "%s dumps do not tell where the command processor stood.",
                      e->head->gpu ? e->head->gpu : "Such");
    tell_draw(e, &text);
    if (gpucode_crash_protection(e->crash, &protection) && protection.refused) {
        explain_refusal(e, &text, protection.write, protection.number);
        flagged = true;
    }
    flagged |= tell_bits(e, &text, GPUCODE_CRASH_INTERRUPT, gpucode_crash_interrupt, " It reported: ");
    flagged |= tell_bits(e, &text, GPUCODE_CRASH_HW_FAULT, gpucode_crash_hardware_fault, " Hardware fault: ");
    if (e->has_fault)
        tell_fault_of_dump(e, &text);
    unsigned found = e->located ? find_reasons(e) : 0;
    for (unsigned i = 0; i < REASONS_COUNT; i++)
        if (found >> i & 1)
            buffer_text(&text, reasons[i].sentence);
    if (!flagged)
        tell_hang(e, &text);
    tell_busy(e, &text);
    tell_suspect(e, &text);
    put_sentences(e, VERDICT, &text);
}

/* --- the position ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *text;
} signs[] = {{"header", "its header is in $01"},
             {"previous-headers", "the headers of the two packets before it are remembered"},
             {"level", "no deeper buffer has words left"},
             {"handler", "the PC is in its handler"}};
#define SIGNS_COUNT (sizeof signs / sizeof *signs)

static void put_signs(const struct explanation *e)
{
    const struct gpucode_crash_position *position = &e->position;
    put_begin(e, SIGNS_PART);
    put_begin(e, SIGNS);
    for (unsigned i = 0; i < SIGNS_COUNT; i++) {
        bool holds = position->confirmed >> i & 1;
        if (!(position->asked >> i & 1))
            continue;
        put_begin(e, SIGN);
        put_text(e, SIGN_NAME, signs[i].name);
        put_flag(e, SIGN_HOLDS, holds);
        put_text(e, holds ? SIGN_YES : SIGN_NO, holds ? "yes" : "NO");
        put_format(e, SIGN_TEXT, "%s%s", signs[i].text,
                   e->led && 1u << i == GPUCODE_CRASH_BY_HANDLER ? ", or in what that leads to" : "");
        put_end(e);
    }
    put_end(e);
    if (position->elsewhere)
        put_format(e, SIGNS_NOTE,
                   "The header in $01 stands at word 0x%" PRIx32 " of 0x%" PRIx64
                   ": by $01, not by position, it was that.",
                   position->elsewhere_word, position->elsewhere_buffer);
    if (!position->asked)
        put_text(e, SIGNS_NOTE,
                 position->has_pc ? "none: the packet's place is not known" : "none: the dump has no state of the SQE");
    if (position->asked && !position->has_handler)
        put_text(e, SIGNS_NOTE, "The dump has no packet table, so that nothing says whose code the PC is in.");
    put_end(e);
    put_begin(e, CONFIRMED);
    for (unsigned i = 0; i < SIGNS_COUNT; i++)
        if (position->confirmed >> i & 1)
            put_text(e, CONFIRMED_NAME, signs[i].name);
    put_end(e);
    if (position->elsewhere) {
        put_begin(e, ELSEWHERE);
        put_number(e, ELSEWHERE_BUFFER, position->elsewhere_buffer);
        put_number(e, ELSEWHERE_WORD, position->elsewhere_word);
        put_end(e);
    }
}

static void put_handler(const struct explanation *e)
{
    const struct gpucode_crash_position *position = &e->position;
    uint32_t handlers[128];
    char name[GPUCODE_NAME_MAX];
    if (!position->has_handler || !gpucode_crash_table(e->crash, handlers))
        return;
    put_number(e, HANDLER_OFFSET, position->pc - position->handler);
    put_begin(e, HANDLER);
    for (uint32_t i = 0; i < 128 && !position->unknown; i++)
        if (handlers[i] == position->handler)
            put_text(e, HANDLER_NAME, i == 4 ? "PKT4" : explain_name(e, GPUCODE_SPACE_PACKET, i, name));
    if (position->unknown)
        put_text(e, HANDLER_NAME, "unknown opcode");
    put_end(e);
}

/* What positions have of all GPUs: the buffer, the packet in hand and what speaks against it. */
static void put_place(const struct explanation *e, unsigned shift)
{
    const struct gpucode_crash_position *position = &e->position;
    const struct gpucode_crash_place *place = position->place, *call = find_call(e);
    char name[GPUCODE_NAME_MAX];
    put_text(e, shift + LEVEL, explain_level(position->level));
    if (place && place->known) {
        put_number(e, shift + BUFFER, place->buffer);
        put_number(e, shift + BUFFER_WORDS, place->words);
        if (place->has_packet) {
            put_number(e, shift + WORD, place->word);
            put_number(e, shift + PACKET_AT, place->buffer + 4 * (uint64_t)place->word);
        }
    }
    if (position->has_header) {
        put_number(e, shift + HEADER, position->header);
        put_text(e, shift + PACKET, explain_packet(e, position->header, name));
    }
    if (call) {
        put_begin(e, shift + CALLED_BY);
        put_text(e, shift + CALL_LEVEL, explain_level((enum gpucode_crash_level)(position->level - 1)));
        put_number(e, shift + CALL_BUFFER, call->buffer);
        put_number(e, shift + CALL_WORD, call->word);
        put_number(e, shift + CALL_AT, call->buffer + 4 * (uint64_t)call->word);
        put_number(e, shift + CALL_HEADER, call->header);
        put_end(e);
    }
    unsigned found = find_reasons(e);
    put_begin(e, shift + REASONS);
    for (unsigned i = 0; i < REASONS_COUNT; i++)
        if (found >> i & 1)
            put_text(e, shift + REASON, reasons[i].name);
    put_end(e);
    put_packets(e, shift);
}

void put_position(const struct explanation *e)
{
    if (!e->located)
        return;
    put_begin(e, e->has_states ? POSITION : OLD_POSITION);
    if (e->has_states) {
        put_text(e, PROCESSOR, "SQE");
        put_signs(e);
        if (e->position.has_pc)
            put_number(e, PC, e->position.pc);
        put_handler(e);
    } else {
        put_begin(e, OLD_NOTE_PART);
        put_text(e, OLD_NOTE,
                 "by the words left of each buffer alone: dumps of this GPU have no state of the processors. Words "
                 "that were fetched ahead count as taken.");
        put_end(e);
    }
    put_place(e, e->has_states ? 0 : OLD_LEVEL - LEVEL);
    put_end(e);
}
