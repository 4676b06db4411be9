/* SPDX-License-Identifier: MIT */
/*
 * The ELF file (System V ABI, chapters 4 and 5): header, one segment, the program's bytes as they are, the note, DWARF,
 * symbols, and last the table of sections.
 */
#include "elf/elf.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>

/* What stands where in a program: its sections as runs of units, its labels by their places. */

/* The number of a label's section, which it names: one at the end of a section is not the next one's. */
static unsigned elf_range_of_label(const struct elf_source *source, const struct gpucode_symbol *symbol)
{
    struct gpucode_program_section section;
    for (unsigned i = 0; gpucode_program_section(source->program, i, &section); i++)
        if (strcmp(section.name, symbol->section) == 0 && symbol->unit >= source->ranges[i].first &&
            symbol->unit <= source->ranges[i].end)
            return i;
    return 0; /* each label stands in its section */
}

static int compare_labels(const void *left, const void *right)
{
    const struct elf_label *a = left, *b = right;
    int order = ORDER(a->range, b->range);
    order = order ? order : ORDER(a->unit, b->unit);
    return order ? order : strcmp(a->name, b->name);
}

/* Code in front of a section's first label goes by the section's name. */
static const char *name_of_range(const struct elf_source *source, unsigned range)
{
    struct gpucode_program_section section = {.name = ""};
    gpucode_program_section(source->program, range, &section);
    return *section.name ? section.name : ".text";
}

/* One label for each place that has any, and one for the beginning of each section. */
static void sort_labels(struct elf_source *source, size_t count)
{
    size_t kept = 0;
    for (unsigned i = 0; i < source->range_count; i++) {
        bool named = false;
        for (size_t k = 0; k < count && !named; k++)
            named = source->labels[k].range == i && source->labels[k].unit == source->ranges[i].first;
        if (!named)
            source->labels[count++] = (struct elf_label){name_of_range(source, i), source->ranges[i].first, i};
    }
    qsort(source->labels, count, sizeof *source->labels, compare_labels);
    for (size_t i = 0; i < count; i++)
        if (!kept || source->labels[kept - 1].unit != source->labels[i].unit ||
            source->labels[kept - 1].range != source->labels[i].range)
            source->labels[kept++] = source->labels[i];
    source->label_count = kept;
}

/* Finds ranges and labels; false: there is no memory. Code in front of a section's first label goes by its name. */
static bool elf_survey(struct elf_source *source)
{
    struct gpucode_program_section section;
    struct gpucode_symbol symbol;
    unsigned ranges = 0, unit_bytes = source->unit_bytes;
    size_t labels = 0, prefix = gpucode_program_prefix(source->program), count = 0;
    while (gpucode_program_section(source->program, ranges, &section))
        ranges++;
    while (gpucode_program_symbol(source->program, (unsigned)labels, &symbol))
        labels++;
    source->ranges = calloc(ranges + 1, sizeof *source->ranges);
    source->labels = calloc(labels + ranges + 1, sizeof *source->labels);
    if (!source->ranges || !source->labels)
        return false;
    for (unsigned i = 0; gpucode_program_section(source->program, i, &section); i++)
        source->ranges[i] = (struct elf_range){(uint32_t)((section.offset - prefix) / unit_bytes),
                                               (uint32_t)((section.offset - prefix + section.size) / unit_bytes)};
    source->range_count = ranges;
    for (unsigned i = 0; gpucode_program_symbol(source->program, i, &symbol); i++)
        if (symbol.section)
            source->labels[count++] = (struct elf_label){symbol.name, symbol.unit, elf_range_of_label(source, &symbol)};
    sort_labels(source, count);
    return true;
}

enum { CODE_ALIGNMENT = 16, SECTION_NAME_MAX = 256 };

struct section {
    uint32_t name, content, flags, address, offset, size, link, info, alignment, entry_size;
};

struct writer {
    const struct gpucode_program *program;
    struct elf_source source;
    struct buffer out, symbols, strings, section_names, sections;
    unsigned section_count;
    unsigned first_code; /* number of the first section of code */
    size_t code;         /* offset of the program's bytes */
};

static void align(struct buffer *out, unsigned alignment)
{
    while (!out->failed && out->length % alignment)
        elf_put8(out, 0);
}

/* An entry of the table of sections; `name` becomes its name. */
static void add_section(struct writer *writer, const char *name, struct section section)
{
    section.name = (uint32_t)writer->section_names.length;
    elf_put_string(&writer->section_names, name);
    const uint32_t words[] = {section.name, section.content, section.flags, section.address,   section.offset,
                              section.size, section.link,    section.info,  section.alignment, section.entry_size};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        elf_put32(&writer->sections, words[i]);
    writer->section_count++;
}

/* A section whose bytes come next in the file. */
static void add_bytes(struct writer *writer, const char *name, uint32_t content, struct buffer *bytes)
{
    add_section(writer, name,
                (struct section){.content = content,
                                 .offset = (uint32_t)writer->out.length,
                                 .size = (uint32_t)bytes->length,
                                 .alignment = 1});
    buffer_append(&writer->out, bytes->bytes, bytes->length);
    writer->out.failed |= bytes->failed;
}

/* The program's bytes: what stands in front of unit 0, then its sections, one after the other. */
static void add_code(struct writer *writer)
{
    struct gpucode_program_section section;
    char name[SECTION_NAME_MAX];
    size_t prefix = gpucode_program_prefix(writer->program);
    unsigned unit_bytes = writer->source.unit_bytes;
    align(&writer->out, CODE_ALIGNMENT);
    writer->code = writer->out.length;
    buffer_append(&writer->out, gpucode_program_bytes(writer->program), gpucode_program_size(writer->program));
    if (prefix)
        add_section(writer, ELF_PREFIX_SECTION,
                    (struct section){.content = ELF_CONTENT_PROGRAM,
                                     .offset = (uint32_t)writer->code,
                                     .size = (uint32_t)prefix,
                                     .alignment = 1});
    writer->first_code = writer->section_count;
    for (unsigned i = 0; gpucode_program_section(writer->program, i, &section); i++) {
        uint32_t address = (uint32_t)(section.offset - prefix);
        snprintf(name, sizeof name, ".text%s%s", *section.name ? "." : "", section.name);
        add_section(writer, name,
                    (struct section){.content = ELF_CONTENT_PROGRAM,
                                     .flags = ELF_FLAG_ALLOCATED | ELF_FLAG_CODE,
                                     .address = address,
                                     .offset = (uint32_t)(writer->code + section.offset),
                                     .size = (uint32_t)section.size,
                                     .alignment = address % unit_bytes ? 1 : unit_bytes});
    }
}

static void add_note(struct writer *writer)
{
    struct buffer note = {0};
    const char *target = gpucode_target_name(gpucode_program_target(writer->program));
    elf_put32(&note, sizeof ELF_NOTE_OWNER);
    elf_put32(&note, (uint32_t)strlen(target) + 1);
    elf_put32(&note, ELF_NOTE_TARGET);
    elf_put_string(&note, ELF_NOTE_OWNER);
    align(&note, 4);
    elf_put_string(&note, target);
    align(&note, 4);
    align(&writer->out, 4);
    add_bytes(writer, ELF_NOTE_SECTION, ELF_CONTENT_NOTE, &note);
    buffer_free(&note);
}

static void add_debug(struct writer *writer)
{
    struct elf_debug debug = {0};
    struct list files = {0};
    struct gpucode_line line;
    bool recorded = false;
    for (unsigned i = 0; i < writer->source.range_count && !recorded; i++)
        for (uint32_t unit = writer->source.ranges[i].first; unit < writer->source.ranges[i].end && !recorded; unit++)
            recorded = gpucode_program_line(writer->program, unit, &line);
    if (!recorded)
        return;
    elf_file_number(&files, writer->source.name); /* the first */
    elf_put_routines(&writer->source, &files, &debug);
    elf_put_lines(&writer->source, &files, &debug.lines); /* last: it lists the files */
    add_bytes(writer, ".debug_abbrev", ELF_CONTENT_PROGRAM, &debug.abbreviations);
    add_bytes(writer, ".debug_info", ELF_CONTENT_PROGRAM, &debug.info);
    add_bytes(writer, ".debug_line", ELF_CONTENT_PROGRAM, &debug.lines);
    buffer_free(&debug.abbreviations);
    buffer_free(&debug.info);
    buffer_free(&debug.lines);
    free(files.items);
}

static void put_symbol(struct writer *writer, const char *name, uint32_t value, unsigned kind, unsigned section)
{
    elf_put32(&writer->symbols, (uint32_t)writer->strings.length);
    elf_put32(&writer->symbols, value);
    elf_put32(&writer->symbols, 0);
    elf_put8(&writer->symbols, kind);
    elf_put8(&writer->symbols, 0);
    elf_put16(&writer->symbols, section);
    elf_put_string(&writer->strings, name);
}

/* Labels with their places in bytes, constants of 32 bits with their values. All are local: nothing is ever linked. */
static void add_symbols(struct writer *writer)
{
    struct gpucode_symbol symbol;
    elf_put_string(&writer->strings, "");
    for (unsigned i = 0; i < ELF_SYMBOL_SIZE; i++) /* number 0 is none */
        elf_put8(&writer->symbols, 0);
    put_symbol(writer, writer->source.name, 0, ELF_SYMBOL_FILE, ELF_INDEX_ABSOLUTE);
    for (unsigned i = 0; gpucode_program_symbol(writer->program, i, &symbol); i++) {
        if (symbol.section)
            put_symbol(writer, symbol.name, symbol.unit * writer->source.unit_bytes, ELF_SYMBOL_NONE,
                       writer->first_code + elf_range_of_label(&writer->source, &symbol));
        else if (symbol.value >= INT32_MIN && symbol.value <= UINT32_MAX)
            put_symbol(writer, symbol.name, (uint32_t)symbol.value, ELF_SYMBOL_NONE, ELF_INDEX_ABSOLUTE);
    }
    align(&writer->out, 4);
    uint32_t count = (uint32_t)(writer->symbols.length / ELF_SYMBOL_SIZE);
    add_section(writer, ".symtab",
                (struct section){.content = ELF_CONTENT_SYMBOLS,
                                 .offset = (uint32_t)writer->out.length,
                                 .size = (uint32_t)writer->symbols.length,
                                 .link = writer->section_count + 1,
                                 .info = count,
                                 .alignment = 4,
                                 .entry_size = ELF_SYMBOL_SIZE});
    buffer_append(&writer->out, writer->symbols.bytes, writer->symbols.length);
    writer->out.failed |= writer->symbols.failed;
    add_bytes(writer, ".strtab", ELF_CONTENT_STRINGS, &writer->strings);
}

/* The names of sections, which are complete with their own, and the table. Returns the table's offset. */
static uint32_t add_table(struct writer *writer)
{
    struct section section = {.content = ELF_CONTENT_STRINGS, .offset = (uint32_t)writer->out.length, .alignment = 1};
    section.size = (uint32_t)(writer->section_names.length + sizeof ".shstrtab");
    add_section(writer, ".shstrtab", section);
    buffer_append(&writer->out, writer->section_names.bytes, writer->section_names.length);
    align(&writer->out, 4);
    uint32_t table = (uint32_t)writer->out.length;
    buffer_append(&writer->out, writer->sections.bytes, writer->sections.length);
    writer->out.failed |= writer->section_names.failed || writer->sections.failed;
    return table;
}

static void put_header(struct buffer *out, bool has_segment)
{
    static const char magic[16] = {0x7f, 'E', 'L', 'F', ELF_CLASS_32, ELF_DATA_LITTLE, ELF_VERSION};
    buffer_append(out, magic, sizeof magic);
    elf_put16(out, ELF_TYPE_EXECUTABLE); /* its places are final */
    elf_put16(out, ELF_MACHINE_NONE);
    elf_put32(out, ELF_VERSION);
    elf_put32(out, 0); /* where it begins: nobody knows */
    elf_put32(out, has_segment ? ELF_HEADER_SIZE : 0);
    elf_put32(out, 0); /* the table of sections, known later */
    elf_put32(out, 0);
    elf_put16(out, ELF_HEADER_SIZE);
    elf_put16(out, has_segment ? ELF_SEGMENT_SIZE : 0);
    elf_put16(out, has_segment);
    elf_put16(out, ELF_SECTION_SIZE);
    elf_put16(out, 0); /* sections, and which one has their names */
    elf_put16(out, 0);
}

/* One segment: the image at address 0. */
static void put_segment(struct buffer *out, uint32_t offset, uint32_t size)
{
    const uint32_t words[] = {ELF_SEGMENT_LOAD, offset, 0, 0, size, size, ELF_SEGMENT_EXECUTE_READ, 1};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        elf_put32(out, words[i]);
}

static void write_file(struct writer *writer)
{
    size_t prefix = gpucode_program_prefix(writer->program), size = gpucode_program_size(writer->program) - prefix;
    put_header(&writer->out, size);
    if (size)
        put_segment(&writer->out, 0, (uint32_t)size);
    add_section(writer, "", (struct section){0}); /* number 0 is none */
    add_code(writer);
    add_note(writer);
    add_debug(writer);
    add_symbols(writer);
    uint32_t table = add_table(writer);
    if (writer->out.failed)
        return;
    elf_set32(&writer->out, 32, table);
    elf_set32(&writer->out, 48, writer->section_count | (writer->section_count - 1) << 16);
    if (size)
        elf_set32(&writer->out, ELF_HEADER_SIZE + 4, (uint32_t)(writer->code + prefix));
}

enum gpucode_status gpucode_elf_write(const struct gpucode_program *program, const char *source, void **bytes,
                                      size_t *size)
{
    if (!program || !bytes || !size)
        return GPUCODE_ERROR_ARGUMENT;
    struct writer writer = {.program = program,
                            .source = {.program = program,
                                       .name = source ? source : "<input>",
                                       .unit_bytes = gpucode_target_unit_bytes(gpucode_program_target(program))}};
    enum gpucode_status status = elf_survey(&writer.source) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK)
        write_file(&writer);
    if (status == GPUCODE_OK && writer.out.failed)
        status = GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK && (writer.out.length > UINT32_MAX || writer.section_count >= ELF_INDEX_RESERVED))
        status = GPUCODE_ERROR_RANGE;
    free(writer.source.ranges);
    free(writer.source.labels);
    buffer_free(&writer.symbols);
    buffer_free(&writer.strings);
    buffer_free(&writer.section_names);
    buffer_free(&writer.sections);
    if (status == GPUCODE_OK) {
        *bytes = writer.out.bytes;
        *size = writer.out.length;
    } else {
        buffer_free(&writer.out);
    }
    return status;
}
