/* SPDX-License-Identifier: MIT */
/* What the files of this room share: numbers of the ELF and DWARF standards, and bytes in their order. */
#ifndef ELF_ELF_H
#define ELF_ELF_H

#include "base/arena.h"
#include "base/buffer.h"
#include <gpucode/elf.h>

/* System V ABI, chapter 4: a file of 32 bits, least significant byte first */
enum {
    ELF_HEADER_SIZE = 52,
    ELF_SEGMENT_SIZE = 32,
    ELF_SECTION_SIZE = 40,
    ELF_SYMBOL_SIZE = 16,
    ELF_CLASS_32 = 1,
    ELF_DATA_LITTLE = 1,
    ELF_VERSION = 1,
    ELF_TYPE_EXECUTABLE = 2,
    /* The processors inside GPUs have no number in the registry of machines, and to take somebody else's, or one that
     * may be given away tomorrow, would make tools disassemble the code as something that it is not. The note says what
     * the code is for. */
    ELF_MACHINE_NONE = 0,
    ELF_SEGMENT_LOAD = 1,
    ELF_SEGMENT_EXECUTE_READ = 5,
    ELF_CONTENT_PROGRAM = 1,
    ELF_CONTENT_SYMBOLS = 2,
    ELF_CONTENT_STRINGS = 3,
    ELF_CONTENT_NOTE = 7,
    ELF_FLAG_ALLOCATED = 2,
    ELF_FLAG_CODE = 4,
    ELF_INDEX_ABSOLUTE = 0xfff1,
    ELF_INDEX_RESERVED = 0xff00, /* numbers of sections from here on have meanings of their own */
    ELF_SYMBOL_NONE = 0,         /* local ones of the kinds "nothing special" and "file" */
    ELF_SYMBOL_FILE = 4,
};

/* The note that tells our files from others: its owner, its type (a C string with the target's name is its content). */
#define ELF_NOTE_SECTION ".note.gpucode"
#define ELF_NOTE_OWNER "gpucode"
enum { ELF_NOTE_TARGET = 2 }; /* NT_ARCH: "an architecture string" */
/* Bytes of the file in front of unit 0, which no processor runs. */
#define ELF_PREFIX_SECTION ".prefix"

static inline void elf_put8(struct buffer *out, unsigned value)
{
    char byte = (char)value;
    buffer_append(out, &byte, 1);
}

static inline void elf_put16(struct buffer *out, unsigned value)
{
    const char bytes[] = {(char)value, (char)(value >> 8)};
    buffer_append(out, bytes, sizeof bytes);
}

static inline void elf_put32(struct buffer *out, uint32_t value)
{
    const char bytes[] = {(char)value, (char)(value >> 8), (char)(value >> 16), (char)(value >> 24)};
    buffer_append(out, bytes, sizeof bytes);
}

/* With its zero. */
static inline void elf_put_string(struct buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text) + 1);
}

/* A number that was left open and is known now; nothing when memory has run out. */
static inline void elf_set32(struct buffer *out, size_t at, uint32_t value)
{
    if (!out->failed)
        for (unsigned i = 0; i < 4; i++)
            out->bytes[at + i] = (char)(value >> 8 * i);
}

/* DWARF's sections of a program. */
struct elf_debug {
    struct buffer abbreviations, info, lines;
};

/* A section as DWARF sees it: one run of code. */
struct elf_range {
    uint32_t first, end; /* units of the image */
};

/* A label and where the code that it stands for begins. */
struct elf_label {
    const char *name;
    uint32_t unit, range;
};

/* What is written. */
struct elf_source {
    const struct gpucode_program *program;
    const char *name; /* of the source */
    unsigned unit_bytes;
    struct elf_range *ranges; /* one for each section; free() them */
    unsigned range_count;
    struct elf_label *labels; /* by place, one for each; free() them */
    size_t label_count;
};

/* The number, from 1, that DWARF gives to a file of a program; its name joins `files`, a list of const char *, where it
 * was not asked for before. 0: there is no memory. */
unsigned elf_file_number(struct list *files, const char *name);

/* Fills `lines` with the line program, and the others with units, routines and macros (dwarf.c). */
void elf_put_lines(const struct elf_source *source, struct list *files, struct buffer *out);
void elf_put_routines(const struct elf_source *source, struct list *files, struct elf_debug *debug);

#endif
