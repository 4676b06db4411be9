/* SPDX-License-Identifier: MIT */
/*
 * Whole programs: text to image and image to text, in memory.
 *
 *     struct gpucode_asm_options options = {.file = "hello.asm", .on_diagnostic = on_diagnostic};
 *     struct gpucode_program *program;
 *     if (gpucode_assemble(text, length, &options, &program) == GPUCODE_OK)
 *         fwrite(gpucode_program_bytes(program), 1, gpucode_program_size(program), out);
 *     gpucode_program_free(program);
 *
 * Text that gpucode_disassemble() wrote assembles back to exactly the same bytes.
 */
#ifndef GPUCODE_ASM_H
#define GPUCODE_ASM_H

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

struct gpucode_program;
struct gpucode_code_constant; /* gpucode/analysis.h */

/* A piece of a text: the offset of its first byte, and how many bytes. */
struct gpucode_span {
    size_t offset, length;
};

/* A length that says that there is no memory; gpucode_asm_options.include. */
#define GPUCODE_NO_MEMORY SIZE_MAX
/* A length that says that the file may not be read; gpucode_asm_options.include. */
#define GPUCODE_OUTSIDE (SIZE_MAX - 1)

struct gpucode_asm_options {
    const struct gpucode_target *target; /* wins over what the source says; null: the source decides */
    const char *file;                    /* name of the source for diagnostics; null: "<input>" */
    const struct gpucode_names *names;   /* names ahead of the built-in ones, or null */
    struct gpucode_diagnostic_handler on_diagnostic;
    /* Opens an included file: sets *text (malloc'ed, freed by the library), *length and returns true. `from` is the
     * name of the including file, which is options.file or, inside an included file, the path of that: `from` up to its
     * last slash, and `name`. Returns false when there is no such file, or, with *length GPUCODE_NO_MEMORY, no memory,
     * or, with *length GPUCODE_OUTSIDE, when the file stands where it may not be read from. null: see include_root. */
    bool (*include)(void *user, const char *from, const char *name, char **text, size_t *length);
    void *user;
    bool oversize;      /* HWSQ: code may be larger than the target's code RAM */
    bool record_lines;  /* keep the source place of every unit for gpucode_program_line() */
    bool record_tokens; /* keep what the source's words are for gpucode_program_token() */
    /* Without `include`: a folder; files in it and below are included as gpucode_include_open() has it, others refused.
     * Neither: `.include` is an error. */
    const char *include_root;
    /* Told, each million bytes or so, that the text in front of byte `offset` has been read. It must read the same when
     * it is looked at again, for a message or a label far away, but need not stay in memory until then: the pages of a
     * mapped file may go. null: nobody is told. */
    void (*passed)(void *user, size_t offset);
};

/* A label or constant of an assembled program. */
struct gpucode_symbol {
    const char *name;
    const char *section; /* null for constants (`.equ`) */
    int64_t value;       /* label: units from the section's start */
    uint32_t unit;       /* label: units from the image's start; GPUCODE_NONE for constants */
};

/*
 * What a source says about a program beside its code; A3XX: the lines that begin with '@'. `@const(c0.x) 1.0, 2.0`
 * has the kind "const", file 'c', first 0, count 4 and two values. ir3: "buf" and "ubo" have the size in words as their
 * first value and then what the buffer holds; what there is no room for follows in declarations of the kind "data",
 * whose `first` is the number of the word.
 */
struct gpucode_declaration {
    const char *kind;  /* "const", "attribute", "varying", "out", "uniform", "sampler", "buf", "localsize", ... */
    const char *name;  /* what the source calls it; null: nothing */
    char file;         /* 'r' registers, 'c' consts, 0 neither */
    bool half;         /* half registers */
    uint32_t first;    /* first component (r1.y is 5), or the number of a sampler */
    uint32_t count;    /* components */
    uint32_t value[4]; /* bits of the values given */
    unsigned value_count;
};

/* Where a unit of the image came from. */
struct gpucode_line {
    const char *file;
    unsigned line;
    const char *source; /* the text of that line */
    size_t source_length;
    bool from_macro;
    const char *macro; /* of gpucode_program_use(): the macro used there; else null */
};

/*
 * Assembles `length` bytes of text. All errors go to the diagnostic handler in one run; on any error nothing is
 * returned. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT.
 * Different calls may run in different threads.
 */
GPUCODE_API enum gpucode_status gpucode_assemble(const char *text, size_t length,
                                                 const struct gpucode_asm_options *options,
                                                 struct gpucode_program **out);
/*
 * The same, looking for files also in `folders`, which ends with a null pointer, or is null: a name that is not
 * absolute and that does not stand beside the file that includes it is asked for again as `from` "FOLDER/", in their
 * order, and the first that options->include or include_root gives is read.
 */
GPUCODE_API enum gpucode_status gpucode_assemble_with(const char *text, size_t length,
                                                      const struct gpucode_asm_options *options,
                                                      const char *const *folders, struct gpucode_program **out);
/*
 * Opens for reading the ordinary file that `.include "name"` in the file `from` means, if it stands in the folder
 * `root` or below, however it is written: `..`, absolute names and symbolic links that lead out of the folder are
 * refused. For sources that strangers wrote, whose error messages would tell them what stands in any file. `from` may
 * be null. Returns a file descriptor, to be closed by the caller, or -1 with errno: EXDEV when the file stands outside,
 * EISDIR when it is not an ordinary file, EINVAL when root or name is null, ENOMEM, or what opening it gave. Any
 * thread.
 */
GPUCODE_API int gpucode_include_open(const char *root, const char *from, const char *name);
GPUCODE_API void gpucode_program_free(struct gpucode_program *program);
/* The file's bytes; they live as long as the program. */
GPUCODE_API const void *gpucode_program_bytes(const struct gpucode_program *program);
GPUCODE_API size_t gpucode_program_size(const struct gpucode_program *program);
GPUCODE_API const struct gpucode_target *gpucode_program_target(const struct gpucode_program *program);
/* Bytes in front of unit 0 of the image (AFUC: the zero word). */
GPUCODE_API size_t gpucode_program_prefix(const struct gpucode_program *program);
/* Symbol number `index` in the order of definition; false after the last. */
GPUCODE_API bool gpucode_program_symbol(const struct gpucode_program *program, unsigned index,
                                        struct gpucode_symbol *symbol);
/* A section of a program. */
struct gpucode_program_section {
    const char *name;    /* "" for what stands in front of the first `.section` */
    size_t offset, size; /* its bytes in the program */
    uint64_t base;       /* address of its first unit, as labels count */
};
/* Section number `index` in the order of the bytes; false after the last. Empty ones in front are left out. */
GPUCODE_API bool gpucode_program_section(const struct gpucode_program *program, unsigned index,
                                         struct gpucode_program_section *section);
/*
 * Cuts the program down to one of its sections: bytes, symbols but for constants, and source places of the others go.
 * Pointers and structs taken from the program before are not valid any more. False when there is no such section.
 */
GPUCODE_API bool gpucode_program_keep(struct gpucode_program *program, unsigned index);
/*
 * gpucode_bytes_hash() of the program's bytes, by which a map says which image it is of; where one section was kept, of
 * all that were assembled. 0: null.
 */
GPUCODE_API uint64_t gpucode_program_hash(const struct gpucode_program *program);
/* What the source declares, number `index` in its order; false after the last. */
GPUCODE_API bool gpucode_program_declaration(const struct gpucode_program *program, unsigned index,
                                             struct gpucode_declaration *declaration);
/* Source place of a unit of the image; false when unknown or lines were not recorded. */
GPUCODE_API bool gpucode_program_line(const struct gpucode_program *program, uint32_t unit, struct gpucode_line *line);
/*
 * Where the macros were used that a unit comes from: number 0 is the use of the macro whose body has the unit's line, 1
 * the use of the macro whose body has number 0, and so on. False after the last and for code outside of macros.
 */
GPUCODE_API bool gpucode_program_use(const struct gpucode_program *program, uint32_t unit, unsigned index,
                                     struct gpucode_line *line);

enum gpucode_token_kind {
    GPUCODE_TOKEN_LABEL,     /* a label where it is defined, without its colon */
    GPUCODE_TOKEN_USE,       /* the name of a label or constant in an expression, without its '#' */
    GPUCODE_TOKEN_DIRECTIVE, /* ".equ" */
    GPUCODE_TOKEN_MACRO,     /* the name of a macro where it is used */
    GPUCODE_TOKEN_FLAG,      /* a modifier in front of a mnemonic: "(ss)", "(rep)" */
    GPUCODE_TOKEN_MNEMONIC,
    GPUCODE_TOKEN_OPERAND,
    GPUCODE_TOKEN_STATEMENT, /* what an instruction set reads its own way, whole: "[01000000]", "@const(c0.x) 1.0" */
    GPUCODE_TOKEN_COMMENT,   /* with its mark, without the end of its line */
    /* among the words of gpucode/source.h alone: */
    GPUCODE_TOKEN_CONSTANT,   /* the name of a constant where it is defined */
    GPUCODE_TOKEN_SECTION,    /* the name of a section, where it begins and in front of ':' */
    GPUCODE_TOKEN_MACRO_NAME, /* the name of a macro where it is defined */
    GPUCODE_TOKEN_PARAMETER,  /* a macro's parameter, in its first line and, without its mark, in its body */
    GPUCODE_TOKEN_FILE,       /* the name of an included file, without its quotes */
    GPUCODE_TOKEN_TARGET,     /* the name after `.target` */
    GPUCODE_TOKEN_NAME,       /* the name of a register, flag or event, without the mark in front of it */
    GPUCODE_TOKEN_NUMBER,
};

/* A word of a source. */
struct gpucode_token {
    enum gpucode_token_kind kind;
    const char *file;
    struct gpucode_span span; /* in the file's text */
    unsigned line;            /* from 1 */
    unsigned column;          /* bytes from the start of the line, from 0 */
    uint32_t unit;            /* of the image: what stands here, or comes next */
    unsigned operand;         /* OPERAND: which one, from 0; else 0 */
};

/*
 * Token number `index` in the order of reading: a statement's labels, flags, mnemonic and operands by their places,
 * with the names in an operand after it; comments where they stand; included files stand where they are included,
 * bodies of macros not at all. False after the last, or when tokens were not recorded. Strings live as long as the
 * program.
 */
GPUCODE_API bool gpucode_program_token(const struct gpucode_program *program, unsigned index,
                                       struct gpucode_token *token);

/* Code that takes the place of a program's own. */
struct gpucode_replacement {
    const void *bytes;       /* without a prefix */
    const uint32_t *origins; /* for each unit, which one of the program it was; GPUCODE_NONE: a new one */
    uint32_t units;
    bool padding; /* write new ones after the last that was there, too */
};

/*
 * The source of a program, assembled with record_lines and record_tokens, for other code: each instruction that stays
 * keeps its text but for flags and for places of code that are numbers; where instructions change places, the comment
 * at the end of a line goes along; lines, comments, labels and directives stay; new instructions get lines of their
 * own. *text is malloc'ed and ends in a zero that *length leaves out. Returns GPUCODE_OK, GPUCODE_ERROR_UNSUPPORTED (it
 * cannot be done by editing lines: what changes comes from a macro, an included file or a directive, or instructions
 * differ in size), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. Whether the text gives the code is for the caller to
 * see: directives may depend on places.
 */
GPUCODE_API enum gpucode_status gpucode_program_rewrite(const struct gpucode_program *program,
                                                        const struct gpucode_replacement *code, char **text,
                                                        size_t *length);

/* The target a source names, by a directive or by its first literal; null: it names none. Any thread. */
GPUCODE_API const struct gpucode_target *gpucode_source_target(const char *text, size_t length);
/*
 * The target that gpucode_assemble() takes without one: gpucode_source_target(), and where the text names none what the
 * end of the file's name says: ".mme" is mme:fermi. `file` may be null. null: nothing says it. Any thread.
 */
GPUCODE_API const struct gpucode_target *gpucode_source_target_of(const char *text, size_t length, const char *file);

struct gpucode_disasm_options {
    const struct gpucode_names *names; /* names ahead of the built-in ones, or null */
    unsigned style;                    /* text style of the instruction set, 0 = its default */
    bool columns;                      /* address and bytes before each line; such text need not reassemble */
    bool raw;                          /* the whole file as plain instructions, from its first byte */
    bool expand;                       /* A3XX: the steps of a repeat on lines of their own */
    bool cycles;                       /* A3XX: the issue slots of each instruction as a comment */
    /*
     * AFUC: a byte for each unit of the image (gpucode_image_info.units of them), not 0 where the unit is known to have
     * run. What ran is code, and so is what it leads to: computed jumps show their targets in no other way. null:
     * nothing is known, and where that leaves doubt the image is run a little: its boot, and each packet handler on a
     * payload of zeros, a few milliseconds at most. Not heeded with `raw`, which finds no data.
     */
    const uint8_t *executed;
    bool static_only; /* nothing is run for the text */
    /*
     * Names of places in code that the caller brings: writes name number `index` of a unit of a section, at most `size`
     * bytes of it, and returns its length; 0: there are no more. They stand as labels instead of those that the listing
     * makes up, and operands use the first. null: none. The names must be such that gpucode_symbols_bind() has nothing
     * against them. Files whose sections do not fit `.section` are written without.
     */
    size_t (*label)(void *user, unsigned section, uint64_t unit, unsigned index, char *text, size_t size);
    void *user;
    /*
     * For a text that is to be edited: numbers that are places of code, as gpucode_analysis_constants() has them, are
     * written as expressions of labels, so that they follow where code moves. null: none. Not heeded with `raw`.
     */
    const struct gpucode_code_constant *constants;
    size_t constant_count;
    bool constants_complete; /* there are no others: the text says so, and `asm` does not look for any */
    /*
     * AFUC: the packets of a section that lead where most do, to the handler of those that the firmware does not know,
     * stand as a comment after `.unclaimed`, by their numbers, in place of a label each.
     */
    bool gathered;
};

/*
 * The text of an image. *text is malloc'ed, ends in a zero and belongs to the caller; *length leaves
 * the zero out. Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT: every image has a text.
 */
GPUCODE_API enum gpucode_status gpucode_disassemble(const struct gpucode_image *image,
                                                    const struct gpucode_disasm_options *options, char **text,
                                                    size_t *length);

/*
 * The same text, handed to `write` in pieces as it is made, so that memory grows with the image alone; neither ends in
 * a zero. All memory is taken before the first piece, except for A3XX, whose text comes as one. `write` returns false
 * to end it. Returns GPUCODE_OK, GPUCODE_ERROR_MEMORY, GPUCODE_ERROR_SPACE (`write` has returned false) or
 * GPUCODE_ERROR_ARGUMENT (no image, no `write`). `user` is handed on and may be null.
 */
GPUCODE_API enum gpucode_status gpucode_disassemble_to(const struct gpucode_image *image,
                                                       const struct gpucode_disasm_options *options,
                                                       bool (*write)(void *user, const char *text, size_t length),
                                                       void *user);

#ifdef __cplusplus
}
#endif
#endif
