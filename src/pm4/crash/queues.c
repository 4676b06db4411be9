/* SPDX-License-Identifier: MIT */
/* Queues of register writes in dumps. */
#include "pm4/crash/dump.h"

#include <string.h>

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

void pool_read(struct gpucode_crash *crash)
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
