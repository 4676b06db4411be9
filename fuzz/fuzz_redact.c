/* SPDX-License-Identifier: MIT */
/*
 * A dump with a word of firmware, over and over, in each block that may have one, and with what stays beside it. The
 * input says how it is damaged: lines wrapped, blank or gone, sections and lines in another order, the end cut off, the
 * whole compressed. The same dump without firmware must not have the word, neither as digits nor as bytes.
 */
#include "check.h"

#include <gpucode/crash.h>

#include <stdio.h>
#include <string.h>

#define CANARY 0xf00dfeedu
#define TEXT_MAX 65536

struct text {
    char bytes[2 * TEXT_MAX];
    size_t length;
};

static void append(struct text *text, const char *bytes, size_t length)
{
    length = length < sizeof text->bytes - text->length ? length : sizeof text->bytes - text->length;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

static void say(struct text *text, const char *words)
{
    append(text, words, strlen(words));
}

static const char *digits(void)
{
    static char five[6];
    uint32_t word = CANARY;
    for (int i = 4; i >= 0; i--, word /= 85)
        five[i] = (char)('!' + word % 85);
    return five;
}

/* After a packet's end, as all code of processors has it many times: "waitin", "mov $01, $data". */
static void say_canaries(struct text *text, const char *indent, unsigned count)
{
    say(text, indent);
    say(text, "data: !!ascii85 |\n");
    say(text, indent);
    say(text, " fDkmOQlcS<");
    for (unsigned i = 0; i < count; i++)
        say(text, digits());
    say(text, "\n");
}

/* The parts of a dump, each a list of lines. Those with a canary have to go, or the words with it. */
static void say_section(struct text *text, unsigned number)
{
    static const char *const blocks[] = {"CP_UCODE_DBG_DATA", "CP_SQE_UCODE_DBG",   "CP_BV_SQE_UCODE_DBG_ADDR",
                                         "CP_FUTURE_MEMORY",  "CP_AQE_UCODE_DBG_0", "CP_SQE_AC_UCODE_DBG_ADDR"};
    static const char *const buffers[] = {"sqefw", "gmufw", "aqefw", "pwrup_reglist", "preempt_record ring0"};
    switch (number % 6) {
    case 0:
        say(text, "indexed-registers:\n");
        for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            say(text, "  - regs-name: ");
            say(text, blocks[i]);
            say(text, "\n    dwords: 24576\n");
            say_canaries(text, "    ", 200);
        }
        break;
    case 1:
        say(text, "bos:\n");
        for (unsigned i = 0; i < sizeof buffers / sizeof *buffers; i++) {
            say(text, "  - iova: 0x0000000100000000\n    size: 4096\n    name: ");
            say(text, buffers[i]);
            say(text, "\n");
            say_canaries(text, "    ", 100);
        }
        break;
    case 2:
        say(text, "shader-blocks:\n  - type: A6XX_CP_FUTURE\n    - bank: 0\n      size: 512\n");
        say_canaries(text, "      ", 100);
        break;
    case 3:
        say(text, "debugbus:\n  - debugbus-block: A6XX_DBGBUS_CP\n    count: 512\n");
        say_canaries(text, "    ", 100);
        break;
    case 4:
        say(text, "future-memory:\n  - name: x\n    size: 4096\n");
        say_canaries(text, "    ", 100);
        break;
    default:
        say(text,
            "registers:\n  - { offset: 0x002000, value: 0x00001000 }\n  - { offset: 0x002444, value: 0xf00dfeed }\n"
            "  - { offset: zz, value: 0xf00dfeed }\n  - 0xf00dfeed\n");
    }
}

/* Lines as they are, wrapped, after a blank one, said twice, or left out; where a list begins another order is tried.
 */
static void damage(struct text *to, const struct text *from, const uint8_t *bytes, size_t size)
{
    const char *at = from->bytes, *end = at + from->length;
    for (size_t line = 0; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline ? (size_t)(newline - at) + 1 : (size_t)(end - at);
        unsigned how = size ? bytes[line % size] : 0, place = size ? bytes[(line + 1) % size] : 0;
        bool data = length > 100;
        switch (how % 9) {
        case 1:
            if (data) { /* at a word's end or not, indented or not */
                size_t part = place % 2 ? 5 * (place % 10) + 5 : place % 60 + 1;
                append(to, at, part);
                say(to, how & 64 ? "\n" : how & 32 ? "\n       " : "\r\n    ");
                append(to, at + part, length - part);
                at += length;
                continue;
            }
            break;
        case 2:
            say(to, how & 64 ? "\n" : "    \n");
            break;
        case 3:
            append(to, at, length);
            break;
        case 4:
            if (!data) {
                at += length;
                continue;
            }
            break;
        case 5:
            if (data)
                say(to, "    data: !!ascii85 |\n");
            break;
        default:
            break;
        }
        append(to, at, length);
        at += length;
    }
}

static void put_u32(struct text *text, uint32_t value)
{
    const char bytes[4] = {(char)value, (char)(value >> 8), (char)(value >> 16), (char)(value >> 24)};
    append(text, bytes, 4);
}

/* As gzip, without making it smaller. */
static void compress(struct text *to, const struct text *from)
{
    uint32_t sum = UINT32_MAX;
    append(to, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    for (size_t at = 0, part; at < from->length; at += part) {
        part = from->length - at < 0xffff ? from->length - at : 0xffff;
        const char head[5] = {at + part == from->length, (char)part, (char)(part >> 8), (char)~part,
                              (char)(~part >> 8)};
        append(to, head, 5);
        append(to, from->bytes + at, part);
    }
    for (size_t i = 0; i < from->length; i++) {
        sum ^= (uint8_t)from->bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    put_u32(to, ~sum);
    put_u32(to, (uint32_t)from->length);
}

static void check_text(const struct text *text, unsigned without)
{
    static const char raw[4] = {(char)0xed, (char)0xfe, 0x0d, (char)0xf0};
    struct gpucode_crash_options options = {.limit = 1 << 22};
    struct gpucode_crash *crash;
    void *bytes;
    size_t size;
    if (gpucode_crash_open(text->bytes, text->length, &options, &crash) != GPUCODE_OK)
        return;
    check(gpucode_crash_redact(crash, without & 15, &bytes, &size) == GPUCODE_OK);
    check(!memmem(bytes, size, digits(), 5));
    check(!memmem(bytes, size, "f00dfeed", 8));
    check(!memmem(bytes, size, raw, 4));
    free(bytes);
    gpucode_crash_free(crash);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static struct text plain, damaged, packed;
    const unsigned first = size ? bytes[0] : 0, second = size > 1 ? bytes[1] : 0, third = size > 2 ? bytes[2] : 0;
    plain.length = damaged.length = packed.length = 0;
    say(&plain, "---\nkernel: 6.9\nmodule: msm\nrevision: 630 (6.3.0.2)\n");
    for (unsigned i = 0; i < 6; i++)
        say_section(&plain, first % 2 ? i * 5 + first / 2 : i + first / 2);
    if (size > 3)
        damage(&damaged, &plain, bytes + 3, size - 3);
    else
        append(&damaged, plain.bytes, plain.length);
    if (second & 1)
        damaged.length -= damaged.length * (second >> 1) / 128;
    if (third & 16)
        compress(&packed, &damaged);
    check_text(third & 16 ? &packed : &damaged, third);
    return 0;
}
