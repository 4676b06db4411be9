/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a PNG picture. What is read has values from 0 to 1, and comes back from a file written of it. Each input
 * is tried once more with right checksums, which no mutation hits: after them is all that is worth trying.
 */
#include "check.h"
#include <gpucode/picture.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SIGNATURE_SIZE 8
#define FRAME_SIZE 12 /* of a chunk: length, type, checksum */

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* CRC-32 as PNG has it, a bit at a time. */
static uint32_t checksum(const uint8_t *at, size_t size)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        sum ^= at[i];
        for (unsigned bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

/* Sets the signature and the checksum of each chunk; false: it was a picture with right ones already. */
static bool mend(uint8_t *bytes, size_t size)
{
    static const uint8_t signature[SIGNATURE_SIZE] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    bool mended = size >= SIGNATURE_SIZE && memcmp(bytes, signature, SIGNATURE_SIZE) != 0;
    if (size < SIGNATURE_SIZE)
        return false;
    memcpy(bytes, signature, SIGNATURE_SIZE);
    for (size_t at = SIGNATURE_SIZE; size - at >= FRAME_SIZE;) {
        size_t length = big_endian(bytes + at);
        if (length > size - at - FRAME_SIZE)
            break;
        uint8_t *sum = bytes + at + 8 + length;
        uint32_t right = checksum(bytes + at + 4, length + 4);
        mended |= big_endian(sum) != right;
        for (unsigned i = 0; i < 4; i++)
            sum[i] = (uint8_t)(right >> (24 - 8 * i));
        at += FRAME_SIZE + length;
    }
    return mended;
}

static void check_picture(const uint8_t *bytes, size_t size)
{
    struct gpucode_picture_options options = {.limit = 1 << 16};
    struct gpucode_picture picture, again;
    enum gpucode_status status = gpucode_picture_read(bytes, size, &options, &picture);
    check(status == GPUCODE_OK || (status == GPUCODE_ERROR_INPUT && !picture.texels));
    if (status != GPUCODE_OK)
        return;
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
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    check(copy != NULL);
    if (size)
        memcpy(copy, bytes, size);
    check_picture(bytes, size);
    if (mend(copy, size))
        check_picture(copy, size);
    free(copy);
    return 0;
}
