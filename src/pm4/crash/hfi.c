/* SPDX-License-Identifier: MIT */
/*
 * Messages between the driver and the power-management processor (HFI): queues in a piece of memory, of which the dump
 * has where the last messages begin. Layout of the table, its queues and the messages: Mesa's crashdec and the kernel's
 * driver, which agree.
 */
#include "pm4/crash/dump.h"

#define TABLE_FIRST 2  /* word of the table's head with the place of the first row; after it come ... */
#define TABLE_WORDS 3  /* ... the words of a row ... */
#define TABLE_QUEUES 4 /* ... and how many there are */
#define QUEUES_MAX 8

enum {
    ROW_STATUS,
    ROW_IOVA,
    ROW_TYPE,
    ROW_SIZE,
    ROW_MESSAGE_SIZE,
    ROW_DROPPED,
    ROW_RECEIVE_WATERMARK,
    ROW_TRANSMIT_WATERMARK,
    ROW_RECEIVE_REQUEST,
    ROW_TRANSMIT_REQUEST,
    ROW_READ,
    ROW_WRITE,
    ROW_WORDS,
};

/* --- what the words of a message are ------------------------------------------------------------------------------ */

enum { ID_BW_TABLE = 3, ID_PERF_TABLE = 4 };

static const struct kind {
    unsigned id;
    const char *name;
} kinds[] = {
    {0, "INIT"},   {1, "FW_VERSION"},     {ID_BW_TABLE, "BW_TABLE"}, {ID_PERF_TABLE, "PERF_TABLE"}, {5, "TEST"},
    {10, "START"}, {14, "CORE_FW_START"}, {30, "GX_BW_PERF_VOTE"},   {33, "PREPARE_SLUMBER"},       {100, "ERROR"},
    {126, "ACK"},
};

enum { FEW_CHIPS = 1, OTHER_CHIPS = 2, ALL_CHIPS = 3 }; /* the first chips, and those after them */

/* Words of messages in their order: single ones, arrays, arrays of arrays, and arrays of named members. */
static const struct layout {
    uint8_t id, chips, hex;
    uint8_t rows, items;           /* elements; 0: not an array */
    uint8_t rows_used, items_used; /* the words of the message that say how many are in use; 0: all are */
    const char *name, *members[3];
} layouts[] = {
    {0, ALL_CHIPS, 0, 0, 0, 0, 0, "seg_id", {0}},
    {0, ALL_CHIPS, 1, 0, 0, 0, 0, "dbg_buffer_addr", {0}},
    {0, ALL_CHIPS, 0, 0, 0, 0, 0, "dbg_buffer_size", {0}},
    {0, ALL_CHIPS, 0, 0, 0, 0, 0, "boot_state", {0}},
    {1, ALL_CHIPS, 1, 0, 0, 0, 0, "supported_version", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 0, 0, 0, 0, 0, "bw_level_num", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 0, 0, 0, 0, 0, "cnoc_cmds_num", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 0, 0, 0, 0, 0, "ddr_cmds_num", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 1, 0, 0, 0, 0, "cnoc_wait_bitmask", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 1, 0, 0, 0, 0, "ddr_wait_bitmask", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 1, 6, 0, 2, 0, "cnoc_cmds_addrs", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 1, 2, 6, 0, 2, "cnoc_cmds_data", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 1, 8, 0, 3, 0, "ddr_cmds_addrs", {0}},
    {ID_BW_TABLE, ALL_CHIPS, 1, 16, 8, 1, 3, "ddr_cmds_data", {0}},
    {ID_PERF_TABLE, ALL_CHIPS, 0, 0, 0, 0, 0, "num_gpu_levels", {0}},
    {ID_PERF_TABLE, ALL_CHIPS, 0, 0, 0, 0, 0, "num_gmu_levels", {0}},
    {ID_PERF_TABLE, FEW_CHIPS, 0, 16, 0, 1, 0, "gx_votes", {"vote", "freq"}},
    {ID_PERF_TABLE, OTHER_CHIPS, 0, 16, 0, 1, 0, "gx_votes", {"vote", "acd", "freq"}},
    {ID_PERF_TABLE, ALL_CHIPS, 0, 4, 0, 2, 0, "cx_votes", {"vote", "freq"}},
    {14, ALL_CHIPS, 0, 0, 0, 0, 0, "handle", {0}},
    {30, ALL_CHIPS, 0, 0, 0, 0, 0, "ack_type", {0}},
    {30, ALL_CHIPS, 0, 0, 0, 0, 0, "freq", {0}},
    {30, ALL_CHIPS, 0, 0, 0, 0, 0, "bw", {0}},
    {33, ALL_CHIPS, 0, 0, 0, 0, 0, "bw", {0}},
    {33, ALL_CHIPS, 0, 0, 0, 0, 0, "freq", {0}},
    {100, ALL_CHIPS, 0, 0, 0, 0, 0, "code", {0}},
    {100, ALL_CHIPS, 1, 2, 0, 0, 0, "payload", {0}},
    {126, ALL_CHIPS, 1, 0, 0, 0, 0, "ret_header", {0}},
    {126, ALL_CHIPS, 0, 0, 0, 0, 0, "error", {0}},
};

const char *hfi_name(unsigned id)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].id == id)
            return kinds[i].name;
    return NULL;
}

/* --- queues ------------------------------------------------------------------------------------------------------- */

struct queue {
    struct gpucode_crash *crash;
    const struct gpucode_crash_words *data;
    unsigned number;
    uint32_t first, size, end; /* words: of the queue in the blob, of the queue, where the next message would go */
    bool packed;               /* messages follow one another without gaps; else they begin at multiples of 4 words */
};

static uint32_t word_at(const struct queue *queue, uint32_t at)
{
    return gpucode_crash_word(queue->data, (uint64_t)queue->first + at % queue->size);
}

static uint32_t words_of(const struct queue *queue, uint32_t header)
{
    uint32_t words = header >> 8 & 0xff;
    return queue->packed ? words : (words + 3) / 4 * 4;
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
    struct dump_message *message = dump_add(queue->crash, &queue->crash->messages, sizeof *message);
    if (!message)
        return false;
    *message = (struct dump_message){
        .first = queue->first, .size = queue->size, .at = at, .words = header >> 8 & 0xff, .packed = queue->packed};
    message->shown = (struct gpucode_crash_message){.queue = queue->number,
                                                    .sequence = header >> 20,
                                                    .id = header & 0xff,
                                                    .name = hfi_name(header & 0xff),
                                                    .acknowledge = (header >> 16 & 0xf) != 0};
    uint64_t first = (uint64_t)queue->first + at + 1;
    uint32_t count = message->words ? message->words - 1 : 0;
    if (count > queue->size - at - 1)
        count = queue->size - at - 1;
    if (first + count <= queue->data->count) {
        message->shown.words = queue->data->words + first;
        message->shown.count = count;
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

static void add_queue(struct gpucode_crash *crash, unsigned number, const uint32_t row[ROW_WORDS])
{
    struct gpucode_crash_message_queue *queue = dump_add(crash, &crash->message_queues, sizeof *queue);
    if (!queue)
        return;
    *queue = (struct gpucode_crash_message_queue){.number = number,
                                                  .status = row[ROW_STATUS],
                                                  .iova = row[ROW_IOVA],
                                                  .type = row[ROW_TYPE],
                                                  .size = row[ROW_SIZE],
                                                  .message_size = row[ROW_MESSAGE_SIZE],
                                                  .dropped = row[ROW_DROPPED],
                                                  .receive_watermark = row[ROW_RECEIVE_WATERMARK],
                                                  .transmit_watermark = row[ROW_TRANSMIT_WATERMARK],
                                                  .receive_request = row[ROW_RECEIVE_REQUEST],
                                                  .transmit_request = row[ROW_TRANSMIT_REQUEST],
                                                  .read = row[ROW_READ],
                                                  .write = row[ROW_WRITE]};
    for (unsigned i = 0; number < DUMP_HISTORIES && i < DUMP_HISTORY; i++)
        if (crash->history[number][i] >= 0)
            queue->history[queue->history_count++] = (uint32_t)crash->history[number][i];
}

void hfi_read(struct gpucode_crash *crash)
{
    struct gpucode_crash_words data;
    uint64_t iova;
    if (!gpucode_crash_blob(crash, "gmu-hfi", &iova, &data) || !data.count)
        return;
    /* the first chips pack messages without gaps */
    uint32_t chip = crash->head.chip_id >> 8, row_words = gpucode_crash_word(&data, TABLE_WORDS);
    uint32_t queues = gpucode_crash_word(&data, TABLE_QUEUES);
    bool packed = chip == 0x060105 || chip == 0x060108 || chip == 0x060300;
    if (row_words < ROW_WORDS)
        row_words = ROW_WORDS;
    for (unsigned i = 0; i < DUMP_HISTORIES || (i < QUEUES_MAX && i < queues); i++) {
        uint64_t at = (uint64_t)gpucode_crash_word(&data, TABLE_FIRST) + (uint64_t)i * row_words;
        uint32_t row[ROW_WORDS];
        for (unsigned k = 0; k < ROW_WORDS; k++)
            row[k] = gpucode_crash_word(&data, at + k);
        struct queue queue = {crash,         &data,          i,     (row[ROW_IOVA] - (uint32_t)iova) / 4,
                              row[ROW_SIZE], row[ROW_WRITE], packed};
        if (!queue.size)
            continue;
        add_queue(crash, i, row);
        if (i < DUMP_HISTORIES && queue.first + (uint64_t)queue.size <= data.size && queue.end < queue.size)
            read_messages(&queue);
    }
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

bool gpucode_crash_message(const struct gpucode_crash *crash, size_t index, struct gpucode_crash_message *message)
{
    if (!crash || !message || index >= crash->messages.count)
        return false;
    *message = DUMP_ITEM(crash->messages, struct dump_message, index)->shown;
    return true;
}

/* Word `index` of a message, whose header is word 0. */
static uint32_t message_word(const struct gpucode_crash_words *data, const struct dump_message *message, uint32_t index)
{
    return gpucode_crash_word(data, message->first + ((uint64_t)message->at + index) % message->size);
}

/* How many elements are in use, by another word. */
static uint32_t used(const struct gpucode_crash_words *data, const struct dump_message *message, uint8_t all,
                     uint8_t word)
{
    uint32_t count = word ? message_word(data, message, word) : all;
    return count < all ? count : all;
}

bool gpucode_crash_message_field(const struct gpucode_crash *crash, size_t index, size_t field_index,
                                 struct gpucode_crash_message_field *field)
{
    struct gpucode_crash_words data;
    if (!crash || !field || index >= crash->messages.count || !gpucode_crash_blob(crash, "gmu-hfi", NULL, &data))
        return false;
    const struct dump_message *message = DUMP_ITEM(crash->messages, struct dump_message, index);
    uint32_t at = 1;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const struct layout *layout = &layouts[i];
        if (layout->id != message->shown.id || !(layout->chips & (message->packed ? FEW_CHIPS : OTHER_CHIPS)))
            continue;
        unsigned members = 0;
        while (members < 3 && layout->members[members])
            members++;
        unsigned width = layout->items ? layout->items : members ? members : 1;
        uint32_t rows = used(&data, message, layout->rows ? layout->rows : 1, layout->rows_used);
        uint32_t items = layout->items ? used(&data, message, layout->items, layout->items_used) : width;
        if (items && field_index < (size_t)rows * items) {
            unsigned row = (unsigned)(field_index / items), item = (unsigned)(field_index % items);
            at += row * width + item;
            *field = (struct gpucode_crash_message_field){.name = layout->name,
                                                          .row = row,
                                                          .item = layout->items ? item : 0,
                                                          .rank = layout->items  ? 2
                                                                  : layout->rows ? 1
                                                                                 : 0,
                                                          .member = members ? layout->members[item] : NULL,
                                                          .value = message_word(&data, message, at),
                                                          .hex = layout->hex};
            return at < message->words;
        }
        field_index -= (size_t)rows * items;
        at += (layout->rows ? layout->rows : 1) * width;
    }
    return false;
}
