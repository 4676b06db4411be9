/* SPDX-License-Identifier: MIT */
/* What all readers of dumps need (lists, texts, warnings), and what was read: memory, items by number. */
#include "pm4/crash/dump.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void *dump_add(struct gpucode_crash *crash, struct list *list, size_t size)
{
    void *item = list_add(list, size);
    crash->no_memory |= !item;
    return item;
}

void dump_warn(struct gpucode_crash *crash, const char *at, message_id message, ...)
{
    struct place place = {.file = crash->loader.file_name};
    va_list args;
    if (crash->warnings++ >= DUMP_WARNINGS_MAX)
        return;
    if (at && crash->head.format == GPUCODE_CRASH_DEVCOREDUMP) {
        place.text = crash->text;
        place.length = crash->size;
        place.at = at;
    }
    va_start(args, message);
    report_v(&crash->loader.on_diagnostic, &place, message, NULL, args);
    va_end(args);
}

const char *dump_text(struct gpucode_crash *crash, const char *text, size_t length)
{
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || !text[length - 1]))
        length--;
    if (!length)
        return NULL;
    const char *copy = arena_copy(&crash->loader.arena, text, length);
    crash->no_memory |= !copy;
    return copy;
}

bool crash_is(const struct gpucode_crash *crash, const char *generation)
{
    return crash->head.generation && strcmp(crash->head.generation, generation) == 0;
}

/* --- GPU memory --------------------------------------------------------------------------------------------------- */

/* What stands at a GPU address: contents of buffers and rings. */

static int compare_spans(const void *left, const void *right)
{
    const struct dump_span *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void add_span(struct gpucode_crash *crash, uint64_t start, uint64_t bytes,
                     const struct gpucode_crash_words *data)
{
    if (bytes && data->count && start <= UINT64_MAX - bytes)
        crash->spans[crash->span_count++] = (struct dump_span){start, bytes, data};
}

void memory_index(struct gpucode_crash *crash)
{
    crash->spans = calloc(crash->buffers.count + crash->rings.count + 1, sizeof *crash->spans);
    if (!crash->spans) {
        crash->no_memory = true;
        return;
    }
    for (size_t i = 0; i < crash->buffers.count; i++) {
        struct gpucode_crash_buffer *buffer = DUMP_ITEM(crash->buffers, struct gpucode_crash_buffer, i);
        add_span(crash, buffer->iova, buffer->size, &buffer->data);
    }
    for (size_t i = 0; i < crash->rings.count; i++) {
        struct gpucode_crash_ring *ring = DUMP_ITEM(crash->rings, struct gpucode_crash_ring, i);
        add_span(crash, ring->iova, ring->data.size <= UINT32_MAX ? ring->data.size * 4 : 0, &ring->data);
    }
    qsort(crash->spans, crash->span_count, sizeof *crash->spans, compare_spans);
}

/* How many spans begin at or before an address. */
static size_t spans_until(const struct gpucode_crash *crash, uint64_t address)
{
    size_t low = 0, high = crash->span_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (crash->spans[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct dump_span *memory_span(const struct gpucode_crash *crash, uint64_t address)
{
    size_t low = spans_until(crash, address);
    /* buffers of a real dump do not overlap; in a damaged one a long one may lie under some others */
    for (size_t steps = 0; low-- && steps < 16; steps++)
        if (address - crash->spans[low].start < crash->spans[low].bytes)
            return &crash->spans[low];
    return NULL;
}

/* Where the first span begins after an address: from there on it counts. */
static uint64_t next_start(const struct gpucode_crash *crash, uint64_t address)
{
    size_t low = spans_until(crash, address);
    return low < crash->span_count ? crash->spans[low].start : UINT64_MAX;
}

uint64_t memory_left_out(const struct gpucode_crash *crash, uint64_t address)
{
    const struct dump_span *span = memory_span(crash, address);
    if (!span || (address - span->start) / 4 < span->data->count)
        return 0;
    uint64_t left = span->bytes - (address - span->start), next = next_start(crash, address) - address;
    return (next < left ? next : left) / 4;
}

size_t gpucode_crash_load(const struct gpucode_crash *crash, uint64_t address, void *bytes, size_t size)
{
    size_t done = 0;
    while (crash && bytes && done < size) {
        const struct dump_span *span = memory_span(crash, address);
        if (!span)
            break;
        uint64_t at = address - span->start, left = span->bytes - at, next = next_start(crash, address) - address;
        left = next < left ? next : left;
        address += left;
        while (left && done < size) {
            uint32_t word = gpucode_crash_word(span->data, at / 4);
            bool whole = at % 4 == 0 && left >= 4 && size - done >= 4;
            words_of_memory(&word, whole);
            if (whole)
                memcpy((char *)bytes + done, &word, 4);
            else
                ((char *)bytes)[done] = (char)(word >> at % 4 * 8);
            done += whole ? 4 : 1;
            at += whole ? 4 : 1;
            left -= whole ? 4 : 1;
        }
    }
    return done;
}

/* --- what a dump has ---------------------------------------------------------------------------------------------- */

/* What a dump has. */

const struct gpucode_crash_head *gpucode_crash_head(const struct gpucode_crash *crash)
{
    return crash ? &crash->head : NULL;
}

#define TELL(name, member, type)                                                                                       \
    bool gpucode_crash_##name(const struct gpucode_crash *crash, size_t index, struct type *item)                      \
    {                                                                                                                  \
        if (!crash || !item || index >= crash->member.count)                                                           \
            return false;                                                                                              \
        *item = *DUMP_ITEM(crash->member, struct type, index);                                                         \
        return true;                                                                                                   \
    }
TELL(ring, rings, gpucode_crash_ring)
TELL(buffer, buffers, gpucode_crash_buffer)
TELL(block, blocks, gpucode_crash_block)
TELL(section, sections, gpucode_crash_section)
TELL(register, registers, gpucode_crash_register)
TELL(gmu_register, gmu, gpucode_crash_register)
TELL(control, controls, gpucode_crash_control)
TELL(message_queue, message_queues, gpucode_crash_message_queue)
TELL(queue, queues, gpucode_crash_queue)
TELL(submit, submits, gpucode_crash_submit)
TELL(reuse, reuses, gpucode_crash_reuse)
TELL(mapping, mappings, gpucode_crash_mapping)

bool gpucode_crash_queue_write(const struct gpucode_crash *crash, size_t queue, size_t entry,
                               struct gpucode_crash_write *write)
{
    if (!crash || !write || queue >= crash->queues.count || entry >= crash->writes[queue].count)
        return false;
    *write = *DUMP_ITEM(crash->writes[queue], struct gpucode_crash_write, entry);
    return true;
}

bool gpucode_crash_find_block(const struct gpucode_crash *crash, const char *name, struct gpucode_crash_block *block)
{
    for (size_t i = 0; name && gpucode_crash_block(crash, i, block); i++)
        if (strcmp(block->name, name) == 0)
            return true;
    return false;
}

bool gpucode_crash_read(const struct gpucode_crash *crash, uint32_t number, uint32_t *value)
{
    size_t low = 0, high = crash && value ? crash->sorted_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (crash->sorted[middle].number == number) {
            *value = crash->sorted[middle].value;
            return true;
        }
        if (crash->sorted[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool gpucode_crash_blob(const struct gpucode_crash *crash, const char *name, uint64_t *iova,
                        struct gpucode_crash_words *data)
{
    for (unsigned i = 0; crash && name && i < crash->blob_count; i++)
        if (strcmp(crash->blobs[i].name, name) == 0) {
            if (iova)
                *iova = crash->blobs[i].iova;
            if (data)
                *data = crash->blobs[i].data;
            return true;
        }
    return false;
}

bool gpucode_crash_fault(const struct gpucode_crash *crash, struct gpucode_crash_fault *fault)
{
    if (!crash || !fault || !crash->has_fault)
        return false;
    *fault = crash->fault;
    return true;
}
