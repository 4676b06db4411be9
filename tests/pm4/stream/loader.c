/* SPDX-License-Identifier: MIT */
/* Recorded streams: compression, records, submits, and memory where buffers overlap. */
#include "recorder.h"

#include <gpucode/stream_source.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <zlib.h>

static struct recorder recorder;
static char heard[1024];

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    (void)user;
    assert_non_null(gpucode_explain(diagnostic->code));
    assert_string_equal(diagnostic->file, "test.rd");
    size_t length = strlen(heard);
    snprintf(heard + length, sizeof heard - length, "%s ", diagnostic->code);
}

/* Opens a copy of exactly that size, so that sanitizers see reads after it. */
static enum gpucode_status open_bytes(const void *bytes, size_t size, size_t limit, void **copy,
                                      struct gpucode_stream **stream)
{
    struct gpucode_stream_options options = {.limit = limit, .file_name = "test.rd", .on_diagnostic = {hear, NULL}};
    heard[0] = 0;
    *copy = malloc(size ? size : 1);
    assert_non_null(*copy);
    if (size)
        memcpy(*copy, bytes, size);
    *stream = (struct gpucode_stream *)&options;
    enum gpucode_status status = gpucode_stream_open(*copy, size, &options, stream);
    if (status != GPUCODE_OK) {
        assert_null(*stream);
        free(*copy);
    }
    return status;
}

static struct gpucode_stream *open_recorded(void **copy)
{
    struct gpucode_stream *stream;
    assert_int_equal(open_bytes(recorder.bytes, recorder.size, 0, copy, &stream), GPUCODE_OK);
    return stream;
}

static size_t squeeze(const void *bytes, size_t size, uint8_t *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (void *)bytes;
    z.avail_in = (uInt)size;
    z.next_out = out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static int begin(void **state)
{
    (void)state;
    recorder.size = 0;
    return 0;
}

/* Between records: two words of ones. */
static void record_mark(void)
{
    record_words(&recorder, UINT32_MAX, 0);
    memset(recorder.bytes + recorder.size - 4, 0xff, 4);
}

static void test_records(void **state)
{
    (void)state;
    void *copy;
    record(&recorder, GPUCODE_RECORD_TEST, "50\0x", 4);
    record_words(&recorder, GPUCODE_RECORD_GPU_ID, 1, 630u);
    record_mark();
    record(&recorder, 12345, "abc", 3);
    record_words(&recorder, GPUCODE_RECORD_NONE, 0);
    struct gpucode_stream *stream = open_recorded(&copy);
    assert_string_equal(heard, "");
    assert_string_equal(gpucode_stream_test(stream), "50");
    assert_int_equal(gpucode_stream_gpu_id(stream), 630);
    assert_string_equal(gpucode_target_name(gpucode_stream_target(stream)), "afuc:a630");
    static const struct {
        uint32_t type;
        size_t size;
    } wanted[] = {{1, 4}, {13, 4}, {12345, 3}, {0, 0}};
    struct gpucode_record got;
    for (size_t i = 0; i < 4; i++) {
        assert_true(gpucode_stream_record(stream, i, &got));
        assert_int_equal(got.type, wanted[i].type);
        assert_int_equal(got.size, wanted[i].size);
    }
    assert_true(gpucode_stream_record(stream, 2, &got));
    assert_memory_equal(got.bytes, "abc", 3);
    assert_false(gpucode_stream_record(stream, 4, &got));
    assert_int_equal(gpucode_stream_submit_count(stream), 0);
    gpucode_stream_free(stream);
    free(copy);
}

static void test_targets(void **state)
{
    (void)state;
    static const struct {
        uint32_t type, low, high;
        const char *name;
    } rows[] = {
        {GPUCODE_RECORD_GPU_ID, 630, 0, "afuc:a630"},
        {GPUCODE_RECORD_GPU_ID, 640, 0, "afuc:a6xx"},
        {GPUCODE_RECORD_GPU_ID, 540, 0, "afuc:a5xx"},
        {GPUCODE_RECORD_GPU_ID, 740, 0, "afuc:a740"},
        {GPUCODE_RECORD_GPU_ID, 320, 0, NULL},
        {GPUCODE_RECORD_CHIP_ID, 0x06030001, 0, "afuc:a630"},
        {GPUCODE_RECORD_CHIP_ID, 0x05040001, 0, "afuc:a5xx"},
        {GPUCODE_RECORD_CHIP_ID, 0x43051401, 0, "afuc:a750"},
        {GPUCODE_RECORD_CHIP_ID, 0x43050a01, 0x22, "afuc:a740"}, /* a speed bin */
        {GPUCODE_RECORD_CHIP_ID, 0x43050c01, 0xffff, "afuc:a7xx"},
        {GPUCODE_RECORD_CHIP_ID, 0x44050000, 0, "afuc:gen8"},
        {GPUCODE_RECORD_CHIP_ID, 0x03020000, 0, NULL},
        {GPUCODE_RECORD_CHIP_ID, 0x06030001, 0xffff, "afuc:a630"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        void *copy;
        recorder.size = 0;
        record_words(&recorder, rows[i].type, 2, rows[i].low, rows[i].high);
        struct gpucode_stream *stream = open_recorded(&copy);
        const struct gpucode_target *target = gpucode_stream_target(stream);
        if (rows[i].name) {
            assert_non_null(target);
            assert_string_equal(gpucode_target_name(target), rows[i].name);
        } else {
            assert_null(target);
        }
        gpucode_stream_free(stream);
        free(copy);
    }
}

static void test_submits(void **state)
{
    (void)state;
    void *copy;
    record(&recorder, GPUCODE_RECORD_COMMAND_LINE, "one", 3); /* no zero after it */
    record_buffer(&recorder, 0x1000, 8, "abcdefgh", 8);
    record(&recorder, GPUCODE_RECORD_COMMAND_LINE, "two", 4);
    record_buffer(&recorder, 0x500000000, 4, NULL, 0);
    record_stream(&recorder, 0x1000, 2);
    record_stream(&recorder, 0x500000000, 1);
    /* contents of a buffer that the first submit had: there is none in the second yet */
    record(&recorder, GPUCODE_RECORD_CONTENTS, "late", 4);
    record_buffer(&recorder, 0x2000, 4, "longer than it is", 17);
    record(&recorder, GPUCODE_RECORD_CONTENTS, "again", 5);
    record_words(&recorder, GPUCODE_RECORD_STREAM_ADDRESS, 2, 0x2000, 1); /* 32-bit addresses */
    record_buffer(&recorder, 0x3000, 4, "tail", 4);                       /* no stream comes */
    struct gpucode_stream *stream = open_recorded(&copy);
    assert_string_equal(heard, "stream-records ");
    assert_int_equal(gpucode_stream_submit_count(stream), 2);
    struct gpucode_submit submit;
    assert_true(gpucode_stream_submit(stream, 0, &submit));
    assert_string_equal(submit.text, "two");
    assert_int_equal(submit.buffer_count, 2);
    assert_int_equal(submit.buffers[0].length, 8);
    assert_true(submit.buffers[1].address == 0x500000000);
    assert_null(submit.buffers[1].bytes);
    assert_int_equal(submit.command_count, 2);
    assert_true(submit.commands[1].address == 0x500000000 && submit.commands[1].words == 1);
    assert_true(gpucode_stream_submit(stream, 1, &submit));
    assert_null(submit.text);
    assert_int_equal(submit.buffer_count, 1);
    assert_int_equal(submit.buffers[0].length, 4);
    assert_true(submit.commands[0].address == 0x2000 && submit.command_count == 1);
    assert_false(gpucode_stream_submit(stream, 2, &submit));
    char bytes[16];
    assert_int_equal(gpucode_stream_load(stream, 0, 0x1002, bytes, 16), 6);
    assert_memory_equal(bytes, "cdefgh", 6);
    assert_int_equal(gpucode_stream_load(stream, 0, 0x500000000, bytes, 4), 0);
    assert_int_equal(gpucode_stream_load(stream, 1, 0x1000, bytes, 4), 0);
    assert_int_equal(gpucode_stream_load(stream, 1, 0x2000, bytes, 16), 4);
    assert_memory_equal(bytes, "long", 4);
    assert_int_equal(gpucode_stream_load(stream, 2, 0x2000, bytes, 4), 0);
    assert_int_equal(gpucode_stream_load(stream, 1, 0x1fff, bytes, 4), 0);
    gpucode_stream_free(stream);
    free(copy);
}

/* The recorder's bytes as a file that is read in parts. */
struct part_reader {
    size_t end;              /* what is behind it cannot be read */
    size_t read;             /* bytes, in all */
    size_t contents, length; /* a part of the file */
    bool met;                /* it was read from that */
};

static size_t read_part(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct part_reader *reader = user;
    size_t left = offset < reader->end ? reader->end - (size_t)offset : 0;
    size = size < left ? size : left;
    memcpy(bytes, recorder.bytes + offset, size);
    reader->read += size;
    reader->met |= size && offset < reader->contents + reader->length && offset + size > reader->contents;
    return size;
}

static struct gpucode_stream *open_parts(struct part_reader *reader)
{
    struct gpucode_stream_options options = {.file_name = "test.rd", .on_diagnostic = {hear, NULL}};
    struct gpucode_stream_parts parts = {recorder.size, read_part, reader};
    struct gpucode_stream *stream;
    heard[0] = 0;
    reader->end = reader->end ? reader->end : recorder.size;
    assert_int_equal(gpucode_stream_open_parts(&parts, &options, &stream), GPUCODE_OK);
    return stream;
}

static bool refuse_text(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
    return false;
}

/* Contents stay in the file until somebody looks at them. */
static void test_parts(void **state)
{
    (void)state;
    static uint8_t contents[1 << 16];
    struct part_reader reader = {.length = sizeof contents};
    struct gpucode_record got;
    struct gpucode_submit submit;
    uint8_t bytes[16];
    for (size_t i = 0; i < sizeof contents; i++)
        contents[i] = (uint8_t)(i * 7 >> 3);
    record(&recorder, GPUCODE_RECORD_COMMAND_LINE, "game", 4);
    record_words(&recorder, GPUCODE_RECORD_GPU_ID, 1, 630u);
    record_buffer(&recorder, 0x1000, sizeof contents, contents, sizeof contents);
    reader.contents = recorder.size - sizeof contents;
    record_stream(&recorder, 0x1000, 4);
    record(&recorder, GPUCODE_RECORD_PROGRAM, contents, 100);
    struct gpucode_stream *stream = open_parts(&reader);
    assert_string_equal(heard, "");
    assert_false(reader.met);
    assert_true(reader.read < 256);
    assert_int_equal(gpucode_stream_gpu_id(stream), 630);
    assert_true(gpucode_stream_record(stream, 3, &got));
    assert_int_equal(got.size, sizeof contents);
    assert_null(got.bytes);
    assert_true(gpucode_stream_record(stream, 5, &got) && got.size == 100 && !got.bytes);
    assert_true(gpucode_stream_submit(stream, 0, &submit));
    assert_string_equal(submit.text, "game");
    assert_true(submit.buffers[0].length == sizeof contents && !submit.buffers[0].bytes);
    assert_int_equal(gpucode_stream_load(stream, 0, 0x1000 + sizeof contents - 16, bytes, 16), 16);
    assert_memory_equal(bytes, contents + sizeof contents - 16, 16);
    assert_true(reader.met && reader.read < 256 + 16);
    reader.end = reader.contents + 100; /* the file has become shorter */
    assert_int_equal(gpucode_stream_load(stream, 0, 0x1000 + 92, bytes, 16), 8);
    assert_int_equal(gpucode_stream_source(stream, &(struct gpucode_stream_source_options){0}, refuse_text, NULL),
                     GPUCODE_ERROR_UNSUPPORTED);
    gpucode_stream_free(stream);
}

static void test_parts_cut(void **state)
{
    (void)state;
    struct part_reader reader = {0};
    struct gpucode_stream *stream;
    record_words(&recorder, GPUCODE_RECORD_GPU_ID, 1, 630u);
    record(&recorder, GPUCODE_RECORD_COMMAND_LINE, "a game that ends", 16);
    reader.end = recorder.size - 4; /* the last part cannot be read */
    stream = open_parts(&reader);
    assert_string_equal(heard, "stream-cut ");
    assert_int_equal(gpucode_stream_gpu_id(stream), 630);
    gpucode_stream_free(stream);
    struct gpucode_stream_parts parts = {recorder.size, NULL, NULL};
    assert_int_equal(gpucode_stream_open_parts(&parts, NULL, &stream), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_open_parts(NULL, NULL, &stream), GPUCODE_ERROR_ARGUMENT);
    parts.read = read_part;
    parts.user = &reader;
    assert_int_equal(gpucode_stream_open_parts(&parts, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    recorder.bytes[0] = 99;
    assert_int_equal(gpucode_stream_open_parts(&parts, NULL, &stream), GPUCODE_ERROR_INPUT);
}

/* Random buffers over 256 bytes of address space, against a plain array written in their order. */
static void check_overlaps(unsigned seed, uint64_t base)
{
    uint8_t image[256] = {0}, there[256] = {0};
    void *copy;
    srand(seed);
    recorder.size = 0;
    for (unsigned count = (unsigned)rand() % 12; count; count--) {
        unsigned start = (unsigned)rand() % 256, size = (unsigned)rand() % (257 - start);
        uint8_t bytes[256];
        for (unsigned i = 0; i < size; i++)
            bytes[i] = (uint8_t)rand();
        unsigned length = rand() % 4 ? size : (unsigned)rand() % (size + 1);
        record_buffer(&recorder, base + start, size, bytes, length);
        memcpy(image + start, bytes, length);
        memset(there + start, 1, length);
    }
    record_stream(&recorder, base, 1);
    struct part_reader reader = {0};
    struct gpucode_stream *stream = open_recorded(&copy), *in_parts = open_parts(&reader);
    for (unsigned start = 0; start < 256; start++) {
        uint8_t bytes[300], parts[300];
        unsigned end = start;
        while (end < 256 && there[end])
            end++;
        memset(bytes, 0xee, sizeof bytes);
        assert_int_equal(gpucode_stream_load(stream, 0, base + start, bytes, 280), end - start);
        assert_memory_equal(bytes, image + start, end - start);
        assert_int_equal(bytes[end - start], 0xee);
        assert_int_equal(gpucode_stream_load(in_parts, 0, base + start, parts, 280), end - start);
        assert_memory_equal(parts, image + start, end - start);
        unsigned some = (end - start) / 2;
        assert_int_equal(gpucode_stream_load(stream, 0, base + start, bytes, some), some);
    }
    gpucode_stream_free(in_parts);
    gpucode_stream_free(stream);
    free(copy);
}

static void test_overlaps(void **state)
{
    (void)state;
    for (unsigned seed = 0; seed < 1500; seed++) {
        check_overlaps(seed, 0x100000000 - 128);
        check_overlaps(seed, UINT64_MAX - 255); /* up to the end of the address space */
        check_overlaps(seed, 0);
    }
}

static void test_beyond(void **state)
{
    (void)state;
    void *copy;
    record_buffer(&recorder, UINT64_MAX - 2, 4, "abcd", 4); /* one byte too far */
    record_buffer(&recorder, UINT64_MAX - 3, 4, "efgh", 4);
    record_stream(&recorder, UINT64_MAX - 3, 1);
    struct gpucode_stream *stream = open_recorded(&copy);
    struct gpucode_submit submit;
    char bytes[8];
    assert_true(gpucode_stream_submit(stream, 0, &submit));
    assert_int_equal(submit.buffer_count, 1);
    assert_string_equal(heard, "stream-records ");
    assert_int_equal(gpucode_stream_load(stream, 0, UINT64_MAX - 3, bytes, 8), 4);
    assert_memory_equal(bytes, "efgh", 4);
    gpucode_stream_free(stream);
    free(copy);
}

static void test_compressed(void **state)
{
    (void)state;
    static uint8_t squeezed[1 << 18];
    static uint8_t zeros[1 << 19];
    void *copy;
    record_buffer(&recorder, 0x1000, sizeof zeros, zeros, sizeof zeros);
    record_stream(&recorder, 0x1000, 4);
    /* two members, divided inside a record */
    size_t first = squeeze(recorder.bytes, 1000, squeezed, sizeof squeezed);
    size_t size =
        first + squeeze(recorder.bytes + 1000, recorder.size - 1000, squeezed + first, sizeof squeezed - first);
    assert_true(size < 4096);
    struct gpucode_stream *stream;
    assert_int_equal(open_bytes(squeezed, size, 0, &copy, &stream), GPUCODE_OK);
    assert_string_equal(heard, "");
    assert_int_equal(gpucode_stream_submit_count(stream), 1);
    gpucode_stream_free(stream);
    free(copy);

    /* the limit is exact, compressed or not */
    assert_int_equal(open_bytes(squeezed, size, recorder.size, &copy, &stream), GPUCODE_OK);
    gpucode_stream_free(stream);
    free(copy);
    assert_int_equal(open_bytes(squeezed, size, recorder.size - 1, &copy, &stream), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard, "stream-large ");
    assert_int_equal(open_bytes(recorder.bytes, recorder.size, recorder.size, &copy, &stream), GPUCODE_OK);
    gpucode_stream_free(stream);
    free(copy);
    assert_int_equal(open_bytes(recorder.bytes, recorder.size, recorder.size - 1, &copy, &stream), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard, "stream-large ");

    /* something after it */
    squeezed[size] = 'x';
    assert_int_equal(open_bytes(squeezed, size + 1, 0, &copy, &stream), GPUCODE_OK);
    assert_string_equal(heard, "stream-damaged ");
    assert_int_equal(gpucode_stream_submit_count(stream), 1);
    gpucode_stream_free(stream);
    free(copy);

    /* cut at every byte: what is left of the records is used */
    recorder.size = 0;
    record_words(&recorder, GPUCODE_RECORD_GPU_ID, 1, 630u);
    record_stream(&recorder, 0x1000, 4);
    size = squeeze(recorder.bytes, recorder.size, squeezed, sizeof squeezed);
    for (size_t cut = 0; cut < size; cut++) {
        enum gpucode_status status = open_bytes(squeezed, cut, 0, &copy, &stream);
        assert_non_null(strstr(heard, cut < 2 ? "stream-unknown" : "stream-damaged"));
        if (status != GPUCODE_OK) {
            assert_int_equal(status, GPUCODE_ERROR_INPUT);
            continue;
        }
        assert_true(gpucode_stream_gpu_id(stream) == 630);
        gpucode_stream_free(stream);
        free(copy);
    }
}

static void test_cut(void **state)
{
    (void)state;
    void *copy;
    struct gpucode_stream *stream;
    record_words(&recorder, GPUCODE_RECORD_GPU_ID, 1, 630u);
    record_stream(&recorder, 0x1000, 4);
    for (size_t cut = 0; cut <= recorder.size; cut++) {
        enum gpucode_status status = open_bytes(recorder.bytes, cut, 0, &copy, &stream);
        if (cut < 12) {
            assert_int_equal(status, GPUCODE_ERROR_INPUT);
            assert_string_equal(heard, "stream-unknown ");
            continue;
        }
        assert_int_equal(status, GPUCODE_OK);
        assert_string_equal(heard, cut == 12 || cut == recorder.size ? "" : "stream-cut ");
        assert_int_equal(gpucode_stream_submit_count(stream), cut == recorder.size);
        gpucode_stream_free(stream);
        free(copy);
    }
}

static void test_none(void **state)
{
    (void)state;
    static const uint8_t zeros[64];
    void *copy;
    struct gpucode_stream *stream;
    assert_int_equal(open_bytes(zeros, sizeof zeros, 0, &copy, &stream), GPUCODE_ERROR_INPUT);
    assert_string_equal(heard, "stream-unknown ");
    assert_int_equal(open_bytes("\x7f"
                                "ELF, a file of another kind",
                                28, 0, &copy, &stream),
                     GPUCODE_ERROR_INPUT);
    assert_int_equal(gpucode_stream_open(zeros, 4, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_open(NULL, 4, NULL, &stream), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_stream_open(NULL, 0, NULL, &stream), GPUCODE_ERROR_INPUT);
    gpucode_stream_free(NULL);
    assert_int_equal(gpucode_stream_submit_count(NULL), 0);
    assert_null(gpucode_stream_target(NULL));
    /* ids that are too short */
    record(&recorder, GPUCODE_RECORD_GPU_ID, "ab", 2);
    record(&recorder, GPUCODE_RECORD_CHIP_ID, "abcd", 4);
    record(&recorder, GPUCODE_RECORD_BUFFER, "abcdefg", 7);
    record(&recorder, GPUCODE_RECORD_STREAM_ADDRESS, "", 0);
    stream = open_recorded(&copy);
    assert_string_equal(heard, "stream-records ");
    assert_int_equal(gpucode_stream_gpu_id(stream), 0);
    assert_int_equal(gpucode_stream_submit_count(stream), 0);
    gpucode_stream_free(stream);
    free(copy);
}

/* Memory of a submit that was used again since, each submit's own: nothing of it is loaded, and nothing after it. */
static void test_reused(void **state)
{
    (void)state;
    void *copy;
    uint32_t words[16];
    for (unsigned i = 0; i < 16; i++)
        words[i] = 0x100 + i;
    for (unsigned submit = 0; submit < 3; submit++) {
        if (submit)
            record_mark();
        record_buffer(&recorder, 0x10000, sizeof words, words, sizeof words);
        record_stream(&recorder, 0x10000, 4);
        if (submit == 0)
            record_words(&recorder, GPUCODE_RECORD_REUSED, 4, 0x10030u, 0u, 8u, 0u);
        if (submit == 1) {
            record_words(&recorder, GPUCODE_RECORD_REUSED, 4, 0x10010u, 0u, 4u, 0u);
            record_words(&recorder, GPUCODE_RECORD_REUSED, 4, 0x10020u, 0u, 0x10u, 0u);
        }
    }
    struct gpucode_stream *stream = open_recorded(&copy);
    assert_string_equal(heard, "");
    assert_int_equal(gpucode_stream_submit_count(stream), 3);
    for (unsigned i = 0; i < 16; i++) {
        uint64_t address = 0x10000 + 4 * i;
        assert_int_equal(gpucode_stream_reused(stream, 0, address), i == 12 || i == 13);
        assert_int_equal(gpucode_stream_reused(stream, 1, address), i == 4 || (i >= 8 && i < 12));
        assert_false(gpucode_stream_reused(stream, 2, address));
    }
    assert_false(gpucode_stream_reused(stream, 3, 0x10030));
    assert_false(gpucode_stream_reused(NULL, 0, 0x10030));
    static const struct {
        unsigned submit;
        uint64_t address;
        size_t size;
    } loads[] = {{0, 0x10000, 0x30}, {0, 0x10034, 0},  {0, 0x10038, 8},    {1, 0x10000, 0x10}, {1, 0x10014, 0xc},
                 {1, 0x1002c, 0},    {1, 0x10030, 16}, {2, 0x10000, 0x40}, {2, 0x10020, 0x20}, {1, 0x1000e, 2}};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        unsigned char bytes[0x40];
        assert_int_equal(gpucode_stream_load(stream, loads[i].submit, loads[i].address, bytes, sizeof bytes),
                         loads[i].size);
        assert_memory_equal(bytes, (const unsigned char *)words + (loads[i].address - 0x10000), loads[i].size);
    }
    gpucode_stream_free(stream);
    free(copy);
}

TEST_GROUP(loader)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_records, begin),   cmocka_unit_test_setup(test_targets, begin),
        cmocka_unit_test_setup(test_submits, begin),   cmocka_unit_test_setup(test_overlaps, begin),
        cmocka_unit_test_setup(test_beyond, begin),    cmocka_unit_test_setup(test_compressed, begin),
        cmocka_unit_test_setup(test_cut, begin),       cmocka_unit_test_setup(test_none, begin),
        cmocka_unit_test_setup(test_reused, begin),    cmocka_unit_test_setup(test_parts, begin),
        cmocka_unit_test_setup(test_parts_cut, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
