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
 * Every instruction is one row of a table; the functions on rows give what the manual says. Where control goes from an
 * instruction, which operands its text has, and what it reads and writes:
 *
 *     struct gpucode_flow flow;
 *     if (gpucode_insn_flow(&insn, &flow) && flow.kind == GPUCODE_FLOW_CALL && flow.known)
 *         printf("calls %" PRIu64 "\n", flow.target);
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
    /* Name of a code address ("l12"; "#" is written by the set); null, or a return of 0, gives the plain number.
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
 * Reads one instruction from `text`; only white space and comments may follow it.
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
    const char *effects;  /* flow and use beyond what operands say: "branch a, slots 1"; "" for most */
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
/*
 * How near the result of the row's instruction is to what its description says, when machines of the library run it,
 * and by whose word: "exact, by what the operation is", or a sentence with units in the last place. Constant. Null:
 * there is no such row, or its set says nothing of it (all but shaders). Any thread.
 */
GPUCODE_API const char *gpucode_row_accuracy(const struct gpucode_target *target, unsigned row);

/* One operand field of an instruction. */
struct gpucode_field {
    char letter;      /* as in the row's bits and text */
    const char *kind; /* "destination register" */
    unsigned width;   /* bits */
    uint64_t value;   /* as encoded, not sign-extended */
};

/* What an instruction does with an operand, a register or memory; bits, so that BOTH is READ | WRITE. */
enum gpucode_use { GPUCODE_USE_NONE, GPUCODE_USE_READ, GPUCODE_USE_WRITE, GPUCODE_USE_BOTH };

enum gpucode_operand_type {
    GPUCODE_OPERAND_VALUE,    /* a number: an immediate, a bit number, an offset */
    GPUCODE_OPERAND_REGISTER, /* one or several registers of a space */
    GPUCODE_OPERAND_TARGET,   /* a place of code */
    GPUCODE_OPERAND_MODIFIER, /* changes what the instruction does and counts as part of its name; not in the list */
};

/* No field lies in more pieces. */
#define GPUCODE_PIECES_MAX 4
/* A field of a row: where its bits lie in all instructions of the row, and what they are. */
struct gpucode_row_field {
    char letter;      /* as in the row's bits and text */
    const char *kind; /* "destination register" */
    enum gpucode_operand_type type;
    enum gpucode_use use; /* of registers, as the kind of the field has it; effects may add to it */
    unsigned space;       /* of registers: enum gpucode_space, or a space of the set */
    uint8_t width;        /* bits of all pieces; 0: a part of the text without bits of its own */
    uint8_t piece_count;
    struct {
        uint8_t shift, width;     /* bits shift .. shift + width - 1 of the instruction */
    } pieces[GPUCODE_PIECES_MAX]; /* the first one holds the most significant bits of the field */
};

/*
 * Field `index` of a row, in no order that means anything; false when there is no such row, or after its last field.
 * Fields that the text does not show are among them. Any thread.
 */
GPUCODE_API bool gpucode_row_field(const struct gpucode_target *target, unsigned row, unsigned index,
                                   struct gpucode_row_field *field);

/* Operand field `index` of an instruction, in the order of the row's text; false after the last. */
GPUCODE_API bool gpucode_insn_field(const struct gpucode_insn *insn, unsigned index, struct gpucode_field *field);

/* Sets operand field `letter`. Returns GPUCODE_OK, GPUCODE_ERROR_RANGE or GPUCODE_ERROR_ARGUMENT. */
GPUCODE_API enum gpucode_status gpucode_insn_set(struct gpucode_insn *insn, char letter, uint64_t value);

/* An instruction of that row with all operand fields zero. */
GPUCODE_API enum gpucode_status gpucode_insn_init(const struct gpucode_target *target, unsigned row,
                                                  struct gpucode_insn *insn);

/* Where control goes from an instruction. */
enum gpucode_flow_kind {
    GPUCODE_FLOW_NEXT,   /* to the next instruction */
    GPUCODE_FLOW_JUMP,   /* elsewhere, always */
    GPUCODE_FLOW_BRANCH, /* elsewhere or to the next instruction */
    GPUCODE_FLOW_CALL,   /* elsewhere, and a return comes back after the delay slots */
    GPUCODE_FLOW_RETURN, /* back to whoever came here: a caller, what was interrupted, AFUC waitin: the dispatcher */
    GPUCODE_FLOW_STOP,   /* nowhere: the program ends */
};
struct gpucode_flow {
    enum gpucode_flow_kind kind;
    bool conditional; /* control may also go on to the next instruction: branches */
    bool ends;        /* where a branch is not taken the program ends, after `ending_slots` instructions */
    bool known;       /* the instruction says where to: `target` */
    /*
     * In units, as insn.address: from the start of the section. It may lie outside; in front of the start it is a
     * number below 2^64.
     */
    uint64_t target;
    uint8_t delay_slots; /* instructions after this one that run before control goes elsewhere */
    uint8_t ending_slots;
    int8_t operand; /* index of the operand that says where to, as gpucode_insn_operands() counts; -1: none */
};

/* False when the instruction is not one of its target's. Allocates nothing. Any thread. */
GPUCODE_API bool gpucode_insn_flow(const struct gpucode_insn *insn, struct gpucode_flow *flow);

/* An operand of an instruction's text. */
struct gpucode_operand {
    enum gpucode_operand_type type;
    char letter;          /* of its field, as in the row's bits and text */
    const char *kind;     /* "destination register" */
    enum gpucode_use use; /* of registers: what the instruction does with them */
    unsigned space;       /* of registers: enum gpucode_space, or a space of the set; see gpucode_space_name() */
    /* Which registers: `number` and the count - 1 after it. */
    uint32_t number;
    uint16_t count;
    uint32_t mask;   /* bit i: number + i takes part; 0: all of count */
    bool known;      /* registers: the instruction alone tells which ones; else true */
    bool indirect;   /* registers: another register's value is added to `number` */
    int64_t value;   /* values with their sign and scale, targets in units, registers their number */
    uint32_t start;  /* where it stands in the instruction's text, bytes */
    uint32_t length; /* 0: the text leaves it out */
};
/* No instruction has more operands. */
#define GPUCODE_OPERANDS_MAX GPUCODE_FIELDS_MAX

/*
 * Operands in the order of the text, as gpucode_format() writes it with the same options (null: the defaults, comments
 * left out). Writes at most `room` of them and returns how many there are. Allocates nothing. Any thread.
 */
GPUCODE_API unsigned gpucode_insn_operands(const struct gpucode_insn *insn,
                                           const struct gpucode_format_options *options,
                                           struct gpucode_operand *operands, unsigned room);

/*
 * Part `index` of an instruction's text: what one field writes, or what stands between two of them in the row's text.
 * Parts one after the other are what gpucode_format() writes with the same options (null: the defaults, comments left
 * out); instructions of one row have the same parts. What a field writes may depend on other fields too. Writes the
 * part with a final zero into `text` of GPUCODE_TEXT_MAX bytes, and the field's letter to *letter (may be null), 0 for
 * the row's own text. False: there is no such part, or the instruction is not one of its target's. Allocates nothing.
 * Any thread.
 */
GPUCODE_API bool gpucode_insn_part(const struct gpucode_insn *insn, const struct gpucode_format_options *options,
                                   unsigned index, char text[GPUCODE_TEXT_MAX], char *letter);

/* What an instruction reads or writes. */
enum gpucode_effect_kind {
    GPUCODE_EFFECT_REGISTER,
    GPUCODE_EFFECT_QUEUE,  /* a register whose reads take a word from somewhere, or whose writes go somewhere */
    GPUCODE_EFFECT_MEMORY, /* no number */
};
struct gpucode_effect {
    enum gpucode_effect_kind kind;
    enum gpucode_use use;
    unsigned space;  /* enum gpucode_space, or a space of the set */
    uint32_t number; /* the first register, */
    uint16_t count;  /* and how many from there on */
    uint32_t mask;   /* bit i: number + i takes part; 0: all of count */
    bool known;      /* false: one register of these, or any of the space where count is 0 */
    bool maybe;      /* it happens or not, by values that the instruction does not have */
    int8_t operand;  /* index of the operand, as gpucode_insn_operands() counts; -1: the text does not name it */
};
/* No instruction has more effects. */
#define GPUCODE_EFFECTS_MAX 32

/*
 * Everything that an instruction reads and writes: its operands first, in the order of the text, then what the text
 * does not name (counters, stacks, link registers). What a control register does beyond holding a value when it is
 * written is not in the list: the instruction set's manual has it. Writes at most `room` of them and returns how many
 * there are. Allocates nothing. Any thread.
 */
GPUCODE_API unsigned gpucode_insn_effects(const struct gpucode_insn *insn, struct gpucode_effect *effects,
                                          unsigned room);

/* How long an instruction takes, as far as it alone tells. */
struct gpucode_cost {
    uint64_t count;
    const char *unit; /* "slots" an instruction is issued in; "us", nominally; constant */
};
/* False: the instruction set does not say, or the instruction takes no such time. Any thread. */
GPUCODE_API bool gpucode_insn_cost(const struct gpucode_insn *insn, struct gpucode_cost *cost);

/* Name of a space of registers of the target's instruction set, as JSON has it ("general", "gpu"); null: no such space.
 */
GPUCODE_API const char *gpucode_space_name(const struct gpucode_target *target, unsigned space);

#ifdef __cplusplus
}
#endif
#endif
