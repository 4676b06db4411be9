/* SPDX-License-Identifier: MIT */
/*
 * PNG to floats, and bytes to PNG: the one place that knows libpng. It reports errors by longjmp: what the jump must
 * find lies in structs, and nothing that changes lies in local variables around the setjmp.
 */
#include "base/diagnostics.h"
#include "picture_messages.h"

#include <gpucode/picture.h>
#include <stdlib.h>

#ifdef GPUCODE_WITH_PNG
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void ignore(png_struct *png, const char *text)
{
    (void)png;
    (void)text;
}

/*
 * --- reading: libpng expands everything to 16-bit RGBA; v * 257 / 65535 is the same float as v / 255, so that files of
 * 8 bits lose nothing ---
 */

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

/* libpng itself has no way to tell that there was no memory from what else is wrong. */
static void *get_memory(png_struct *png, png_alloc_size_t size)
{
    struct reader *reader = png_get_mem_ptr(png);
    void *memory = malloc(size);
    reader->no_memory |= !memory;
    return memory;
}

static void free_memory(png_struct *png, void *memory)
{
    (void)png;
    free(memory);
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
    if (!reader->texels || !reader->rows) {
        reader->no_memory = true;
        return false;
    }
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
    reader.png =
        png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &reader, fail, ignore, &reader, get_memory, free_memory);
    reader.info = reader.png ? png_create_info_struct(reader.png) : NULL;
    enum gpucode_status status;
    if (reader.info && decode(&reader, limit)) {
        status = finish(&reader, picture);
    } else if (!reader.info || reader.no_memory) {
        status = GPUCODE_ERROR_MEMORY;
    } else if (reader.why[0]) {
        report(&options->on_diagnostic, &place, MSG_PICTURE_DAMAGED, NULL, reader.why);
        status = GPUCODE_ERROR_INPUT;
    } else {
        report(&options->on_diagnostic, &place, MSG_PICTURE_LARGE, NULL, reader.width, reader.height);
        status = GPUCODE_ERROR_INPUT;
    }
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    free(reader.texels);
    free(reader.rows);
    return status;
}

/* --- writing --- */

struct writer {
    png_struct *png;
    png_info *info;
    unsigned char *bytes;
    size_t size, room;
};

static void fail_writing(png_struct *png, const char *text) __attribute__((noreturn));
static void fail_writing(png_struct *png, const char *text)
{
    (void)text;
    longjmp(png_jmpbuf(png), 1);
}

static void put(png_struct *png, png_byte *from, size_t size)
{
    struct writer *writer = png_get_io_ptr(png);
    if (writer->room - writer->size < size) {
        size_t room = (writer->room + size) * 2;
        unsigned char *bytes = realloc(writer->bytes, room);
        if (!bytes)
            fail_writing(png, "");
        writer->bytes = bytes;
        writer->room = room;
    }
    memcpy(writer->bytes + writer->size, from, size);
    writer->size += size;
}

static void flush(png_struct *png)
{
    (void)png;
}

static bool encode(struct writer *writer, const uint8_t *rgba, unsigned width, unsigned height)
{
    if (setjmp(png_jmpbuf(writer->png)))
        return false;
    png_set_write_fn(writer->png, writer, put, flush);
    png_set_IHDR(writer->png, writer->info, width, height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    /* a sixth of the presets' time for files half as large again: pictures are drawn over and over */
    png_set_compression_level(writer->png, 1);
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
    png_write_info(writer->png, writer->info);
    for (unsigned y = 0; y < height; y++)
        png_write_row(writer->png, rgba + (size_t)y * width * 4);
    png_write_end(writer->png, writer->info);
    return true;
}

enum gpucode_status gpucode_picture_write(const uint8_t *rgba, unsigned width, unsigned height, void **bytes,
                                          size_t *size)
{
    if (!rgba || !bytes || !size || !width || !height || width > GPUCODE_PICTURE_SIDE_MAX ||
        height > GPUCODE_PICTURE_SIDE_MAX)
        return GPUCODE_ERROR_ARGUMENT;
    struct writer writer = {.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_writing, ignore)};
    writer.info = writer.png ? png_create_info_struct(writer.png) : NULL;
    bool good = writer.info && encode(&writer, rgba, width, height);
    png_destroy_write_struct(&writer.png, &writer.info);
    if (!good) {
        free(writer.bytes);
        return GPUCODE_ERROR_MEMORY;
    }
    *bytes = writer.bytes;
    *size = writer.size;
    return GPUCODE_OK;
}
#else
enum gpucode_status gpucode_picture_read(const void *bytes, size_t size, const struct gpucode_picture_options *options,
                                         struct gpucode_picture *picture)
{
    if (!picture || (!bytes && size))
        return GPUCODE_ERROR_ARGUMENT;
    *picture = (struct gpucode_picture){0};
    if (options)
        report(&options->on_diagnostic, &(struct place){.file = options->file_name}, MSG_PICTURE_ABSENT, NULL);
    return GPUCODE_ERROR_UNSUPPORTED;
}

enum gpucode_status gpucode_picture_write(const uint8_t *rgba, unsigned width, unsigned height, void **bytes,
                                          size_t *size)
{
    return rgba && bytes && size && width && height ? GPUCODE_ERROR_UNSUPPORTED : GPUCODE_ERROR_ARGUMENT;
}
#endif

void gpucode_picture_free(struct gpucode_picture *picture)
{
    if (!picture)
        return;
    free(picture->texels);
    *picture = (struct gpucode_picture){0};
}
