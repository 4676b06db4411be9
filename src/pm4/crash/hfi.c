/* SPDX-License-Identifier: MIT */
/*
 * Messages between the driver and the power-management processor (HFI): two queues in a piece of memory, of which the
 * dump has where the last messages begin. Layout: what Mesa's crashdec knows.
 */
#include "pm4/crash/dump.h"

#include <string.h>

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
