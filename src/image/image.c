/* SPDX-License-Identifier: MIT */
#include "base/text.h"
#include "isa/isa.h"
#include "isa/plain/plain.h"
#include "registry.h"

#include <string.h>

/* Asks one instruction set to take the file apart. */
static enum gpucode_status lay_out(const struct isa *isa, const void *bytes, size_t size,
                                   const struct gpucode_image_options *options, struct gpucode_image **out)
{
    struct arena arena = {0};
    struct gpucode_image *image = arena_alloc(&arena, sizeof *image);
    if (!image)
        return GPUCODE_ERROR_MEMORY;
    image->isa = isa;
    image->layout = (struct isa_layout){
        .set = isa,
        .elsewhere = registry_mnemonic_elsewhere,
        .info = {.target = options->target,
                 .format = isa->name,
                 .id = GPUCODE_NONE,
                 .version = GPUCODE_NONE,
                 .target_given = options->target != NULL,
                 .trailer = GPUCODE_NONE},
        .bytes = bytes,
        .size = size,
    };
    if (options->file_name) {
        image->layout.file_name = arena_copy(&arena, options->file_name, strlen(options->file_name));
        if (!image->layout.file_name) {
            arena_free(&arena);
            return GPUCODE_ERROR_MEMORY;
        }
    }
    enum gpucode_status status = isa->files.layout ? isa->files.layout(&image->layout, &arena, options)
                                                   : isa_plain_layout(&image->layout, &arena, options);
    if (status != GPUCODE_OK) {
        arena_free(&arena);
        return status;
    }
    image->arena = arena;
    *out = image;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_image_open(const void *bytes, size_t size, const struct gpucode_image_options *options,
                                       struct gpucode_image **out)
{
    static const struct gpucode_image_options none = {0};
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!bytes && size)
        return GPUCODE_ERROR_ARGUMENT;
    if (!bytes)
        bytes = "";
    if (!options)
        options = &none;
    struct place place = {.file = options->file_name};
    /* GPUCODE_NONE must stay free in offsets of single bytes. */
    if (size >= GPUCODE_NONE) {
        report(&options->on_diagnostic, &place, MSG_IMAGE_LARGE, NULL);
        return GPUCODE_ERROR_INPUT;
    }
    enum gpucode_status status = GPUCODE_ERROR_UNSUPPORTED;
    if (options->target)
        status = lay_out(options->target->isa, bytes, size, options, out);
    else
        for (unsigned i = 0; registry_sets[i] && status == GPUCODE_ERROR_UNSUPPORTED; i++)
            status = lay_out(registry_sets[i], bytes, size, options, out);
    if (status == GPUCODE_ERROR_UNSUPPORTED) {
        char hint[ISA_TARGET_LIST_SIZE];
        registry_target_list(hint, sizeof hint);
        report(&options->on_diagnostic, &place, MSG_IMAGE_UNKNOWN, hint);
        return GPUCODE_ERROR_INPUT;
    }
    return status;
}

void gpucode_image_free(struct gpucode_image *image)
{
    if (!image)
        return;
    struct arena arena = image->arena; /* the image lies in its own arena */
    arena_free(&arena);
}

uint64_t gpucode_bytes_hash(const void *bytes, size_t size)
{
    return bytes ? text_hash(TEXT_HASH_START, bytes, size) : 0;
}

const struct gpucode_image_info *gpucode_image_info(const struct gpucode_image *image)
{
    return &image->layout.info;
}

const void *gpucode_image_bytes(const struct gpucode_image *image, size_t *size)
{
    if (size)
        *size = 0;
    if (!image)
        return NULL;
    if (size)
        *size = image->layout.size;
    return image->layout.bytes;
}

enum gpucode_status gpucode_image_join(const struct gpucode_image *first, const struct gpucode_image *second,
                                       void **bytes, size_t *size)
{
    if (bytes)
        *bytes = NULL;
    if (!first || !second || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    *size = 0;
    if (first->isa != second->isa || !first->isa->files.join)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct buffer joined = {0};
    bool fits = first->isa->files.join(&first->layout, &second->layout, &joined);
    buffer_append(&joined, "", 1);
    if (!fits || joined.failed) {
        buffer_free(&joined);
        return fits ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_UNSUPPORTED;
    }
    *bytes = joined.bytes;
    *size = joined.length - 1;
    return GPUCODE_OK;
}

bool gpucode_image_handler(const struct gpucode_image *image, unsigned section, unsigned entry, uint32_t *handler)
{
    return image && handler && section < image->layout.info.section_count && image->isa->files.handler &&
           image->isa->files.handler(&image->layout, section, entry, handler);
}
