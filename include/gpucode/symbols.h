/* SPDX-License-Identifier: MIT */
/*
 * Symbols: names of code places, constants, registers and memory, and source lines of code.
 *
 *     struct gpucode_symbols *symbols;
 *     gpucode_symbols_create(target, NULL, &symbols);
 *     gpucode_symbols_read(symbols, text, length, "a630.map", on_diagnostic);
 *     gpucode_symbols_free(symbols);
 *
 * They come from programs assembled here, from the maps that `gpucode asm --map` writes, and from files that users
 * write. Maps and users' files have one form, a symbol a line, `;` or `#` starting a comment:
 *
 *     SQE 0x0123 start_draw        a place: section, units from its start, name; `*` or `-` is the first section
 *     =   0x20   MY_SIZE           a constant
 *     reg $02    header            another name for a register, written as the text has it
 *     reg CP_SCRATCH[2].REG faults
 *     packet 0x7b CP_MYSTERY       a packet; `flag` and `event` the same of HWSQ
 *     mem 0x100000 ring            a memory address
 *     @   0x0003 draw.asm:12       from this unit of the image on, code comes from line 12; `12+` in a macro; `?`
 *                                  unknown
 *     use 0x0003 header draw.asm:40    after its @ line: the macro that this is a line of was used at line 40
 *
 * Symbols may be read from several threads while none of them adds, binds or frees.
 */
#ifndef GPUCODE_SYMBOLS_H
#define GPUCODE_SYMBOLS_H

#include <gpucode/asm.h>
#include <gpucode/diagnostic.h>
#include <gpucode/image.h>
#include <gpucode/names.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_symbols;

/*
 * `names` (may be null) come after the symbols' own register names; they must live as long as the symbols. Returns
 * GPUCODE_OK, GPUCODE_ERROR_ARGUMENT (no target) or GPUCODE_ERROR_MEMORY.
 */
GPUCODE_API enum gpucode_status gpucode_symbols_create(const struct gpucode_target *target,
                                                       const struct gpucode_names *names, struct gpucode_symbols **out);
/* null is allowed. */
GPUCODE_API void gpucode_symbols_free(struct gpucode_symbols *symbols);

/*
 * Adds the symbols of a text, which is copied; `file` is its name in messages, or null. All errors go to the diagnostic
 * handler; lines without an error count all the same. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT, GPUCODE_ERROR_MEMORY or
 * GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_symbols_read(struct gpucode_symbols *symbols, const char *text, size_t length,
                                                     const char *file, struct gpucode_diagnostic_handler on_diagnostic);
/*
 * Adds labels, constants and, if they were recorded, source lines of a program, which may be freed then. Returns
 * GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 */
GPUCODE_API enum gpucode_status gpucode_symbols_add(struct gpucode_symbols *symbols,
                                                    const struct gpucode_program *program);

/* Register names, those of the symbols first; valid as long as the symbols. */
GPUCODE_API const struct gpucode_names *gpucode_symbols_names(const struct gpucode_symbols *symbols);

enum gpucode_label_kind {
    GPUCODE_LABEL_CODE, /* value: units from the start of `section` */
    GPUCODE_LABEL_CONSTANT,
    GPUCODE_LABEL_REGISTER, /* value: number of the register in `space` */
    GPUCODE_LABEL_MEMORY,   /* value: address */
};

/* Strings live as long as the symbols. */
struct gpucode_label {
    enum gpucode_label_kind kind;
    const char *name;
    const char *section; /* CODE: its name, "*" for the first one; else null */
    const char *text;    /* REGISTER: the register's other name as it was written ("$02"); else null */
    unsigned space;      /* REGISTER: a space of names.h, or of the machine for registers that names.h does not know */
    int64_t value;
};

/* Symbol number `index` in the order of reading; false after the last. */
GPUCODE_API bool gpucode_symbols_at(const struct gpucode_symbols *symbols, unsigned index, struct gpucode_label *label);
/*
 * Where the name of symbol number `index` stands: *file as it was called when it was read, *offset in its text. False:
 * it comes from no file, or there is no such symbol.
 */
GPUCODE_API bool gpucode_symbols_origin(const struct gpucode_symbols *symbols, unsigned index, const char **file,
                                        size_t *offset);
/* The first symbol of that name; for code in `section` only, if that is not null. */
GPUCODE_API bool gpucode_symbols_find(const struct gpucode_symbols *symbols, const char *section, const char *name,
                                      size_t length, struct gpucode_label *label);

/*
 * Says which image the symbols are about, before places are asked for. Errors at symbols of files go to the diagnostic
 * handler: places outside the code, sections that do not exist, names that stand twice, names that a listing gives to
 * something else; such symbols are left out of what follows. The image must live as long as that is used. Returns
 * GPUCODE_OK, GPUCODE_ERROR_INPUT or GPUCODE_ERROR_MEMORY. Symbols that are added later need another call.
 */
GPUCODE_API enum gpucode_status gpucode_symbols_bind(struct gpucode_symbols *symbols, const struct gpucode_image *image,
                                                     struct gpucode_diagnostic_handler on_diagnostic);
/*
 * Name number `index` of a place in a section of the image, without a final zero; 0: it has no more, or `size` is
 * too small. `user` is the symbols: this is the `label` of gpucode_disasm_options.
 */
GPUCODE_API size_t gpucode_symbols_label(void *user, unsigned section, uint64_t unit, unsigned index, char *text,
                                         size_t size);
/*
 * "start_draw+0x3" for a place: the nearest symbol or packet handler not after it, cut to `size` with its final zero.
 * Returns the length of what was written, 0: none.
 */
GPUCODE_API size_t gpucode_symbols_near(const struct gpucode_symbols *symbols, unsigned section, uint64_t unit,
                                        char *text, size_t size);
/* "ring+0x10" for a memory address at most 4095 bytes after a name; otherwise the same. */
GPUCODE_API size_t gpucode_symbols_memory(const struct gpucode_symbols *symbols, uint64_t address, char *text,
                                          size_t size);

/* A source place of code. */
struct gpucode_place {
    const char *file;
    unsigned line;
    bool from_macro;
    const char *macro; /* of gpucode_symbols_use(): the macro used there; else null */
};
/* Where unit `unit` of the image comes from; false when that is not known. */
GPUCODE_API bool gpucode_symbols_place(const struct gpucode_symbols *symbols, uint32_t unit,
                                       struct gpucode_place *place);
/* Where the macros were used that a unit comes from, the innermost first; false after the last. */
GPUCODE_API bool gpucode_symbols_use(const struct gpucode_symbols *symbols, uint32_t unit, unsigned index,
                                     struct gpucode_place *place);
/*
 * The first unit of the image at or after `from` that comes from that line of a file whose path ends in `file`; with
 * `later`, failing that, from the nearest line after it. False: there is none.
 */
GPUCODE_API bool gpucode_symbols_unit(const struct gpucode_symbols *symbols, const char *file, unsigned line,
                                      bool later, uint32_t from, uint32_t *unit);

#ifdef __cplusplus
}
#endif
#endif
