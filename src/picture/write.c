/* SPDX-License-Identifier: MIT */
/* RGBA bytes to PNG. As in read.c, what libpng's longjmp must find lies in a struct. */
#include <gpucode/picture.h>

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    png_struct *png;
    png_info *info;
    unsigned char *bytes;
    size_t size, room;
};

static void fail(png_struct *png, const char *text) __attribute__((noreturn));
static void fail(png_struct *png, const char *text)
{
    (void)text;
    longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_struct *png, const char *text)
{
    (void)png;
    (void)text;
}

static void put(png_struct *png, png_byte *from, size_t size)
{
    struct writer *writer = png_get_io_ptr(png);
    if (writer->room - writer->size < size) {
        size_t room = (writer->room + size) * 2;
        unsigned char *bytes = realloc(writer->bytes, room);
        if (!bytes)
            fail(png, "");
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
    struct writer writer = {.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, ignore)};
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
