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

/* DWARF's numbers of variable length. */
static void elf_put_unsigned(struct buffer *out, uint64_t value)
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

/*
 * DWARF 4's description of a program (sections 3.1 to 3.3): a routine from each label to the next one, and in it the
 * uses of macros as code that was inlined, so that `addr2line -i` tells both the line of a macro and where it was used.
 */

enum {
    LANGUAGE_ASSEMBLER = 0x8001, /* what GNU's assembler says, too */
    INLINED = 1,
    /* tags */
    COMPILE_UNIT = 0x11,
    SUBPROGRAM = 0x2e,
    INLINED_SUBROUTINE = 0x1d,
    /* attributes */
    NAME = 0x03,
    STATEMENT_LIST = 0x10,
    LOW_PLACE = 0x11,
    HIGH_PLACE = 0x12,
    LANGUAGE = 0x13,
    INLINE = 0x20,
    PRODUCER = 0x25,
    ORIGIN = 0x31,
    CALL_FILE = 0x58,
    CALL_LINE = 0x59,
    /* forms */
    ADDRESS = 0x01,
    DATA16 = 0x05,
    DATA32 = 0x06,
    STRING = 0x08,
    DATA8 = 0x0b,
    NUMBER = 0x0f,
    REFERENCE = 0x13,
    OFFSET = 0x17,
};

/* Numbers of the abbreviations below. */
enum { UNIT = 1, MACRO, ROUTINE, ROUTINE_WITH_USES, USE, USE_WITH_USES };

/* clang-format off */
static const unsigned char abbreviations[] = {
    UNIT, COMPILE_UNIT, 1, PRODUCER, STRING, LANGUAGE, DATA16, NAME, STRING, STATEMENT_LIST, OFFSET,
        LOW_PLACE, ADDRESS, HIGH_PLACE, DATA32, 0, 0,
    MACRO, SUBPROGRAM, 0, NAME, STRING, INLINE, DATA8, 0, 0,
    ROUTINE, SUBPROGRAM, 0, NAME, STRING, LOW_PLACE, ADDRESS, HIGH_PLACE, DATA32, 0, 0,
    ROUTINE_WITH_USES, SUBPROGRAM, 1, NAME, STRING, LOW_PLACE, ADDRESS, HIGH_PLACE, DATA32, 0, 0,
    USE, INLINED_SUBROUTINE, 0, ORIGIN, REFERENCE, LOW_PLACE, ADDRESS, HIGH_PLACE, DATA32,
        CALL_FILE, NUMBER, CALL_LINE, NUMBER, 0, 0,
    USE_WITH_USES, INLINED_SUBROUTINE, 1, ORIGIN, REFERENCE, LOW_PLACE, ADDRESS, HIGH_PLACE, DATA32,
        CALL_FILE, NUMBER, CALL_LINE, NUMBER, 0, 0,
    0,
};
/* clang-format on */

/* A macro, and where its entry stands in the unit. */
struct macro {
    const char *name;
    uint32_t offset;
};

struct routines {
    const struct elf_source *source;
    struct list *files;
    struct buffer *out;
    struct list macros; /* of struct macro */
};

/* Macros around a unit. */
static unsigned count_uses(const struct routines *routines, uint32_t unit)
{
    struct gpucode_line use;
    unsigned count = 0;
    while (gpucode_program_use(routines->source->program, unit, count, &use))
        count++;
    return count;
}

/* The use of a macro that has `depth` others around it; false: the unit has no so many. */
static bool use_at(const struct routines *routines, uint32_t unit, unsigned depth, struct gpucode_line *use)
{
    unsigned count = count_uses(routines, unit);
    return depth < count && gpucode_program_use(routines->source->program, unit, count - 1 - depth, use);
}

static bool same_use(const struct gpucode_line *a, const struct gpucode_line *b)
{
    return a->source == b->source && a->line == b->line && strcmp(a->macro, b->macro) == 0;
}

/* The offset of a macro's entry, 0 where it has none. */
static uint32_t macro_offset(const struct routines *routines, const char *name)
{
    const struct macro *macros = routines->macros.items;
    for (size_t i = routines->macros.count; i-- > 0;)
        if (strcmp(macros[i].name, name) == 0)
            return macros[i].offset;
    return 0;
}

static void put_macro(struct routines *routines, const char *name)
{
    struct macro *macro = list_add(&routines->macros, sizeof *macro);
    if (!macro)
        return;
    *macro = (struct macro){name, (uint32_t)routines->out->length};
    elf_put8(routines->out, MACRO);
    elf_put_string(routines->out, name);
    elf_put8(routines->out, INLINED);
}

/* An entry for each macro that code comes from. */
static void put_macros(struct routines *routines)
{
    for (unsigned i = 0; i < routines->source->range_count; i++)
        for (uint32_t unit = routines->source->ranges[i].first; unit < routines->source->ranges[i].end; unit++) {
            struct gpucode_line use;
            for (unsigned k = 0; gpucode_program_use(routines->source->program, unit, k, &use); k++)
                if (!routines->macros.failed && !macro_offset(routines, use.macro))
                    put_macro(routines, use.macro);
        }
}

static void put_places(const struct routines *routines, uint32_t first, uint32_t end)
{
    elf_put32(routines->out, first * routines->source->unit_bytes);
    elf_put32(routines->out, (end - first) * routines->source->unit_bytes);
}

/* Does a unit of the run come from macros that have `depth` others around them? */
static bool has_uses(const struct routines *routines, uint32_t first, uint32_t end, unsigned depth)
{
    while (first < end && count_uses(routines, first) <= depth)
        first++;
    return first < end;
}

/* The uses of macros in a run of units, and what was used in them. Their depth is limited by the assembler. */
static void put_uses(struct routines *routines, uint32_t first, uint32_t end, unsigned depth)
{
    for (uint32_t unit = first, stop; unit < end; unit = stop) {
        struct gpucode_line use, next;
        stop = unit + 1;
        if (!use_at(routines, unit, depth, &use))
            continue;
        while (stop < end && use_at(routines, stop, depth, &next) && same_use(&use, &next))
            stop++;
        bool more = has_uses(routines, unit, stop, depth + 1);
        elf_put8(routines->out, more ? USE_WITH_USES : USE);
        elf_put32(routines->out, macro_offset(routines, use.macro));
        put_places(routines, unit, stop);
        elf_put_unsigned(routines->out, elf_file_number(routines->files, use.file));
        elf_put_unsigned(routines->out, use.line);
        if (more) {
            put_uses(routines, unit, stop, depth + 1);
            elf_put8(routines->out, 0);
        }
    }
}

/* What a label stands for ends at the next one, or with its section. */
static void put_routine(struct routines *routines, size_t index)
{
    const struct elf_source *source = routines->source;
    const struct elf_label *label = &source->labels[index], *next = label + 1;
    uint32_t end = source->ranges[label->range].end;
    if (index + 1 < source->label_count && next->range == label->range)
        end = next->unit;
    if (label->unit >= end)
        return;
    bool uses = has_uses(routines, label->unit, end, 0);
    elf_put8(routines->out, uses ? ROUTINE_WITH_USES : ROUTINE);
    elf_put_string(routines->out, label->name);
    put_places(routines, label->unit, end);
    if (uses) {
        put_uses(routines, label->unit, end, 0);
        elf_put8(routines->out, 0);
    }
}

void elf_put_routines(const struct elf_source *source, struct list *files, struct elf_debug *debug)
{
    struct buffer *out = &debug->info;
    struct routines routines = {.source = source, .files = files, .out = out};
    uint32_t end = source->range_count ? source->ranges[source->range_count - 1].end : 0;
    buffer_append(&debug->abbreviations, abbreviations, sizeof abbreviations);
    elf_put32(out, 0); /* how long this is */
    elf_put16(out, VERSION);
    elf_put32(out, 0); /* the abbreviations' offset */
    elf_put8(out, 4);  /* bytes of an address */
    elf_put8(out, UNIT);
    buffer_text(out, "gpucode ");
    elf_put_string(out, gpucode_version());
    elf_put16(out, LANGUAGE_ASSEMBLER);
    elf_put_string(out, source->name);
    elf_put32(out, 0); /* the line table's offset */
    put_places(&routines, 0, end);
    put_macros(&routines);
    for (size_t i = 0; i < source->label_count; i++)
        put_routine(&routines, i);
    elf_put8(out, 0);
    elf_set32(out, 0, (uint32_t)out->length - 4);
    out->failed |= routines.macros.failed || debug->abbreviations.failed || files->failed;
    free(routines.macros.items);
}
