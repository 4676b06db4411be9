/* SPDX-License-Identifier: MIT */
/*
 * Pictures: PNG files read as the texels of a texture, and written from what a shader made. In a library of its own,
 * gpucode-picture, because it needs libpng.
 *
 *     struct gpucode_picture picture;
 *     if (gpucode_picture_read(bytes, size, NULL, &picture) == GPUCODE_OK) {
 *         printf("%ux%u\n", picture.width, picture.height);
 *         gpucode_picture_free(&picture);
 *     }
 *
 * Values are taken as they stand in the file: the largest is 1.0, the least 0.0, and no gamma or colour space (sRGB) is
 * applied, in either direction.
 */
#ifndef GPUCODE_PICTURE_H
#define GPUCODE_PICTURE_H

#include <gpucode/diagnostic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sides of a picture that is read, and of one that is written. */
#define GPUCODE_PICTURE_SIDE_MAX 8192
#define GPUCODE_PICTURE_TEXELS_MAX                                                                                     \
    ((size_t)1 << 25) /* unless the options say otherwise; a small file can unpack to that */

struct gpucode_picture {
    unsigned width, height;
    float *texels; /* red, green, blue, alpha of each texel, the upper row first; gpucode_picture_free() */
};

struct gpucode_picture_options {
    size_t limit;          /* texels; 0: GPUCODE_PICTURE_TEXELS_MAX */
    const char *file_name; /* for diagnostics, or null */
    struct gpucode_diagnostic_handler on_diagnostic;
};

/*
 * Reads a PNG file of any kind: 1 to 16 bits, grey, palette or colours, with alpha or a transparent colour or without
 * (alpha is 1.0 then), interlaced or not. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (the diagnostic handler was told),
 * GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_picture_read(const void *bytes, size_t size,
                                                     const struct gpucode_picture_options *options,
                                                     struct gpucode_picture *picture);
/* Frees the texels and empties the picture; null is fine. */
GPUCODE_API void gpucode_picture_free(struct gpucode_picture *picture);

/*
 * Makes a PNG file of 8-bit red, green, blue and alpha, 4 * width * height bytes, the upper row first. *bytes is
 * malloc'ed. Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT (a side is 0 or above
 * GPUCODE_PICTURE_SIDE_MAX). The same picture gives the same bytes with the same libpng and zlib. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_picture_write(const uint8_t *rgba, unsigned width, unsigned height,
                                                      void **bytes, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
