/* SPDX-License-Identifier: MIT */
/* The loader's public functions. */
#include "pm4/stream/recording.h"
#include "stream_messages.h"

#include <gpucode/fields.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
