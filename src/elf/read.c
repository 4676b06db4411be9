/* SPDX-License-Identifier: MIT */
/*
 * Taking the code out of an ELF file again. Sections are asked for by name and flags alone, in their order, which is
 * that of addresses, so that it may stand elsewhere in the file than where it was written: strip and objcopy move
 * things.
 */
#include "base/diagnostics.h"
#include "elf/elf.h"
#include "elf_messages.h"

#include <stdlib.h>

struct reader {
    const unsigned char *bytes;
    size_t size;
    uint32_t table, names_offset, names_size;
    unsigned section_count;
};

struct section {
    const char *name;
    uint32_t content, flags, address, offset, size;
};

static uint32_t word_at(const struct reader *reader, size_t at)
{
    const unsigned char *bytes = reader->bytes + at;
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static unsigned half_at(const struct reader *reader, size_t at)
{
    return reader->bytes[at] | (unsigned)reader->bytes[at + 1] << 8;
}

static bool lies_inside(const struct reader *reader, uint32_t offset, uint32_t size)
{
    return offset <= reader->size && size <= reader->size - offset;
}

/* Section number `index`; false: it has no name, or its bytes are not in the file. */
static bool read_section(const struct reader *reader, unsigned index, struct section *section)
{
    size_t at = reader->table + (size_t)index * ELF_SECTION_SIZE;
    uint32_t name = word_at(reader, at);
    if (name >= reader->names_size ||
        !memchr(reader->bytes + reader->names_offset + name, 0, reader->names_size - name))
        return false;
    *section = (struct section){(const char *)reader->bytes + reader->names_offset + name,
                                word_at(reader, at + 4),
                                word_at(reader, at + 8),
                                word_at(reader, at + 12),
                                word_at(reader, at + 16),
                                word_at(reader, at + 20)};
    return lies_inside(reader, section->offset, section->size);
}

/* Is this a file of the kind that we write, with a table of sections that is all there? */
static bool read_header(struct reader *reader)
{
    static const unsigned char magic[] = {0x7f, 'E', 'L', 'F', ELF_CLASS_32, ELF_DATA_LITTLE, ELF_VERSION};
    if (reader->size < ELF_HEADER_SIZE || memcmp(reader->bytes, magic, sizeof magic) != 0 ||
        half_at(reader, 18) != ELF_MACHINE_NONE || half_at(reader, 46) != ELF_SECTION_SIZE)
        return false;
    unsigned names = half_at(reader, 50);
    reader->table = word_at(reader, 32);
    reader->section_count = half_at(reader, 48);
    if (names >= reader->section_count || !lies_inside(reader, reader->table, reader->section_count * ELF_SECTION_SIZE))
        return false;
    size_t at = reader->table + (size_t)names * ELF_SECTION_SIZE;
    reader->names_offset = word_at(reader, at + 16);
    reader->names_size = word_at(reader, at + 20);
    return lies_inside(reader, reader->names_offset, reader->names_size);
}

/* The first section of that name; returns how many there are. */
static unsigned find_section(const struct reader *reader, const char *name, struct section *section)
{
    struct section other;
    unsigned count = 0;
    for (unsigned i = 1; i < reader->section_count; i++)
        if (read_section(reader, i, &other) && strcmp(other.name, name) == 0 && !count++)
            *section = other;
    return count;
}

/* The target that the note names; null: it is damaged, or of a target that nobody knows. */
static const struct gpucode_target *read_note(const struct reader *reader, const struct section *note)
{
    enum { HEAD = 12 + (sizeof ELF_NOTE_OWNER + 3) / 4 * 4 };
    if (note->size < HEAD || word_at(reader, note->offset) != sizeof ELF_NOTE_OWNER ||
        memcmp(reader->bytes + note->offset + 12, ELF_NOTE_OWNER, sizeof ELF_NOTE_OWNER) != 0)
        return NULL;
    uint32_t length = word_at(reader, note->offset + 4);
    const char *name = (const char *)reader->bytes + note->offset + HEAD;
    if (!length || length > note->size - HEAD || name[length - 1])
        return NULL;
    return gpucode_target_find(name);
}

/*
 * What stands in front of unit 0, then the sections, which follow one another without gaps; all of it is no more than
 * the file.
 */
static enum gpucode_status join_code(const struct reader *reader, struct buffer *out)
{
    struct section section;
    size_t address = 0;
    if (find_section(reader, ELF_PREFIX_SECTION, &section))
        buffer_append(out, reader->bytes + section.offset, section.size);
    for (unsigned i = 1; i < reader->section_count; i++) {
        if (!read_section(reader, i, &section))
            return GPUCODE_ERROR_INPUT;
        if (!(section.flags & ELF_FLAG_CODE) || section.content != ELF_CONTENT_PROGRAM)
            continue;
        if (section.address != address || section.size > reader->size - out->length)
            return GPUCODE_ERROR_INPUT;
        buffer_append(out, reader->bytes + section.offset, section.size);
        address += section.size;
    }
    buffer_append(out, "", 1);
    return out->failed ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}

enum gpucode_status gpucode_elf_read(const void *bytes, size_t size, const char *file,
                                     const struct gpucode_diagnostic_handler *on_diagnostic,
                                     struct gpucode_elf_code *code)
{
    static const struct gpucode_diagnostic_handler deaf = {0};
    struct reader reader = {.bytes = bytes, .size = size};
    struct section note;
    if ((!bytes && size) || !code)
        return GPUCODE_ERROR_ARGUMENT;
    if (!read_header(&reader) || !find_section(&reader, ELF_NOTE_SECTION, &note))
        return GPUCODE_ERROR_UNSUPPORTED;
    struct place place = {.file = file};
    struct buffer out = {0};
    struct section first;
    const char *twice = find_section(&reader, ELF_NOTE_SECTION, &first) > 1     ? ELF_NOTE_SECTION
                        : find_section(&reader, ELF_PREFIX_SECTION, &first) > 1 ? ELF_PREFIX_SECTION
                                                                                : NULL;
    const struct gpucode_target *target = read_note(&reader, &note);
    enum gpucode_status status = target && !twice ? join_code(&reader, &out) : GPUCODE_ERROR_INPUT;
    if (status == GPUCODE_OK) {
        *code = (struct gpucode_elf_code){target, out.bytes, out.length - 1};
        return GPUCODE_OK;
    }
    buffer_free(&out);
    if (status == GPUCODE_ERROR_INPUT)
        report(on_diagnostic ? on_diagnostic : &deaf, &place,
               twice    ? MSG_ELF_TWICE
               : target ? MSG_ELF_CODE
                        : MSG_ELF_NOTE,
               NULL, twice);
    return status;
}
