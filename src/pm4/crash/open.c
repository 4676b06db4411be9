/* SPDX-License-Identifier: MIT */
/* Opening a dump. */
#include "pm4/crash/dump.h"

#include "crash_messages.h"
#include "pm4/gzip/loader.h"

#include <stdlib.h>
#include <string.h>

/* Queues of register writes in dumps. */

/*
 * The memory pool: register writes on their way from the SQE to the clusters, in a queue for each, a list of blocks of
 * chunks of 128 bits. Layout: what Mesa's crashdec found out.
 */

/* Where the arrays lie, by the size of the pool. */
static const struct layout {
    uint64_t least;                              /* words of the dump */
    uint32_t next, data1, data2, blocks, chunks; /* words; blocks of the pool, chunks of a block */
} layouts[] = {
    {0x2000, 0x1000, 0x1800, 0x2000, 0x80, 8},
    {0x1000, 0x800, 0xc00, 0x1000, 0x30, 8},
    {0, 0x400, 0x600, 0x800, 0x40, 4},
};

static const char *const a6xx_queues[] = {"FE", "SP_VS", "PC_VS", "GRAS", "SP_PS", "PS", NULL};
static const char *const a7xx_queues[] = {"FE", "SP_VS", "PC_VS", "GRAS", "SP_PS", "VPC_PS", "PS", NULL};

/* Rows of eight words, one for each queue. */
enum {
    ROW_WRITER_CHUNK = 1,
    ROW_WRITER_OTHER = 3,
    ROW_READER_CHUNK = 5,
    ROW_READER_OTHER = 7,
};

struct pool {
    struct gpucode_crash *crash;
    const struct gpucode_crash_words *data;
    const struct layout *layout;
};

struct chunk_place {
    uint32_t block, chunk;
};

/* The first half of a block is told by the second pointer. */
static struct chunk_place read_place(const struct pool *pool, uint32_t chunk_row, uint32_t other_row, uint32_t queue)
{
    const struct layout *layout = pool->layout;
    uint32_t first = gpucode_crash_word(pool->data, layout->data1 + 8 * chunk_row + queue);
    uint32_t other = gpucode_crash_word(pool->data, layout->data1 + 8 * other_row + queue);
    uint32_t chunk = first % layout->chunks;
    return (struct chunk_place){chunk >= layout->chunks / 2 ? first / layout->chunks : other, chunk};
}

static uint32_t bits_at(const uint32_t chunk[4], unsigned low, unsigned count)
{
    uint64_t pair = chunk[low / 32] | (low / 32 < 3 ? (uint64_t)chunk[low / 32 + 1] << 32 : 0);
    return (uint32_t)(pair >> low % 32 & ((UINT64_C(1) << count) - 1));
}

/* A chunk has two writes, each of which may be switched off. */
static void add_writes(struct pool *pool, struct list *writes, struct chunk_place at)
{
    uint32_t chunk[4];
    uint64_t first = ((uint64_t)at.block * pool->layout->chunks + at.chunk) * 4;
    for (unsigned i = 0; i < 4; i++)
        chunk[i] = gpucode_crash_word(pool->data, first + i);
    for (unsigned i = 0; i < 2; i++) {
        if (!bits_at(chunk, i, 1))
            continue;
        struct gpucode_crash_write *write = dump_add(pool->crash, writes, sizeof *write);
        if (!write)
            return;
        write->value = bits_at(chunk, 2 + 32 * i, 32);
        write->number = bits_at(chunk, 66 + 18 * i, 18);
        write->pipe = bits_at(chunk, 102 + i, 1);
    }
}

static void read_queue(struct pool *pool, uint32_t index, const char *name)
{
    const struct layout *layout = pool->layout;
    struct chunk_place at = read_place(pool, ROW_READER_CHUNK, ROW_READER_OTHER, index);
    struct chunk_place end = read_place(pool, ROW_WRITER_CHUNK, ROW_WRITER_OTHER, index);
    struct gpucode_crash_queue *queue = dump_add(pool->crash, &pool->crash->queues, sizeof *queue);
    if (!queue)
        return;
    queue->name = name;
    while (!pool->crash->no_memory && (at.block != end.block || at.chunk != end.chunk)) {
        if (at.block >= layout->blocks || queue->entries >= layout->blocks * layout->chunks) {
            queue->damaged = true;
            return;
        }
        add_writes(pool, &pool->crash->writes[index], at);
        queue->entries++;
        if (++at.chunk == layout->chunks) {
            at.chunk = 0;
            at.block = gpucode_crash_word(pool->data, layout->next + at.block);
        }
    }
}

static void pool_read(struct gpucode_crash *crash)
{
    struct gpucode_crash_block block;
    const char *const *queue_names = crash_is(crash, "a6xx")   ? a6xx_queues
                                     : crash_is(crash, "a7xx") ? a7xx_queues
                                                               : NULL;
    if (!queue_names || !gpucode_crash_find_block(crash, "MEM_POOL_DBG", &block))
        return;
    struct pool pool = {crash, &block.data, layouts};
    while (block.data.size < pool.layout->least)
        pool.layout++;
    for (uint32_t i = 0; queue_names[i]; i++)
        read_queue(&pool, i, queue_names[i]);
}

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
