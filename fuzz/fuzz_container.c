/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as an image: with the target found from the content, with one picked by the last byte, and as raw words.
 * What the image says must lie inside the bytes.
 */
#include "given.h"

static void take_apart(const uint8_t *bytes, size_t size, const struct gpucode_image_options *options)
{
    struct gpucode_image *image;
    enum gpucode_status status = gpucode_image_open(bytes, size, options, &image);
    check(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !options->target));
    if (status != GPUCODE_OK)
        return;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    uint64_t unit = gpucode_target_unit_bytes(info->target), end = 0;
    check(info->prefix + info->units * unit + info->tail == size);
    for (unsigned i = 0; i < info->section_count; i++) {
        const struct gpucode_section *section = &info->sections[i];
        check(section->start >= end && section->size);
        end = (uint64_t)section->start + section->size;
        check(end <= info->units);
        for (unsigned entry = 0; entry < 129; entry++) {
            uint32_t handler;
            bool found = gpucode_image_handler(image, i, entry, &handler);
            check(found == (section->table != GPUCODE_NONE && entry < 128));
            check(!found || handler < section->table);
        }
    }
    check(info->trailer == GPUCODE_NONE || (info->trailer >= end && (uint64_t)info->trailer + 4 <= info->units));
    gpucode_image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gpucode_image_options options = {0};
    take_apart(bytes, size, &options);
    if (!size)
        return 0;
    options.target = given_target(bytes[size - 1]);
    take_apart(bytes, size, &options);
    options.raw = true;
    take_apart(bytes, size, &options);
    return 0;
}
