/* SPDX-License-Identifier: MIT */
/* The line table of DWARF 4 (section 6.2): which line of which file each unit of code comes from. */
#include "elf/elf.h"

#include <stdlib.h>

enum {
    VERSION = 4,
    ADVANCE_BY_ONE = 13, /* the first of the special operations: a step in lines and places at once */
    LEAST_STEP = -5,
    STEPS = 14,
    COPY = 1,
    ADVANCE_PLACE = 2,
    ADVANCE_LINE = 3,
    SET_FILE = 4,
    EXTENDED = 0,
    END_SEQUENCE = 1,
    SET_ADDRESS = 2,
};

/* Where the reader of the table is. */
struct position {
    uint32_t unit;
    unsigned file, line;
};

void elf_put_unsigned(struct buffer *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        elf_put8(out, (unsigned)(value & 0x7f) | 0x80);
    elf_put8(out, (unsigned)value);
}

static void elf_put_signed(struct buffer *out, int64_t value)
{
    while (value < -64 || value > 63) {
        elf_put8(out, (unsigned)(value & 0x7f) | 0x80);
        value = value < 0 ? ~(~value >> 7) : value >> 7;
    }
    elf_put8(out, (unsigned)(value & 0x7f));
}

unsigned elf_file_number(struct list *files, const char *name)
{
    const char **names = files->items;
    for (size_t i = files->count; i-- > 0;) /* most likely one of the last */
        if (names[i] == name || strcmp(names[i], name) == 0)
            return (unsigned)i + 1;
    const char **added = list_add(files, sizeof *added);
    if (!added)
        return 0;
    *added = name;
    return (unsigned)files->count;
}

/* A row of the table: from `unit` on it is that line. */
static void put_row(struct buffer *out, struct position *at, uint32_t unit, unsigned file, unsigned line)
{
    if (file != at->file) {
        elf_put8(out, SET_FILE);
        elf_put_unsigned(out, file);
    }
    int64_t step = (int64_t)line - at->line;
    uint64_t special = (uint64_t)(unit - at->unit) * STEPS + (uint64_t)(step - LEAST_STEP) + ADVANCE_BY_ONE;
    if (step >= LEAST_STEP && step < LEAST_STEP + STEPS && special <= 255) {
        elf_put8(out, (unsigned)special);
    } else {
        elf_put8(out, ADVANCE_LINE);
        elf_put_signed(out, step);
        elf_put8(out, ADVANCE_PLACE);
        elf_put_unsigned(out, unit - at->unit);
        elf_put8(out, COPY);
    }
    *at = (struct position){unit, file, line};
}

/* The rows of one section; its places begin anew. */
static void put_range(const struct elf_source *source, const struct elf_range *range, struct list *files,
                      struct buffer *out)
{
    struct position at = {range->first, 1, 1};
    unsigned file = 0, line = 0;
    elf_put8(out, EXTENDED);
    elf_put_unsigned(out, 5);
    elf_put8(out, SET_ADDRESS);
    elf_put32(out, range->first * source->unit_bytes);
    for (uint32_t unit = range->first; unit < range->end; unit++) {
        struct gpucode_line found;
        if (!gpucode_program_line(source->program, unit, &found))
            continue;
        unsigned number = elf_file_number(files, found.file);
        if (number == file && found.line == line)
            continue;
        put_row(out, &at, unit, number, found.line);
        file = number;
        line = found.line;
    }
    elf_put8(out, ADVANCE_PLACE);
    elf_put_unsigned(out, range->end - at.unit);
    elf_put8(out, EXTENDED);
    elf_put_unsigned(out, 1);
    elf_put8(out, END_SEQUENCE);
}

static void put_header(const struct elf_source *source, const struct list *files, struct buffer *out)
{
    /* how many operands each of the operations 1 to 12 has */
    static const unsigned char operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    elf_put8(out, source->unit_bytes);
    elf_put8(out, 1); /* operations an instruction */
    elf_put8(out, 1); /* rows are beginnings of statements */
    elf_put8(out, LEAST_STEP & 0xff);
    elf_put8(out, STEPS);
    elf_put8(out, ADVANCE_BY_ONE);
    buffer_append(out, operands, sizeof operands);
    elf_put8(out, 0); /* no folders: names of files are as they were given */
    const char *const *names = files->items;
    for (size_t i = 0; i < files->count; i++) {
        elf_put_string(out, names[i]);
        elf_put8(out, 0); /* folder, time and size of the file: not told */
        elf_put8(out, 0);
        elf_put8(out, 0);
    }
    elf_put8(out, 0);
}

void elf_put_lines(const struct elf_source *source, struct list *files, struct buffer *out)
{
    struct buffer rows = {0}, header = {0};
    for (unsigned i = 0; i < source->range_count; i++)
        if (source->ranges[i].end > source->ranges[i].first)
            put_range(source, &source->ranges[i], files, &rows);
    put_header(source, files, &header);
    elf_put32(out, (uint32_t)(2 + 4 + header.length + rows.length));
    elf_put16(out, VERSION);
    elf_put32(out, (uint32_t)header.length);
    buffer_append(out, header.bytes, header.length);
    buffer_append(out, rows.bytes, rows.length);
    out->failed |= header.failed || rows.failed || files->failed;
    buffer_free(&header);
    buffer_free(&rows);
}
