/* SPDX-License-Identifier: MIT */
/* The loader's public functions. */
#include "pm4/stream/recording.h"

#include "base/arena.h"
#include "stream_messages.h"

#include <gpucode/fields.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The records of a file: type, size, payload. */

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

/* Finds the records of the file. */
static enum gpucode_status stream_find_records(struct gpucode_stream *stream)
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

static enum gpucode_status read_recording(struct loader *loader)
{
    struct gpucode_stream *stream = (struct gpucode_stream *)loader;
    if (loader->more)
        stream->parts = *(const struct gpucode_stream_parts *)loader->more;
    enum gpucode_status status = stream_find_records(stream);
    return status == GPUCODE_OK ? stream_find_submits(stream) : status;
}

/* All is in the arena. */
static void release_recording(struct loader *loader)
{
    (void)loader;
}

static const struct loader_kind recordings = {
    sizeof(struct gpucode_stream), MSG_STREAM_LARGE, MSG_STREAM_DAMAGED, read_recording, release_recording,
};

static enum gpucode_status open_file(struct loader_file file, const struct gpucode_stream_options *options,
                                     struct gpucode_stream **out)
{
    struct loader *loader = NULL;
    file.limit = GPUCODE_STREAM_SIZE_MAX;
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    if (options) {
        file.limit = options->limit ? options->limit : file.limit;
        file.name = options->file_name;
        file.on_diagnostic = options->on_diagnostic;
    }
    enum gpucode_status status = loader_open(&recordings, &file, &loader);
    *out = (struct gpucode_stream *)loader;
    return status;
}

enum gpucode_status gpucode_stream_open(const void *bytes, size_t size, const struct gpucode_stream_options *options,
                                        struct gpucode_stream **out)
{
    return open_file((struct loader_file){.bytes = bytes, .size = size}, options, out);
}

enum gpucode_status gpucode_stream_open_parts(const struct gpucode_stream_parts *parts,
                                              const struct gpucode_stream_options *options, struct gpucode_stream **out)
{
    if (!parts || !parts->read)
        return GPUCODE_ERROR_ARGUMENT;
    return open_file((struct loader_file){.more = parts}, options, out);
}

void gpucode_stream_free(struct gpucode_stream *stream)
{
    loader_close(&recordings, stream ? &stream->loader : NULL);
}

uint32_t gpucode_stream_gpu_id(const struct gpucode_stream *stream)
{
    return stream ? stream->gpu_id : 0;
}

uint64_t gpucode_stream_chip_id(const struct gpucode_stream *stream)
{
    return stream ? stream->chip_id : 0;
}

const char *gpucode_stream_test(const struct gpucode_stream *stream)
{
    return stream ? stream->test : NULL;
}

/* The target "SET:NAME" of a set that takes packets; null: there is none. */
static const struct gpucode_target *find_target(const char *first, unsigned number, const char *last)
{
    const struct gpucode_target *target;
    char name[32];
    snprintf(name, sizeof name, "%s%u%s", first, number, last);
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        const char *chip = strchr(gpucode_target_name(target), ':');
        if (chip && strcmp(chip, name) == 0 && gpucode_target_facts(target)->packets)
            return target;
    }
    return NULL;
}

const struct gpucode_target *gpucode_stream_target(const struct gpucode_stream *stream)
{
    struct gpucode_chip chip;
    uint32_t id = gpucode_stream_gpu_id(stream);
    if (!gpucode_chip_find(id, gpucode_stream_chip_id(stream), &chip))
        return NULL;
    if (chip.name && strncmp(chip.name, "FD", 2) == 0)
        id = (uint32_t)strtoul(chip.name + 2, NULL, 10);
    const struct gpucode_target *target = find_target(":a", id, "");
    if (target)
        return target;
    return chip.family < 8 ? find_target(":a", chip.family, "xx") : find_target(":gen", chip.family, "");
}

bool gpucode_stream_record(const struct gpucode_stream *stream, size_t index, struct gpucode_record *record)
{
    if (!stream || !record || index >= stream->record_count)
        return false;
    *record = stream->records[index];
    return true;
}

size_t gpucode_stream_submit_count(const struct gpucode_stream *stream)
{
    return stream ? stream->submit_count : 0;
}

bool gpucode_stream_submit(const struct gpucode_stream *stream, size_t index, struct gpucode_submit *submit)
{
    if (!stream || !submit || index >= stream->submit_count)
        return false;
    const struct recorded_submit *from = &stream->submits[index];
    *submit = (struct gpucode_submit){
        .text = from->text,
        .buffers = stream->buffers + from->buffer,
        .buffer_count = from->buffer_count,
        .commands = stream->commands + from->command,
        .command_count = from->command_count,
    };
    return true;
}
