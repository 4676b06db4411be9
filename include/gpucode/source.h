/* SPDX-License-Identifier: MIT */
/*
 * Sources as editors need them: what each word is, where names are defined and used, what is wrong and how to mend it.
 *
 *     struct gpucode_source *source;
 *     if (gpucode_source_read(text, length, NULL, &source) <= GPUCODE_ERROR_INPUT) {
 *         uint32_t count, word = gpucode_source_word_at(source, 0, offset);
 *         const struct gpucode_word *words = gpucode_source_words(source, 0, &count);
 *         if (word != GPUCODE_NONE && words[word].symbol != GPUCODE_NONE)
 *             puts(gpucode_source_symbols(source, &count)[words[word].symbol].name);
 *         gpucode_source_free(source);
 *     }
 *
 * It is the assembler that says all of this, while it assembles: there is no second reader. What it does not read is
 * not here: the bodies of macros that are never used, files that cannot be opened. A source is read-only and may be
 * shared by threads.
 */
#ifndef GPUCODE_SOURCE_H
#define GPUCODE_SOURCE_H

#include <gpucode/asm.h>
#include <gpucode/insn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct gpucode_source;

/*
 * Assembles a text and keeps what was learned, whether or not there are errors. `options` as for gpucode_assemble(),
 * null too; the diagnostic handler is told as there. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (there are errors; *out is
 * set all the same), GPUCODE_ERROR_MEMORY or GPUCODE_ERROR_ARGUMENT. *out belongs to the caller:
 * gpucode_source_free(). Different calls may run in different threads.
 */
GPUCODE_API enum gpucode_status gpucode_source_read(const char *text, size_t length,
                                                    const struct gpucode_asm_options *options,
                                                    struct gpucode_source **out);
/* null is allowed. */
GPUCODE_API void gpucode_source_free(struct gpucode_source *source);
/* What it was assembled for; null: the target is not known. */
GPUCODE_API const struct gpucode_target *gpucode_source_chip(const struct gpucode_source *source);
/* The program, which lives as long as the source; null: there were errors. */
GPUCODE_API const struct gpucode_program *gpucode_source_program(const struct gpucode_source *source);

/* A text that was read. */
struct gpucode_source_file {
    const char *name; /* options.file, or the path that `.include` made: as gpucode_asm_options.include has it */
    const char *text; /* a copy */
    size_t length;
};
/* File number `index`, 0 the source itself, then those that it includes, each once; false after the last. */
GPUCODE_API bool gpucode_source_file(const struct gpucode_source *source, uint32_t index,
                                     struct gpucode_source_file *file);

/* --- words ----------------------------------------------------------------------------------------------- */

/* Strings live as long as the source. */
struct gpucode_word {
    enum gpucode_token_kind kind;
    uint32_t file;            /* number of the file */
    struct gpucode_span span; /* in the file's text */
    uint32_t symbol;          /* whose name it is; GPUCODE_NONE: nobody's */
    uint32_t next;            /* the next word with this symbol, as gpucode_source_word() counts; GPUCODE_NONE: none */
    bool defines;             /* the symbol is defined here */
    bool expanded;            /* it was read where a macro is used, and stands in its body or among its arguments */
    bool part;                /* only a part of the name stands here: the rest comes from a macro's substitution */
    uint32_t unit;            /* of the image: what stands here, or comes next */
    unsigned operand;         /* OPERAND: which one, from 0; PARAMETER: number of the parameter */
    uint32_t row;             /* MNEMONIC: its row; GPUCODE_NONE: none fits */
    unsigned space;           /* NAME: enum gpucode_space; OPERAND: of a register */
    uint32_t number;          /* NAME: number of the register, packet, flag or event */
    enum gpucode_operand_type type; /* OPERAND */
};

/*
 * The words of a file by their places, a longer one in front of those inside it; *count receives how many. A word that
 * a macro's expansions read as different symbols stands here once for each. Null: there is no such file.
 */
GPUCODE_API const struct gpucode_word *gpucode_source_words(const struct gpucode_source *source, uint32_t file,
                                                            uint32_t *count);
/* The shortest word that covers, or else ends at, a place, as an index into that list; GPUCODE_NONE: there is none. */
GPUCODE_API uint32_t gpucode_source_word_at(const struct gpucode_source *source, uint32_t file, size_t offset);
/* Word number `index` of all, the files' words one after the other; null after the last. */
GPUCODE_API const struct gpucode_word *gpucode_source_word(const struct gpucode_source *source, uint32_t index);
/*
 * The statement that begins last at or before a place: *span goes from its first byte to where the next one begins, or
 * to the end of the file. False: none begins before it. Labels are statements of their own.
 */
GPUCODE_API bool gpucode_source_statement(const struct gpucode_source *source, uint32_t file, size_t offset,
                                          struct gpucode_span *span);

/* --- names ----------------------------------------------------------------------------------------------- */

enum gpucode_source_symbol_kind {
    GPUCODE_SOURCE_LABEL,
    GPUCODE_SOURCE_CONSTANT,
    GPUCODE_SOURCE_SECTION,
    GPUCODE_SOURCE_MACRO,
    GPUCODE_SOURCE_PARAMETER, /* of a macro */
};

/* Strings live as long as the source. */
struct gpucode_source_symbol {
    enum gpucode_source_symbol_kind kind;
    const char *name;
    const char *parent;       /* of a label its section, of a parameter its macro; else null */
    uint32_t parent_symbol;   /* the symbol of that; GPUCODE_NONE: none */
    int64_t value;            /* CONSTANT; LABEL: units from the section's start */
    uint32_t unit;            /* LABEL: of the image; else GPUCODE_NONE */
    uint32_t definition;      /* word where it is defined; GPUCODE_NONE: nowhere that can be shown */
    uint32_t first;           /* its first word, by file and place; GPUCODE_NONE: none */
    struct gpucode_span body; /* MACRO: the lines between .macro and .endm, in the file of its definition */
    unsigned parameters;      /* MACRO: how many; they are the symbols after it */
};
/* All symbols in the order of definition, kind by kind; *count receives how many. */
GPUCODE_API const struct gpucode_source_symbol *gpucode_source_symbols(const struct gpucode_source *source,
                                                                       uint32_t *count);

/* --- what is wrong --------------------------------------------------------------------------------------- */

/* Strings live as long as the source. */
struct gpucode_source_diagnostic {
    enum gpucode_severity severity; /* notes belong to the one in front of them */
    const char *code, *message;
    const char *hint;             /* null: none */
    uint32_t file;                /* number of the file; GPUCODE_NONE: it has no place */
    struct gpucode_span span;     /* what is wrong, at least one byte but at the end of a line */
    const char *replacement;      /* the text that mends it; null: nobody knows one */
    struct gpucode_span replaced; /* in whose place that comes; of length 0: it is put in */
    bool exact;                   /* false: the text comes from a macro; the span is as near as one gets */
};
/* All of them in the order of discovery; *count receives how many. */
GPUCODE_API const struct gpucode_source_diagnostic *gpucode_source_diagnostics(const struct gpucode_source *source,
                                                                               uint32_t *count);

/* --- what may stand somewhere ---------------------------------------------------------------------------- */

enum gpucode_expected_kind {
    GPUCODE_EXPECTED_MNEMONIC, /* an instruction, label or directive begins here, or has only had flags so far */
    GPUCODE_EXPECTED_OPERAND,  /* an operand of the row begins here */
    GPUCODE_EXPECTED_INSIDE,   /* an operand has begun, and goes on: a value after a '+' */
    GPUCODE_EXPECTED_TEXT,     /* punctuation */
    GPUCODE_EXPECTED_END,      /* the instruction is complete */
};

struct gpucode_expected {
    enum gpucode_expected_kind kind;
    uint32_t row;     /* as gpucode_row() counts; MNEMONIC: GPUCODE_NONE */
    char letter;      /* OPERAND, INSIDE: of its field, as in the row's text */
    const char *name; /* OPERAND, INSIDE: "destination register"; TEXT: the punctuation, `length` bytes of it */
    size_t length;
    enum gpucode_operand_type type;
    unsigned space;   /* of registers */
    unsigned operand; /* number of operands in front of it */
    size_t from;      /* OPERAND, INSIDE: where it begins in the text */
};

/*
 * Reads the beginning of an instruction and calls `found` for each thing that may stand after it, of every row that
 * its text agrees with. `names` may be null. Returns GPUCODE_OK, or GPUCODE_ERROR_ARGUMENT. Allocates nothing. Any
 * thread.
 */
GPUCODE_API enum gpucode_status gpucode_expect(const struct gpucode_target *target, const struct gpucode_names *names,
                                               const char *text, size_t length,
                                               void (*found)(void *user, const struct gpucode_expected *expected),
                                               void *user);

/*
 * The text of value number `index` of an operand field of a row, as listings write it, with a final zero: for fields of
 * at most 8 bits that name things, registers and modifiers. Returns its length; 0: there is no such value, or `size` is
 * less than GPUCODE_TEXT_MAX. Different values may have one text. Any thread.
 */
GPUCODE_API size_t gpucode_choice(const struct gpucode_target *target, uint32_t row, char letter, unsigned index,
                                  char *text, size_t size);

/* A directive; constant. */
struct gpucode_directive {
    const char *name;     /* with its mark: ".equ" */
    const char *operands; /* "NAME, VALUE"; "" for none */
    const char *doc;      /* one sentence */
};
/* Directive number `index` of a target, those that all targets have first; false after the last. Any thread. */
GPUCODE_API bool gpucode_directive_at(const struct gpucode_target *target, unsigned index,
                                      struct gpucode_directive *directive);

#ifdef __cplusplus
}
#endif
#endif
