/* SPDX-License-Identifier: MIT */
/*
 * The submits of a ring, how far each of them came, and the way through their buffers to the packet in hand. That a
 * submit ends with a packet that writes its fence: msm_gpu's a5xx_submit(), a6xx_submit() and a7xx_submit(), KGSL's
 * addcmds.
 */
#include "pm4/crash/walk.h"

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

/* --- the way to the packet in hand ---------------------------------------------------------------------------------
 */

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

/* --- how far they came ---------------------------------------------------------------------------------------------
 */

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

/* --- all rings -----------------------------------------------------------------------------------------------------
 */

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
