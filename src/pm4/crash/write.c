/* SPDX-License-Identifier: MIT */
/* Dumps are written of contents. */
#include "pm4/crash/dump.h"

#include "base/buffer.h"
#include "crash_messages.h"

#include <gpucode/crash.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Words as text: five digits of base 85 from '!' on, the highest first, or z for a word that is 0. */

#define FIRST '!'

/* A group of five digits; false: it has another character, or is more than a word. */
static bool read_group(const char *at, uint32_t *word)
{
    uint64_t value = 0;
    unsigned wrong = 0;
    for (int i = 0; i < 5; i++) {
        unsigned digit = (unsigned)(unsigned char)at[i] - FIRST;
        wrong |= digit >= 85;
        value = value * 85 + digit;
    }
    *word = (uint32_t)value;
    return !wrong && value <= UINT32_MAX;
}

size_t ascii85_decode(const char *text, size_t length, uint32_t *words, size_t room, const char **wrong)
{
    size_t count = 0;
    const char *at = text, *end = text + length;
    uint32_t word = 0;
    for (*wrong = NULL; at < end; count++) {
        if (*at == 'z') {
            word = 0;
            at++;
        } else if (end - at < 5 || !read_group(at, &word)) {
            *wrong = at;
            break;
        } else {
            at += 5;
        }
        if (words && count < room)
            words[count] = word;
    }
    return count;
}

size_t gpucode_crash_ascii85(const char *text, size_t length, uint32_t *words, size_t room)
{
    const char *wrong;
    return text ? ascii85_decode(text, length, words, room, &wrong) : 0;
}

/* No text of the length stands for more words. */
static size_t count_most(const char *text, size_t length)
{
    size_t zeros = 0;
    for (size_t i = 0; i < length; i++)
        zeros += text[i] == 'z';
    return zeros + (length - zeros) / 5;
}

void ascii85_read(struct gpucode_crash *crash, const char *text, size_t length, struct gpucode_crash_words *words)
{
    const char *wrong;
    size_t room = count_most(text, length);
    uint32_t *list = words && room ? arena_array(&crash->loader.arena, room, sizeof *list) : NULL;
    if (words && room && !list) {
        crash->no_memory = true;
        return;
    }
    size_t count = ascii85_decode(text, length, list, room, &wrong);
    if (words) {
        words->words = list;
        words->count = count;
    }
    /* the last group of a file that was cut off is nobody's fault, and the file's end is told elsewhere */
    if (wrong && text + length < crash->text + crash->size)
        dump_warn(crash, wrong, MSG_CRASH_ASCII85);
}

char *ascii85_write(char *at, const uint32_t *words, size_t count)
{
    while (count && !words[count - 1])
        count--;
    for (size_t i = 0; i < count; i++) {
        uint32_t word = words[i];
        if (!word) {
            *at++ = 'z';
            continue;
        }
        for (int digit = 4; digit >= 0; digit--, word /= 85)
            at[digit] = (char)(FIRST + word % 85);
        at += 5;
    }
    return at;
}

/* --- a new dump --------------------------------------------------------------------------------------------------- */

/* Devcoredumps written as the driver `msm` does, section after section. */

struct writer {
    const struct gpucode_crash_contents *contents;
    struct buffer out;
};

static void write_line(struct writer *writer, const char *key, const char *value)
{
    if (value)
        buffer_format(&writer->out, "%s: %s\n", key, value);
}

/* Nothing is written of words that are all 0. */
static void write_words(struct writer *writer, const struct gpucode_crash_words *data)
{
    size_t count = data->count;
    while (count && !data->words[count - 1])
        count--;
    if (!count)
        return;
    buffer_text(&writer->out, "    data: !!ascii85 |\n     ");
    if (count < SIZE_MAX / 5 && buffer_reserve(&writer->out, 5 * count))
        buffer_commit(&writer->out, ascii85_write(buffer_end(&writer->out), data->words, count));
    buffer_text(&writer->out, "\n");
}

static void write_head(struct writer *writer)
{
    const struct gpucode_crash_contents *contents = writer->contents;
    uint32_t chip = contents->chip_id;
    buffer_text(&writer->out, "---\n");
    write_line(writer, "kernel", contents->kernel);
    write_line(writer, "module", "msm");
    write_line(writer, "time", "0.000000000");
    write_line(writer, "comm", contents->comm);
    write_line(writer, "cmdline", contents->cmdline);
    if (chip >> 24 > 5)
        write_line(writer, "gpu-initialized", "1");
    buffer_format(&writer->out, "revision: %" PRIu32 " (%u.%u.%u.%u)\n", contents->gpu_id, (unsigned)(chip >> 24),
                  (unsigned)(chip >> 16 & 0xff), (unsigned)(chip >> 8 & 0xff), (unsigned)(chip & 0xff));
    if (contents->fault) {
        const struct gpucode_crash_fault *fault = contents->fault;
        buffer_format(&writer->out, "fault-info:\n  - ttbr0=%016x\n  - iova=%016" PRIx64 "\n", 0, fault->iova);
        buffer_format(&writer->out, "  - dir=%s\n  - type=%s\n  - source=%s\n",
                      fault->direction ? fault->direction : "UNKNOWN", fault->type ? fault->type : "UNKNOWN",
                      fault->source ? fault->source : "UNKNOWN");
    }
    buffer_format(&writer->out, "rbbm-status: 0x%08" PRIx32 "\n", contents->status);
}

static void write_memory(struct writer *writer)
{
    const struct gpucode_crash_contents *contents = writer->contents;
    buffer_text(&writer->out, "ringbuffer:\n");
    for (size_t i = 0; i < contents->ring_count; i++) {
        const struct gpucode_crash_ring *ring = &contents->rings[i];
        buffer_format(&writer->out, "  - id: %" PRIu32 "\n    iova: 0x%016" PRIx64 "\n", ring->id, ring->iova);
        buffer_format(&writer->out, "    last-fence: %" PRIu32 "\n    retired-fence: %" PRIu32 "\n", ring->last_fence,
                      ring->retired_fence);
        buffer_format(&writer->out, "    rptr: %" PRIu32 "\n    wptr: %" PRIu32 "\n    size: %" PRIu64 "\n", ring->rptr,
                      ring->wptr, ring->data.size * 4);
        write_words(writer, &ring->data);
    }
    if (contents->buffer_count)
        buffer_text(&writer->out, "bos:\n");
    for (size_t i = 0; i < contents->buffer_count; i++) {
        const struct gpucode_crash_buffer *buffer = &contents->buffers[i];
        buffer_format(&writer->out, "  - iova: 0x%016" PRIx64 "\n    size: %" PRIu64 "\n    flags: 0x%" PRIx32 "\n",
                      buffer->iova, buffer->size, buffer->flags);
        buffer_format(&writer->out, "    name: %-32s\n", buffer->name ? buffer->name : "");
        write_words(writer, &buffer->data);
    }
}

static void write_registers(struct writer *writer)
{
    const struct gpucode_crash_contents *contents = writer->contents;
    bool wide = contents->chip_id >> 24 > 5;
    buffer_text(&writer->out, "registers:\n");
    for (size_t i = 0; i < contents->register_count; i++)
        buffer_format(&writer->out,
                      wide ? "  - { offset: 0x%06" PRIx32 ", value: 0x%08" PRIx32 " }\n"
                           : "  - { offset: 0x%04" PRIx32 ", value: 0x%08" PRIx32 " }\n",
                      contents->registers[i].number * 4, contents->registers[i].value);
    if (contents->block_count)
        buffer_text(&writer->out, "indexed-registers:\n");
    for (size_t i = 0; i < contents->block_count; i++) {
        const struct gpucode_crash_block *block = &contents->blocks[i];
        buffer_format(&writer->out, "  - regs-name: %s\n    dwords: %" PRIu64 "\n",
                      block->own ? block->own : block->name, block->data.size);
        write_words(writer, &block->data);
    }
}

enum gpucode_status gpucode_crash_write(const struct gpucode_crash_contents *contents, void **bytes, size_t *size)
{
    if (!contents || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    struct writer writer = {.contents = contents};
    *bytes = NULL;
    *size = 0;
    write_head(&writer);
    write_memory(&writer);
    write_registers(&writer);
    if (writer.out.failed) {
        buffer_free(&writer.out);
        return GPUCODE_ERROR_MEMORY;
    }
    *bytes = writer.out.bytes;
    *size = writer.out.length;
    return GPUCODE_OK;
}
