/* SPDX-License-Identifier: MIT */
/* Any bytes as a PNG picture. What is read has values from 0 to 1, and comes back from a file written of it. */
#include "check.h"
#include <gpucode/picture.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gpucode_picture_options options = {.limit = 1 << 16};
    struct gpucode_picture picture, again;
    enum gpucode_status status = gpucode_picture_read(bytes, size, &options, &picture);
    check(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !picture.texels));
    if (status != GPUCODE_OK)
        return 0;
    size_t count = (size_t)picture.width * picture.height * 4;
    uint8_t *rgba = malloc(count);
    void *file;
    size_t file_size;
    check(rgba && count && picture.width <= GPUCODE_PICTURE_SIDE_MAX && picture.height <= GPUCODE_PICTURE_SIDE_MAX);
    for (size_t i = 0; i < count; i++) {
        check(picture.texels[i] >= 0 && picture.texels[i] <= 1);
        rgba[i] = (uint8_t)(picture.texels[i] * 255 + 0.5f);
    }
    check(gpucode_picture_write(rgba, picture.width, picture.height, &file, &file_size) == GPUCODE_OK);
    check(gpucode_picture_read(file, file_size, &options, &again) == GPUCODE_OK);
    for (size_t i = 0; i < count; i++)
        check((uint8_t)(again.texels[i] * 255 + 0.5f) == rgba[i]);
    gpucode_picture_free(&again);
    gpucode_picture_free(&picture);
    free(file);
    free(rgba);
    return 0;
}
