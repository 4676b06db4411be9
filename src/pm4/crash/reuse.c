/* SPDX-License-Identifier: MIT */
/*
 * Memory of finished submits that was used again since. Submits are looked at from the newest one back: memory that a
 * later one runs packets from, or where packets do not stand any more, holds something else than the finished one ran.
 */
#include "pm4/crash/walk.h"

#include <stdlib.h>
#include <string.h>

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
