/* SPDX-License-Identifier: MIT */
/* Queues in dumps: messages of the power management, and register writes in the memory pool. */
#include "pm4/crash/dump.h"

#include <string.h>

/* --- messages of the power management ----------------------------------------------------------------------------- */

/*
 * Messages between the driver and the power-management processor (HFI): two queues in a piece of memory, of which the
 * dump has where the last messages begin. Layout: what Mesa's crashdec knows.
 */

#define QUEUE_WORDS 12 /* of a queue's row in the table */
#define TABLE_FIRST 2  /* word of the table's head with the place of the first row */

static const struct {
    unsigned id;
    const char *name;
} names[] = {
    {0, "INIT"},   {1, "FW_VERSION"},     {3, "BW_TABLE"},         {4, "PERF_TABLE"},       {5, "TEST"},
    {10, "START"}, {14, "CORE_FW_START"}, {30, "GX_BW_PERF_VOTE"}, {33, "PREPARE_SLUMBER"}, {100, "ERROR"},
    {126, "ACK"},
};

struct queue {
    struct gpucode_crash *crash;
    const struct gpucode_crash_words *data;
    unsigned number;
    uint32_t first, size, end; /* words: of the queue in the blob, of the queue, where the next message would go */
    uint32_t align;            /* messages begin at multiples of so many words */
};

static uint32_t word_at(const struct queue *queue, uint32_t at)
{
    return gpucode_crash_word(queue->data, (uint64_t)queue->first + at % queue->size);
}

static uint32_t words_of(const struct queue *queue, uint32_t header)
{
    return ((header >> 8 & 0xff) + queue->align - 1) / queue->align * queue->align;
}

/* Are there only messages, numbered one after another, from `at` to `end`? */
static bool is_chain(const struct queue *queue, uint32_t at, uint32_t end)
{
    uint32_t left = (end + queue->size - at) % queue->size, sequence = 0;
    if (!left)
        return false;
    for (bool first = true; left; first = false) {
        uint32_t header = word_at(queue, at), words = words_of(queue, header);
        if (!words || words > left || (header >> 16 & 0xf) > 2 || (!first && header >> 20 != ((sequence + 1) & 0xfff)))
            return false;
        sequence = header >> 20;
        at = (at + words) % queue->size;
        left -= words;
    }
    return true;
}

static bool add_message(struct queue *queue, uint32_t at)
{
    uint32_t header = word_at(queue, at);
    struct gpucode_crash_message *message = dump_add(queue->crash, &queue->crash->messages, sizeof *message);
    if (!message)
        return false;
    message->queue = queue->number;
    message->sequence = header >> 20;
    message->id = header & 0xff;
    message->acknowledge = (header >> 16 & 0xf) != 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].id == message->id)
            message->name = names[i].name;
    uint64_t first = (uint64_t)queue->first + at + 1;
    uint32_t count = (header >> 8 & 0xff) ? (header >> 8 & 0xff) - 1 : 0;
    if (count > queue->size - at - 1)
        count = queue->size - at - 1;
    if (first + count <= queue->data->count) {
        message->words = queue->data->words + first;
        message->count = count;
    }
    return true;
}

static void read_messages(struct queue *queue)
{
    const int32_t *history = queue->crash->history[queue->number];
    uint32_t start = queue->end, next = queue->end;
    for (int i = DUMP_HISTORY - 1; i >= 0 && history[i] >= 0; i--) {
        uint32_t at = (uint32_t)history[i];
        if (at >= queue->size || !is_chain(queue, at, next) || !is_chain(queue, at, queue->end))
            break;
        start = next = at;
    }
    while (start != queue->end) {
        if (!add_message(queue, start))
            return;
        start = (start + words_of(queue, word_at(queue, start))) % queue->size;
    }
}

void hfi_read(struct gpucode_crash *crash)
{
    struct gpucode_crash_words data;
    uint64_t iova;
    if (!gpucode_crash_blob(crash, "gmu-hfi", &iova, &data) || !data.count)
        return;
    /* the first chips pack messages without gaps */
    uint32_t chip = crash->head.chip_id >> 8;
    bool packed = chip == 0x060105 || chip == 0x060108 || chip == 0x060300;
    uint32_t first = gpucode_crash_word(&data, TABLE_FIRST), row_words = gpucode_crash_word(&data, TABLE_FIRST + 1);
    if (row_words < QUEUE_WORDS)
        row_words = QUEUE_WORDS;
    for (unsigned i = 0; i < DUMP_HISTORIES; i++) {
        uint64_t row = (uint64_t)first + (uint64_t)i * row_words;
        uint32_t offset = gpucode_crash_word(&data, row + 1) - (uint32_t)iova;
        struct queue queue = {crash,
                              &data,
                              i,
                              offset / 4,
                              gpucode_crash_word(&data, row + 3),
                              gpucode_crash_word(&data, row + 11),
                              packed ? 1 : 4};
        if (queue.size && queue.first + (uint64_t)queue.size <= data.size && queue.end < queue.size)
            read_messages(&queue);
    }
}

/* --- the memory pool ---------------------------------------------------------------------------------------------- */

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
