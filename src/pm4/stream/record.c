/* SPDX-License-Identifier: MIT */
/* The records of a file: type, size, payload. */
#include "base/arena.h"
#include "pm4/stream/recording.h"
#include "stream_messages.h"

#include <string.h>

/* Stands in front of every record of some recorders' files; belongs to no record. */
#define MARK UINT32_MAX

struct cursor {
    const struct gpucode_stream *stream;
    uint64_t size, at;
};

/* Eight bytes of the file. */
static bool read_header(const struct cursor *cursor, uint8_t header[8])
{
    const struct gpucode_stream *stream = cursor->stream;
    if (stream->parts.read)
        return stream->parts.read(stream->parts.user, cursor->at, header, 8) == 8;
    memcpy(header, stream->loader.bytes + cursor->at, 8);
    return true;
}

/* The next record, without its bytes, and where they are; false at the end, with *whole telling whether the file ends
 * there too. */
static bool next_record(struct cursor *cursor, struct gpucode_record *record, uint64_t *place, bool *whole)
{
    for (;;) {
        uint64_t left = cursor->size - cursor->at;
        uint8_t header[8];
        *whole = left == 0;
        if (left < 8 || !read_header(cursor, header))
            return false;
        uint32_t type = stream_word(header, 0), size = stream_word(header, 1);
        if (type == MARK && size == MARK) {
            cursor->at += 8;
            continue;
        }
        if (size > left - 8)
            return false;
        *record = (struct gpucode_record){.type = type, .size = size};
        *place = cursor->at + 8;
        cursor->at += 8 + (uint64_t)size;
        return true;
    }
}

/* Are submits made of such records, apart from what buffers contain? */
static bool is_kept(uint32_t type)
{
    return type == GPUCODE_RECORD_TEST || type == GPUCODE_RECORD_COMMAND_LINE || type == GPUCODE_RECORD_BUFFER ||
           type == GPUCODE_RECORD_STREAM_ADDRESS || type == GPUCODE_RECORD_GPU_ID || type == GPUCODE_RECORD_CHIP_ID ||
           (type >= GPUCODE_RECORD_SAME_BUFFERS && type <= GPUCODE_RECORD_PLACE);
}

/* Sets what the record contains; *readable becomes false when it could not be read. False: no memory. */
static bool take_bytes(struct gpucode_stream *stream, struct gpucode_record *record, uint64_t place, bool *readable)
{
    if (!stream->parts.read) {
        record->bytes = stream->loader.bytes + place;
        return true;
    }
    if (!is_kept(record->type))
        return true;
    void *bytes = arena_alloc(&stream->loader.arena, (size_t)record->size + 1);
    *readable = bytes && stream->parts.read(stream->parts.user, place, bytes, record->size) == record->size;
    record->bytes = bytes;
    return bytes;
}

/* Adds all records to the lists; the second one, of places, is for files that are read in parts. False: no memory. */
static bool list_records(struct gpucode_stream *stream, struct cursor *cursor, struct list *records,
                         struct list *places, bool *whole)
{
    struct gpucode_record record;
    uint64_t place;
    bool readable = true;
    while (next_record(cursor, &record, &place, whole)) {
        if (!take_bytes(stream, &record, place, &readable))
            return false;
        if (!readable)
            break;
        struct gpucode_record *added = list_add(records, sizeof *added);
        uint64_t *at = stream->parts.read ? list_add(places, sizeof *at) : &place;
        if (!added || !at)
            return false;
        *added = record;
        *at = place;
    }
    return true;
}

enum gpucode_status stream_find_records(struct gpucode_stream *stream)
{
    struct cursor cursor = {stream, stream->parts.read ? stream->parts.size : stream->loader.size, 0}, first = cursor;
    struct list records = {0}, places = {0};
    struct gpucode_record record;
    uint64_t place;
    bool whole;
    /* there is no magic number: any bytes look like records, but their types would be anything */
    if (!next_record(&first, &record, &place, &whole) || !record.type || record.type > GPUCODE_RECORD_WRITE_BUFFER) {
        loader_report(&stream->loader, MSG_STREAM_UNKNOWN);
        return GPUCODE_ERROR_INPUT;
    }
    bool memory = list_records(stream, &cursor, &records, &places, &whole);
    stream->record_count = records.count;
    stream->records = list_keep(&records, &stream->loader.arena, sizeof *stream->records);
    stream->places = list_keep(&places, &stream->loader.arena, sizeof *stream->places);
    if (!memory || !stream->records || !stream->places)
        return GPUCODE_ERROR_MEMORY;
    if (!whole)
        loader_report(&stream->loader, MSG_STREAM_CUT, (unsigned long long)cursor.at);
    return GPUCODE_OK;
}
