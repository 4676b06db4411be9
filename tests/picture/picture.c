/* SPDX-License-Identifier: MIT */
/* PNG files of every kind as texels, what is wrong with others, and pictures written and read back. */
#include "assembling.h"
#include "maker.h"

#include <gpucode/picture.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct gpucode_picture read_made(const struct made *made)
{
    struct gpucode_picture picture;
    struct heard heard = {0};
    struct gpucode_picture_options options = {.on_diagnostic = listen(&heard)};
    if (gpucode_picture_read(made->bytes, made->size, &options, &picture) != GPUCODE_OK)
        fail_msg("%s", heard_text(&heard));
    return picture;
}

static void expect_texels(const struct made *made, unsigned width, unsigned height, const float *texels)
{
    struct gpucode_picture picture = read_made(made);
    assert_int_equal(picture.width, width);
    assert_int_equal(picture.height, height);
    for (size_t i = 0; i < (size_t)width * height * 4; i++)
        if (!(picture.texels[i] == texels[i]))
            fail_msg("value %zu is %.9g, not %.9g", i, (double)picture.texels[i], (double)texels[i]);
    gpucode_picture_free(&picture);
    assert_null(picture.texels);
}

static void kinds(void)
{
    struct made made = make_begin(2, 1, 8, RGBA, false);
    make_end(&made, "\0\x00\x01\x80\xff\xff\x40\x00\x00", 9);
    expect_texels(&made, 2, 1, (float[]){0, 1 / 255.0f, 128 / 255.0f, 1, 1, 64 / 255.0f, 0, 0});
    made = make_begin(1, 2, 8, RGB, false);
    make_end(&made, "\0\x10\x20\x30\0\xff\x00\x03", 8);
    expect_texels(&made, 1, 2, (float[]){16 / 255.0f, 32 / 255.0f, 48 / 255.0f, 1, 1, 0, 3 / 255.0f, 1});
    made = make_begin(2, 1, 8, GREY, false);
    make_end(&made, "\0\x00\x7f", 3);
    expect_texels(&made, 2, 1, (float[]){0, 0, 0, 1, 127 / 255.0f, 127 / 255.0f, 127 / 255.0f, 1});
    made = make_begin(1, 1, 8, GREY_ALPHA, false);
    make_end(&made, "\0\xff\x33", 3);
    expect_texels(&made, 1, 1, (float[]){1, 1, 1, 51 / 255.0f});
    made = make_begin(1, 1, 16, RGBA, false);
    make_end(&made, "\0\x00\x01\x80\x00\xff\xff\x12\x34", 9);
    expect_texels(&made, 1, 1, (float[]){1 / 65535.0f, 32768 / 65535.0f, 1, 0x1234 / 65535.0f});
    made = make_begin(1, 1, 16, GREY, false);
    make_end(&made, "\0\x01\x00", 3);
    expect_texels(&made, 1, 1, (float[]){256 / 65535.0f, 256 / 65535.0f, 256 / 65535.0f, 1});
    made = make_begin(4, 1, 1, GREY, false);
    make_end(&made, "\0\x50", 2);
    expect_texels(&made, 4, 1, (float[]){0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1});
    made = make_begin(2, 1, 4, GREY, false);
    make_end(&made, "\0\x3f", 2);
    expect_texels(&made, 2, 1, (float[]){51 / 255.0f, 51 / 255.0f, 51 / 255.0f, 1, 1, 1, 1, 1});
}

static void palettes_and_transparent_colours(void)
{
    struct made made = make_begin(3, 1, 2, PALETTE, false);
    make_chunk(&made, "PLTE", "\xff\x00\x00\x00\xff\x00\x00\x00\x33", 9);
    make_chunk(&made, "tRNS", "\xff\x66", 2);
    make_end(&made, "\0\x18", 2); /* 0, 1, 2 */
    expect_texels(&made, 3, 1, (float[]){1, 0, 0, 1, 0, 1, 0, 102 / 255.0f, 0, 0, 51 / 255.0f, 1});
    made = make_begin(2, 1, 8, RGB, false);
    make_chunk(&made, "tRNS", "\0\x01\0\x02\0\x03", 6);
    make_end(&made, "\0\x01\x02\x03\x01\x02\x04", 7);
    expect_texels(&made, 2, 1, (float[]){1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 0, 1 / 255.0f, 2 / 255.0f, 4 / 255.0f, 1});
}

/* Values stay as they are, whatever the file says of its colours. */
static void no_gamma(void)
{
    for (unsigned i = 0; i < 2; i++) {
        struct made made = make_begin(1, 1, 8, GREY, false);
        if (i)
            make_chunk(&made, "sRGB", "", 1);
        else
            make_chunk(&made, "gAMA", "\0\0\xb1\x8f", 4);
        make_end(&made, "\0\x80", 2);
        expect_texels(&made, 1, 1, (float[]){128 / 255.0f, 128 / 255.0f, 128 / 255.0f, 1});
    }
}

/* Adam7 of 2 x 2: a pass with the first texel, one with the second, one with the lower row. */
static void interlaced(void)
{
    struct made made = make_begin(2, 2, 8, GREY, true);
    make_end(&made, "\0\x00\0\x33\0\x66\xff", 7);
    float texels[16];
    static const float grey[] = {0, 51 / 255.0f, 102 / 255.0f, 1};
    for (unsigned i = 0; i < 16; i++)
        texels[i] = i % 4 == 3 ? 1 : grey[i / 4];
    expect_texels(&made, 2, 2, texels);
}

/* Filters: a row of differences. */
static void filtered(void)
{
    struct made made = make_begin(3, 2, 8, GREY, false);
    make_end(&made, "\1\x10\x10\x10\2\x01\x01\x01", 8);
    float texels[24];
    static const unsigned grey[] = {16, 32, 48, 17, 33, 49};
    for (unsigned i = 0; i < 24; i++)
        texels[i] = i % 4 == 3 ? 1 : (float)grey[i / 4] / 255.0f;
    expect_texels(&made, 3, 2, texels);
}

static void refuse(const void *bytes, size_t size, size_t limit, const char *what)
{
    struct gpucode_picture picture;
    struct heard heard = {0};
    struct gpucode_picture_options options = {.limit = limit, .file_name = "x.png", .on_diagnostic = listen(&heard)};
    assert_int_equal(gpucode_picture_read(bytes, size, &options, &picture), GPUCODE_ERROR_INPUT);
    assert_null(picture.texels);
    assert_int_equal(heard.count, 1);
    if (strncmp(heard.said[0].code, what, strlen(what)) != 0)
        fail_msg("%s instead of %s", heard_text(&heard), what);
}

static void wrong(void)
{
    struct gpucode_picture picture;
    refuse("", 0, 0, "picture-unknown");
    refuse("GIF89a..............", 20, 0, "picture-unknown");
    struct made made = make_begin(2, 2, 8, RGB, false);
    make_end(&made, "\0\1\2\3\4\5\6\0\1\2\3\4\5\6", 14);
    gpucode_picture_free(NULL);
    picture = read_made(&made);
    gpucode_picture_free(&picture);
    assert_memory_equal(&picture, &(struct gpucode_picture){0}, sizeof picture); /* it may be freed again */
    for (size_t size = 8; size < made.size; size++)
        refuse(made.bytes, size, 0, "picture-damaged");
    /*
     * A bit that is not as it was, in every place after the signature: the check sums find it. Of the chunk that ends
     * the file, which holds nothing, newer versions of libpng forgive some.
     */
    const size_t end_chunk = 12;
    for (size_t i = 8; i < made.size; i++) {
        made.bytes[i] ^= 4;
        struct heard heard = {0};
        struct gpucode_picture_options options = {.limit = 1 << 16, .on_diagnostic = listen(&heard)};
        enum gpucode_status status = gpucode_picture_read(made.bytes, made.size, &options, &picture);
        if (status == GPUCODE_OK && i >= made.size - end_chunk)
            gpucode_picture_free(&picture);
        else if (status != GPUCODE_ERROR_INPUT)
            fail_msg("a flipped bit in byte %zu is accepted", i);
        made.bytes[i] ^= 4;
    }
    refuse(made.bytes, made.size, 3, "picture-large");
    made = make_begin(8193, 1, 8, GREY, false);
    make_end(&made, "", 0);
    refuse(made.bytes, made.size, 0, "picture-large");
    made = make_begin(1, UINT32_MAX / 2, 8, GREY, false);
    make_end(&made, "", 0);
    refuse(made.bytes, made.size, 0, "picture-");
    made = make_begin(0, 1, 8, GREY, false);
    make_end(&made, "", 0);
    refuse(made.bytes, made.size, 0, "picture-damaged");
    made = make_begin(8192, 4096, 16, RGBA, false); /* a quarter of a gigabyte that is not there */
    make_end(&made, "\0\0\0", 3);
    refuse(made.bytes, made.size, 0, "picture-damaged");
    assert_int_equal(gpucode_picture_read(made.bytes, made.size, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_picture_read(NULL, 1, NULL, &picture), GPUCODE_ERROR_ARGUMENT);
}

static void written(void)
{
    enum { WIDTH = 37, HEIGHT = 11 };
    uint8_t rgba[WIDTH * HEIGHT * 4];
    void *bytes, *again;
    size_t size, other;
    for (size_t i = 0; i < sizeof rgba; i++)
        rgba[i] = (uint8_t)(i * 2654435761u >> 13);
    assert_int_equal(gpucode_picture_write(rgba, WIDTH, HEIGHT, &bytes, &size), GPUCODE_OK);
    struct gpucode_picture picture;
    assert_int_equal(gpucode_picture_read(bytes, size, NULL, &picture), GPUCODE_OK);
    assert_int_equal(picture.width, WIDTH);
    assert_int_equal(picture.height, HEIGHT);
    for (size_t i = 0; i < sizeof rgba; i++)
        assert_int_equal(lrintf(picture.texels[i] * 255), rgba[i]);
    gpucode_picture_free(&picture);
    assert_int_equal(gpucode_picture_write(rgba, WIDTH, HEIGHT, &again, &other), GPUCODE_OK);
    assert_int_equal(size, other);
    assert_memory_equal(bytes, again, size);
    free(bytes);
    free(again);
    assert_int_equal(gpucode_picture_write(rgba, 0, 1, &bytes, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_picture_write(rgba, 1, 8193, &bytes, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_picture_write(NULL, 1, 1, &bytes, &size), GPUCODE_ERROR_ARGUMENT);
}

TESTS(picture, kinds, palettes_and_transparent_colours, no_gamma, interlaced, filtered, wrong, written)
