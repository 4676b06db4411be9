/* SPDX-License-Identifier: MIT */
/* Recorded streams: packed and not, whole, cut off and damaged. */
#include "assembling.h"

#include <gpucode/rd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static size_t put(unsigned char *at, uint32_t type, const void *bytes, uint32_t size)
{
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (unsigned char)(type >> 8 * i);
        at[4 + i] = (unsigned char)(size >> 8 * i);
    }
    memcpy(at + 8, bytes, size);
    return 8 + size;
}

/* GPU id, an unknown type, a mark, a vertex shader, a fragment shader without bytes */
static size_t make(unsigned char *stream)
{
    size_t size = put(stream, GPUCODE_RD_GPU_ID, "\x40\1\0\0", 4);
    size += put(stream + size, 99, "any", 3);
    memset(stream + size, 0xff, 8);
    size += 8;
    size += put(stream + size, GPUCODE_RD_VERTEX_SHADER, "\0\0\0\0\0\0\0\3", 8);
    return size + put(stream + size, GPUCODE_RD_FRAGMENT_SHADER, "", 0);
}

static void expect_sections(const void *bytes, size_t size, unsigned count, const char *diagnostics)
{
    struct heard heard = {0};
    struct gpucode_sink sink = listen(&heard);
    struct gpucode_rd *rd;
    struct gpucode_rd_section section;
    /* a copy of exactly this size, so that the sanitizers see a byte too many */
    unsigned char *copy = malloc(size ? size : 1);
    if (size)
        memcpy(copy, bytes, size);
    assert_int_equal(gpucode_rd_open(copy, size, "trace.rd", &sink, &rd), GPUCODE_OK);
    free(copy);
    assert_string_equal(heard_text(&heard), diagnostics);
    unsigned found = 0;
    while (gpucode_rd_section(rd, found, &section))
        found++;
    assert_int_equal(found, count);
    if (count > 2) {
        assert_true(gpucode_rd_section(rd, 2, &section));
        assert_int_equal(section.type, GPUCODE_RD_VERTEX_SHADER);
        assert_int_equal(section.size, 8);
        assert_int_equal(section.offset, 12 + 11 + 8);
        assert_int_equal(section.bytes[7], 3);
        assert_string_equal(gpucode_rd_name(section.type), "vertex shader");
    }
    gpucode_rd_free(rd);
}

static void plain(void **state)
{
    (void)state;
    unsigned char stream[256];
    size_t size = make(stream);
    assert_true(gpucode_rd_is(stream, size));
    expect_sections(stream, size, 4, "");
    expect_sections(stream, 0, 0, "");
    expect_sections(stream, size - 1, 3, "rd-breaks-off:0:0");
    expect_sections(stream, size - 9, 2, "rd-breaks-off:0:0");
    assert_false(gpucode_rd_is("mov.f32f32 r0.x, c0.x", 21));
    assert_false(gpucode_rd_is(stream, 7));
    assert_string_equal(gpucode_rd_name(12345), "unknown");
}

static size_t pack(unsigned char *out, size_t room, const unsigned char *bytes, size_t size)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = (Bytef *)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    size = room - stream.avail_out;
    deflateEnd(&stream);
    return size;
}

static void packed(void **state)
{
    (void)state;
    unsigned char stream[256], out[1024];
    size_t size = make(stream), length = pack(out, sizeof out, stream, size);
    assert_true(gpucode_rd_is(out, length));
    expect_sections(out, length, 4, "");
    /* two members: the stream goes on in the second */
    size_t first = pack(out, sizeof out, stream, 20);
    length = first + pack(out + first, sizeof out - first, stream + 20, size - 20);
    expect_sections(out, length, 4, "");
    /* the check value behind the data is missing */
    length = pack(out, sizeof out, stream, size);
    expect_sections(out, length - 8, 4, "rd-breaks-off:0:0");
}

static void damaged(void **state)
{
    (void)state;
    struct heard heard = {0};
    struct gpucode_sink sink = listen(&heard);
    struct gpucode_rd *rd;
    static const char zip[] = "\x1f\x8b\x08 nothing of the kind";
    assert_int_equal(gpucode_rd_open(zip, sizeof zip, "trace.rd", &sink, &rd), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard_text(&heard), "rd-damaged:0:0");
    assert_null(rd);
    assert_int_equal(gpucode_rd_open("abc", 3, NULL, NULL, &rd), GPUCODE_ERROR_INPUT);
    assert_int_equal(gpucode_rd_open(NULL, 3, NULL, NULL, &rd), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_rd_open("", 0, NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    gpucode_rd_free(NULL);
}

/* Streams of real chips, where they are at hand: all of every file is sections. */
static void traces(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned sections;
    } files[] = {{"fd-clouds", 88}, {"shadow", 168}, {"deqp-vk-indirect-draw", 28}};
    const char *folder = vectors_folder();
    for (size_t i = 0; folder && i < sizeof files / sizeof *files; i++) {
        char path[1024];
        size_t size;
        snprintf(path, sizeof path, "%s/../traces/%s.rd.gz", folder, files[i].name);
        char *bytes = read_whole(path, &size); /* unpacked */
        if (!bytes)
            continue;
        struct gpucode_rd *rd;
        assert_int_equal(gpucode_rd_open(bytes, size, path, NULL, &rd), GPUCODE_OK);
        struct gpucode_rd_section section;
        assert_true(gpucode_rd_section(rd, files[i].sections - 1, &section));
        assert_false(gpucode_rd_section(rd, files[i].sections, &section));
        gpucode_rd_free(rd);
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain),
        cmocka_unit_test(packed),
        cmocka_unit_test(damaged),
        cmocka_unit_test(traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
