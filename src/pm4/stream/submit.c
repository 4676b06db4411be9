/* SPDX-License-Identifier: MIT */
/* Submits: the buffers and command streams between one hand-over to the GPU and the next. */
#include "pm4/stream/recording.h"

#include "stream_messages.h"

#include <stdlib.h>
#include <string.h>

/*
 * Which buffer's bytes stand at an address. A submit may name a buffer twice or buffers that overlap; the last one
 * counts. All ends of buffers cut the address space into pieces; each piece belongs to the last buffer over it. Going
 * from the last buffer to the first, `skip` leads past pieces that are taken already, so that this takes time in
 * proportion to the number of pieces.
 */

static int compare_addresses(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static size_t piece_at(const uint64_t *cuts, size_t count, uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cuts[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t next_free(size_t *skip, size_t piece)
{
    size_t free = piece;
    while (skip[free] != free)
        free = skip[free];
    while (skip[piece] != free) {
        size_t further = skip[piece];
        skip[piece] = free;
        piece = further;
    }
    return free;
}

/* Finds which buffer's bytes stand at each address of a submit. */
static enum gpucode_status stream_find_spans(struct gpucode_stream *stream, struct recorded_submit *submit)
{
    const struct gpucode_stream_buffer *buffers = stream->buffers + submit->buffer;
    size_t most = 2 * submit->buffer_count + 1, cut_count = 0, pieces = 0;
    uint64_t *cuts = calloc(most, sizeof *cuts);
    size_t *owner = calloc(most, sizeof *owner); /* buffer + 1 */
    size_t *skip = calloc(most + 1, sizeof *skip);
    struct recorded_span *spans = arena_array(&stream->loader.arena, most, sizeof *spans);
    bool memory = cuts && owner && skip && spans;
    if (!memory)
        goto out;
    for (size_t i = 0; i < submit->buffer_count; i++) {
        if (!buffers[i].length)
            continue;
        cuts[cut_count++] = buffers[i].address;
        /* after the last byte of the address space there is nothing to cut */
        if (buffers[i].address + buffers[i].length)
            cuts[cut_count++] = buffers[i].address + buffers[i].length;
    }
    qsort(cuts, cut_count, sizeof *cuts, compare_addresses);
    for (size_t i = 0; i < cut_count; i++)
        if (!i || cuts[i] != cuts[i - 1])
            cuts[pieces++] = cuts[i];
    for (size_t i = 0; i <= pieces; i++)
        skip[i] = i;
    for (size_t i = submit->buffer_count; i-- > 0;) {
        if (!buffers[i].length)
            continue;
        uint64_t last = buffers[i].address + (buffers[i].length - 1);
        size_t piece = next_free(skip, piece_at(cuts, pieces, buffers[i].address));
        for (; piece < pieces && cuts[piece] <= last; piece = next_free(skip, piece)) {
            owner[piece] = i + 1;
            skip[piece] = piece + 1;
        }
    }
    for (size_t i = 0; i < pieces; i++)
        if (owner[i]) {
            const struct gpucode_stream_buffer *buffer = &buffers[owner[i] - 1];
            spans[submit->span_count++] = (struct recorded_span){
                .start = cuts[i],
                .end = i + 1 < pieces ? cuts[i + 1] - 1 : UINT64_MAX,
                .bytes = buffer->bytes ? (const uint8_t *)buffer->bytes + (cuts[i] - buffer->address) : NULL,
                .place = stream->contents
                             ? stream->contents[submit->buffer + owner[i] - 1] + (cuts[i] - buffer->address)
                             : 0,
            };
        }
    submit->spans = spans;
out:
    free(cuts);
    free(owner);
    free(skip);
    return memory ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* Bytes from the address on that were not used again, at most `size`. */
static size_t stream_unused(const struct gpucode_stream *stream, const struct recorded_submit *submit, uint64_t address,
                            size_t size)
{
    for (size_t i = 0; i < submit->reused_count; i++) {
        const struct recorded_span *reused = &stream->reused[submit->reused + i];
        if (address <= reused->end && size && (address >= reused->start || reused->start - address < size))
            size = address >= reused->start ? 0 : (size_t)(reused->start - address);
    }
    return size;
}

bool gpucode_stream_reused(const struct gpucode_stream *stream, size_t submit, uint64_t address)
{
    return stream && submit < stream->submit_count && !stream_unused(stream, &stream->submits[submit], address, 1);
}

/* The bytes of a span from an offset on, from memory or the file. Returns how many there are. */
static size_t copy_span(const struct gpucode_stream *stream, const struct recorded_span *span, uint64_t offset,
                        void *bytes, size_t size)
{
    if (!span->bytes)
        return stream->parts.read(stream->parts.user, span->place + offset, bytes, size);
    memcpy(bytes, span->bytes + offset, size);
    return size;
}

size_t gpucode_stream_load(const struct gpucode_stream *stream, size_t submit, uint64_t address, void *bytes,
                           size_t size)
{
    if (!stream || submit >= stream->submit_count || (!bytes && size))
        return 0;
    const struct recorded_submit *from = &stream->submits[submit];
    size_t low = 0, high = from->span_count, done = 0;
    if (from->reused_count)
        size = stream_unused(stream, from, address, size);
    while (low < high) { /* the first span that does not end before the address */
        size_t middle = low + (high - low) / 2;
        if (from->spans[middle].end < address)
            low = middle + 1;
        else
            high = middle;
    }
    for (; done < size && low < from->span_count && from->spans[low].start <= address; low++) {
        const struct recorded_span *span = &from->spans[low];
        uint64_t left = span->end - address;
        size_t part = left < size - done - 1 ? (size_t)left + 1 : size - done;
        size_t copied = copy_span(stream, span, address - span->start, (uint8_t *)bytes + done, part);
        done += copied;
        address += copied;
        if (!address || copied < part)
            break;
    }
    return done;
}

struct reader {
    struct gpucode_stream *stream;
    struct recorded_submit submit; /* being collected */
    bool closed;                   /* it has command streams: buffers begin a new one */
};

static void begin_submit(struct reader *reader)
{
    reader->submit = (struct recorded_submit){
        .buffer = reader->stream->buffer_count,
        .command = reader->stream->command_count,
        .reused = reader->stream->reused_count,
    };
    reader->closed = false;
}

static void finish_submit(struct reader *reader)
{
    struct gpucode_stream *stream = reader->stream;
    struct recorded_submit *submit = &reader->submit;
    submit->buffer_count = stream->buffer_count - submit->buffer;
    submit->command_count = stream->command_count - submit->command;
    submit->reused_count = stream->reused_count - submit->reused;
    if (submit->same_buffers) {
        submit->buffer = stream->submits[stream->submit_count - 1].buffer;
        submit->buffer_count = stream->submits[stream->submit_count - 1].buffer_count;
    }
    if (submit->command_count)
        stream->submits[stream->submit_count++] = *submit;
    begin_submit(reader);
}

/* Address and a number: 12 bytes, or 8 where addresses have 32 bits. */
static bool take_address(const struct gpucode_record *record, uint64_t *address, uint32_t *number)
{
    if (record->size < 8)
        return false;
    *address = stream_word(record->bytes, 0);
    *number = stream_word(record->bytes, 1);
    if (record->size >= 12)
        *address |= (uint64_t)stream_word(record->bytes, 2) << 32;
    return true;
}

static bool take_buffer(struct gpucode_stream *stream, const struct gpucode_record *record)
{
    uint64_t address;
    uint32_t size;
    if (!take_address(record, &address, &size) || (size && address > UINT64_MAX - (size - 1)))
        return false;
    stream->buffers[stream->buffer_count++] = (struct gpucode_stream_buffer){.address = address, .size = size};
    return true;
}

static bool take_contents(struct gpucode_stream *stream, const struct reader *reader,
                          const struct gpucode_record *record)
{
    if (reader->closed || stream->buffer_count == reader->submit.buffer)
        return false;
    struct gpucode_stream_buffer *buffer = &stream->buffers[stream->buffer_count - 1];
    uint64_t *place = stream->contents ? &stream->contents[stream->buffer_count - 1] : NULL;
    if (buffer->bytes || (place && *place))
        return false;
    buffer->bytes = record->bytes;
    if (place)
        *place = stream->places[record - stream->records];
    buffer->length = record->size < buffer->size ? record->size : (size_t)buffer->size;
    return true;
}

static bool take_command(struct gpucode_stream *stream, const struct gpucode_record *record)
{
    struct gpucode_stream_command command;
    if (!take_address(record, &command.address, &command.words))
        return false;
    stream->commands[stream->command_count++] = command;
    return true;
}

static uint64_t read_wide(const struct gpucode_record *record, size_t index)
{
    return stream_word(record->bytes, 2 * index) | (uint64_t)stream_word(record->bytes, 2 * index + 1) << 32;
}

/* What is known of the work in a crash dump. */
static bool take_work(struct reader *reader, const struct gpucode_record *record)
{
    struct gpucode_stream *stream = reader->stream;
    struct recorded_submit *submit = &reader->submit;
    if (record->type == GPUCODE_RECORD_SAME_BUFFERS) {
        submit->same_buffers = stream->submit_count && stream->buffer_count == submit->buffer;
        return submit->same_buffers;
    }
    if (record->type == GPUCODE_RECORD_STATE) {
        uint32_t state = record->size >= 4 ? stream_word(record->bytes, 0) : UINT32_MAX;
        if (state <= GPUCODE_STREAM_PENDING)
            submit->state = (enum gpucode_stream_state)state;
        return state <= GPUCODE_STREAM_PENDING;
    }
    if (record->type == GPUCODE_RECORD_PLACE) {
        submit->place = record->bytes;
        submit->place_count = record->size / 8;
        return record->size >= 8;
    }
    uint64_t start = record->size >= 16 ? read_wide(record, 0) : 0,
             bytes = record->size >= 16 ? read_wide(record, 1) : 0;
    if (!bytes || start > UINT64_MAX - bytes)
        return false;
    stream->reused[stream->reused_count++] = (struct recorded_span){.start = start, .end = start + bytes - 1};
    return true;
}

static const char *take_text(struct gpucode_stream *stream, const struct gpucode_record *record)
{
    return arena_copy(&stream->loader.arena, record->bytes, strnlen(record->bytes, record->size));
}

/* False: there is something wrong with the record, and it is left out. */
static bool take_record(struct reader *reader, const struct gpucode_record *record, bool *memory)
{
    struct gpucode_stream *stream = reader->stream;
    bool opens = record->type == GPUCODE_RECORD_BUFFER || record->type == GPUCODE_RECORD_COMMAND_LINE;
    if (opens && reader->closed)
        finish_submit(reader);
    switch (record->type) {
    case GPUCODE_RECORD_TEST:
        if (!stream->test)
            *memory = (stream->test = take_text(stream, record)) != NULL;
        return true;
    case GPUCODE_RECORD_COMMAND_LINE:
        *memory = (reader->submit.text = take_text(stream, record)) != NULL;
        return true;
    case GPUCODE_RECORD_BUFFER:
        return take_buffer(stream, record);
    case GPUCODE_RECORD_CONTENTS:
        return take_contents(stream, reader, record);
    case GPUCODE_RECORD_STREAM_ADDRESS:
        reader->closed = true;
        return take_command(stream, record);
    case GPUCODE_RECORD_GPU_ID:
        if (record->size >= 4 && !stream->gpu_id)
            stream->gpu_id = stream_word(record->bytes, 0);
        return record->size >= 4;
    case GPUCODE_RECORD_CHIP_ID:
        if (record->size >= 8 && !stream->chip_id)
            stream->chip_id = stream_word(record->bytes, 0) | (uint64_t)stream_word(record->bytes, 1) << 32;
        return record->size >= 8;
    case GPUCODE_RECORD_SAME_BUFFERS:
    case GPUCODE_RECORD_STATE:
    case GPUCODE_RECORD_REUSED:
    case GPUCODE_RECORD_PLACE:
        return take_work(reader, record);
    default:
        return true;
    }
}

enum gpucode_status stream_find_submits(struct gpucode_stream *stream)
{
    size_t buffers = 0, commands = 0, reused = 0, wrong = 0;
    for (size_t i = 0; i < stream->record_count; i++) {
        buffers += stream->records[i].type == GPUCODE_RECORD_BUFFER;
        commands += stream->records[i].type == GPUCODE_RECORD_STREAM_ADDRESS;
        reused += stream->records[i].type == GPUCODE_RECORD_REUSED;
    }
    struct arena *arena = &stream->loader.arena;
    stream->buffers = arena_array(arena, buffers + 1, sizeof *stream->buffers);
    stream->commands = arena_array(arena, commands + 1, sizeof *stream->commands);
    stream->submits = arena_array(arena, commands + 1, sizeof *stream->submits);
    if (stream->parts.read && !(stream->contents = arena_array(arena, buffers + 1, sizeof *stream->contents)))
        return GPUCODE_ERROR_MEMORY;
    stream->reused = arena_array(arena, reused + 1, sizeof *stream->reused);
    if (!stream->buffers || !stream->commands || !stream->submits || !stream->reused)
        return GPUCODE_ERROR_MEMORY;
    struct reader reader = {.stream = stream};
    begin_submit(&reader);
    for (size_t i = 0; i < stream->record_count; i++) {
        bool memory = true;
        wrong += !take_record(&reader, &stream->records[i], &memory);
        if (!memory)
            return GPUCODE_ERROR_MEMORY;
    }
    finish_submit(&reader);
    if (wrong)
        loader_report(&stream->loader, MSG_STREAM_RECORDS, wrong,
                      wrong == 1 ? " is invalid and is" : "s are invalid and are");
    for (size_t i = 0; i < stream->submit_count; i++)
        if (stream->submits[i].same_buffers) {
            stream->submits[i].spans = stream->submits[i - 1].spans;
            stream->submits[i].span_count = stream->submits[i - 1].span_count;
        } else if (stream_find_spans(stream, &stream->submits[i]) != GPUCODE_OK)
            return GPUCODE_ERROR_MEMORY;
    return GPUCODE_OK;
}

/* --- of a crash dump ---------------------------------------------------------------------------------------------- */

enum gpucode_stream_state gpucode_stream_state(const struct gpucode_stream *stream, size_t submit)
{
    return stream && submit < stream->submit_count ? stream->submits[submit].state : GPUCODE_STREAM_RECORDED;
}

size_t gpucode_stream_place(const struct gpucode_stream *stream, size_t submit, uint64_t *packets, size_t room)
{
    if (!stream || submit >= stream->submit_count || !stream->submits[submit].place)
        return 0;
    const struct recorded_submit *from = &stream->submits[submit];
    struct gpucode_record record = {.bytes = from->place};
    for (size_t i = 0; i < from->place_count && i < room; i++)
        packets[i] = read_wide(&record, i);
    return from->place_count;
}
