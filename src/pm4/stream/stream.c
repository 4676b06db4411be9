/* SPDX-License-Identifier: MIT */
/* The loader's public functions. */
#include "pm4/stream/recording.h"

#include "pm4/gzip/inflate.h"

#include <gpucode/fields.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decompresses the file, if it is compressed. */
static enum gpucode_status inflate_stream(struct gpucode_stream *stream, size_t limit)
{
    struct inflated inflated;
    enum gpucode_status status = gzip_inflate(stream->bytes, stream->size, limit, &inflated);
    stream->inflated = inflated.bytes;
    if (inflated.large)
        stream_report(stream, MSG_STREAM_LARGE, limit);
    if (inflated.damaged)
        stream_report(stream, MSG_STREAM_DAMAGED, inflated.length);
    if (inflated.bytes) {
        stream->bytes = inflated.bytes;
        stream->size = inflated.length;
    }
    return status;
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
    enum gpucode_status status = inflate_stream(stream, options->limit ? options->limit : GPUCODE_STREAM_SIZE_MAX);
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
