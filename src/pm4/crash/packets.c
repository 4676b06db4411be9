/* SPDX-License-Identifier: MIT */
/* The packets around the place where each level of buffers is read. */
#include "base/text.h"
#include "pm4/crash/explain.h"
#include "pm4/crash/walk.h"

#include <gpucode/fields.h>
#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE 10
#define AFTER 3
#define LOOK_BACK 96 /* words of the ring before the packet in hand */
#define LINES_MAX 12 /* of one packet */

/* Words that are looked at, in order; a ring's are made straight. */
struct window {
    const struct explanation *e;
    unsigned shift; /* of the rows */
    uint32_t *words;
    uint32_t count;
    uint32_t first;   /* word of the buffer that words[0] is */
    uint32_t size;    /* words of the buffer */
    uint32_t place;   /* of the packet in hand, in `words` */
    uint64_t address; /* of words[0], as if the buffer went straight on */
    unsigned lines;   /* of the packet that is told: fields, or writes */
    bool open;        /* the list of its fields or writes was begun */
    bool pending;     /* a register write waits for its second word, or has it: */
    bool wide;
    uint32_t number;
    uint64_t value;
};

static uint32_t packet_words(uint32_t header)
{
    uint32_t words = walk_packet_words(header);
    return words ? words : 1;
}

static bool load_window(struct window *window, const struct gpucode_crash_place *place, bool ring)
{
    uint32_t after = packet_words(place->header) + 64, from = 0, count = place->words;
    window->size = place->words;
    if (ring) {
        uint32_t back = place->words > LOOK_BACK ? LOOK_BACK : place->words - 1;
        from = (uint32_t)(((uint64_t)place->word + place->words - back) % place->words);
        window->place = back;
        uint32_t written, number = gpucode_crash_number(window->e->crash, GPUCODE_CRASH_RB_WPTR);
        if (gpucode_crash_read(window->e->crash, number, &written)) { /* what comes after it is old */
            uint64_t left = (written % (uint64_t)place->words + place->words - place->word) % place->words;
            after = left && left < after ? (uint32_t)left : after;
        }
        count = back + after < place->words ? back + after : place->words;
    } else {
        window->place = place->word;
        count = place->word + (uint64_t)after < count ? place->word + after : count;
    }
    window->first = from;
    window->address = place->buffer + 4 * (uint64_t)from;
    window->words = calloc(count + (size_t)1, sizeof *window->words);
    if (!window->words)
        gpucode_answer_fail(window->e->answer, GPUCODE_ERROR_MEMORY);
    for (; window->words && window->count < count; window->count++)
        if (gpucode_crash_load(window->e->crash, place->buffer + (from + (uint64_t)window->count) % place->words * 4,
                               &window->words[window->count], 4) != 4)
            break;
    words_of_memory(window->words, window->words ? window->count : 0);
    return window->words && window->place < window->count;
}

/* The first of the packets to show, such that packets counted from there lead to the one in hand. */
static uint32_t find_start(const struct window *window)
{
    uint32_t first = 0, starts[BEFORE] = {0}, count;
    while (first < window->place && !walk_packet_words(window->words[first]))
        first++;
    for (; first < window->place; first++) {
        uint32_t at = first;
        for (count = 0; at < window->place; at += packet_words(window->words[at]))
            starts[count++ % BEFORE] = at;
        if (at == window->place)
            return count > BEFORE ? starts[count % BEFORE] : first;
    }
    return window->place;
}

static size_t read_window(void *user, uint64_t address, void *bytes, size_t size)
{
    const struct window *window = user;
    uint64_t at = address - window->address, end = 4 * (uint64_t)window->count;
    if (at >= end)
        return 0;
    size_t part = end - at < size ? (size_t)(end - at) : size;
    memcpy(bytes, (const char *)window->words + at, part);
    words_of_memory(bytes, part / 4);
    return part;
}

/* A field of a packet, as `gpucode decode` shows it. */
static void put_field(struct window *window, const struct gpucode_packet_event *event)
{
    const struct explanation *e = window->e;
    if (!e->verbose && window->lines++ >= 2 * LINES_MAX)
        return;
    put_begin(e, window->shift + FIELD);
    put_text(e, window->shift + FIELD_NAME, event->name);
    if (event->form != GPUCODE_PACKET_BOOLEAN)
        put_text(e, window->shift + FIELD_VALUE, event->register_name ? event->register_name : event->text);
    put_end(e);
}

/* The register write that was kept back. */
static void flush_write(struct window *window)
{
    const struct explanation *e = window->e;
    char name[GPUCODE_NAME_MAX], text[EXPLAIN_TEXT_MAX], number[32];
    if (!window->pending)
        return;
    window->pending = false;
    if (!e->verbose && window->lines++ >= LINES_MAX)
        return;
    const char *reg = window->wide ? explain_name(e, GPUCODE_SPACE_GPU, window->number, name)
                                   : explain_word_name(e, GPUCODE_SPACE_GPU, window->number, name);
    snprintf(number, sizeof number, "0x%04" PRIx32 " = ", window->number);
    put_begin(e, window->shift + WRITTEN);
    put_text(e, window->shift + WRITTEN_NAME, reg);
    if (reg)
        gpucode_answer_quiet(e->answer);
    put_shown(e, window->shift + WRITTEN_NUMBER, window->number, number);
    put_shown(e, window->shift + WRITTEN_VALUE, window->value,
              reg ? explain_value(e, window->number, window->value, text) : NULL);
    put_text(e, window->shift + WRITTEN_TEXT, reg ? text : NULL);
    put_end(e);
}

/* The words of a 64-bit register are one value. */
static void take_write(struct window *window, const struct gpucode_packet_event *event)
{
    if (window->pending && event->number == window->number + 1 &&
        gpucode_meanings_words(window->e->meanings, window->e->family, window->number) == 2) {
        window->value |= event->value << 32;
        window->wide = true;
        flush_write(window);
        return;
    }
    flush_write(window);
    window->pending = true;
    window->wide = false;
    window->number = event->number;
    window->value = event->value;
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct window *window = user;
    if (event->depth || event->source != GPUCODE_PACKET_STREAM)
        return true;
    if (event->kind == GPUCODE_PACKET_BEGIN && !window->open) {
        window->open = true;
        put_text(window->e, window->shift + NEAR_PACKET, event->type == 7 ? event->name : NULL);
        put_begin(window->e, window->shift + (event->type == 7 ? FIELDS : WRITES));
    } else if (event->kind == GPUCODE_PACKET_FIELD && event->type == 7) {
        put_field(window, event);
    } else if (event->kind == GPUCODE_PACKET_WRITE && event->type == 4) {
        take_write(window, event);
    }
    return true;
}

static void put_packet(struct window *window, struct gpucode_packets *packets, uint32_t at)
{
    const struct explanation *e = window->e;
    unsigned shift = window->shift;
    bool here = at == window->place;
    uint32_t header = window->words[at], words = packet_words(header);
    put_begin(e, shift + NEAR);
    put_text(e, shift + NEAR_MARK, here ? "=>" : "  ");
    put_number(e, shift + NEAR_WORD, (uint32_t)((window->first + (uint64_t)at) % window->size));
    put_number(e, shift + NEAR_HEADER, header);
    if (here)
        put_flag(e, shift + NEAR_HERE, true);
    if (!walk_packet_words(header) || words > window->count - at || !packets) {
        const char *problem = walk_packet_words(header) ? "longer than its buffer" : "not a packet";
        put_text(e, shift + NEAR_PROBLEM, problem);
        put_format(e, shift + NEAR_UNKNOWN, "0x%08" PRIx32 "  %s", header, problem);
    } else {
        window->lines = 0;
        window->open = false;
        if (gpucode_packets_walk(packets, window->address + 4 * (uint64_t)at, words) == GPUCODE_ERROR_MEMORY)
            gpucode_answer_fail(e->answer, GPUCODE_ERROR_MEMORY);
        flush_write(window);
        if (window->open)
            put_end(e);
        if (window->lines > (header >> 28 == 7 ? 2 * LINES_MAX : LINES_MAX))
            put_flag(e, shift + MORE, true);
    }
    put_end(e);
}

static void put_window(struct window *window)
{
    const struct explanation *e = window->e;
    struct gpucode_packet_options options = {.target = e->target,
                                             .names = e->names,
                                             .meanings = e->meanings,
                                             .read = read_window,
                                             .event = take_event,
                                             .user = window,
                                             .fields = true};
    struct gpucode_packets *packets = NULL;
    unsigned after = 0;
    if (gpucode_packets_create(&options, &packets) == GPUCODE_ERROR_MEMORY)
        gpucode_answer_fail(e->answer, GPUCODE_ERROR_MEMORY);
    for (uint32_t at = find_start(window); at < window->count && after <= AFTER;) {
        put_packet(window, packets, at);
        after += at >= window->place;
        at += packet_words(window->words[at]);
    }
    gpucode_packets_free(packets);
}

static void put_level(const struct explanation *e, unsigned shift, unsigned level)
{
    const struct gpucode_crash_place *place = &e->position.places[level];
    struct window window = {.e = e, .shift = shift};
    put_begin(e, shift + AROUND);
    put_text(e, shift + AROUND_LEVEL, explain_level((enum gpucode_crash_level)level));
    put_text(e, shift + AROUND_TITLE, level ? explain_level((enum gpucode_crash_level)level) : "Ring");
    put_number(e, shift + AROUND_BUFFER, place->buffer);
    put_number(e, shift + AROUND_WORDS, place->words);
    put_number(e, shift + AROUND_NEXT, place->next);
    if (place->ahead)
        put_flag(e, shift + AHEAD, true);
    if (place->guessed)
        put_flag(e, shift + GUESSED, true);
    put_text(e, shift + AROUND_END, "");
    put_begin(e, shift + PACKETS);
    if (load_window(&window, place, level == 0))
        put_window(&window);
    put_end(e);
    put_end(e);
    free(window.words);
}

void put_packets(const struct explanation *e, unsigned shift)
{
    unsigned deepest = e->position.level <= GPUCODE_CRASH_IB2 ? e->position.level : 2;
    put_begin(e, shift + LEVELS);
    for (unsigned level = 0; level <= deepest; level++)
        if (e->position.places[level].has_packet && (e->verbose || level + 1 >= deepest))
            put_level(e, shift, level);
    put_end(e);
}
