/* SPDX-License-Identifier: MIT */
/* Opening a dump, and telling what it has. */
#include "pm4/crash/dump.h"
#include "pm4/gzip/inflate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WARNINGS_MAX 12

void *dump_add(struct gpucode_crash *crash, struct dump_list *list, size_t size)
{
    if (list->count == list->room) {
        size_t room = list->room ? list->room * 2 : 16;
        void *items = room <= SIZE_MAX / 2 / size ? realloc(list->items, room * size) : NULL;
        if (!items) {
            crash->no_memory = true;
            return NULL;
        }
        list->items = items;
        list->room = room;
    }
    void *item = (char *)list->items + list->count++ * size;
    memset(item, 0, size);
    return item;
}

void dump_report(const struct gpucode_crash *crash, const char *at, enum message message, va_list args)
{
    struct place place = {.file = crash->file_name};
    if (at && crash->head.format == GPUCODE_CRASH_DEVCOREDUMP) {
        place.text = crash->text;
        place.length = crash->size;
        place.at = at;
    }
    report_v(&crash->on_diagnostic, &place, message, NULL, args);
}

static void report_plainly(const struct gpucode_crash *crash, enum message message, ...)
{
    va_list args;
    va_start(args, message);
    dump_report(crash, NULL, message, args);
    va_end(args);
}

void dump_warn(struct gpucode_crash *crash, const char *at, enum message message, ...)
{
    va_list args;
    if (crash->warnings++ >= WARNINGS_MAX)
        return;
    va_start(args, message);
    dump_report(crash, at, message, args);
    va_end(args);
}

const char *dump_text(struct gpucode_crash *crash, const char *text, size_t length)
{
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || !text[length - 1]))
        length--;
    if (!length)
        return NULL;
    const char *copy = arena_copy(&crash->arena, text, length);
    crash->no_memory |= !copy;
    return copy;
}

bool crash_is(const struct gpucode_crash *crash, const char *generation)
{
    return crash->head.generation && strcmp(crash->head.generation, generation) == 0;
}

/* --- opening --------------------------------------------------------------------------------------------- */

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

static enum gpucode_status read_dump(struct gpucode_crash *crash, size_t limit)
{
    struct inflated inflated;
    enum gpucode_status status = gzip_inflate(crash->text, crash->size, limit, &inflated);
    crash->inflated = inflated.bytes;
    if (inflated.large)
        report_plainly(crash, MSG_CRASH_LARGE, limit);
    if (status != GPUCODE_OK)
        return status;
    if (inflated.bytes) {
        crash->text = (const char *)inflated.bytes;
        crash->size = inflated.length;
    }
    if (inflated.damaged)
        dump_warn(crash, NULL, MSG_CRASH_DAMAGED, inflated.length);
    if (!(snapshot_recognise(crash->text, crash->size) ? snapshot_read(crash) : devcore_read(crash))) {
        report_plainly(crash, MSG_CRASH_UNKNOWN);
        return GPUCODE_ERROR_INPUT;
    }
    gpu_identify(crash);
    sort_registers(crash);
    if (!crash->no_memory) {
        mark_rings(crash);
        fault_mark_buffers(crash);
        memory_index(crash);
        hfi_read(crash);
        pool_read(crash);
    }
    if (crash->warnings > WARNINGS_MAX)
        report_plainly(crash, MSG_CRASH_WARNINGS, crash->warnings - WARNINGS_MAX);
    return crash->no_memory ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}

enum gpucode_status gpucode_crash_open(const void *bytes, size_t size, const struct gpucode_crash_options *options,
                                       struct gpucode_crash **out)
{
    static const struct gpucode_crash_options none = {0};
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!bytes && size)
        return GPUCODE_ERROR_ARGUMENT;
    if (!options)
        options = &none;
    struct gpucode_crash *crash = calloc(1, sizeof *crash);
    if (!crash)
        return GPUCODE_ERROR_MEMORY;
    crash->text = bytes;
    crash->size = size;
    crash->file_name = options->file_name;
    crash->on_diagnostic = options->on_diagnostic;
    memset(crash->history, -1, sizeof crash->history);
    enum gpucode_status status = read_dump(crash, options->limit ? options->limit : GPUCODE_CRASH_SIZE_MAX);
    /* neither is used any more, and both are the caller's */
    crash->file_name = NULL;
    crash->on_diagnostic = none.on_diagnostic;
    if (status == GPUCODE_OK)
        *out = crash;
    else
        gpucode_crash_free(crash);
    return status;
}

void gpucode_crash_free(struct gpucode_crash *crash)
{
    if (!crash)
        return;
    arena_free(&crash->arena);
    free(crash->inflated);
    free(crash->rings.items);
    free(crash->buffers.items);
    free(crash->blocks.items);
    free(crash->sections.items);
    free(crash->registers.items);
    free(crash->sorted);
    free(crash->spans);
    free(crash->messages.items);
    free(crash->queues.items);
    for (size_t i = 0; i < sizeof crash->writes / sizeof *crash->writes; i++)
        free(crash->writes[i].items);
    free(crash);
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

/* --- telling --------------------------------------------------------------------------------------------- */

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
TELL(message, messages, gpucode_crash_message)
TELL(queue, queues, gpucode_crash_queue)

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

void fault_mark_buffers(struct gpucode_crash *crash)
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
