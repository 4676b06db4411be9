/* SPDX-License-Identifier: MIT */
/* Lines of the kernel's log and lines of dumps to redact: how long their parts may be, and how large their numbers. */
#include "group.h"
#include <gpucode/crash.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- what is left of a dump --- */

static char kept[1 << 16];
static size_t kept_size;

/* Redacts a dump. */
static void redact(const void *bytes, size_t size, unsigned without)
{
    struct gpucode_crash_options options = {.file_name = "dump"};
    struct gpucode_crash *crash;
    void *redacted;
    char *copy = malloc(size);
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    assert_int_equal(gpucode_crash_open(copy, size, &options, &crash), GPUCODE_OK);
    assert_int_equal(gpucode_crash_redact(crash, without, &redacted, &kept_size), GPUCODE_OK);
    assert_true(kept_size < sizeof kept);
    memcpy(kept, redacted, kept_size);
    kept[kept_size] = 0;
    free(redacted);
    gpucode_crash_free(crash);
    free(copy);
}

/* A line with so many characters in the middle of it, words of so many if that is not 0. */
static void put_line(char *line, const char *before, unsigned count, unsigned word, char character, const char *after)
{
    line = stpcpy(line, before);
    for (unsigned i = 0; i < count; i++)
        *line++ = word && i % (word + 1) == word ? ' ' : character;
    strcpy(line, after);
}

/* Lines as long as the driver's may be are kept, longer ones are not. */
static void long_lines_go(void)
{
    static const struct {
        const char *before;
        unsigned most, word;
        char character;
        const char *after;
    } rows[] = {
        {"kernel: ", 4096, 200, 'x', "\n"},
        {"kernel: ", 256, 0, 'x', "\n"},
        {"kernel: x ", 256, 0, 'x', " x\n"},
        {"module: ", 63, 0, 'x', "\n"},
        {"rbbm-status: ", 20, 0, '0', "\n"},
        {"rbbm-status: 0x", 20, 0, '0', "\n"},
        {"vm-log:\n  - ", 39, 0, 'm', " 0x1-0x2\n"}, /* 40 with the blank */
        {"vm-log:\n  - map: 0x1-0x", 84, 0, '0', "\n"},
        {"registers:\n  - { offset: 0x", 8, 0, '0', ", value: 0x00000001 }\n"},
        {"registers:\n  - { offset: 0x2000, value: 0x", 8, 0, '0', " }\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned over = 0; over < 2; over++) {
            char text[5000];
            put_line(text, rows[i].before, rows[i].most + over, rows[i].word, rows[i].character, rows[i].after);
            redact(text, strlen(text), 0);
            const char *line = strchr(text, '\n') + 1; /* of a section with items: the item */
            line = *line ? line : text;
            if ((strstr(kept, line) != NULL) == (over == 1))
                fail_msg("%s and %u: %s", rows[i].before, rows[i].most + over, kept);
        }
}

/* Of code memory the packet table is kept, as far as its words are places. */
static void tables_are_kept(void)
{
    static const struct {
        uint32_t word;
        bool kept;
    } rows[] = {{1, true}, {0x8000, true}, {0xffff, true}, {0x10000, false}, {0x1ffff, false}, {0x80000001, false}};
    static char text[0x4000 + 256];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char digits[6] = "";
        uint32_t word = rows[i].word;
        for (int k = 5; k--; word /= 85)
            digits[k] = (char)('!' + word % 85);
        put_line(text,
                 "indexed-registers:\n  - regs-name: CP_UCODE_DBG\n    dwords: 32768\n    data: !!ascii85 |\n     ",
                 0x4000, 0, 'z', digits);
        strcat(text, "\n");
        redact(text, strlen(text), 0);
        assert_int_equal(strstr(kept, digits) != NULL, rows[i].kept);
        redact(text, strlen(text), GPUCODE_CRASH_WITHOUT_TABLE);
        assert_null(strstr(kept, digits));
    }
}

/* What is doubtful in an item loses its data, and not those of the items after it; keys without an item are nobody's.
 */
static void items_are_apart(void)
{
    static const char data[] = "    data: !!ascii85 |\n     ";
    static const struct {
        const char *first; /* lines of the first item, after those that it needs */
        bool whole;
    } rows[] = {
        {"", true},
        {"    flags: 0x1\n", true},
        {"    secret: 1\n", false},
        {"    iova: 0x1000\n", false},
        {"    flags: x\n", false},
        {"    data: !!binary |\n     !!!!&\n", false},
        {"    data: !!ascii85 |\n     !!!!&\n", false}, /* two of them */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "ringbuffer:\n  - iova: 0x8000\n    size: 16\n"
                 "bos:\n    iova: 0x7000\n    size: 16\n%s!!!!$\n"
                 "  - iova: 0x1000\n    size: 16\n%s%s!!!!\"\n"
                 "  - iova: 0x2000\n    size: 16\n%s!!!!#\n"
                 "gmu-log:\n    iova: 0x3000\n    size: 16\n",
                 data, rows[i].first, data, data);
        redact(text, strlen(text), 0);
        static const char *const kept_always[] = {"iova: 0x8000\n", "iova: 0x1000\n", "iova: 0x2000\n", "!!!!#\n",
                                                  "iova: 0x3000\n"};
        for (size_t k = 0; k < sizeof kept_always / sizeof *kept_always; k++)
            if (!strstr(kept, kept_always[k]))
                fail_msg("'%s' without %s: %s", rows[i].first, kept_always[k], kept);
        static const char *const gone_always[] = {"0x7000", "!!!!$", "secret", "flags: x", "!!!!&"};
        for (size_t k = 0; k < sizeof gone_always / sizeof *gone_always; k++)
            if (strstr(kept, gone_always[k]))
                fail_msg("'%s' with %s: %s", rows[i].first, gone_always[k], kept);
        if ((strstr(kept, "!!!!\"\n") != NULL) != rows[i].whole)
            fail_msg("'%s': %s", rows[i].first, kept);
    }
}

/* Sections of a snapshot that are as short as they may be, and a ring that has firmware. */
static void sections_are_kept(void)
{
    static const struct {
        const char *bytes;
        size_t size; /* of the sections that are kept */
    } rows[] = {
        {"cdab0102 0b000000 ffffff", 11}, /* the number of registers is cut off */
        {"cdab0102 0c000000 00000000", 12},
        {"cdab0204 1f000000 00100000 00000000 00000000 00000000 00000000 000000", 0},
        {"cdab0204 20000000 00100000 00000000 00000000 00000000 00000000 00000000", 32}, /* no contents */
        {"cdab020b 24000000 01000000 00100000 00000000 00000000 00000000 00000000 00000000", 36},
        {"cdab020b 24000000 04000000 00100000 00000000 00000000 00000000 00000000 00000000", 36},
        {"cdab020b 24000000 05000000 00100000 00000000 00000000 00000000 00000000 00000000", 0}, /* the driver's own */
        {"cdab0105 18000000 08090000 09090000 00000000 00000000", 24},
        {"cdab0203 10000000 01000000 06081f98", 16},
        {"cdab0203 10000000 000000d8 06081f98", 0}, /* a handler's end */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char bytes[128] = {2, 0, 0x4d, 0x50, 0, 0, 3, 0, 0, 0, 5, 0x44};
        size_t size = 12;
        for (const char *at = rows[i].bytes; *at; at += 2 + (at[2] == ' '))
            bytes[size++] = (unsigned char)strtoul((char[]){at[0], at[1], 0}, NULL, 16);
        redact(bytes, size, 0);
        if (kept_size != 12 + rows[i].size + 8)
            fail_msg("%s: %zu", rows[i].bytes, kept_size);
    }
}

/* --- logs --- */

/* The log's explanation in JSON. */
static char *explain(const char *text)
{
    struct gpucode_answer *answer = gpucode_answer_create();
    struct gpucode_answer_options options = {.form = GPUCODE_ANSWER_AS_JSON};
    size_t length = strlen(text), printed_length;
    char *copy = malloc(length), *printed;
    assert_non_null(copy);
    memcpy(copy, text, length);
    if (gpucode_crash_explain_log(copy, length, NULL, answer) != GPUCODE_OK)
        fail_msg("not a log: %s", text);
    assert_int_equal(gpucode_answer_print(answer, &options, &printed, &printed_length), GPUCODE_OK);
    gpucode_answer_free(answer);
    free(copy);
    return printed;
}

#define POSITION "status 00800005 rb 04a0/0505 ib1 0000000001000000/0010 ib2 0000000000ffffff/0000\n"
#define X10 "xxxxxxxxxx"
#define X62 X10 X10 X10 X10 X10 X10 "xx"

static void logs_have_limits(void)
{
    static const struct {
        const char *text, *has, *lacks; /* `lacks`: or null */
    } rows[] = {
        /* words as long as they are kept, and up to the end of their line */
        {"gpu fault ring " X62 "y fence 1 " POSITION, "\"" X62 "y\"", NULL},
        {"gpu fault ring " X62 "yz fence 1 " POSITION, "\"" X62 "y\"", NULL},
        {"*** gpu fault: iova=1000 dir=READ type=TRANSLATION source=UCHE\n", "\"UCHE\"", NULL},
        {"*** gpu fault: iova=1000 dir=  \ntype=PERMISSION\n", "\"iova\": \"0x1000\"", "PERMISSION"},
        {"offending task: x\nCP ucode error\n", "\"x\"", NULL},
        /* chip ids, as older and newer kernels have them */
        {"revision: 1 (255.255.255.255)\nCP ucode error\n", "\"0xffffffff\"", NULL},
        {"255.255.255.255: hangcheck detected gpu lockup rb 1!\n", "\"0xffffffff\"", NULL},
        {" 6.3.0.2\n: hangcheck detected gpu lockup rb 1!\n", "\"hangs\"", "chip_id"},
        {"6.3.0.2 hangcheck detected gpu lockup rb 1!\n", "\"hangs\"", "chip_id"},
        /* places in firmware and registers */
        {"PC: fffff\n", "\"pc_words\": 1048575", NULL},
        {"PC: 100000\nPC: 5\n", "\"pc_words\": 5", NULL},
        {"PC: 00000000005\n", "\"pc_words\": 5", NULL}, /* up to 11 digits */
        {"PC: 000000000006\nPC: 5\n", "\"pc_words\": 5", NULL},
        {"PC: g\nPC: 5\n", "\"pc_words\": 5", NULL},
        {"PC\t=\t5\n", "\"pc_words\": 5", NULL},
        {"PC: 5\n$1f: ffffffff\n", "\"$1f\": \"0xffffffff\"", "$1e"},
        {"PC: 5\n$1f: 100000000\n$20: 1\n$00: 7\n", "\"$00\": \"0x7\"", "$1f"},
        {"PC: 5\n$00: 7\n", "The SQE stood at PC 0x5. ", "in hand"},
        {"PC: 5\n$01: 0\n", "The SQE stood at PC 0x5, with 0x00000000, which is not a packet, in hand. ", NULL},
        /* faults that are near the buffers: up to 4 MiB after their start */
        {"gpu fault ring 0 fence 1 " POSITION "*** gpu fault: iova=13fffff\n", "It is 0x3fffff after the start of IB1.",
         "IB2."},
        {"gpu fault ring 0 fence 1 " POSITION "*** gpu fault: iova=13ffffe\n", "It is 0x3fffff after the start of IB2.",
         NULL},
        {"gpu fault ring 0 fence 1 " POSITION "*** gpu fault: iova=1400000\n", "\"iova\": \"0x1400000\"", "It is"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *printed = explain(rows[i].text);
        if (!strstr(printed, rows[i].has) || (rows[i].lacks && strstr(printed, rows[i].lacks)))
            fail_msg("%s: %s", rows[i].text, printed);
        free(printed);
    }
}

TESTS(lines, long_lines_go, tables_are_kept, items_are_apart, sections_are_kept, logs_have_limits)
