/* SPDX-License-Identifier: MIT */
/*
 * Devcoredumps of `msm`: text, a section to a name in the first column, its lines indented, items of lists after a
 * dash. Form and meaning: the kernel's driver and its documentation.
 */
#include "crash_messages.h"
#include "pm4/crash/dump.h"

#include <stdlib.h>
#include <string.h>

/* A line taken apart: "  - name: value". */
struct line {
    const char *text;
    size_t length;
    size_t indent;
    bool item; /* begins one of a list */
    const char *key, *value;
    size_t key_length, value_length;
};

struct reader;

struct section_row {
    const char *name;
    void (*take)(struct reader *reader, const struct line *line);  /* a line of it */
    void (*begin)(struct reader *reader, const struct line *line); /* the line with its name */
};

struct reader {
    struct gpucode_crash *crash;
    const char *at, *end;
    size_t line;
    const struct section_row *section;
    struct gpucode_crash_words *words; /* that a line with data fills; null: data are checked only */
    struct gpucode_crash_ring *ring;
    struct gpucode_crash_buffer *buffer;
    struct gpucode_crash_block *block;
    struct dump_blob *blob;
};

/* --- lines ------------------------------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && *at == ' ')
        at++;
    return at;
}

static bool next_line(struct reader *reader, struct line *line)
{
    if (reader->at == reader->end)
        return false;
    const char *start = reader->at, *end = memchr(start, '\n', (size_t)(reader->end - start));
    reader->at = end ? end + 1 : reader->end;
    reader->line++;
    end = end ? end : reader->end;
    if (end > start && end[-1] == '\r')
        end--;
    *line = (struct line){.text = start, .length = (size_t)(end - start)};
    const char *at = skip_blanks(start, end);
    line->indent = (size_t)(at - start);
    if (end - at >= 2 && at[0] == '-' && at[1] == ' ') {
        line->item = true;
        at = skip_blanks(at + 1, end);
    }
    line->key = at;
    while (at < end && *at != ':' && *at != '=' && at - line->key < 64)
        at++;
    bool pair = at < end && (*at == ':' || *at == '=');
    line->key_length = pair ? (size_t)(at - line->key) : 0;
    line->value = pair ? skip_blanks(at + 1, end) : end;
    line->value_length = (size_t)(end - line->value);
    return true;
}

static bool is_key(const struct line *line, const char *key)
{
    return strlen(key) == line->key_length && memcmp(line->key, key, line->key_length) == 0;
}

/* A number in decimal, or in hex with 0x or where `hex` says so; *at is moved to its end. */
static bool take_number(const char **at, const char *end, bool hex, uint64_t *value)
{
    const char *start = *at;
    uint64_t result = 0;
    if (end - start > 2 && start[0] == '0' && (start[1] == 'x' || start[1] == 'X')) {
        start += 2;
        hex = true;
    }
    const char *digit = start;
    for (; digit < end; digit++) {
        unsigned lower = (unsigned char)*digit | 0x20, d;
        d = lower >= '0' && lower <= '9' ? lower - '0' : hex && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
        if (d == 99)
            break;
        if (result > (UINT64_MAX - d) / (hex ? 16 : 10))
            return false;
        result = result * (hex ? 16 : 10) + d;
    }
    if (digit == start)
        return false;
    *at = digit;
    *value = result;
    return true;
}

/* The value of a line, a number of at most `most`; warns where it is none. */
static bool read_value(struct reader *reader, const struct line *line, bool hex, uint64_t most, uint64_t *value)
{
    const char *at = line->value, *end = line->value + line->value_length;
    uint64_t number;
    if (take_number(&at, end, hex, &number) && skip_blanks(at, end) == end && number <= most) {
        *value = number;
        return true;
    }
    dump_warn(reader->crash, line->value, MSG_CRASH_NUMBER);
    return false;
}

static void read_word(struct reader *reader, const struct line *line, uint32_t *word)
{
    uint64_t value;
    if (read_value(reader, line, false, UINT32_MAX, &value))
        *word = (uint32_t)value;
}

static const char *read_text(struct reader *reader, const struct line *line)
{
    return dump_text(reader->crash, line->value, line->value_length);
}

/* Is it "data: !!ascii85 |"? Then the line after it is taken too. */
static bool take_data(struct reader *reader, const struct line *line)
{
    if (!is_key(line, "data"))
        return false;
    struct line text;
    if (reader->at == reader->end || *reader->at != ' ' || !next_line(reader, &text)) {
        if (reader->at < reader->end)
            dump_warn(reader->crash, line->text, MSG_CRASH_NO_DATA);
        return true;
    }
    ascii85_read(reader->crash, text.text + text.indent, text.length - text.indent, reader->words);
    reader->words = NULL;
    return true;
}

/* --- head -------------------------------------------------------------------------------------------------------- */

static void begin_kernel(struct reader *reader, const struct line *line)
{
    reader->crash->head.kernel = read_text(reader, line);
}

static void begin_module(struct reader *reader, const struct line *line)
{
    reader->crash->head.module = read_text(reader, line);
}

static void begin_time(struct reader *reader, const struct line *line)
{
    reader->crash->head.time = read_text(reader, line);
}

static void begin_comm(struct reader *reader, const struct line *line)
{
    reader->crash->head.comm = read_text(reader, line);
}

static void begin_cmdline(struct reader *reader, const struct line *line)
{
    reader->crash->head.cmdline = read_text(reader, line);
}

/* "630 (6.3.0.2)": what a name says, and the parts of the chip id */
static void begin_revision(struct reader *reader, const struct line *line)
{
    const char *at = line->value, *end = line->value + line->value_length;
    uint64_t id, part;
    uint32_t chip = 0;
    int parts = 0;
    if (!take_number(&at, end, false, &id) || id > UINT32_MAX) {
        dump_warn(reader->crash, line->value, MSG_CRASH_NUMBER);
        return;
    }
    reader->crash->head.gpu_id = (uint32_t)id;
    at = skip_blanks(at, end);
    for (; parts < 4 && at < end && (*at == (parts ? '.' : '(')); parts++) {
        at++;
        if (!take_number(&at, end, false, &part) || part > 0xff)
            break;
        chip = chip << 8 | (uint32_t)part;
    }
    if (parts == 4)
        reader->crash->head.chip_id = chip;
    else
        dump_warn(reader->crash, line->value, MSG_CRASH_NUMBER);
}

static void begin_status(struct reader *reader, const struct line *line)
{
    uint64_t value;
    if (!read_value(reader, line, false, UINT32_MAX, &value))
        return;
    reader->crash->head.has_status = true;
    reader->crash->head.status = (uint32_t)value;
}

static void take_fault(struct reader *reader, const struct line *line)
{
    struct gpucode_crash_fault *fault = &reader->crash->fault;
    uint64_t value;
    if (is_key(line, "iova") || is_key(line, "far")) {
        if (!read_value(reader, line, true, UINT64_MAX, &value))
            return;
        fault->iova = value;
        reader->crash->has_fault = true;
    } else if (is_key(line, "type")) {
        fault->type = read_text(reader, line);
    } else if (is_key(line, "dir")) {
        fault->direction = read_text(reader, line);
    } else if (is_key(line, "source")) {
        fault->source = read_text(reader, line);
    }
}

/* "  - unmap:0: 0x0000000100001000-0x0000000100002000" */
static void take_mapping(struct reader *reader, const struct line *line)
{
    const char *at = line->value, *end = line->value + line->value_length;
    uint64_t queue, start, last;
    bool negative = at < end && *at == '-';
    at += negative;
    if (!line->item)
        return;
    if (!line->key_length || !take_number(&at, end, false, &queue) || queue > INT32_MAX || at == end || *at++ != ':') {
        dump_warn(reader->crash, line->value, MSG_CRASH_NUMBER);
        return;
    }
    at = skip_blanks(at, end);
    if (!take_number(&at, end, true, &start) || at == end || *at++ != '-' || !take_number(&at, end, true, &last) ||
        last < start) {
        dump_warn(reader->crash, line->value, MSG_CRASH_NUMBER);
        return;
    }
    struct gpucode_crash_mapping *mapping = dump_add(reader->crash, &reader->crash->mappings, sizeof *mapping);
    if (mapping)
        *mapping = (struct gpucode_crash_mapping){dump_text(reader->crash, line->key, line->key_length),
                                                  negative ? -(int64_t)queue : (int64_t)queue, start, last};
}

/* --- rings, buffers, blobs --------------------------------------------------------------------------------------- */

static void take_ring(struct reader *reader, const struct line *line)
{
    uint64_t value;
    if (line->item) {
        reader->ring = dump_add(reader->crash, &reader->crash->rings, sizeof *reader->ring);
        reader->words = reader->ring ? &reader->ring->data : NULL;
    }
    struct gpucode_crash_ring *ring = reader->ring;
    if (!ring || take_data(reader, line))
        return;
    if (is_key(line, "id"))
        read_word(reader, line, &ring->id);
    else if (is_key(line, "iova") && read_value(reader, line, false, UINT64_MAX, &value))
        ring->iova = value;
    else if (is_key(line, "last-fence"))
        read_word(reader, line, &ring->last_fence);
    else if (is_key(line, "retired-fence"))
        read_word(reader, line, &ring->retired_fence);
    else if (is_key(line, "rptr"))
        read_word(reader, line, &ring->rptr);
    else if (is_key(line, "wptr"))
        read_word(reader, line, &ring->wptr);
    else if (is_key(line, "size") && read_value(reader, line, false, UINT32_MAX, &value))
        ring->data.size = value / 4;
}

static void take_buffer(struct reader *reader, const struct line *line)
{
    uint64_t value;
    if (line->item) {
        reader->buffer = dump_add(reader->crash, &reader->crash->buffers, sizeof *reader->buffer);
        reader->words = reader->buffer ? &reader->buffer->data : NULL;
    }
    struct gpucode_crash_buffer *buffer = reader->buffer;
    if (!buffer)
        return;
    if (is_key(line, "data")) {
        take_data(reader, line);
        buffer->dumped = buffer->data.count != 0;
    } else if (is_key(line, "iova") && read_value(reader, line, false, UINT64_MAX, &value)) {
        buffer->iova = value;
    } else if (is_key(line, "size") && read_value(reader, line, false, UINT64_MAX, &value)) {
        buffer->size = value;
        buffer->data.size = value / 4;
    } else if (is_key(line, "flags")) {
        read_word(reader, line, &buffer->flags);
    } else if (is_key(line, "name")) {
        buffer->name = read_text(reader, line);
    }
}

static void begin_blob(struct reader *reader, const struct line *line)
{
    struct gpucode_crash *crash = reader->crash;
    (void)line;
    reader->blob = NULL;
    if (crash->blob_count == sizeof crash->blobs / sizeof *crash->blobs)
        return;
    reader->blob = &crash->blobs[crash->blob_count++];
    reader->blob->name = reader->section->name;
    reader->words = &reader->blob->data;
}

/* "queue-history[0]: 4 8 12": where the last messages begin, -1 for none */
static void read_history(struct reader *reader, const struct line *line)
{
    const char *at = line->value, *end = line->value + line->value_length;
    unsigned queue = line->key_length == 16 ? (unsigned)(line->key[14] - '0') : DUMP_HISTORIES;
    uint64_t value;
    if (queue >= DUMP_HISTORIES)
        return;
    for (unsigned i = 0; i < DUMP_HISTORY && at < end; i++) {
        bool none = *at == '-';
        at += none;
        if (!take_number(&at, end, false, &value) || value > INT32_MAX) {
            dump_warn(reader->crash, line->value, MSG_CRASH_NUMBER);
            return;
        }
        reader->crash->history[queue][i] = none ? -1 : (int32_t)value;
        at = skip_blanks(at, end);
    }
}

static void take_blob(struct reader *reader, const struct line *line)
{
    uint64_t value;
    if (!reader->blob || take_data(reader, line))
        return;
    if (is_key(line, "iova") && read_value(reader, line, false, UINT64_MAX, &value))
        reader->blob->iova = value;
    else if (is_key(line, "size") && read_value(reader, line, false, UINT32_MAX, &value))
        reader->blob->data.size = value / 4;
    else if (line->key_length > 14 && memcmp(line->key, "queue-history[", 14) == 0)
        read_history(reader, line);
}

/* --- registers --------------------------------------------------------------------------------------------------- */

/* Finds "name: NUMBER" after *at. */
static bool take_member(const char **at, const char *end, const char *name, uint64_t *value)
{
    size_t length = strlen(name);
    *at = skip_blanks(*at, end);
    if ((size_t)(end - *at) < length || memcmp(*at, name, length) != 0)
        return false;
    *at = skip_blanks(*at + length, end);
    return take_number(at, end, false, value);
}

/* "  - { offset: 0x002000, value: 0x00000001 }"; the offset is in bytes */
static void add_register(struct reader *reader, const struct line *line, struct list *list)
{
    const char *at = line->text + line->indent, *end = line->text + line->length;
    uint64_t offset, value;
    at = skip_blanks(at + line->item, end);
    if (at < end && *at == '{')
        at++;
    else if (at == end)
        return;
    if (!take_member(&at, end, "offset:", &offset) || at == end || *at++ != ',' ||
        !take_member(&at, end, "value:", &value) || offset > UINT32_MAX || value > UINT32_MAX) {
        dump_warn(reader->crash, line->text, MSG_CRASH_REGISTER);
        return;
    }
    struct gpucode_crash_register *reg = dump_add(reader->crash, list, sizeof *reg);
    if (reg)
        *reg = (struct gpucode_crash_register){(uint32_t)offset / 4, (uint32_t)value};
}

static void take_register(struct reader *reader, const struct line *line)
{
    add_register(reader, line, &reader->crash->registers);
}

static void take_gmu_register(struct reader *reader, const struct line *line)
{
    add_register(reader, line, &reader->crash->gmu);
}

static void take_block(struct reader *reader, const struct line *line)
{
    uint64_t value;
    if (line->item) {
        reader->block = dump_add(reader->crash, &reader->crash->blocks, sizeof *reader->block);
        if (reader->block)
            reader->block->name = reader->block->own = "";
        reader->words = reader->block ? &reader->block->data : NULL;
    }
    struct gpucode_crash_block *block = reader->block;
    if (!block || take_data(reader, line))
        return;
    if (is_key(line, "regs-name")) {
        const char *name = read_text(reader, line);
        block->own = name ? name : "";
        block->name = block_name(block->own, block->data.size);
    } else if (is_key(line, "dwords") && read_value(reader, line, false, UINT32_MAX, &value)) {
        block->data.size = value;
        block->name = block_name(block->own, value);
    }
}

/* Sections whose words are not looked at further: their encoding is. */
static void take_other(struct reader *reader, const struct line *line)
{
    take_data(reader, line);
}

/* --- the file ---------------------------------------------------------------------------------------------------- */

static const struct section_row rows[] = {
    {"kernel", NULL, begin_kernel},      {"module", NULL, begin_module},
    {"time", NULL, begin_time},          {"comm", NULL, begin_comm},
    {"cmdline", NULL, begin_cmdline},    {"gpu-initialized", NULL, NULL},
    {"revision", NULL, begin_revision},  {"fault-info", take_fault, NULL},
    {"pgtable-fault-info", NULL, NULL},  {"vm-log", take_mapping, NULL},
    {"rbbm-status", NULL, begin_status}, {"ringbuffer", take_ring, NULL},
    {"bos", take_buffer, NULL},          {"gmu-log", take_blob, begin_blob},
    {"gmu-hfi", take_blob, begin_blob},  {"gmu-debug", take_blob, begin_blob},
    {"registers", take_register, NULL},  {"registers-gmu", take_gmu_register, NULL},
    {"registers-hlsq", NULL, NULL},      {"indexed-registers", take_block, NULL},
    {"shader-blocks", take_other, NULL}, {"clusters", take_other, NULL},
    {"debugbus", take_other, NULL},
};

static const struct section_row *find_row(const struct line *line)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is_key(line, rows[i].name))
            return &rows[i];
    return NULL;
}

static void end_section(struct reader *reader, const char *at)
{
    struct list *sections = &reader->crash->sections;
    if (!sections->count)
        return;
    struct gpucode_crash_section *section = DUMP_ITEM(*sections, struct gpucode_crash_section, sections->count - 1);
    if (!section->length)
        section->length = (size_t)(at - section->text);
}

static void begin_section(struct reader *reader, const struct line *line)
{
    static const struct section_row unknown = {NULL, take_other, NULL};
    end_section(reader, line->text);
    reader->ring = NULL;
    reader->buffer = NULL;
    reader->block = NULL;
    reader->words = NULL;
    reader->section = &unknown;
    if (!line->key_length)
        return;
    const struct section_row *row = find_row(line);
    struct gpucode_crash_section *section = dump_add(reader->crash, &reader->crash->sections, sizeof *section);
    if (!section)
        return;
    section->name = row ? row->name : arena_copy(&reader->crash->loader.arena, line->key, line->key_length);
    reader->crash->no_memory |= !section->name;
    section->text = line->text;
    section->line = reader->line;
    reader->section = row ? row : &unknown;
    if (row && row->begin)
        row->begin(reader, line);
}

bool devcore_recognise(const char *text, size_t size)
{
    struct reader reader = {.at = text, .end = text + size};
    struct line line;
    for (unsigned lines = 0; lines < 64 && next_line(&reader, &line); lines++)
        if (!line.indent && line.key_length && find_row(&line))
            return true;
    return false;
}

/* A file whose head is missing may still have what counts. */
static bool has_sections(const struct gpucode_crash *crash)
{
    for (size_t i = 0; i < crash->sections.count; i++) {
        const char *name = DUMP_ITEM(crash->sections, struct gpucode_crash_section, i)->name;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (name == rows[k].name)
                return true;
    }
    return false;
}

bool devcore_read(struct gpucode_crash *crash)
{
    struct reader reader = {.crash = crash, .at = crash->text, .end = crash->text + crash->size};
    struct line line;
    while (!crash->no_memory && next_line(&reader, &line)) {
        if (!line.length)
            continue;
        if (!line.indent)
            begin_section(&reader, &line);
        else if (reader.section && reader.section->take)
            reader.section->take(&reader, &line);
    }
    end_section(&reader, reader.end);
    if (!has_sections(crash))
        return crash->no_memory;
    const char *last = reader.end;
    while (last > crash->text && last[-1] != '\n')
        last--;
    if (last < reader.end && !crash->loader.damaged)
        dump_warn(crash, last, MSG_CRASH_CUT);
    return true;
}
