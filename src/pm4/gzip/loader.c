/* SPDX-License-Identifier: MIT */
#include "pm4/gzip/loader.h"
#include "gzip_messages.h"

#include <stdarg.h>
#include <stdlib.h>

void loader_report(const struct loader *loader, message_id message, ...)
{
    struct place place = {.file = loader->file_name};
    va_list args;
    va_start(args, message);
    report_v(&loader->on_diagnostic, &place, message, NULL, args);
    va_end(args);
}

/* Decompresses the file, if it is compressed. */
static enum gpucode_status inflate_file(struct loader *loader, const struct loader_kind *kind, size_t limit)
{
    struct inflated inflated;
    enum gpucode_status status = gzip_inflate(loader->bytes, loader->size, limit, &inflated);
    if (status == GPUCODE_ERROR_UNSUPPORTED) {
        loader_report(loader, MSG_GZIP_ABSENT);
        return GPUCODE_ERROR_INPUT;
    }
    loader->inflated = inflated.bytes;
    if (inflated.large)
        loader_report(loader, kind->large, limit);
    loader->damaged = inflated.damaged;
    if (inflated.damaged)
        loader_report(loader, kind->damaged, inflated.length);
    if (inflated.bytes) {
        loader->bytes = inflated.bytes;
        loader->size = inflated.length;
    }
    return status;
}

enum gpucode_status loader_open(const struct loader_kind *kind, const struct loader_file *file, struct loader **out)
{
    *out = NULL;
    if (!file->bytes && file->size)
        return GPUCODE_ERROR_ARGUMENT;
    struct loader *loader = calloc(1, kind->object_size);
    if (!loader)
        return GPUCODE_ERROR_MEMORY;
    loader->bytes = file->bytes;
    loader->size = file->size;
    loader->file_name = file->name;
    loader->more = file->more;
    loader->on_diagnostic = file->on_diagnostic;
    enum gpucode_status status = inflate_file(loader, kind, file->limit);
    if (status == GPUCODE_OK)
        status = kind->read(loader);
    loader->file_name = NULL;
    loader->more = NULL;
    loader->on_diagnostic = (struct gpucode_diagnostic_handler){0};
    if (status == GPUCODE_OK)
        *out = loader;
    else
        loader_close(kind, loader);
    return status;
}

void loader_close(const struct loader_kind *kind, struct loader *loader)
{
    if (!loader)
        return;
    kind->release(loader);
    arena_free(&loader->arena);
    free(loader->inflated);
    free(loader);
}
