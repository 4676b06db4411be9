/* SPDX-License-Identifier: MIT */
/*
 * gpucode export sleigh: a language module for Ghidra.
 *
 *   sleigh.c          the files, spaces, registers, tokens
 *   sleigh_choices.c  a constructor for each row and choice of modifiers
 *   sleigh_rows.c     one constructor
 *   sleigh_display.c  how it looks; sleigh_shown.h has more
 *   sleigh_tables.c   operands: how they look, how they are read and written
 *   sleigh_registers.c   those that are registers
 *   sleigh_text.c     names, fields and texts, for all of them
 *   sleigh_flow.c     where control goes; rows without a formula
 *   sleigh_uses.c     what their operands read and write; sleigh_uses.h has more
 *   sleigh_plain.c    those of shaders that calculate with integers
 *   sleigh_code.c     actions as p-code: statements
 *   sleigh_value.c    and values
 *   sleigh_known.c    of which some are known without running
 */
#ifndef EXPORT_SLEIGH_H
#define EXPORT_SLEIGH_H

#include "export/export.h"

#include <gpucode/action.h>

/* Tables of one constructor. */
#define SLEIGH_USES_MAX 32

/* Instructions of a row of which others are made. */
#define SLEIGH_ASKED_WORDS 100u

/* Modifiers of up to so many bits have a line for each value. */
#define SLEIGH_LISTED_BITS 6

/* The statement that runs the instruction in the delay slot, once in a constructor at most. */
#define SLEIGH_DELAY_SLOT "    delayslot(1);\n"

struct sleigh_row;
struct sleigh_type;
struct sleigh_looks;

/* What a module is made of while rows are gone through; texts are streams in memory. */
struct sleigh {
    struct export *export;
    const struct gpucode_target *target;
    FILE *rows, *tables;
    struct sleigh_names {
        char (*name)[64];
        unsigned count;
        size_t room;
    } fields, made, calls; /* fields of tokens, with their bits; tables that are there; functions without a formula */
    struct sleigh_names files,
        looks;                  /* spaces of the set's own registers; tables' names with what their operands are */
    struct sleigh_looks *parts; /* how parts of instructions look: sleigh_shown.h */
    struct sleigh_learned {
        unsigned row;
        char (*forms)[512];
        bool differs; /* some words look otherwise: no form fitted all that were tried */
    } learned;        /* of the row that constructors are written for */
    struct sleigh_asked {
        unsigned row, count, word_count;
        uint64_t mask, match, word[SLEIGH_ASKED_WORDS]; /* `word`: instructions of the row */
        struct {
            char letter;
            unsigned use;
            bool any;
            char name[24];
        } known[2 * (GPUCODE_FIELDS_MAX + 1)];
    } asked; /* sleigh_uses_table() of the row that constructors are written for */
    struct sleigh_list {
        bool variables; /* registers; false: what is printed */
        char *text;     /* one entry for each value of the field */
    } * lists;
    unsigned list_count, registers; /* `registers`: one more than the highest general register */
    bool failed, has_places;        /* `has_places`: registers have actions of their own */
    bool has_slots;                 /* instructions have delay slots */
    bool brief, has_brief;          /* the state "brief" of actions; some have it */
    char general[64][24];           /* names of general registers that have one ("rem"), others are empty */
    /* sleigh_place_code(): tables are made by the code that names them, and have code themselves */
    void (*place_code)(const struct sleigh_row *row, FILE *out, const struct gpucode_action *action);
};

/* A number for several numbers, by which tables that are alike are found: FNV-1a, a number at a time. */
#define SLEIGH_HASH_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t sleigh_hash(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x100000001b3);
}

/* Is it new? Then it is noted. */
bool sleigh_note(struct sleigh *sleigh, struct sleigh_names *list, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* One constructor: a row with some of its modifiers not zero. */
struct sleigh_row {
    struct sleigh *sleigh;
    unsigned row;
    const struct gpucode_row *facts;
    char present[GPUCODE_FIELDS_MAX + 1]; /* letters of modifiers whose fields are not zero */
    uint8_t value[GPUCODE_FIELDS_MAX];    /* of these; 0: any but zero */
    char absent[GPUCODE_FIELDS_MAX + 1];  /* and of those whose fields are zero */
    bool plain;                           /* sleigh_plain() */
    bool half, half_result;               /* of one that is plain: sources and result are half registers */
    const struct sleigh_type *from, *to;  /* and of those that convert */
};

/* The value that a modifier of the constructor has, or 0: none, or any but zero. */
unsigned sleigh_chosen(const struct sleigh_row *row, char letter);
/* Adds what the modifiers of the constructor decide. */
void sleigh_add_modifiers(const struct sleigh_row *row, uint64_t *mask, uint64_t *match);
/* Gives the instruction the constructor's modifiers. */
void sleigh_choose(const struct sleigh_row *row, struct gpucode_insn *insn);
/* The row's field of that letter; false: it has none. */
bool sleigh_field(const struct sleigh_row *row, char letter, struct gpucode_row_field *field);
/* The name of a piece of the token ("f4_15_0"), which is noted; `kind` 'f': its number, 's': the number with a sign. */
void sleigh_piece(const struct sleigh_row *row, char kind, unsigned shift, unsigned width, char name[64]);
/* The name of a letter's table, which is made where it is not there; `kind` 'R': reading, 'W': writing, 'N': its
 * number. A constructor builds a table once: `copy` numbers those that are built again. */
void sleigh_table(const struct sleigh_row *row, char kind, char letter, unsigned copy, char name[64]);
/* The row with that value in the field and others zero, but for modifiers that the constructor has; the field's
 * operand, null: it is none of the text's. */
const struct gpucode_operand *sleigh_sample(const struct sleigh_row *row, char letter, uint64_t value,
                                            struct gpucode_insn *insn, char text[GPUCODE_TEXT_MAX],
                                            struct gpucode_operand operands[GPUCODE_OPERANDS_MAX]);
/* Finds the names of general registers: those that texts have where they are written. */
void sleigh_name_registers(struct sleigh *sleigh);
/* The name of a general register: "r02" where it has none. */
const char *sleigh_general(const struct sleigh *sleigh, uint64_t number, char name[24]);
/* Does the field name registers in tables of their own? */
bool sleigh_names_registers(const struct gpucode_row_field *field);
struct sleigh_shown;
/* The field of a list of texts. */
void sleigh_list_piece(const struct sleigh_row *row, const struct sleigh_shown *list, char name[64]);
/* The lowest bits of such a field as the general registers from `first` on. */
void sleigh_register_piece(const struct sleigh_row *row, const struct gpucode_row_field *field, uint32_t first,
                           char name[64]);
void sleigh_write_registers(const struct sleigh_row *row, const char *name, bool writes,
                            const struct gpucode_row_field *field);
/* The table of what an operand of a row without a formula reads or writes (`use`); `field` null: of what the text does
 * not name. False: nothing. */
bool sleigh_uses_table(const struct sleigh_row *row, const struct gpucode_row_field *field, enum gpucode_use use,
                       char name[64]);
/* The space of registers other than the general ones, and the place of one there: the field's lowest bits + `first`. */
void sleigh_file_name(struct sleigh *sleigh, unsigned space, char name[64]);
void sleigh_place_table(const struct sleigh_row *row, const struct gpucode_row_field *field, uint32_t first,
                        char name[64]);
/* What stands in front of constraints: "f8_3_0=0x5 & ..."; false: no bit decides. */
bool sleigh_write_bits(const struct sleigh_row *row, uint64_t mask, uint64_t match, FILE *out);
/* Bits of a field from its name, and its list; false: it has none. */
bool sleigh_parse_piece(const char *name, char *kind, unsigned *list, unsigned *bytes, unsigned *high, unsigned *low);

/* The name of a state of actions, which must not be a word of the language. */
void sleigh_state_name(const char *text, char name[64]);
/* Writes one constructor; the constructors of a row. */
void sleigh_write_constructor(const struct sleigh_row *row);
void sleigh_write_row(struct sleigh *sleigh, unsigned index);

/* Is the word in the row's effects column? */
bool sleigh_has_mark(const struct sleigh_row *row, const char *mark);
char sleigh_sources_kind(const struct sleigh_row *row);

/* --- p-code ------------------------------------------------------------------------------------------------------- */

struct sleigh_code {
    const struct sleigh_row *row;
    FILE *out;
    unsigned count; /* of names and labels made so far */
    bool deferred;  /* the result is written later: PUT() */
    char result;    /* letter that the result goes to; 0: none */
    struct sleigh_use {
        char kind, letter;
        unsigned copy;
    } used[SLEIGH_USES_MAX]; /* tables that stand in the pattern */
    unsigned used_count;
    char read[16];      /* operands that have been read */
    const char *around; /* modifiers that are not zero, the outermost first, whose actions come around the row's */
    bool goes;          /* the target is in the variable "target" */
    bool branches;      /* the condition is in "taken_branch" */
};

/* Tables of a constructor's pattern, each once. */
struct sleigh_operands {
    char name[SLEIGH_USES_MAX][64];
    unsigned count;
};

void sleigh_add_operand(struct sleigh_operands *operands, const char *name);
/* Writes a row whose action nobody has written as a formula: a function of what it reads. */
void sleigh_function(struct sleigh_code *code, struct sleigh_operands *operands);
/* Is the constructor's row one that sleigh_plain_code() has? Then it becomes that of its plain words, in `facts`. */
bool sleigh_plain(struct sleigh_row *row, struct gpucode_row *facts);
/* Writes what it calculates from `source`, which ends with a null pointer. */
void sleigh_plain_code(struct sleigh_code *code, struct sleigh_operands *operands, const char *const *source);
/* Writes the display section. */
void sleigh_display(const struct sleigh_code *code, FILE *out, struct sleigh_operands *operands);
/* Writes where control goes. */
void sleigh_flow(const struct sleigh_code *code, struct sleigh_operands *operands);
/* Writes what the row does, with what its modifiers add; false: nobody has said what it does. */
bool sleigh_code(struct sleigh_code *code);
/* Writes an action of something else, whose result is in the register "value". */
void sleigh_place_code(const struct sleigh_row *row, FILE *out, const struct gpucode_action *action);

#endif
