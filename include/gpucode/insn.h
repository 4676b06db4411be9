/* SPDX-License-Identifier: MIT */
/*
 * One instruction: bytes, fields and text. Nothing here allocates.
 *
 *     struct gpucode_insn insn;
 *     char text[GPUCODE_TEXT_MAX];
 *     if (gpucode_decode(target, bytes, size, 0, &insn) == GPUCODE_OK &&
 *         gpucode_format(&insn, NULL, text, sizeof text, NULL) == GPUCODE_OK)
 *         puts(text);
 *
 * Every instruction is one row of a table; the functions on rows give what the manual says.
 */
#ifndef GPUCODE_INSN_H
#define GPUCODE_INSN_H

#include <gpucode/diagnostic.h>
#include <gpucode/names.h>
#include <gpucode/target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No text of one instruction with its comment is longer than this, final zero included. */
#define GPUCODE_TEXT_MAX 512
/* No instruction has more operand fields. */
#define GPUCODE_FIELDS_MAX 24

/* A decoded instruction; plain data, copy it freely. */
struct gpucode_insn {
    const struct gpucode_target *target;
    uint64_t bits;    /* the instruction as a little-endian number */
    uint64_t address; /* where it stands, in units of the target, for relative operands */
    uint16_t row;     /* which row of the table it matched: 0 .. gpucode_row_count()-1 */
    uint8_t size;     /* bytes: 4 AFUC, 1 to 5 HWSQ, 8 A3XX */
    bool exact;       /* false: bits that the row ignores are set, so the plain text loses them */
};

struct gpucode_format_options {
    const struct gpucode_names *names; /* register names ahead of the built-in ones, or null */
    bool comments;                     /* append the comment the listing would have */
    unsigned style;                    /* text style of the instruction set, 0 = its default */
    /* Text for a code address ("#l12"); null, or a return of 0, gives the plain number.
     * Writes at most size bytes and returns their count. */
    size_t (*label)(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size);
    void *user;
};

struct gpucode_parse_options {
    const struct gpucode_names *names;               /* register names ahead of the built-in ones, or null */
    struct gpucode_diagnostic_handler on_diagnostic; /* told what is wrong with the text */
    const char *file;                                /* name for diagnostics, or null */
    uint64_t address;                                /* where the instruction will stand, in units */
    /* Value of a label or constant of that name, in units of the target; false: not known. May be null. */
    bool (*symbol)(void *user, const char *name, size_t length, int64_t *value);
    void *user;
};

/*
 * Decodes the instruction at `bytes`. Returns GPUCODE_OK, GPUCODE_ERROR_NO_INSN (no row matches),
 * GPUCODE_ERROR_TRUNCATED or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_decode(const struct gpucode_target *target, const void *bytes, size_t size,
                                               uint64_t address, struct gpucode_insn *insn);

/*
 * Writes the instruction's bytes. `needed` (may be null) receives their count.
 * Returns GPUCODE_OK, GPUCODE_ERROR_SPACE or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_encode(const struct gpucode_insn *insn, void *bytes, size_t size,
                                               size_t *needed);

/*
 * Writes the instruction's text with a final zero. `options` may be null. `needed` (may be null)
 * receives the text's length without the zero. An instruction that is not exact is written as it
 * reads; the caller decides whether that loss matters.
 * Returns GPUCODE_OK, GPUCODE_ERROR_SPACE or GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_format(const struct gpucode_insn *insn,
                                               const struct gpucode_format_options *options, char *text, size_t size,
                                               size_t *needed);

/*
 * Reads one instruction from `text`; nothing but white space and comments may follow it.
 * `options` may be null. Returns GPUCODE_OK, GPUCODE_ERROR_INPUT (the diagnostic handler was told) or
 * GPUCODE_ERROR_ARGUMENT. Any thread.
 */
GPUCODE_API enum gpucode_status gpucode_parse(const struct gpucode_target *target, const char *text, size_t length,
                                              const struct gpucode_parse_options *options, struct gpucode_insn *insn);

/* How sure we are of a row. */
enum gpucode_evidence {
    GPUCODE_MANUAL,   /* a public manual or description says so */
    GPUCODE_OBSERVED, /* seen in the behaviour of existing tools or code */
    GPUCODE_INFERRED, /* concluded; nobody has confirmed it */
};

/* What is known of a row. Constant; pointers live as long as the program. */
struct gpucode_row {
    const char *id;       /* unique in the instruction set: "ADD_IMM" */
    const char *mnemonic; /* "add" */
    const char *bits;     /* as a data sheet writes them: "00001 r sssss ..." */
    const char *text;     /* template of the text: "{r}add {d}, {s}, {i}" */
    const char *doc;      /* what it does */
    const char *source;   /* where the fact comes from */
    const char *action;   /* the semantics, C expressions as written in the row */
    enum gpucode_evidence evidence;
    uint64_t mask;    /* bits that decide */
    uint64_t match;   /* and their values */
    uint64_t ignored; /* bits that the processor ignores */
    uint8_t size;     /* bytes */
};

/* Rows of the target's instruction set, those of other generations included. */
GPUCODE_API unsigned gpucode_row_count(const struct gpucode_target *target);
/* False when there is no such row. Any thread. */
GPUCODE_API bool gpucode_row(const struct gpucode_target *target, unsigned row, struct gpucode_row *out);
/* Does the row exist on the target's generation? */
GPUCODE_API bool gpucode_row_on_target(const struct gpucode_target *target, unsigned row);

/* One operand field of an instruction. */
struct gpucode_field {
    char letter;      /* as in the row's bits and text */
    const char *kind; /* "destination register" */
    unsigned width;   /* bits */
    uint64_t value;   /* as encoded, not sign-extended */
};

/* Operand field `index` of an instruction, in the order of the row's text; false behind the last. */
GPUCODE_API bool gpucode_insn_field(const struct gpucode_insn *insn, unsigned index, struct gpucode_field *field);

/* Sets operand field `letter`. Returns GPUCODE_OK, GPUCODE_ERROR_RANGE or GPUCODE_ERROR_ARGUMENT. */
GPUCODE_API enum gpucode_status gpucode_insn_set(struct gpucode_insn *insn, char letter, uint64_t value);

/* An instruction of that row with all operand fields zero. */
GPUCODE_API enum gpucode_status gpucode_insn_init(const struct gpucode_target *target, unsigned row,
                                                  struct gpucode_insn *insn);

#ifdef __cplusplus
}
#endif
#endif
