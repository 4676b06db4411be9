/* SPDX-License-Identifier: MIT */
/* Dumps are written: of contents, and again without what is not to be shown. */
#include "base/buffer.h"
#include "pm4/crash/dump.h"

#include <gpucode/crash.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* --- the same dump without firmware ------------------------------------------------------------------------------- */

/*
 * A dump without firmware, and without what else its owner does not want to show. What is not known is left out rather
 * than kept: sections, and memories of processors.
 */

/* --- devcoredumps ------------------------------------------------------------------------------------------------ */

static const char *const kept_sections[] = {
    "kernel",        "module",        "time",           "gpu-initialized",
    "revision",      "fault-info",    "rbbm-status",    "ringbuffer",
    "bos",           "gmu-log",       "gmu-hfi",        "gmu-debug",
    "registers",     "registers-gmu", "registers-hlsq", "indexed-registers",
    "shader-blocks", "clusters",      "debugbus",
};

struct redactor {
    const struct gpucode_crash *crash;
    unsigned without;
    struct buffer out;
    const char *section;
    struct gpucode_crash_block block; /* the item of indexed registers: its name, when it is known */
    unsigned sizes, data;             /* lines of that kind in the item */
};

static bool is_kept(const struct redactor *redactor, const char *section)
{
    if (strcmp(section, "comm") == 0 || strcmp(section, "cmdline") == 0)
        return !(redactor->without & GPUCODE_CRASH_WITHOUT_PROCESS);
    if (strcmp(section, "pgtable-fault-info") == 0 || strcmp(section, "vm-log") == 0)
        return !(redactor->without & GPUCODE_CRASH_WITHOUT_ADDRESSES);
    for (size_t i = 0; i < sizeof kept_sections / sizeof *kept_sections; i++)
        if (strcmp(section, kept_sections[i]) == 0)
            return true;
    return false;
}

static bool has_text(const char *line, size_t length, const char *text)
{
    return memmem(line, length, text, strlen(text)) != NULL;
}

static size_t line_length(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? (size_t)(newline + 1 - at) : (size_t)(end - at);
}

/* Is the line the first of an item of indexed registers, or its size? Notes what it says. */
static void note_block(struct redactor *redactor, const char *line, size_t length)
{
    const char *name = memmem(line, length, "regs-name:", 10);
    size_t indent = 0;
    while (indent < length && line[indent] == ' ')
        indent++;
    if (name && (name != line + indent + 2 || line[indent] != '-' || line[indent + 1] != ' ')) {
        redactor->block.name = NULL; /* no item begins: whose data come next is doubtful */
    } else if (name) {
        char own[64];
        name += 10;
        while (name < line + length && *name == ' ')
            name++;
        size_t left = (size_t)(line + length - name), size = 0;
        while (size < left && name[size] != ' ' && name[size] != '\r' && name[size] != '\n')
            size++;
        size_t rest = size; /* a reader may take what follows for a part of the name */
        while (rest < left && (name[rest] == ' ' || name[rest] == '\r' || name[rest] == '\n'))
            rest++;
        size = size < sizeof own - 1 ? size : sizeof own - 1;
        memcpy(own, name, size);
        own[size] = 0;
        const char *known = block_name(own, 0);
        redactor->block = (struct gpucode_crash_block){.name = known == own || rest < left ? NULL : known};
        redactor->sizes = redactor->data = 0;
    }
    redactor->sizes += has_text(line, length, "dwords:");
}

/* Writes code memory without what is firmware: its line with the data too, unless nothing is left. */
static void write_code(struct redactor *redactor, const char *line, size_t length, const char *text, size_t size)
{
    const char *wrong;
    size_t indent = 0;
    while (indent < size && text[indent] == ' ')
        indent++;
    text += indent;
    size = size - indent;
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    uint32_t *words = calloc(size + 1, sizeof *words);
    if (!words) {
        redactor->out.failed = true;
        return;
    }
    size_t count = ascii85_decode(text, size, words, size, &wrong);
    for (size_t i = 0; i < count; i++)
        if (!gpucode_crash_is_open(&redactor->block, i) ||
            (redactor->without & GPUCODE_CRASH_WITHOUT_TABLE && i / GPUCODE_CRASH_UCODE_SECTION == 4))
            words[i] = 0;
    while (count && !words[count - 1])
        count--;
    if (count && buffer_reserve(&redactor->out, length + indent + 5 * count + 1)) {
        buffer_append(&redactor->out, line, length);
        buffer_append(&redactor->out, text - indent, indent);
        buffer_commit(&redactor->out, ascii85_write(buffer_end(&redactor->out), words, count));
        buffer_text(&redactor->out, "\n");
    }
    free(words);
}

/* A line with data and the one after it. */
static void write_data(struct redactor *redactor, const char *line, size_t length, const char *text, size_t size)
{
    bool registers = strcmp(redactor->section, "indexed-registers") == 0;
    if (strcmp(redactor->section, "bos") == 0 && redactor->without & GPUCODE_CRASH_WITHOUT_BUFFERS)
        return;
    /* the data of a block whose name or size is doubtful may be another's */
    if (registers && (!redactor->block.name || redactor->sizes != 1 || redactor->data++))
        return;
    if (registers && block_is_code(redactor->block.name)) {
        write_code(redactor, line, length, text, size);
        return;
    }
    buffer_append(&redactor->out, line, length);
    buffer_append(&redactor->out, text, size);
}

static bool is_dropped(const struct redactor *redactor, const char *line, size_t length)
{
    if (redactor->without & GPUCODE_CRASH_WITHOUT_PROCESS && strcmp(redactor->section, "bos") == 0 &&
        has_text(line, length, "name:"))
        return true;
    return redactor->without & GPUCODE_CRASH_WITHOUT_ADDRESSES && strcmp(redactor->section, "fault-info") == 0 &&
           has_text(line, length, "ttbr0");
}

static void redact_section(struct redactor *redactor, const struct gpucode_crash_section *section)
{
    const char *at = section->text, *end = section->text + section->length;
    redactor->section = section->name;
    redactor->block.name = NULL;
    if (!is_kept(redactor, section->name))
        return;
    while (at < end) {
        size_t length = line_length(at, end), size = 0;
        const char *line = at;
        at += length;
        if (*line != ' ' && line != section->text)
            continue; /* no line of the section, nor of any other */
        if (strcmp(section->name, "indexed-registers") == 0)
            note_block(redactor, line, length);
        if (has_text(line, length < 128 ? length : 128, "data:") && line != section->text) {
            if (at < end && *at == ' ')
                size = line_length(at, end);
            write_data(redactor, line, length, at, size);
            at += size;
        } else if (length < 4096 && !is_dropped(redactor, line, length)) {
            buffer_append(&redactor->out, line, length); /* longer ones may be data that lost their head */
        }
    }
}

static void redact_devcore(struct redactor *redactor)
{
    buffer_text(&redactor->out, "---\n");
    for (size_t i = 0; i < redactor->crash->sections.count; i++)
        redact_section(redactor, DUMP_ITEM(redactor->crash->sections, struct gpucode_crash_section, i));
}

/* --- snapshots --------------------------------------------------------------------------------------------------- */

static const struct {
    unsigned id;
    const char *name;
    size_t contents; /* bytes before a buffer's contents; 0: it has none */
    size_t page_table, page_table_bytes;
    size_t process, process_bytes; /* names of programs */
} kinds[] = {
    {0x0101, "0x0101", 0, 36, 16, 136, 32}, {0x0201, "0x0201", 0, 0, 0, 0, 0},   {0x0302, "0x0302", 0, 0, 0, 0, 0},
    {0x0402, "0x0402", 32, 16, 8, 0, 0},    {0x0b02, "0x0b02", 36, 20, 8, 0, 0}, {0x0501, "0x0501", 0, 0, 0, 0, 0},
    {0x0502, "0x0502", 0, 0, 0, 0, 0},      {0x0a01, "0x0a01", 0, 0, 0, 0, 0},
};

static void clear_bytes(char *part, size_t length, size_t from, size_t count)
{
    if (from && from < length)
        memset(part + from, 0, count < length - from ? count : length - from);
}

static uint32_t word_of(const char *bytes)
{
    const uint8_t *at = (const uint8_t *)bytes;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Memories of processors: those that are not known, and of code what is firmware. */
static void clear_block(const struct redactor *redactor, char *part, size_t length, size_t head)
{
    if (length < head)
        return;
    struct gpucode_crash_block block = {.name = block_name_by_registers(word_of(part + 8), word_of(part + 12))};
    for (size_t i = 0; head + 4 * i < length; i++)
        if (!gpucode_crash_is_open(&block, i) || (redactor->without & GPUCODE_CRASH_WITHOUT_TABLE &&
                                                  block_is_code(block.name) && i / GPUCODE_CRASH_UCODE_SECTION == 4))
            clear_bytes(part, length, head + 4 * i, 4);
}

static void redact_part(struct redactor *redactor, const struct gpucode_crash_section *section)
{
    size_t kind = 0;
    while (kind < sizeof kinds / sizeof *kinds && strcmp(kinds[kind].name, section->name) != 0)
        kind++;
    if (kind == sizeof kinds / sizeof *kinds || !buffer_reserve(&redactor->out, section->length))
        return;
    char *part = buffer_end(&redactor->out);
    size_t length = section->length;
    buffer_append(&redactor->out, section->text, length);
    for (int i = 0; i < 4; i++)
        part[4 + i] = (char)(length >> 8 * i); /* less than it says where the file was cut off */
    if (kinds[kind].id == 0x0501 || kinds[kind].id == 0x0502)
        clear_block(redactor, part, length, kinds[kind].id == 0x0501 ? 24 : 32);
    if (redactor->without & GPUCODE_CRASH_WITHOUT_BUFFERS)
        clear_bytes(part, length, kinds[kind].contents, length);
    if (redactor->without & GPUCODE_CRASH_WITHOUT_ADDRESSES)
        clear_bytes(part, length, kinds[kind].page_table, kinds[kind].page_table_bytes);
    if (redactor->without & GPUCODE_CRASH_WITHOUT_PROCESS)
        clear_bytes(part, length, kinds[kind].process, kinds[kind].process_bytes);
}

static void redact_snapshot(struct redactor *redactor)
{
    static const char end[] = {(char)0xcd, (char)0xab, (char)0xff, (char)0xff, 8, 0, 0, 0};
    buffer_append(&redactor->out, redactor->crash->text, 12);
    for (size_t i = 0; i < redactor->crash->sections.count; i++)
        redact_part(redactor, DUMP_ITEM(redactor->crash->sections, struct gpucode_crash_section, i));
    buffer_append(&redactor->out, end, sizeof end);
}

enum gpucode_status gpucode_crash_redact(const struct gpucode_crash *crash, unsigned without, void **bytes,
                                         size_t *size)
{
    if (!crash || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    struct redactor redactor = {.crash = crash, .without = without};
    *bytes = NULL;
    *size = 0;
    if (crash->head.format == GPUCODE_CRASH_KGSL)
        redact_snapshot(&redactor);
    else
        redact_devcore(&redactor);
    if (redactor.out.failed) {
        buffer_free(&redactor.out);
        return GPUCODE_ERROR_MEMORY;
    }
    *bytes = redactor.out.bytes;
    *size = redactor.out.length;
    return GPUCODE_OK;
}
