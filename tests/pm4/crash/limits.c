/* SPDX-License-Identifier: MIT */
/* Crash dumps at their limits: the largest numbers and one more, sizes that are cut, places at the ends of memory. */
#include "group.h"
#include <gpucode/crash.h>
#include <gpucode/stream.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char told[4096];

static void tell(const char *format, ...)
{
    size_t length = strlen(told);
    va_list args;
    va_start(args, format);
    vsnprintf(told + length, sizeof told - length, format, args);
    va_end(args);
}

static void hear(void *user, const struct gpucode_diagnostic *diagnostic)
{
    (void)user;
    tell("%s:%u ", diagnostic->code, diagnostic->line);
}

/* Opens a copy of exactly that size, so that sanitizers see reads after it, which lasts until the next is opened. What
 * is wrong is told. */
static struct gpucode_crash *open_bytes(const void *bytes, size_t size)
{
    static char *copy;
    struct gpucode_crash_options options = {.file_name = "dump", .on_diagnostic = {hear, NULL}};
    struct gpucode_crash *crash;
    free(copy);
    copy = malloc(size + !size);
    told[0] = 0;
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    gpucode_crash_open(copy, size, &options, &crash);
    return crash;
}

static struct gpucode_crash *open_text(const char *text)
{
    return open_bytes(text, strlen(text));
}

/* The numbers that were read, as one text after the warnings. */
static const char *numbers_of(const char *text)
{
    struct gpucode_crash *crash = open_text(text);
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    struct gpucode_crash_ring ring;
    struct gpucode_crash_mapping mapping;
    struct gpucode_crash_register reg;
    struct gpucode_crash_fault fault;
    struct gpucode_crash_words data;
    uint64_t iova;
    if (!crash)
        return told;
    tell("gpu %u %x ", (unsigned)head->gpu_id, (unsigned)head->chip_id);
    if (gpucode_crash_fault(crash, &fault))
        tell("fault %llx ", (unsigned long long)fault.iova);
    for (size_t i = 0; gpucode_crash_ring(crash, i, &ring); i++)
        tell("ring %u %llx ", (unsigned)ring.id, (unsigned long long)ring.iova);
    for (size_t i = 0; gpucode_crash_mapping(crash, i, &mapping); i++)
        tell("%s %lld %llx-%llx ", mapping.operation, (long long)mapping.queue, (unsigned long long)mapping.start,
             (unsigned long long)mapping.end);
    for (size_t i = 0; gpucode_crash_register(crash, i, &reg); i++)
        tell("%x=%x ", (unsigned)reg.number, (unsigned)reg.value);
    if (gpucode_crash_blob(crash, "gmu-log", &iova, &data))
        tell("log %llx %llu ", (unsigned long long)iova, (unsigned long long)data.size);
    gpucode_crash_free(crash);
    return told;
}

static void numbers_end(void)
{
    static const struct text_case rows[] = {
        {"revision: 4294967295 (255.255.255.255)\n", "gpu 4294967295 ffffffff "},
        {"revision: 4294967296 (1.2.3.4)\n", "crash-number:1 gpu 0 0 "},
        {"revision: 1 (1.2.3.256)\n", "crash-number:1 gpu 1 0 "},
        {"revision: 1 (1.2.3)\n", "crash-number:1 gpu 1 0 "},
        {"fault-info:\n  - far: ffffffffffffffff\n", "gpu 0 0 fault ffffffffffffffff "},
        {"fault-info:\n  - far: 10000000000000000\n", "crash-number:2 gpu 0 0 "},
        {"ringbuffer:\n  - iova: 18446744073709551615\n", "gpu 0 0 ring 0 ffffffffffffffff "},
        {"ringbuffer:\n  - iova: 18446744073709551616\n", "crash-number:2 gpu 0 0 ring 0 0 "},
        {"ringbuffer:\n  - id: 4294967295\n", "gpu 0 0 ring 4294967295 0 "},
        {"vm-log:\n  - map:2147483647: 0x1-0x1\n", "gpu 0 0 map 2147483647 1-1 "},
        {"vm-log:\n  - map:2147483648: 0x1-0x1\n", "crash-number:2 gpu 0 0 "},
        {"vm-log:\n  - map:-1: 0x2-0x1\n", "crash-number:2 gpu 0 0 "},
        {"vm-log:\n  - map:-2147483647: 1-f\n", "gpu 0 0 map -2147483647 1-f "},
        {"registers:\n  - { offset: 0xffffffff, value: 0xffffffff }\n", "gpu 0 0 3fffffff=ffffffff "},
        {"registers:\n  - { offset: 0x100000000, value: 0 }\n", "crash-register:2 gpu 0 0 "},
        {"registers:\n  - { offset: 0, value: 0x100000000 }\n", "crash-register:2 gpu 0 0 "},
        {"gmu-hfi:\n    queue-history[0]: 2147483647 -1\n", "gpu 0 0 "},
        {"gmu-hfi:\n    queue-history[0]: 2147483648\n", "crash-number:2 gpu 0 0 "},
        {"gmu-hfi:\n    queue-history[: 1\n", "gpu 0 0 "},
        /* more of them than are kept: the first counts */
        {"gmu-log:\n    iova: 1\n    size: 8\ngmu-log:\n    iova: 2\ngmu-log:\n    iova: 3\ngmu-log:\n    iova: 4\n",
         "gpu 0 0 log 1 2 "},
        {"kernel: 1", "crash-cut:1 gpu 0 0 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(numbers_of(rows[i].text), rows[i].expected);
}

/* --- memory --- */

/* Words in the encoding of dumps. */
static void put_words(char *text, const uint32_t *words, size_t count)
{
    text += strlen(text);
    for (size_t i = 0; i < count; i++) {
        uint32_t word = words[i];
        for (int k = 5; k--; word /= 85)
            text[k] = (char)('!' + word % 85);
        text += 5;
    }
    strcpy(text, "\n");
}

/* Bytes of the last word, and of a buffer at the end of all addresses. */
static void memory_ends(void)
{
    static const struct {
        const char *head;
        uint64_t address;
        size_t wanted, got;
    } rows[] = {
        {"iova: 0x1000\n    size: 7", 0x1000, 8, 7},
        {"iova: 0x1000\n    size: 6", 0x1000, 8, 6},
        {"iova: 0x1000\n    size: 8", 0x1000, 8, 8},
        {"iova: 0x1000\n    size: 8", 0x1000, 7, 7},
        {"iova: 0x1000\n    size: 8", 0x1000, 6, 6},
        {"iova: 0x1000\n    size: 8", 0x1001, 8, 7},
        {"iova: 0xfffffffffffffff7\n    size: 8", 0xfffffffffffffff7, 8, 8},
        {"iova: 0xfffffffffffffff8\n    size: 8", 0xfffffffffffffff8, 8, 0}, /* the byte after it has no address */
    };
    static const uint32_t words[2] = {0x44332211, 0x88776655};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        unsigned char bytes[12];
        memset(bytes, 0xee, sizeof bytes);
        snprintf(text, sizeof text, "bos:\n  - %s\n    data: !!ascii85 |\n     ", rows[i].head);
        put_words(text, words, 2);
        struct gpucode_crash *crash = open_text(text);
        if (gpucode_crash_load(crash, rows[i].address, bytes, rows[i].wanted) != rows[i].got)
            fail_msg("%s: %zu", rows[i].head, rows[i].wanted);
        for (size_t k = 0; k < sizeof bytes; k++)
            assert_int_equal(bytes[k], k < rows[i].got ? 0x11 * (k + 1 + (rows[i].address & 7) % 7) : 0xee);
        gpucode_crash_free(crash);
    }
}

/* A long buffer under short ones, as damaged dumps have them: it is found under so many. */
static void buffers_overlap(void)
{
    static const uint32_t word = 7;
    for (unsigned count = 14; count <= 17; count++) {
        char text[4096] = "bos:\n  - iova: 0x1000\n    size: 4096\n    data: !!ascii85 |\n     ";
        uint32_t found = 0;
        put_words(text, &word, 1);
        for (unsigned i = 0; i < count; i++) {
            char *end = text + strlen(text);
            snprintf(end, 100, "  - iova: 0x%x\n    size: 4\n    data: !!ascii85 |\n     ", 0x1100 + 8 * i);
            put_words(text, &word, 1);
        }
        struct gpucode_crash *crash = open_text(text);
        assert_int_equal(gpucode_crash_load(crash, 0x1800, &found, 4), count < 16 ? 4 : 0);
        gpucode_crash_free(crash);
    }
}

static uint32_t word_of(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Rings and buffers that are too large for a recording are left out of it, and a ring has no more than its size. */
static void streams_end(void)
{
    static const struct {
        const char *head; /* of the ring or the buffer; its contents are two words */
        unsigned buffers, contents;
    } rows[] = {
        {"ringbuffer:\n  - iova: 0x1000\n    size: 4194304\n", 2, 32776}, /* the zeros after them are cut */
        {"ringbuffer:\n  - iova: 0x1000\n    size: 4194308\n", 0, 0},
        {"ringbuffer:\n  - iova: 0x1000\n    size: 4\n", 1, 8},
        {"ringbuffer:\n  - iova: 0x1000\n    size: 8\n", 1, 16},
        {"ringbuffer:\n  - iova: 0x1000\n    size: 12\n", 1, 24},
        {"bos:\n  - iova: 0x1000\n    size: 4294967295\n", 1, 4104},
        {"bos:\n  - iova: 0x1000\n    size: 4294967296\n", 0, 0},
    };
    static const uint32_t words[2] = {0x70108000, 0x70108000};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        unsigned buffers = 0, contents = 0;
        unsigned char *bytes;
        size_t size;
        snprintf(text, sizeof text, "%s    data: !!ascii85 |\n     ", rows[i].head);
        put_words(text, words, 2);
        struct gpucode_crash *crash = open_text(text);
        assert_int_equal(gpucode_crash_streams(crash, (void **)&bytes, &size), GPUCODE_OK);
        for (size_t at = 0; at < size; at += 8 + word_of(bytes + at + 4)) {
            buffers += word_of(bytes + at) == GPUCODE_RECORD_BUFFER;
            contents = word_of(bytes + at) == GPUCODE_RECORD_CONTENTS ? word_of(bytes + at + 4) : contents;
        }
        free(bytes);
        if (buffers != rows[i].buffers || contents != rows[i].contents)
            fail_msg("%s: %u, %u", rows[i].head, buffers, contents);
        if (!i) {
            struct gpucode_crash_ring ring;
            uint64_t from, count;
            assert_int_equal(gpucode_crash_streams(crash, NULL, &size), GPUCODE_ERROR_ARGUMENT);
            assert_int_equal(gpucode_crash_streams(crash, (void **)&bytes, NULL), GPUCODE_ERROR_ARGUMENT);
            assert_int_equal(gpucode_crash_streams(NULL, (void **)&bytes, &size), GPUCODE_ERROR_ARGUMENT);
            assert_true(gpucode_crash_ring(crash, 0, &ring));
            assert_false(gpucode_crash_ring_packets(NULL, &from, &count));
            assert_false(gpucode_crash_ring_packets(&ring, NULL, &count));
            assert_false(gpucode_crash_ring_packets(&ring, &from, NULL));
            assert_true(gpucode_crash_ring_packets(&ring, &from, &count));
            ring.data.size++;
            assert_false(gpucode_crash_ring_packets(&ring, &from, &count));
        }
        gpucode_crash_free(crash);
    }
}

/* --- messages of the power-management processor --- */

/* How many messages are read of a queue of 16 words, and of how many words after their headers. */
static const char *messages_of(const char *revision, const char *history, uint32_t write, const uint32_t *queue)
{
    char text[2048];
    uint32_t words[48] = {0, 0, 5, 12, 1, /* the row: */ 0, 0x1080, 0, 16};
    struct gpucode_crash_message message;
    words[5 + 11] = write;
    memcpy(words + 32, queue, 16 * sizeof *queue);
    snprintf(text, sizeof text,
             "revision: 0 (%s)\ngmu-hfi:\n    iova: 0x1000\n    size: 192\n    queue-history[0]: -1 -1 -1 -1 -1 -1 %s\n"
             "    data: !!ascii85 |\n     ",
             revision, history);
    put_words(text, words, 48);
    struct gpucode_crash *crash = open_text(text);
    for (size_t i = 0; gpucode_crash_message(crash, i, &message); i++)
        tell("%u.%u(%u) ", message.id, message.sequence, (unsigned)message.count);
    gpucode_crash_free(crash);
    return told;
}

#define MESSAGE(sequence, type, words, id) ((uint32_t)(sequence) << 20 | (type) << 16 | (words) << 8 | (id))

static void messages_end(void)
{
    static const struct {
        const char *revision, *history;
        uint32_t write;
        struct {
            unsigned at;
            uint32_t header;
        } messages[2];
        const char *expected;
    } rows[] = {
        /* the first chips pack them without gaps */
        {"6.1.5.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, "14.1(2) 10.2(1) "},
        {"6.1.8.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, "14.1(2) 10.2(1) "},
        {"6.3.0.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, "14.1(2) 10.2(1) "},
        {"6.1.4.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, ""},
        {"6.1.6.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, ""},
        {"6.1.7.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, ""},
        {"6.1.9.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, ""},
        {"6.3.1.9", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(2, 0, 2, 10)}}, ""},
        {"6.6.0.1", "0 4", 8, {{0, MESSAGE(1, 0, 3, 14)}, {4, MESSAGE(2, 0, 2, 10)}}, "14.1(2) 10.2(1) "},
        /* their numbers have 12 bits */
        {"6.3.0.2", "0 3", 5, {{0, MESSAGE(0xfff, 0, 3, 14)}, {3, MESSAGE(0, 0, 2, 10)}}, "14.4095(2) 10.0(1) "},
        {"6.3.0.2", "0 3", 5, {{0, MESSAGE(1, 0, 3, 14)}, {3, MESSAGE(3, 0, 2, 10)}}, "10.3(1) "},
        /* kinds up to 2 */
        {"6.3.0.2", "-1 0", 3, {{0, MESSAGE(1, 1, 3, 14)}}, "14.1(2) "},
        {"6.3.0.2", "-1 0", 3, {{0, MESSAGE(1, 2, 3, 14)}}, "14.1(2) "},
        {"6.3.0.2", "-1 0", 3, {{0, MESSAGE(1, 3, 3, 14)}}, ""},
        {"6.3.0.2", "-1 0", 3, {{0, MESSAGE(1, 8, 3, 14)}}, ""},
        /* longer than what was written, or not at all */
        {"6.3.0.2", "-1 0", 3, {{0, MESSAGE(1, 0, 4, 14)}}, ""},
        {"6.3.0.2", "-1 0", 3, {{0, MESSAGE(1, 0, 0, 14)}}, ""},
        /* words after the header up to the end of the queue */
        {"6.3.0.2", "-1 13", 0, {{13, MESSAGE(1, 0, 3, 14)}}, "14.1(2) "},
        {"6.3.0.2", "-1 14", 1, {{14, MESSAGE(1, 0, 3, 14)}}, "14.1(1) "},
        {"6.3.0.2", "-1 15", 2, {{15, MESSAGE(1, 0, 3, 14)}}, "14.1(0) "},
        /* places that are not in the queue */
        {"6.3.0.2", "-1 16", 3, {{0, MESSAGE(1, 0, 3, 14)}}, ""},
        {"6.3.0.2", "-1 13", 16, {{13, MESSAGE(1, 0, 3, 14)}}, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t queue[16] = {0};
        for (unsigned k = 0; k < 2 && rows[i].messages[k].header; k++)
            queue[rows[i].messages[k].at] = rows[i].messages[k].header;
        const char *text = messages_of(rows[i].revision, rows[i].history, rows[i].write, queue);
        if (strcmp(text, rows[i].expected) != 0)
            fail_msg("%u: %s", (unsigned)i, text);
    }
    /* none of which there is nothing to tell */
    struct gpucode_crash *crash = open_text("kernel: 1\n");
    struct gpucode_crash_message message;
    struct gpucode_crash_message_field field;
    struct gpucode_crash_write write;
    assert_false(gpucode_crash_message(NULL, 0, &message));
    assert_false(gpucode_crash_message(crash, 0, NULL));
    assert_false(gpucode_crash_message(crash, 0, &message));
    assert_false(gpucode_crash_message_field(NULL, 0, 0, &field));
    assert_false(gpucode_crash_message_field(crash, 0, 0, NULL));
    assert_false(gpucode_crash_message_field(crash, 0, 0, &field));
    assert_false(gpucode_crash_queue_write(NULL, 0, 0, &write));
    assert_false(gpucode_crash_queue_write(crash, 0, 0, NULL));
    assert_false(gpucode_crash_queue_write(crash, 0, 0, &write));
    assert_false(gpucode_crash_blob(NULL, "gmu-log", NULL, NULL));
    assert_null(gpucode_crash_interrupt(NULL, 0));
    assert_null(gpucode_crash_interrupt(crash, 0));
    assert_null(gpucode_crash_hardware_fault(NULL, 0));
    assert_null(gpucode_crash_hardware_fault(crash, 0));
    assert_int_equal(gpucode_crash_shaders(NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_shaders(crash, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_explain_section(crash, NULL, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_explain_section(NULL, "kernel", NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_explain_log(NULL, 0, NULL, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_false(gpucode_crash_is_open(NULL, 0));
    assert_false(gpucode_crash_is_open(&(struct gpucode_crash_block){0}, 0));
    gpucode_crash_free(crash);
    crash = open_text("gmu-log:\n    iova: 1\n");
    assert_true(gpucode_crash_blob(crash, "gmu-log", NULL, NULL));
    assert_false(gpucode_crash_blob(crash, "gmu-hfi", NULL, NULL));
    assert_false(gpucode_crash_blob(crash, NULL, NULL, NULL));
    gpucode_crash_free(crash);
}

/* --- snapshots --- */

/* Sections of a snapshot: their sizes at and below what they need. */
static void snapshots_end(void)
{
    static const struct {
        const char *bytes; /* after the head */
        const char *expected;
    } rows[] = {
        {"", "sections 0 "},                  /* the head alone */
        {"cdab9909 08000000", "sections 1 "}, /* nothing in it */
        {"cdab9909 07000000", "crash-section:0 sections 0 "},
        {"cdab9909 09000000", "crash-section:0 sections 1 "},
        {"cdab0102 14000000 01000000 34120000 05000000", "sections 1 1234=5 "},
        /* a byte less than a register has */
        {"cdab0102 13000000 01000000 34120000 050000", "crash-short:0 sections 1 "},
        {"cdab0102 0b000000 010000", "crash-short:0 sections 1 "},
        {"cdab0102 0c000000 01000000", "crash-short:0 sections 1 "},
        {"cdab0102 0c000000 00000000", "sections 1 "},
        {"cdab0204 20000000 00100000 00000000 00000000 00000000 ffffffff ffffff3f",
         "crash-short:0 sections 1 buffer 1000 fffffffffffffffc "},
        {"cdab0204 20000000 00100000 00000000 00000000 00000000 00000000 00000040",
         "crash-short:0 sections 1 buffer 1000 0 "},
        {"cdab0204 24000000 00100000 00000000 00000000 00000000 01000000 00000000 07000000",
         "sections 1 buffer 1000 4 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char bytes[128] = {2, 0, 0x4d, 0x50, 0, 0, 3, 0, 0, 0, 5, 0x44};
        size_t size = 12, sections = 0;
        for (const char *at = rows[i].bytes; *at; at += 2 + (at[2] == ' '))
            bytes[size++] = (unsigned char)strtoul((char[]){at[0], at[1], 0}, NULL, 16);
        struct gpucode_crash *crash = open_bytes(bytes, size);
        struct gpucode_crash_section section;
        struct gpucode_crash_register reg;
        struct gpucode_crash_buffer buffer;
        while (gpucode_crash_section(crash, sections, &section))
            sections++;
        tell("sections %zu ", sections);
        for (size_t k = 0; gpucode_crash_register(crash, k, &reg); k++)
            tell("%x=%x ", (unsigned)reg.number, (unsigned)reg.value);
        for (size_t k = 0; gpucode_crash_buffer(crash, k, &buffer); k++)
            tell("buffer %llx %llx ", (unsigned long long)buffer.iova, (unsigned long long)buffer.size);
        gpucode_crash_free(crash);
        if (strcmp(told, rows[i].expected) != 0)
            fail_msg("%s: %s", rows[i].bytes, told);
    }
}

static void tell_data(const struct gpucode_crash_words *data)
{
    tell(" %llu/%zu:", (unsigned long long)data->size, data->count);
    for (size_t i = 0; i < data->count; i++)
        tell(" %x", (unsigned)data->words[i]);
    tell("; ");
}

/*
 * Each kind of section with words that are all different, with all bytes that it needs and more, and with one byte
 * less, in front of one that is not known. What comes after the last section is not looked at.
 */
static void snapshots_are_read(void)
{
    static const struct {
        unsigned id, least; /* bytes */
        const char *expected;
        uint32_t words[16];
    } rows[] = {
        {0x0101, 160, "kernel 6.1-test comm shell; ", {0}},
        {0x0201, 4, "1=2 ", {1, 1, 2, 3, 4}},
        {0x0302,
         44,
         "ring 5 800000007 last 15 retired 16 rptr 14 wptr 13 12/2: 77 88; ",
         {0x10, 0x11, 12, 0x13, 0x14, 2, 0x15, 0x16, 7, 8, 5, 0x77, 0x88, 0x99}},
        {0x0402, 24, "buffer 200000001 8 2/2: 55 66; ", {1, 2, 3, 4, 2, 0, 0x55, 0x66, 0x77}},
        {0x0b02, 28, "buffer 200000001 8 2/2: 55 66; ", {9, 1, 2, 3, 4, 2, 0, 0x55, 0x66, 0x77}},
        {0x0501, 16, "block 0x123/0x124 pipe 0 2/2: 44 55; ", {0x123, 0x124, 9, 2, 0x44, 0x55, 0x66}},
        {0x0502, 24, "block 0x123/0x124 pipe 3 2/2: 66 77; ", {0x123, 0x124, 9, 2, 3, 4, 0x66, 0x77, 0x88}},
    };
    static const unsigned char last[] = {0xcd, 0xab, 0x34, 0x12, 8, 0, 0, 0, 0xcd, 0xab, 0xff, 0xff, 8, 0, 0, 0, 1, 2};
    for (unsigned i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        unsigned char bytes[256] = {2, 0, 0x4d, 0x50, 0, 0, 3, 0, 0, 0, 5, 0x44, 0xcd, 0xab}, *part = bytes + 12;
        bool whole = i % 2;
        unsigned id = rows[i / 2].id, length = 8 + (whole ? rows[i / 2].least + 12 : rows[i / 2].least - 1);
        part[2] = (unsigned char)id;
        part[3] = (unsigned char)(id >> 8);
        part[4] = (unsigned char)length;
        for (unsigned k = 0; k < 64; k++)
            part[8 + k] = (unsigned char)(rows[i / 2].words[k / 4] >> k % 4 * 8);
        if (id == 0x0101) {
            strcpy((char *)part + 8 + 64, "6.1-test");
            strcpy((char *)part + 8 + 128, "shell");
        }
        memcpy(part + length, last, sizeof last);
        struct gpucode_crash *crash = open_bytes(bytes, 12 + length + sizeof last);
        const struct gpucode_crash_head *head = gpucode_crash_head(crash);
        struct gpucode_crash_section section;
        struct gpucode_crash_register reg;
        struct gpucode_crash_buffer buffer;
        struct gpucode_crash_ring ring;
        struct gpucode_crash_block block;
        assert_int_equal(head->chip_id, 0x44050000);
        if (head->kernel || head->comm)
            tell("kernel %s comm %s; ", head->kernel, head->comm);
        for (size_t k = 0; gpucode_crash_register(crash, k, &reg); k++)
            tell("%x=%x ", (unsigned)reg.number, (unsigned)reg.value);
        for (size_t k = 0; gpucode_crash_ring(crash, k, &ring); k++) {
            tell("ring %u %llx last %x retired %x rptr %x wptr %x", (unsigned)ring.id, (unsigned long long)ring.iova,
                 (unsigned)ring.last_fence, (unsigned)ring.retired_fence, (unsigned)ring.rptr, (unsigned)ring.wptr);
            tell_data(&ring.data);
        }
        for (size_t k = 0; gpucode_crash_buffer(crash, k, &buffer); k++) {
            tell("buffer %llx %llu", (unsigned long long)buffer.iova, (unsigned long long)buffer.size);
            tell_data(&buffer.data);
        }
        for (size_t k = 0; gpucode_crash_block(crash, k, &block); k++) {
            tell("block %s pipe %u", block.name, (unsigned)block.pipe);
            tell_data(&block.data);
        }
        if (strcmp(told, whole ? rows[i / 2].expected : "crash-short:0 ") != 0)
            fail_msg("%x, %u bytes: %s", id, length, told);
        char name[8];
        snprintf(name, sizeof name, "0x%04x", id);
        assert_true(gpucode_crash_section(crash, 0, &section));
        assert_string_equal(section.name, name);
        assert_memory_equal(section.text, part, length);
        assert_int_equal(section.length, length);
        assert_true(gpucode_crash_section(crash, 1, &section));
        assert_string_equal(section.name, "0x1234");
        assert_memory_equal(section.text, last, 8);
        assert_int_equal(section.length, 8);
        assert_false(gpucode_crash_section(crash, 2, &section));
        gpucode_crash_free(crash);
    }
}

/* --- what it means --- */

/* The handler of opcodes that nobody handles is that of most of them, of 16 or more. */
static void handlers_are_told_apart(void)
{
    for (unsigned count = 14; count <= 17; count++) {
        uint32_t table[128] = {0};
        struct gpucode_crash_handler handler;
        for (unsigned i = 0; i < 128; i++)
            table[i] = i < count ? 0x20 : 0x100 + i; /* after the PC */
        assert_true(gpucode_crash_handler(table, 0x21, &handler));
        assert_int_equal(handler.start, 0x20);
        assert_int_equal(handler.unknown, count >= 16);
        assert_true(gpucode_crash_handler(table, 0x20, &handler));
        assert_false(gpucode_crash_handler(table, 0x1f, &handler));
        assert_false(handler.unknown);
        table[127] = 0x21; /* another one */
        assert_true(gpucode_crash_handler(table, 0x21, &handler));
        assert_false(handler.unknown);
        table[127] = 1;
        assert_true(gpucode_crash_handler(table, 1, &handler));
        assert_int_equal(handler.start, 1);
    }
    struct gpucode_crash_handler handler;
    static const uint32_t none[128];
    assert_false(gpucode_crash_handler(none, 0, &handler));
    assert_false(handler.unknown);
    assert_false(gpucode_crash_handler(none, 0, NULL));
}

/* Names of GPUs by the parts of their chip id. */
static void chips_have_names(void)
{
    static const struct {
        const char *revision, *gpu, *generation; /* null: none */
    } rows[] = {
        {"1.9.9.0", NULL, NULL},     {"2.9.9.0", "A299", "a2xx"}, {"5.9.9.0", "A599", "a5xx"},
        {"6.9.9.0", "A699", "a6xx"}, {"7.9.9.0", NULL, "a7xx"},   {"8.9.9.0", NULL, NULL},
        {"67.9.9.0", NULL, "a7xx"},  {"68.9.9.0", NULL, "gen8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[64];
        snprintf(text, sizeof text, "revision: 0 (%s)\n", rows[i].revision);
        struct gpucode_crash *crash = open_text(text);
        const struct gpucode_crash_head *head = gpucode_crash_head(crash);
        if (!head->gpu != !rows[i].gpu || (head->gpu && strcmp(head->gpu, rows[i].gpu) != 0) ||
            !head->generation != !rows[i].generation ||
            (head->generation && strcmp(head->generation, rows[i].generation) != 0))
            fail_msg("%s: %s, %s", rows[i].revision, head->gpu, head->generation);
        gpucode_crash_free(crash);
    }
}

static bool take_shader(void *user, const struct gpucode_crash_shader *shader)
{
    (void)user;
    tell("%s|%s|%zu ", shader->memory, shader->place, shader->count);
    return true;
}

/* Names of memories are cut, and the place is made of those at its depth and above. */
static void memories_have_names(void)
{
    char text[512], name[64];
    for (int length = 58; length <= 61; length++) {
        char expected[128];
        memset(name, 'X', sizeof name);
        memcpy(name, "INST", 4);
        snprintf(text, sizeof text,
                 "shader-blocks:\n  - type: %.*s\n    - bank: 0\n      size: 2\n      data: !!ascii85 |\n        ",
                 length, name);
        put_words(text, (const uint32_t[]){1, 2}, 2);
        struct gpucode_crash *crash = open_text(text);
        assert_int_equal(gpucode_crash_shaders(crash, take_shader, NULL), GPUCODE_OK);
        snprintf(expected, sizeof expected, "%.*s|bank 0|2 ", length < 59 ? length : 59, name);
        assert_string_equal(told, expected);
        gpucode_crash_free(crash);
    }
}

/* A fault in a buffer, in as many bytes after it, and beyond. */
static void faults_are_near(void)
{
    static const struct {
        unsigned at;
        enum gpucode_crash_mark mark;
    } rows[] = {{0xfff, GPUCODE_CRASH_FAR},     {0x1000, GPUCODE_CRASH_INSIDE}, {0x10ff, GPUCODE_CRASH_INSIDE},
                {0x1100, GPUCODE_CRASH_BEHIND}, {0x11ff, GPUCODE_CRASH_BEHIND}, {0x1200, GPUCODE_CRASH_FAR}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct gpucode_crash_buffer buffer;
        char text[128];
        snprintf(text, sizeof text, "fault-info:\n  - far: %x\nbos:\n  - iova: 0x1000\n    size: 256\n", rows[i].at);
        struct gpucode_crash *crash = open_text(text);
        assert_true(gpucode_crash_buffer(crash, 0, &buffer));
        assert_int_equal(buffer.mark, rows[i].mark);
        gpucode_crash_free(crash);
    }
}

/* What is written has the whole chip id, and is read back. */
static void dumps_are_written(void)
{
    static const struct gpucode_crash_contents contents = {.gpu_id = 1, .chip_id = 0xffffffff};
    void *bytes;
    size_t size;
    assert_int_equal(gpucode_crash_write(NULL, &bytes, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_write(&contents, NULL, &size), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_write(&contents, &bytes, NULL), GPUCODE_ERROR_ARGUMENT);
    assert_int_equal(gpucode_crash_write(&contents, &bytes, &size), GPUCODE_OK);
    struct gpucode_crash *crash = open_bytes(bytes, size);
    free(bytes);
    assert_int_equal(gpucode_crash_head(crash)->chip_id, 0xffffffff);
    gpucode_crash_free(crash);
}

TESTS(limits, numbers_end, memory_ends, buffers_overlap, streams_end, messages_end, snapshots_end, snapshots_are_read,
      handlers_are_told_apart, chips_have_names, memories_have_names, faults_are_near, dumps_are_written)
