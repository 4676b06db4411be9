/* SPDX-License-Identifier: MIT */
/* The records of a file: type, size, payload. */
#include "pm4/stream/recording.h"
#include "stream_messages.h"

/* Stands in front of every record of some recorders' files; belongs to no record. */
#define MARK UINT32_MAX

struct cursor {
    const uint8_t *bytes;
    size_t size, at;
};

/* The next record; false at the end, with *whole telling whether the file ends there too. */
static bool next_record(struct cursor *cursor, struct gpucode_record *record, bool *whole)
{
    for (;;) {
        size_t left = cursor->size - cursor->at;
        *whole = left == 0;
        if (left < 8)
            return false;
        const uint8_t *header = cursor->bytes + cursor->at;
        uint32_t type = stream_word(header, 0), size = stream_word(header, 1);
        if (type == MARK && size == MARK) {
            cursor->at += 8;
            continue;
        }
        if (size > left - 8)
            return false;
        *record = (struct gpucode_record){type, header + 8, size};
        cursor->at += 8 + (size_t)size;
        return true;
    }
}

enum gpucode_status stream_find_records(struct gpucode_stream *stream)
{
    struct cursor cursor = {stream->loader.bytes, stream->loader.size, 0};
    struct gpucode_record record;
    bool whole, known = false;
    size_t count = 0;
    for (; next_record(&cursor, &record, &whole); count++) {
        /* there is no magic number: any bytes look like records, but their types would be anything */
        if (!count)
            known = record.type && record.type <= GPUCODE_RECORD_WRITE_BUFFER;
    }
    if (!known) {
        loader_report(&stream->loader, MSG_STREAM_UNKNOWN);
        return GPUCODE_ERROR_INPUT;
    }
    if (!whole)
        loader_report(&stream->loader, MSG_STREAM_CUT, cursor.at);
    stream->records = arena_array(&stream->loader.arena, count, sizeof *stream->records);
    if (!stream->records)
        return GPUCODE_ERROR_MEMORY;
    cursor.at = 0;
    while (stream->record_count < count)
        next_record(&cursor, &stream->records[stream->record_count++], &whole);
    return GPUCODE_OK;
}
