/* SPDX-License-Identifier: MIT */
/* Opening a dump. */
#include "crash_messages.h"
#include "pm4/crash/dump.h"
#include "pm4/gzip/loader.h"

#include <stdlib.h>
#include <string.h>

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
