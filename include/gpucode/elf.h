/* SPDX-License-Identifier: MIT */
/*
 * Programs as ELF files, for tools that know nothing of GPUs: readelf, nm, objcopy, addr2line.
 *
 *     void *file;
 *     size_t size;
 *     if (gpucode_elf_write(program, "draw.asm", &file, &size) == GPUCODE_OK) {
 *         fwrite(file, 1, size, out);
 *         free(file);
 *     }
 *
 * docs/elf.md says what is in such a file.
 */
#ifndef GPUCODE_ELF_H
#define GPUCODE_ELF_H

#include <gpucode/asm.h>
#include <gpucode/diagnostic.h>
#include <gpucode/target.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes a program as an ELF file of 32 bits: a section of code for each of its sections, its labels and constants as
 * symbols, and, where it was assembled with record_lines, the lines and macros that its code comes from as DWARF 4.
 * Addresses are bytes from unit 0 of the image. `source` is the name of the source that the file is to tell; null:
 * "<input>". *bytes is malloc'ed and belongs to the caller. The same program gives the same bytes. Returns GPUCODE_OK,
 * GPUCODE_ERROR_RANGE (more than 4 GiB), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_elf_write(const struct gpucode_program *program, const char *source,
                                                  void **bytes, size_t *size);

/* The code that an ELF file holds. */
struct gpucode_elf_code {
    const struct gpucode_target *target; /* what it was assembled for */
    void *bytes;                         /* as the assembler made them, with a zero after them; free() them */
    size_t size;
};

/*
 * Takes the code out of a file that gpucode_elf_write() made, also when other tools have moved or removed sections in
 * it. `file` names it for the diagnostic handler and may be null, as may on_diagnostic. Returns GPUCODE_OK,
 * GPUCODE_ERROR_UNSUPPORTED (some other file, of which nothing is said), GPUCODE_ERROR_INPUT (such a file that is
 * damaged; the diagnostic handler was told), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_elf_read(const void *bytes, size_t size, const char *file,
                                                 const struct gpucode_diagnostic_handler *on_diagnostic,
                                                 struct gpucode_elf_code *code);

#ifdef __cplusplus
}
#endif
#endif
