/* SPDX-License-Identifier: MIT */
/* The loader's public functions. */
#include "pm4/stream/recording.h"

#include <gpucode/fields.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void stream_report(const struct gpucode_stream *stream, enum message message, ...)
{
    struct place place = {.file = stream->file_name};
    va_list args;
    va_start(args, message);
    report_v(&stream->on_diagnostic, &place, message, NULL, args);
    va_end(args);
}

enum gpucode_status gpucode_stream_open(const void *bytes, size_t size, const struct gpucode_stream_options *options,
                                        struct gpucode_stream **out)
{
    static const struct gpucode_stream_options none = {0};
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!bytes && size)
        return GPUCODE_ERROR_ARGUMENT;
    if (!options)
        options = &none;
    struct gpucode_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return GPUCODE_ERROR_MEMORY;
    stream->bytes = bytes;
    stream->size = size;
    stream->file_name = options->file_name;
    stream->on_diagnostic = options->on_diagnostic;
    enum gpucode_status status = stream_inflate(stream, options->limit ? options->limit : GPUCODE_STREAM_SIZE_MAX);
    if (status == GPUCODE_OK)
        status = stream_find_records(stream);
    if (status == GPUCODE_OK)
        status = stream_find_submits(stream);
    /* neither is used any more, and both are the caller's */
    stream->file_name = NULL;
    stream->on_diagnostic = none.on_diagnostic;
    if (status == GPUCODE_OK)
        *out = stream;
    else
        gpucode_stream_free(stream);
    return status;
}

void gpucode_stream_free(struct gpucode_stream *stream)
{
    if (!stream)
        return;
    arena_free(&stream->arena);
    free(stream->inflated);
    free(stream);
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

const struct gpucode_target *gpucode_stream_target(const struct gpucode_stream *stream)
{
    struct gpucode_chip chip;
    char name[32];
    if (!gpucode_chip_find(gpucode_stream_gpu_id(stream), gpucode_stream_chip_id(stream), &chip))
        return NULL;
    unsigned number = gpucode_stream_gpu_id(stream);
    if (chip.name && sscanf(chip.name, "FD%u", &number) != 1 && !number)
        number = 0;
    snprintf(name, sizeof name, "afuc:a%u", number);
    const struct gpucode_target *target = gpucode_target_find(name);
    if (target)
        return target;
    if (chip.family == 8)
        snprintf(name, sizeof name, "afuc:gen8");
    else
        snprintf(name, sizeof name, "afuc:a%uxx", chip.family);
    return gpucode_target_find(name);
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
