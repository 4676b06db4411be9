/* SPDX-License-Identifier: MIT */
/*
 * Where the SQE stood. Registers tell how many words of each buffer are left; the fetcher may be some buffers ahead of
 * the SQE, over calls that follow one another directly, which the sizes of these buffers undo (the way of Mesa's
 * crashdec). The word before the one that is read next belongs to the packet in hand.
 */
#include "pm4/crash/walk.h"

#include <gpucode/packet.h>
#include <string.h>

/* So many words of the ring before the SQE's place are looked at. */
#define LOOK_BACK 20
/* Words of SQE_STAT: measured on dumps. */
#define STAT_PC 0x00
#define STAT_HEADER 0x01
#define STAT_LEVEL 0x12
#define STAT_PREVIOUS 0x25

struct finder {
    const struct gpucode_crash *crash;
    struct gpucode_crash_position *position;
    struct gpucode_crash_words stat;
    bool has_stat;
    const struct gpucode_crash_ring *ring;
    uint32_t ring_words;
    struct walk_words line;        /* the part of the ring that is looked at */
    uint32_t rem[3];               /* words left: of IB1 and IB2 */
    struct walk_packet packets[3]; /* in hand, of RB, IB1 and IB2 */
};

static bool read_role(const struct gpucode_crash *crash, enum gpucode_crash_role role, uint32_t *value)
{
    uint32_t number = gpucode_crash_number(crash, role);
    return number && gpucode_crash_read(crash, number, value);
}

static bool read_wide(const struct gpucode_crash *crash, enum gpucode_crash_role role, uint64_t *value)
{
    uint32_t number = gpucode_crash_number(crash, role), low, high;
    if (!number || !gpucode_crash_read(crash, number, &low) || !gpucode_crash_read(crash, number + 1, &high))
        return false;
    *value = (uint64_t)high << 32 | low;
    return true;
}

/* Words left of a buffer: not fetched yet, and fetched but not taken. */
static bool read_rem(struct finder *finder, unsigned level, enum gpucode_crash_role rem, enum gpucode_crash_role avail)
{
    uint32_t left, waiting = 0;
    if (!read_role(finder->crash, rem, &left))
        return false;
    read_role(finder->crash, avail, &waiting);
    waiting >>= 16;
    finder->rem[level] = left + (waiting ? waiting - 1 : 0);
    return true;
}

/* --- the ring ---------------------------------------------------------------------------------------------------- */

/* The word of the ring that the SQE reads next. */
static uint32_t read_ring_place(const struct finder *finder)
{
    uint32_t rptr, waiting = 0, words = finder->ring_words;
    if (!read_role(finder->crash, GPUCODE_CRASH_RB_RPTR, &rptr))
        rptr = finder->ring->rptr;
    rptr %= words;
    /* on a6xx the register is the fetcher's, later the SQE's */
    if (crash_is(finder->crash, "a6xx") && read_role(finder->crash, GPUCODE_CRASH_RB_AVAIL, &waiting))
        rptr = (uint32_t)(((uint64_t)rptr + words - (waiting >> 16) % words) % words);
    return rptr;
}

static bool find_ring(struct finder *finder)
{
    for (size_t i = 0; i < finder->crash->rings.count; i++) {
        const struct gpucode_crash_ring *ring = DUMP_ITEM(finder->crash->rings, struct gpucode_crash_ring, i);
        if (ring->current && ring->data.count && ring->data.size && ring->data.size <= UINT32_MAX) {
            finder->ring = ring;
            finder->ring_words = (uint32_t)ring->data.size;
            return true;
        }
    }
    return false;
}

/* The ring from the first header within LOOK_BACK words before the SQE's place to the end of what was submitted. */
static void find_line(struct finder *finder)
{
    struct gpucode_crash_place *place = &finder->position->places[0];
    uint32_t words = finder->ring_words, wptr = finder->ring->wptr, next = read_ring_place(finder), word;
    uint32_t back = LOOK_BACK < words ? LOOK_BACK : words - 1;
    read_role(finder->crash, GPUCODE_CRASH_RB_WPTR, &wptr);
    wptr %= words;
    struct walk_words *line = &finder->line;
    *line = (struct walk_words){
        .crash = finder->crash, .address = finder->ring->iova, .words = words, .from = (next + words - back) % words};
    line->count = (wptr + words - next) % words + back;
    if (line->count > words)
        line->count = words;
    for (uint32_t skipped = 0; skipped < back && walk_word(line, 0, &word) && !walk_packet_words(word); skipped++) {
        line->from = (line->from + 1) % words;
        line->count--;
    }
    *place = (struct gpucode_crash_place){.known = true, .buffer = finder->ring->iova, .words = words, .next = next};
}

/* Words of the line before the SQE's place. */
static uint32_t count_taken(const struct finder *finder)
{
    const struct gpucode_crash_place *place = &finder->position->places[0];
    return (place->next + finder->ring_words - finder->line.from) % finder->ring_words;
}

/* --- buffers ----------------------------------------------------------------------------------------------------- */

/* Goes back from the buffer that is fetched to the one that is read. -1: the sizes do not fit. */
static int find_read(const struct finder *finder, const struct walk_history *history, uint32_t *rem)
{
    uint32_t left = *rem;
    /* a5xx: nothing was taken yet, and no register has the size to tell so */
    if (crash_is(finder->crash, "a5xx") && left && history->call[history->count - 1].words == left)
        return (int)history->count - 1;
    for (int i = (int)history->count - 1; i >= 0; i--) {
        if (history->call[i].words > left || (!left && !history->call[i].words)) {
            *rem = left;
            return i;
        }
        left -= history->call[i].words;
    }
    return -1;
}

static void set_place(struct gpucode_crash_place *place, const struct walk_history *history, int index, uint32_t rem)
{
    const struct walk_call *call = &history->call[index];
    *place = (struct gpucode_crash_place){
        .known = true,
        .ahead = index + 1 < (int)history->count,
        .buffer = call->address,
        .words = call->words,
        .next = call->words - rem,
    };
}

/* What the registers alone say, if a call can have that size. */
static void guess_place(struct finder *finder, unsigned level)
{
    struct gpucode_crash_place *place = &finder->position->places[level];
    uint64_t base;
    uint32_t words;
    if (!read_wide(finder->crash, level == 1 ? GPUCODE_CRASH_IB1_BASE : GPUCODE_CRASH_IB2_BASE, &base) || !base ||
        !read_role(finder->crash, level == 1 ? GPUCODE_CRASH_IB1_SIZE : GPUCODE_CRASH_IB2_SIZE, &words) || !words ||
        words > WALK_IB_WORDS_MAX || words < finder->rem[level])
        return;
    *place = (struct gpucode_crash_place){
        .known = true, .guessed = true, .buffer = base, .words = words, .next = words - finder->rem[level]};
}

/* IB1: a call in the ring. *history is that of the call. */
static void find_first(struct finder *finder, struct walk_history *history)
{
    uint64_t base;
    uint32_t rem = finder->rem[1];
    if (!read_wide(finder->crash, GPUCODE_CRASH_IB1_BASE, &base) || !base)
        return;
    int index = -1;
    if (finder->ring && walk_find_call(&finder->line, base, count_taken(finder), history))
        index = find_read(finder, history, &rem);
    if (index < 0) {
        history->count = 0;
        guess_place(finder, 1);
    } else {
        set_place(&finder->position->places[1], history, index, rem);
        history->count = (unsigned)index + 1;
    }
}

static struct walk_words words_of(const struct finder *finder, const struct walk_history *history, unsigned index)
{
    const struct walk_call *call = &history->call[index];
    return (struct walk_words){
        .crash = finder->crash, .address = call->address, .words = call->words, .count = call->words, .owner = index};
}

/* Looks for the call of IB2 in buffer `index` of those that the ring calls; calls at the end of the ones before it
 * stand before calls at its start. */
static bool find_in(const struct finder *finder, const struct walk_history *outer, unsigned index, uint64_t base,
                    uint32_t now, struct walk_history *history)
{
    struct walk_words words;
    history->count = 0;
    for (unsigned i = 0; i < index; i++) {
        words = words_of(finder, outer, i);
        walk_find_call(&words, UINT64_MAX, 0, history);
    }
    words = words_of(finder, outer, index);
    return walk_find_call(&words, base, now, history);
}

/*
 * IB2: a call in an IB1. It may be ahead of the SQE over the end of an IB1; then the IB1 with the call of the buffer
 * that is read has been read whole. A call that IB1's own place has not passed yet counts where no other is found.
 */
static void find_second(struct finder *finder, const struct walk_history *outer)
{
    struct gpucode_crash_place *first = &finder->position->places[1];
    struct walk_history history = {.count = 0};
    uint64_t base;
    uint32_t rem = finder->rem[2];
    if (!read_wide(finder->crash, GPUCODE_CRASH_IB2_BASE, &base) || !base)
        return;
    bool found = false;
    for (unsigned i = outer->count; i-- > 0 && !found;) {
        uint32_t now = i + 1 == outer->count ? first->next : outer->call[i].words;
        found = find_in(finder, outer, i, base, now, &history) && history.call[history.count - 1].end <= now;
    }
    for (unsigned i = outer->count; i-- > 0 && !found;)
        found = find_in(finder, outer, i, base, 0, &history);
    int index = found ? find_read(finder, &history, &rem) : -1;
    if (index < 0) {
        guess_place(finder, 2);
        return;
    }
    set_place(&finder->position->places[2], &history, index, rem);
    if (history.call[index].owner + 1 < outer->count)
        set_place(first, outer, (int)history.call[index].owner, 0);
}

/* --- the packet -------------------------------------------------------------------------------------------------- */

static bool find_packet(struct finder *finder, unsigned level, struct walk_packet *packet)
{
    struct gpucode_crash_place *place = &finder->position->places[level];
    struct walk_words words = {
        .crash = finder->crash, .address = place->buffer, .words = place->words, .count = place->words};
    uint32_t at = place->next - 1;
    if (!place->known || (level && !place->next))
        return false;
    if (!level) {
        words = finder->line;
        at = count_taken(finder) - 1;
    }
    if (!walk_find_packet(&words, at, packet))
        return false;
    place->has_packet = true;
    place->word = level ? packet->index : (words.from + packet->index) % words.words;
    place->header = packet->header;
    return true;
}

static unsigned deepest_level(const struct finder *finder)
{
    return finder->rem[2] ? GPUCODE_CRASH_IB2 : finder->rem[1] ? GPUCODE_CRASH_IB1 : GPUCODE_CRASH_RB;
}

static void find_level(struct finder *finder)
{
    static const enum gpucode_crash_level later[] = {GPUCODE_CRASH_RB,  GPUCODE_CRASH_IB1, GPUCODE_CRASH_IB2,
                                                     GPUCODE_CRASH_IB3, GPUCODE_CRASH_SDS, GPUCODE_CRASH_SDS,
                                                     GPUCODE_CRASH_SDS, GPUCODE_CRASH_SDS};
    static const enum gpucode_crash_level a6xx[] = {GPUCODE_CRASH_RB, GPUCODE_CRASH_IB1, GPUCODE_CRASH_IB2,
                                                    GPUCODE_CRASH_SDS};
    struct gpucode_crash_position *position = finder->position;
    uint32_t told = gpucode_crash_word(&finder->stat, STAT_LEVEL) & 7;
    if (!finder->has_stat)
        position->level = deepest_level(finder);
    else
        position->level = crash_is(finder->crash, "a6xx") ? a6xx[told & 3] : later[told];
    if (position->level <= GPUCODE_CRASH_IB2)
        position->place = &position->places[position->level];
}

/* --- what the SQE says ------------------------------------------------------------------------------------------- */

bool gpucode_crash_handler(const uint32_t handlers[128], uint32_t pc, struct gpucode_crash_handler *handler)
{
    unsigned most = 0;
    uint32_t frequent = 0;
    if (!handlers || !handler)
        return false;
    *handler = (struct gpucode_crash_handler){0};
    for (unsigned i = 0; i < 128; i++) {
        unsigned same = 0;
        for (unsigned k = 0; k < 128; k++)
            same += handlers[k] == handlers[i];
        if (same > most) {
            most = same;
            frequent = handlers[i];
        }
        if (handlers[i] && handlers[i] <= pc && handlers[i] > handler->start)
            handler->start = handlers[i];
    }
    handler->unknown = handler->start && most >= 16 && handler->start == frequent;
    return handler->start != 0;
}

static void find_handler(struct finder *finder, const uint32_t handlers[128])
{
    struct gpucode_crash_position *position = finder->position;
    struct gpucode_crash_handler handler = {0};
    position->has_handler = gpucode_crash_handler(handlers, position->pc, &handler);
    position->handler = handler.start;
    position->unknown = handler.unknown;
}

static bool handles(const struct gpucode_crash_position *position, const uint32_t handlers[128])
{
    struct gpucode_packet_header parts = gpucode_packet_header(position->header);
    if (!walk_packet_words(position->header))
        return position->unknown;
    return handlers[parts.type == 4 ? 4 : parts.number & 127] == position->handler;
}

static void confirm(struct finder *finder, const struct walk_packet *packet, const uint32_t *handlers)
{
    struct gpucode_crash_position *position = finder->position;
    const struct gpucode_crash_words *stat = &finder->stat;
    unsigned asked = 0, good = 0;
    if (finder->has_stat && position->place) {
        asked |= GPUCODE_CRASH_BY_HEADER | GPUCODE_CRASH_BY_LEVEL;
        if (packet && packet->before == 2)
            asked |= GPUCODE_CRASH_BY_PREVIOUS;
        if (packet && position->header == gpucode_crash_word(stat, STAT_HEADER))
            good |= GPUCODE_CRASH_BY_HEADER;
        if (packet && packet->before == 2 && packet->previous[0] == gpucode_crash_word(stat, STAT_PREVIOUS) &&
            packet->previous[1] == gpucode_crash_word(stat, STAT_PREVIOUS + 1))
            good |= GPUCODE_CRASH_BY_PREVIOUS;
        if (position->level == deepest_level(finder))
            good |= GPUCODE_CRASH_BY_LEVEL;
    }
    if (handlers && position->has_pc && position->has_header) {
        asked |= GPUCODE_CRASH_BY_HANDLER;
        if (position->has_handler && handles(position, handlers))
            good |= GPUCODE_CRASH_BY_HANDLER;
    }
    position->asked = asked;
    position->confirmed = good;
}

/* Where the header in $01 stands, when it is not where the registers say: the nearest before that place. */
static void find_elsewhere(struct finder *finder)
{
    struct gpucode_crash_position *position = finder->position;
    const struct gpucode_crash_place *place = position->place;
    uint32_t wanted = gpucode_crash_word(&finder->stat, STAT_HEADER), header, size;
    if (!finder->has_stat || !place || !place->known || position->confirmed & GPUCODE_CRASH_BY_HEADER || !wanted ||
        position->level == GPUCODE_CRASH_RB)
        return;
    struct walk_words words = {
        .crash = finder->crash, .address = place->buffer, .words = place->words, .count = place->words};
    for (uint32_t at = 0; at < place->next && walk_word(&words, at, &header); at += size) {
        size = walk_step(&words, at, header, walk_packet_words(header));
        if (header != wanted)
            continue;
        position->elsewhere = true;
        position->elsewhere_buffer = place->buffer;
        position->elsewhere_word = at;
    }
}

/* Does a buffer that was read to its end close with a packet that goes on after it, or with a word that is not a
 * packet? The command processor gets past neither. */
static bool is_stuck(const struct finder *finder, unsigned level)
{
    const struct gpucode_crash_place *place = &finder->position->places[level];
    uint32_t size = walk_packet_words(place->header);
    return place->has_packet && place->next == place->words && (!size || size > place->words - place->word);
}

/* a5xx does not tell the level. A buffer of which no words are left may still be the one in hand. */
static void sink_level(const struct finder *finder)
{
    struct gpucode_crash_position *position = finder->position;
    while (position->level < GPUCODE_CRASH_IB2 && is_stuck(finder, position->level + 1))
        position->place = &position->places[++position->level];
}

/* The packet in hand at each level; that of the position's own, or null. */
static const struct walk_packet *find_packets(struct finder *finder)
{
    const struct gpucode_crash_position *position = finder->position;
    struct walk_history history = {.count = 0};
    const struct walk_packet *found = NULL;
    if (find_ring(finder))
        find_line(finder);
    find_first(finder, &history);
    find_second(finder, &history);
    bool has[3];
    for (unsigned level = 0; level < 3; level++)
        has[level] = find_packet(finder, level, &finder->packets[level]);
    if (crash_is(finder->crash, "a5xx"))
        sink_level(finder);
    for (unsigned level = 0; level < 3; level++)
        if (has[level] && position->place == &position->places[level])
            found = &finder->packets[level];
    return found;
}

bool gpucode_crash_position(const struct gpucode_crash *crash, struct gpucode_crash_position *position)
{
    struct finder finder = {.crash = crash, .position = position};
    struct gpucode_crash_block stat;
    uint32_t handlers[128];
    if (!crash || !position || !read_rem(&finder, 1, GPUCODE_CRASH_IB1_REM, GPUCODE_CRASH_IB1_AVAIL))
        return false;
    *position = (struct gpucode_crash_position){0};
    read_rem(&finder, 2, GPUCODE_CRASH_IB2_REM, GPUCODE_CRASH_IB2_AVAIL);
    finder.has_stat = gpucode_crash_find_block(crash, "SQE_STAT", &stat) && stat.data.count;
    if (finder.has_stat)
        finder.stat = stat.data;
    find_level(&finder);
    const struct walk_packet *packet = find_packets(&finder);
    position->has_header = packet || (!position->place && finder.has_stat);
    position->header = packet ? packet->header : gpucode_crash_word(&finder.stat, STAT_HEADER);
    position->has_pc = finder.has_stat;
    position->pc = gpucode_crash_word(&finder.stat, STAT_PC);
    bool table = gpucode_crash_table(crash, handlers);
    if (table && position->has_pc)
        find_handler(&finder, handlers);
    confirm(&finder, packet, table ? handlers : NULL);
    find_elsewhere(&finder);
    return true;
}
