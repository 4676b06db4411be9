/* SPDX-License-Identifier: MIT */
/* The packets around the place where each level of buffers is read. */
#include "front/names.h"
#include "gpu/crash_page.h"

#include <gpucode/packet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE 10
#define BEHIND 3
#define LOOK_BACK 96 /* words of the ring in front of the packet in hand */
#define LINES_MAX 12 /* of one packet */

/* Words that are looked at, in order; a ring's are made straight. */
struct window {
    const struct crash_page *page;
    uint32_t *words;
    uint32_t count;
    uint32_t first;   /* word of the buffer that words[0] is */
    uint32_t size;    /* words of the buffer */
    uint32_t place;   /* of the packet in hand, in `words` */
    uint64_t address; /* of words[0], as if the buffer went straight on */
    unsigned lines;   /* of the packet that is printed */
    bool pending;     /* a register write waits for its second word: */
    uint32_t number;
    uint64_t value;
};

static uint32_t packet_words(uint32_t header)
{
    return crash_is_header(header) ? gpucode_packet_header(header).count + 1 : 1;
}

static bool load_window(struct window *window, const struct gpucode_crash_place *place, bool ring)
{
    uint32_t behind = packet_words(place->header) + 64, from = 0, count = place->words;
    window->size = place->words;
    if (ring) {
        uint32_t back = place->words > LOOK_BACK ? LOOK_BACK : place->words - 1;
        from = (uint32_t)(((uint64_t)place->word + place->words - back) % place->words);
        window->place = back;
        uint32_t written, number = gpucode_crash_number(window->page->file->crash, GPUCODE_CRASH_RB_WPTR);
        if (gpucode_crash_read(window->page->file->crash, number, &written)) { /* what lies behind is old */
            uint64_t left = (written % (uint64_t)place->words + place->words - place->word) % place->words;
            behind = left && left < behind ? (uint32_t)left : behind;
        }
        count = back + behind < place->words ? back + behind : place->words;
    } else {
        window->place = place->word;
        count = place->word + (uint64_t)behind < count ? place->word + behind : count;
    }
    window->first = from;
    window->address = place->buffer + 4 * (uint64_t)from;
    window->words = calloc(count + (size_t)1, sizeof *window->words);
    for (; window->words && window->count < count; window->count++)
        if (gpucode_crash_load(window->page->file->crash,
                               place->buffer + (from + (uint64_t)window->count) % place->words * 4,
                               &window->words[window->count], 4) != 4)
            break;
    return window->words && window->place < window->count;
}

/* The first of the packets to show, such that packets counted from there lead to the one in hand. */
static uint32_t find_start(const struct window *window)
{
    uint32_t first = 0, starts[BEFORE] = {0}, count;
    while (first < window->place && !crash_is_header(window->words[first]))
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
    return part;
}

/* A field of a packet, as `gpucode decode` shows it. */
static void print_field(struct window *window, const struct gpucode_packet_event *event)
{
    if (!window->page->verbose && window->lines++ >= 2 * LINES_MAX) {
        if (window->lines == 2 * LINES_MAX + 1)
            fputs(" ...", stdout);
        return;
    }
    printf(" %s", event->name);
    if (event->form != GPUCODE_PACKET_BOOLEAN)
        printf("=%s", event->register_name ? event->register_name : event->text);
}

/* The register write that was kept back. */
static void flush_write(struct window *window)
{
    const struct crash_file *file = window->page->file;
    char name[GPUCODE_NAME_MAX], text[CRASH_TEXT_MAX];
    if (!window->pending)
        return;
    window->pending = false;
    if (!window->page->verbose && window->lines >= LINES_MAX) {
        if (window->lines++ == LINES_MAX)
            printf("\n%14s...", "");
        return;
    }
    if (window->lines++)
        printf("\n%14s", "");
    const char *reg = crash_file_name(file, GPUCODE_SPACE_GPU, window->number, name);
    if (reg)
        printf("%s = %s", reg, crash_file_value(file, window->number, window->value, text));
    else
        printf("0x%04" PRIx32 " = 0x%" PRIx64, window->number, window->value);
}

/* The words of a 64-bit register are one value. */
static void take_write(struct window *window, const struct gpucode_packet_event *event)
{
    if (window->pending && event->number == window->number + 1 &&
        crash_file_words(window->page->file, window->number) == 2) {
        window->value |= event->value << 32;
        flush_write(window);
        return;
    }
    flush_write(window);
    window->pending = true;
    window->number = event->number;
    window->value = event->value;
}

static bool take_event(void *user, const struct gpucode_packet_event *event)
{
    struct window *window = user;
    if (event->depth || event->source != GPUCODE_PACKET_STREAM)
        return true;
    if (event->kind == GPUCODE_PACKET_BEGIN && event->type == 7)
        printf("%s", event->name);
    else if (event->kind == GPUCODE_PACKET_FIELD)
        print_field(window, event);
    else if (event->kind == GPUCODE_PACKET_WRITE && event->type == 4)
        take_write(window, event);
    return !ferror(stdout);
}

static void print_packet(struct window *window, struct gpucode_packets *packets, uint32_t at)
{
    const struct crash_page *page = window->page;
    bool here = at == window->place;
    uint32_t words = packet_words(window->words[at]);
    if (here && page->color)
        fputs("\033[1;31m", stdout);
    printf("  %s %8" PRIu32 "  ", here ? "=>" : "  ", (uint32_t)((window->first + (uint64_t)at) % window->size));
    window->lines = 0;
    if (!crash_is_header(window->words[at]))
        printf("0x%08" PRIx32 "  no packet", window->words[at]);
    else if (words > window->count - at || !packets)
        printf("0x%08" PRIx32 "  longer than its buffer", window->words[at]);
    else
        gpucode_packets_walk(packets, window->address + 4 * (uint64_t)at, words);
    flush_write(window);
    puts(here && page->color ? "\033[0m" : "");
}

static void print_window(struct window *window)
{
    struct gpucode_packet_options options = {.target = window->page->file->target,
                                             .names = window->page->file->names,
                                             .meanings = registers_meanings(window->page->file->registers),
                                             .read = read_window,
                                             .event = take_event,
                                             .user = window,
                                             .fields = true};
    struct gpucode_packets *packets = NULL;
    unsigned behind = 0;
    gpucode_packets_create(&options, &packets);
    for (uint32_t at = find_start(window); at < window->count && behind <= BEHIND;) {
        print_packet(window, packets, at);
        behind += at >= window->place;
        at += packet_words(window->words[at]);
    }
    gpucode_packets_free(packets);
}

void crash_print_packets(const struct crash_page *page)
{
    static const char *const titles[] = {"Ring", "IB1", "IB2"};
    unsigned deepest = page->position.level <= GPUCODE_CRASH_IB2 ? page->position.level : 2;
    for (unsigned level = 0; level <= deepest; level++) {
        const struct gpucode_crash_place *place = &page->position.places[level];
        struct window window = {.page = page};
        char heading[128];
        if (!place->has_packet || (!page->verbose && level + 1 < deepest))
            continue;
        snprintf(heading, sizeof heading, "%s at 0x%" PRIx64 ", %" PRIu32 " words, next to read %" PRIu32 "%s%s",
                 titles[level], place->buffer, place->words, place->next,
                 place->ahead ? "; the fetcher was in a later buffer" : "",
                 place->guessed ? "; by the registers alone" : "");
        crash_heading(page, heading);
        if (load_window(&window, place, level == 0))
            print_window(&window);
        free(window.words);
    }
}
