/* SPDX-License-Identifier: MIT */
/*
 * PNG to floats. libpng expands everything to 16-bit RGBA; v * 257 / 65535 is the same float as v / 255, so that files
 * of 8 bits lose nothing. libpng reports errors by longjmp: what the jump must find lies in struct reader, and
 * nothing that changes lies in local variables around the setjmp.
 */
#include "base/diagnostics.h"
#include "picture_messages.h"

#include <gpucode/picture.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const unsigned char *at, *end;
    png_struct *png;
    png_info *info;
    unsigned char *texels; /* 8 bytes each: libpng's 16-bit values, the high byte first */
    png_byte **rows;
    unsigned width, height;
    bool no_memory;
    char why[128];
};

static void fail(png_struct *png, const char *text) __attribute__((noreturn));
static void fail(png_struct *png, const char *text)
{
    struct reader *reader = png_get_error_ptr(png);
    snprintf(reader->why, sizeof reader->why, "%s", text);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_struct *png, const char *text)
{
    (void)png;
    (void)text;
}

static void take(png_struct *png, png_byte *to, size_t size)
{
    struct reader *reader = png_get_io_ptr(png);
    if ((size_t)(reader->end - reader->at) < size)
        fail(png, "the file is cut off");
    memcpy(to, reader->at, size);
    reader->at += size;
}

/* Decodes into reader->texels; false: reader->why says why not, or there was no memory. */
static bool decode(struct reader *reader, size_t limit)
{
    if (setjmp(png_jmpbuf(reader->png)))
        return false;
    png_set_read_fn(reader->png, reader, take);
    png_read_info(reader->png, reader->info);
    reader->width = png_get_image_width(reader->png, reader->info);
    reader->height = png_get_image_height(reader->png, reader->info);
    if (reader->width > GPUCODE_PICTURE_SIDE_MAX || reader->height > GPUCODE_PICTURE_SIDE_MAX ||
        (size_t)reader->width * reader->height > limit)
        return false;               /* the caller sees the sides */
    png_set_expand_16(reader->png); /* palettes, transparent colours, fewer bits */
    png_set_gray_to_rgb(reader->png);
    png_set_add_alpha(reader->png, 0xffff, PNG_FILLER_AFTER);
    png_set_interlace_handling(reader->png);
    png_read_update_info(reader->png, reader->info);
    size_t row_bytes = png_get_rowbytes(reader->png, reader->info);
    if (row_bytes != (size_t)reader->width * 8)
        fail(reader->png, "the file has a form that libpng does not expand");
    reader->texels = calloc(reader->height, row_bytes);
    reader->rows = calloc(reader->height, sizeof *reader->rows);
    reader->no_memory = !reader->texels || !reader->rows;
    if (reader->no_memory)
        return false;
    for (unsigned y = 0; y < reader->height; y++)
        reader->rows[y] = reader->texels + y * row_bytes;
    png_read_image(reader->png, reader->rows);
    png_read_end(reader->png, NULL);
    return true;
}

static enum gpucode_status finish(struct reader *reader, struct gpucode_picture *picture)
{
    size_t count = (size_t)reader->width * reader->height * 4;
    picture->texels = malloc(count * sizeof *picture->texels);
    if (!picture->texels)
        return GPUCODE_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++)
        picture->texels[i] = (float)(reader->texels[2 * i] << 8 | reader->texels[2 * i + 1]) / 65535.0f;
    picture->width = reader->width;
    picture->height = reader->height;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_picture_read(const void *bytes, size_t size, const struct gpucode_picture_options *options,
                                         struct gpucode_picture *picture)
{
    static const struct gpucode_picture_options none = {0};
    if (!picture || (!bytes && size))
        return GPUCODE_ERROR_ARGUMENT;
    *picture = (struct gpucode_picture){0};
    if (!options)
        options = &none;
    struct place place = {.file = options->file_name};
    if (size < 8 || png_sig_cmp(bytes, 0, 8) != 0) {
        report(&options->on_diagnostic, &place, MSG_PICTURE_UNKNOWN, NULL);
        return GPUCODE_ERROR_INPUT;
    }
    struct reader reader = {.at = bytes, .end = (const unsigned char *)bytes + size};
    size_t limit = options->limit ? options->limit : GPUCODE_PICTURE_TEXELS_MAX;
    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, fail, ignore);
    reader.info = reader.png ? png_create_info_struct(reader.png) : NULL;
    enum gpucode_status status = GPUCODE_ERROR_MEMORY;
    if (reader.info && decode(&reader, limit)) {
        status = finish(&reader, picture);
    } else if (reader.why[0]) {
        report(&options->on_diagnostic, &place, MSG_PICTURE_DAMAGED, NULL, reader.why);
        status = GPUCODE_ERROR_INPUT;
    } else if (reader.info && !reader.no_memory) {
        report(&options->on_diagnostic, &place, MSG_PICTURE_LARGE, NULL, reader.width, reader.height);
        status = GPUCODE_ERROR_INPUT;
    }
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    free(reader.texels);
    free(reader.rows);
    return status;
}

void gpucode_picture_free(struct gpucode_picture *picture)
{
    if (!picture)
        return;
    free(picture->texels);
    *picture = (struct gpucode_picture){0};
}
