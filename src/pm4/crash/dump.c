/* SPDX-License-Identifier: MIT */
/* What all readers of dumps need (lists, texts, warnings), and what was read: memory, items by number. */
#include "pm4/crash/dump.h"

#include "base/text.h"
#include "crash_messages.h"
#include "pm4/gzip/loader.h"

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

static void memory_index(struct gpucode_crash *crash)
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

/* Opening a dump. */

static int compare_registers(const void *left, const void *right)
{
    const struct gpucode_crash_register *const *a = left, *const *b = right;
    if ((*a)->number != (*b)->number)
        return (*a)->number < (*b)->number ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

/* One row for each number; of several in the file the last. */
static void sort_registers(struct gpucode_crash *crash)
{
    size_t count = crash->registers.count;
    const struct gpucode_crash_register **order = calloc(count + 1, sizeof *order);
    crash->sorted = calloc(count + 1, sizeof *crash->sorted);
    crash->no_memory |= !order || !crash->sorted;
    for (size_t i = 0; i < count && !crash->no_memory; i++)
        order[i] = DUMP_ITEM(crash->registers, struct gpucode_crash_register, i);
    if (!crash->no_memory)
        qsort(order, count, sizeof *order, compare_registers);
    for (size_t i = 0; i < count && !crash->no_memory; i++)
        if (i + 1 == count || order[i + 1]->number != order[i]->number)
            crash->sorted[crash->sorted_count++] = *order[i];
    free(order);
}

static void mark_rings(struct gpucode_crash *crash)
{
    uint32_t number = gpucode_crash_number(crash, GPUCODE_CRASH_RB_BASE), low, high;
    if (!number || !gpucode_crash_read(crash, number, &low) || !gpucode_crash_read(crash, number + 1, &high))
        return;
    for (size_t i = 0; i < crash->rings.count; i++) {
        struct gpucode_crash_ring *ring = DUMP_ITEM(crash->rings, struct gpucode_crash_ring, i);
        ring->current = ring->iova == ((uint64_t)high << 32 | low);
    }
}

/* Where the fault lies, seen from the buffers. */
static void mark_buffers(struct gpucode_crash *crash)
{
    uint64_t at = crash->fault.iova;
    for (size_t i = 0; i < crash->buffers.count && crash->has_fault; i++) {
        struct gpucode_crash_buffer *buffer = DUMP_ITEM(crash->buffers, struct gpucode_crash_buffer, i);
        if (at < buffer->iova)
            continue;
        uint64_t distance = at - buffer->iova;
        if (distance < buffer->size)
            buffer->mark = GPUCODE_CRASH_INSIDE;
        else if (distance - buffer->size < buffer->size)
            buffer->mark = GPUCODE_CRASH_BEHIND;
    }
}

static enum gpucode_status read_dump(struct loader *loader)
{
    struct gpucode_crash *crash = (struct gpucode_crash *)loader;
    crash->text = (const char *)loader->bytes;
    crash->size = loader->size;
    memset(crash->history, -1, sizeof crash->history);
    if (!(snapshot_recognise(crash->text, crash->size) ? snapshot_read(crash) : devcore_read(crash))) {
        loader_report(loader, MSG_CRASH_UNKNOWN);
        return GPUCODE_ERROR_INPUT;
    }
    gpu_identify(crash);
    sort_registers(crash);
    if (!crash->no_memory) {
        mark_rings(crash);
        mark_buffers(crash);
        memory_index(crash);
        hfi_read(crash);
        controls_read(crash);
        pool_read(crash);
        work_read(crash);
        reuse_find(crash);
    }
    if (crash->warnings > DUMP_WARNINGS_MAX)
        loader_report(loader, MSG_CRASH_WARNINGS, crash->warnings - DUMP_WARNINGS_MAX);
    return crash->no_memory ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}

static void release_dump(struct loader *loader)
{
    struct gpucode_crash *crash = (struct gpucode_crash *)loader;
    free(crash->rings.items);
    free(crash->buffers.items);
    free(crash->blocks.items);
    free(crash->sections.items);
    free(crash->registers.items);
    free(crash->sorted);
    free(crash->spans);
    free(crash->gmu.items);
    free(crash->controls.items);
    free(crash->message_queues.items);
    free(crash->messages.items);
    free(crash->queues.items);
    free(crash->submits.items);
    free(crash->reuses.items);
    free(crash->mappings.items);
    for (size_t i = 0; i < sizeof crash->writes / sizeof *crash->writes; i++)
        free(crash->writes[i].items);
}

static const struct loader_kind dumps = {
    sizeof(struct gpucode_crash), MSG_CRASH_LARGE, MSG_CRASH_DAMAGED, read_dump, release_dump,
};

enum gpucode_status gpucode_crash_open(const void *bytes, size_t size, const struct gpucode_crash_options *options,
                                       struct gpucode_crash **out)
{
    struct loader *loader = NULL;
    /* a file of two megabytes may decompress to a thousand times as much, and what is written of it is in memory too */
    size_t limit = gzip_is(bytes, size) ? GPUCODE_CRASH_SIZE_MAX / 4 : GPUCODE_CRASH_SIZE_MAX;
    struct loader_file file = {.bytes = bytes, .size = size, .limit = limit};
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    if (options) {
        file.limit = options->limit ? options->limit : file.limit;
        file.name = options->file_name;
        file.on_diagnostic = options->on_diagnostic;
    }
    enum gpucode_status status = loader_open(&dumps, &file, &loader);
    *out = (struct gpucode_crash *)loader;
    return status;
}

void gpucode_crash_free(struct gpucode_crash *crash)
{
    loader_close(&dumps, crash ? &crash->loader : NULL);
}

bool gpucode_crash_recognise(const void *bytes, size_t size)
{
    struct inflated inflated;
    if (!bytes)
        return false;
    if (gzip_inflate(bytes, size < 4096 ? size : 4096, (size_t)1 << 24, &inflated) != GPUCODE_OK) {
        free(inflated.bytes);
        return false;
    }
    const char *text = inflated.bytes ? (const char *)inflated.bytes : bytes;
    size_t length = inflated.bytes ? inflated.length : size;
    bool known = snapshot_recognise(text, length) || devcore_recognise(text, length);
    free(inflated.bytes);
    return known;
}
