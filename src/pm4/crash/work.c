/* SPDX-License-Identifier: MIT */
/*
 * The submits of a ring, how far each of them came, and the way through their buffers to the packet in hand. That a
 * submit ends with a packet that writes its fence: msm_gpu's a5xx_submit(), a6xx_submit() and a7xx_submit(), KGSL's
 * addcmds.
 */
#include "pm4/crash/walk.h"

#include <stdlib.h>
#include <string.h>

#define CP_EVENT_WRITE 0x46
#define INTERRUPT (1u << 31) /* of its first word */

struct worker {
    struct gpucode_crash *crash;
    const struct gpucode_crash_ring *ring;
    size_t index;         /* of the ring */
    uint64_t from, count; /* the ring's packets */
    bool located;
    struct gpucode_crash_position position;
    size_t first; /* its first submit */
};

/* The first words of the packet at a place of the ring, counted from the oldest one. */
static void read_first(const struct worker *worker, uint64_t at, uint32_t first[4])
{
    const struct gpucode_crash_words *data = &worker->ring->data;
    for (uint64_t i = 0; i < 4; i++)
        first[i] = at + i < worker->count ? gpucode_crash_word(data, (worker->from + at + i) % data->size) : 0;
}

static bool read_fence(const struct worker *worker, const uint32_t first[4], uint64_t at, uint32_t *fence)
{
    struct walk_shape shape = walk_shape(worker->crash, first[0]);
    uint32_t last[4], place = worker->crash->old ? 3 : 4;
    if (shape.opcode != CP_EVENT_WRITE || shape.words <= place || !(first[1] & INTERRUPT) ||
        at + place >= worker->count)
        return false;
    read_first(worker, at + place, last);
    *fence = last[0];
    return true;
}

static uint64_t step_of(const struct worker *worker, const uint32_t first[4], uint64_t at)
{
    return walk_ring_step(worker->ring, (worker->from + at) % worker->ring->data.size,
                          walk_shape(worker->crash, first[0]).words);
}

/* --- apart -------------------------------------------------------------------------------------------------------- */

static void add_submit(struct worker *worker, uint64_t begin, uint64_t end, const uint32_t *fence)
{
    uint64_t from = (worker->from + begin) % worker->ring->data.size;
    struct gpucode_crash_submit *submit =
        end > begin ? dump_add(worker->crash, &worker->crash->submits, sizeof *submit) : NULL;
    if (submit)
        *submit = (struct gpucode_crash_submit){
            .ring = worker->index,
            .address = worker->ring->iova + 4 * from,
            .from = (uint32_t)from,
            .words = (uint32_t)(end - begin),
            .has_fence = fence != NULL,
            .fence = fence ? *fence : 0,
        };
}

static bool has_fences(const struct worker *worker)
{
    uint32_t first[4], fence;
    for (uint64_t at = 0; at < worker->count; at += step_of(worker, first, at)) {
        read_first(worker, at, first);
        if (read_fence(worker, first, at, &fence))
            return true;
    }
    return false;
}

/* What comes after the last fence and calls nothing belongs to the last submit. */
static void add_rest(struct worker *worker, uint64_t begin, bool called)
{
    struct list *submits = &worker->crash->submits;
    if (!called && submits->count > worker->first)
        DUMP_ITEM(*submits, struct gpucode_crash_submit, submits->count - 1)->words +=
            (uint32_t)(worker->count - begin);
    else
        add_submit(worker, begin, worker->count, NULL);
}

static void find_submits(struct worker *worker)
{
    uint64_t begin = 0;
    uint32_t first[4], fence;
    struct walk_target target;
    bool fences = has_fences(worker), called = false;
    for (uint64_t at = 0; at < worker->count;) {
        read_first(worker, at, first);
        bool ends = read_fence(worker, first, at, &fence), call = walk_target(worker->crash, first, &target);
        if (!fences && call && called) {
            add_submit(worker, begin, at, NULL);
            begin = at;
        }
        called |= call;
        at += step_of(worker, first, at);
        if (ends) {
            add_submit(worker, begin, at < worker->count ? at : worker->count, &fence);
            begin = at;
            called = false;
        }
    }
    if (begin < worker->count)
        add_rest(worker, begin, called);
}

/* --- the way to the packet in hand -------------------------------------------------------------------------------- */

/* The last call of a buffer among the packets up to word `last`; false: there is none. */
static bool find_call(struct walk_words words, uint32_t last, uint64_t buffer, uint32_t *found)
{
    uint32_t first[4];
    struct walk_target target;
    bool any = false;
    for (uint32_t at = 0; at <= last && walk_word(&words, at, &first[0]);) {
        for (uint32_t i = 1; i < 4; i++)
            if (!walk_word(&words, at + i, &first[i]))
                first[i] = 0;
        if (walk_target(words.crash, first, &target) && target.address == buffer) {
            *found = at;
            any = true;
        }
        at += walk_step(&words, at, first[0], walk_shape(words.crash, first[0]).words);
    }
    return any;
}

/* The level whose packet is looked for: of draw-state groups and IB3 the one that they were called from. */
static unsigned level_of(const struct gpucode_crash_position *position)
{
    const struct gpucode_crash_place *second = &position->places[2];
    if (position->level <= GPUCODE_CRASH_IB2)
        return position->level;
    return second->has_packet && second->next < second->words ? 2 : position->places[1].has_packet ? 1 : 0;
}

/* Adds the packet of one level, or the one that calls the next level's buffer. False: the way ends there. */
static bool add_step(const struct worker *worker, struct gpucode_crash_path *path, unsigned level, unsigned deepest)
{
    const struct gpucode_crash_place *place = &worker->position.places[level];
    struct walk_words words = {.crash = worker->crash, .address = place->buffer, .words = place->words};
    uint32_t at = place->word, size = (uint32_t)worker->ring->data.size;
    uint64_t base = place->buffer;
    if (!place->has_packet)
        return false;
    if (!level) {
        words.from = (uint32_t)worker->from;
        base += 4 * worker->from;
        at = (uint32_t)((at + (uint64_t)size - worker->from) % size);
    }
    words.count = level ? place->words : (uint32_t)worker->count;
    if (at >= words.count)
        return false;
    bool called = level == deepest || find_call(words, at, worker->position.places[level + 1].buffer, &at);
    path->packets[path->count++] = base + 4 * (uint64_t)at;
    return called;
}

static void find_path(struct worker *worker)
{
    struct gpucode_crash_path *path = &worker->crash->path;
    unsigned deepest = level_of(&worker->position), level = 0;
    *path = (struct gpucode_crash_path){.count = 0};
    while (level <= deepest && add_step(worker, path, level, deepest))
        level++;
    path->whole = level > deepest && worker->position.level <= GPUCODE_CRASH_IB2;
    worker->crash->has_path = path->count != 0;
}

/* --- how far they came -------------------------------------------------------------------------------------------- */

/* The word of the ring that is in hand, counted from the oldest one; by the driver's notes where nothing else tells. */
static uint64_t hand_of(const struct worker *worker)
{
    uint64_t size = worker->ring->data.size;
    if (worker->ring->current && worker->crash->has_path)
        return (worker->crash->path.packets[0] - worker->ring->iova) / 4 - worker->from;
    uint64_t read = (worker->ring->rptr % size + size - worker->from) % size;
    return read ? read - 1 : worker->ring->rptr % size == worker->ring->wptr % size ? worker->count : 0;
}

/* Is nothing left to read, of the ring and the buffers? */
static bool is_drained(const struct worker *worker)
{
    const struct gpucode_crash_ring *ring = worker->ring;
    uint64_t size = ring->data.size, next = ring->rptr % size;
    bool left = ring->last_fence != ring->retired_fence;
    if (ring->current && worker->located) {
        next = worker->position.places[0].next;
        for (unsigned i = 1; i < 3; i++)
            left |= worker->position.places[i].next < worker->position.places[i].words;
    }
    return !left && next == ring->wptr % size;
}

/* Snapshots of KGSL have other numbers in their fences; there as many of the last ones run as timestamps are open. */
static bool is_retired(const struct worker *worker, const struct gpucode_crash_submit *submit, size_t fences_after)
{
    uint32_t open = worker->ring->last_fence - worker->ring->retired_fence;
    return worker->crash->head.format == GPUCODE_CRASH_KGSL
               ? fences_after >= open
               : (int32_t)(submit->fence - worker->ring->retired_fence) <= 0;
}

static void find_states(struct worker *worker)
{
    struct gpucode_crash *crash = worker->crash;
    uint64_t hand = hand_of(worker), size = worker->ring->data.size;
    bool drained = is_drained(worker);
    size_t fences = 0;
    for (size_t i = crash->submits.count; i-- > worker->first;) {
        struct gpucode_crash_submit *submit = DUMP_ITEM(crash->submits, struct gpucode_crash_submit, i);
        uint64_t begin = (submit->from + size - worker->from) % size, end = begin + submit->words;
        bool done = submit->has_fence ? is_retired(worker, submit, fences) : end <= hand || (drained && begin <= hand);
        submit->state = done ? GPUCODE_CRASH_FINISHED : begin <= hand ? GPUCODE_CRASH_RUNNING : GPUCODE_CRASH_PENDING;
        fences += submit->has_fence;
        if (!worker->ring->current || !crash->has_path || begin > hand || hand >= end)
            continue;
        crash->path.submit = i;
        crash->path.packets[0] = submit->address + 4 * (hand - begin);
    }
}

/* --- all rings ---------------------------------------------------------------------------------------------------- */

/*
 * In a ring with something that is not a packet, words cannot be counted back from its end. Where that is what the
 * command processor has in hand, they can be counted back from there.
 */
static bool find_packets(struct worker *worker)
{
    const struct gpucode_crash_place *place = &worker->position.places[0];
    const struct gpucode_crash_ring *ring = worker->ring;
    if (!gpucode_crash_ring_packets(ring, &worker->from, &worker->count))
        return false;
    bool bad = worker->located && ring->current && place->has_packet && !walk_packet_words(place->header);
    struct gpucode_crash_ring before = *ring;
    uint64_t from, words;
    before.wptr = place->word;
    if (!bad || !gpucode_crash_ring_packets(&before, &from, &words) || !words || (!from && words == place->word))
        return true;
    uint64_t count = words + (ring->wptr % ring->data.size + ring->data.size - place->word) % ring->data.size;
    if (count <= ring->data.size) {
        worker->from = from;
        worker->count = count;
    }
    return true;
}

void work_read(struct gpucode_crash *crash)
{
    struct worker worker = {.crash = crash};
    worker.located = gpucode_crash_position(crash, &worker.position);
    for (size_t i = 0; i < crash->rings.count && !crash->no_memory; i++) {
        worker.index = i;
        worker.ring = DUMP_ITEM(crash->rings, struct gpucode_crash_ring, i);
        worker.first = crash->submits.count;
        if (!find_packets(&worker))
            continue;
        find_submits(&worker);
        if (worker.ring->current && worker.located && !crash->has_path)
            find_path(&worker);
        find_states(&worker);
    }
}

bool gpucode_crash_path(const struct gpucode_crash *crash, struct gpucode_crash_path *path)
{
    if (!crash || !path || !crash->has_path)
        return false;
    *path = crash->path;
    return true;
}

/*
 * Memory of finished submits that was used again since. Submits are looked at from the newest one back: memory that a
 * later one runs packets from, or where packets do not stand any more, holds something else than the finished one ran.
 */

#define CP_SET_DRAW_STATE 0x43
#define DEPTH_MAX 4

/* Addresses, sorted, without overlaps. */
struct range {
    uint64_t start, end;
};

struct finder {
    struct gpucode_crash *crash;
    struct list later, own; /* ranges: of the submits after this one, and of this one */
    size_t submit;
    bool finished;
    uint64_t budget; /* words; buffers that call one another without end are given up */
};

/* The first range that ends after an address. */
static size_t range_after(const struct list *ranges, uint64_t address)
{
    size_t low = 0, high = ranges->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (DUMP_ITEM(*ranges, struct range, middle)->end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool overlaps(const struct list *ranges, struct range range)
{
    size_t at = range_after(ranges, range.start);
    return at < ranges->count && DUMP_ITEM(*ranges, struct range, at)->start < range.end;
}

static bool contains(const struct list *ranges, struct range range)
{
    size_t at = range_after(ranges, range.start);
    const struct range *found = at < ranges->count ? DUMP_ITEM(*ranges, struct range, at) : NULL;
    return found && found->start <= range.start && range.end <= found->end;
}

/* Ranges that touch join, so that neighbours are one. */
static void add_range(struct finder *finder, struct list *ranges, struct range range)
{
    size_t at = range_after(ranges, range.start ? range.start - 1 : 0), end = at;
    struct range *items;
    for (; end < ranges->count && DUMP_ITEM(*ranges, struct range, end)->start <= range.end; end++) {
        const struct range *old = DUMP_ITEM(*ranges, struct range, end);
        range.start = old->start < range.start ? old->start : range.start;
        range.end = old->end > range.end ? old->end : range.end;
    }
    if (end == at && !dump_add(finder->crash, ranges, sizeof range))
        return;
    items = ranges->items;
    if (end == at) {
        memmove(&items[at + 1], &items[at], (ranges->count - 1 - at) * sizeof range);
    } else {
        memmove(&items[at + 1], &items[end], (ranges->count - end) * sizeof range);
        ranges->count -= end - at - 1;
    }
    items[at] = range;
}

static uint32_t span_word(const struct dump_span *span, uint64_t address, uint64_t index)
{
    return gpucode_crash_word(span->data, (address - span->start) / 4 + index);
}

/* Are these words packets, from the first to the last? */
static bool are_packets(const struct finder *finder, const struct dump_span *span, struct range range)
{
    uint64_t words = (range.end - range.start) / 4, at = 0;
    while (at < words) {
        uint32_t size = walk_shape(finder->crash, span_word(span, range.start, at)).words;
        if (!size)
            return false;
        at += size;
    }
    return at == words;
}

static void visit(struct finder *finder, uint64_t address, uint32_t words, unsigned depth);

static void visit_groups(struct finder *finder, const struct dump_span *span, struct range range, uint64_t at,
                         uint32_t size, unsigned depth)
{
    for (uint32_t i = 1; i + 2 < size; i += 3) {
        uint32_t head = span_word(span, range.start, at + i), low = span_word(span, range.start, at + i + 1);
        uint64_t high = span_word(span, range.start, at + i + 2);
        if (head & 0xffff)
            visit(finder, high << 32 | low, head & 0xffff, depth + 1);
    }
}

static void visit_packets(struct finder *finder, const struct dump_span *span, struct range range, unsigned depth)
{
    uint64_t words = (range.end - range.start) / 4;
    uint32_t first[4];
    struct walk_target target;
    for (uint64_t at = 0; at < words && finder->budget;) {
        for (unsigned i = 0; i < 4; i++)
            first[i] = at + i < words ? span_word(span, range.start, at + i) : 0;
        struct walk_shape shape = walk_shape(finder->crash, first[0]);
        if (!shape.words)
            return;
        if (walk_target(finder->crash, first, &target))
            visit(finder, target.address, target.words, depth + 1);
        else if (shape.opcode == CP_SET_DRAW_STATE && !finder->crash->old)
            visit_groups(finder, span, range, at, shape.words, depth);
        at += shape.words;
        finder->budget--;
    }
}

/* What a submit runs from memory. Rings do not count: they are read once around, and what is there is in order. */
static void visit(struct finder *finder, uint64_t address, uint32_t words, unsigned depth)
{
    const struct dump_span *span = memory_span(finder->crash, address);
    struct range range = {address, address + 4 * (uint64_t)words};
    if (!words || range.end < range.start || !span || depth > DEPTH_MAX || contains(&finder->own, range))
        return;
    if (range.end > span->start + span->bytes)
        range.end = span->start + span->bytes;
    if (finder->finished && (overlaps(&finder->later, range) || !are_packets(finder, span, range))) {
        struct gpucode_crash_reuse *reuse = dump_add(finder->crash, &finder->crash->reuses, sizeof *reuse);
        if (reuse)
            *reuse = (struct gpucode_crash_reuse){finder->submit, range.start, range.end - range.start};
        return;
    }
    add_range(finder, &finder->own, range);
    visit_packets(finder, span, range, depth);
}

static void visit_ring(struct finder *finder, const struct gpucode_crash_submit *submit)
{
    const struct gpucode_crash_ring *ring = DUMP_ITEM(finder->crash->rings, struct gpucode_crash_ring, submit->ring);
    uint32_t first[4];
    struct walk_target target;
    for (uint64_t at = 0; at < submit->words;) {
        uint64_t index = (submit->from + at) % ring->data.size;
        for (unsigned i = 0; i < 4; i++)
            first[i] = gpucode_crash_word(&ring->data, (index + i) % ring->data.size);
        struct walk_shape shape = walk_shape(finder->crash, first[0]);
        if (at + shape.words <= submit->words && walk_target(finder->crash, first, &target))
            visit(finder, target.address, target.words, 1);
        at += walk_ring_step(ring, index, shape.words);
    }
}

/* Those that had not finished come last of all rings. */
static void visit_submits(struct finder *finder, bool finished)
{
    for (size_t i = finder->crash->submits.count; i-- > 0 && !finder->crash->no_memory;) {
        const struct gpucode_crash_submit *submit = DUMP_ITEM(finder->crash->submits, struct gpucode_crash_submit, i);
        if ((submit->state == GPUCODE_CRASH_FINISHED) != finished)
            continue;
        finder->submit = i;
        finder->finished = finished;
        finder->own.count = 0;
        visit_ring(finder, submit);
        for (size_t k = 0; k < finder->own.count; k++)
            add_range(finder, &finder->later, *DUMP_ITEM(finder->own, struct range, k));
    }
}

void reuse_find(struct gpucode_crash *crash)
{
    struct finder finder = {.crash = crash, .budget = 1u << 18};
    bool any = false;
    for (size_t i = 0; i < crash->submits.count; i++)
        any |= DUMP_ITEM(crash->submits, struct gpucode_crash_submit, i)->state == GPUCODE_CRASH_FINISHED;
    for (size_t i = 0; i < crash->span_count; i++)
        finder.budget += 4 * crash->spans[i].data->count;
    if (any) {
        visit_submits(&finder, false);
        visit_submits(&finder, true);
    }
    free(finder.later.items);
    free(finder.own.items);
}
