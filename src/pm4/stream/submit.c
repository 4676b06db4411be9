/* SPDX-License-Identifier: MIT */
/* Submits: the buffers and command streams between one hand-over to the GPU and the next. */
#include "pm4/stream/recording.h"
#include "stream_messages.h"

#include <string.h>

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
    };
    reader->closed = false;
}

static void finish_submit(struct reader *reader)
{
    struct gpucode_stream *stream = reader->stream;
    struct recorded_submit *submit = &reader->submit;
    submit->buffer_count = stream->buffer_count - submit->buffer;
    submit->command_count = stream->command_count - submit->command;
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
    if (buffer->bytes)
        return false;
    buffer->bytes = record->bytes;
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
    default:
        return true;
    }
}

enum gpucode_status stream_find_submits(struct gpucode_stream *stream)
{
    size_t buffers = 0, commands = 0, wrong = 0;
    for (size_t i = 0; i < stream->record_count; i++) {
        buffers += stream->records[i].type == GPUCODE_RECORD_BUFFER;
        commands += stream->records[i].type == GPUCODE_RECORD_STREAM_ADDRESS;
    }
    struct arena *arena = &stream->loader.arena;
    stream->buffers = arena_array(arena, buffers + 1, sizeof *stream->buffers);
    stream->commands = arena_array(arena, commands + 1, sizeof *stream->commands);
    stream->submits = arena_array(arena, commands + 1, sizeof *stream->submits);
    if (!stream->buffers || !stream->commands || !stream->submits)
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
        loader_report(&stream->loader, MSG_STREAM_RECORDS, wrong);
    for (size_t i = 0; i < stream->submit_count; i++)
        if (stream_find_spans(stream, &stream->submits[i]) != GPUCODE_OK)
            return GPUCODE_ERROR_MEMORY;
    return GPUCODE_OK;
}
