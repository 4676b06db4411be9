/* SPDX-License-Identifier: MIT */
/*
 * What operands of rows without a formula read and write:
 *
 *   sleigh_look.c   what one is in a word, as the library says
 *   sleigh_uses.c   which bits decide that: a table of the module for each operand
 *   sleigh_lines.c  its lines; what (neg) and (abs) do
 */
#ifndef EXPORT_SLEIGH_USES_H
#define EXPORT_SLEIGH_USES_H

#include "export/sleigh.h"

#define NUMBER_BITS 8u
#define RANGES_MAX 8u      /* of one operand: registers one by one, or many in a row */
#define LENGTH_MAX 64u     /* registers in a row that are one value */
#define FIRST_SPECIAL 0xf0 /* registers from here on are not like others: addresses, predicates, none at all */
#define NUMBERS 0x100u

/* Flags of operands that change what is read; a look of flags has them above two bits that say whether it is half. */
enum { SLEIGH_NEG = 1, SLEIGH_ABS = 2 };

/* What an operand is in one word. `moves`: the number of the field is added. */
struct look {
    uint64_t word;
    bool other; /* it is none of the row's */
    bool is_value, value_moves;
    bool whole;            /* the value is the whole field, with a sign or without */
    bool indirect;         /* the register's number is what another one, which is in `at`, holds, and the value */
    unsigned change, half; /* of what is read: SLEIGH_NEG, and whether it has 16 bits: 0 and 1, 2 where nothing tells */
    unsigned count;
    int64_t value;
    struct range {
        unsigned space;
        uint32_t number, length;
        bool moves;
    } at[RANGES_MAX];
};

struct asked {
    const struct sleigh_row *row;
    unsigned part;     /* of the row's text: what the field writes */
    const char *inner; /* a table with what the flags of the operand change; null: they are left out */
    const struct gpucode_row_field *field; /* null: what the text does not name */
    struct gpucode_row_field place;        /* bits that begin with the number */
    enum gpucode_use use;
    uint64_t open, number, random; /* bits that are free; those of the number */
    unsigned apart;                /* bit i: FIRST_SPECIAL + i has a line for the whole table */
};

/* sleigh_look.c */
uint64_t asked_with_number(const struct asked *asked, uint64_t word, uint64_t number);
uint64_t asked_number_of(const struct asked *asked, uint64_t word);
/* Has the number the bits of all registers? Then some are special. */
bool asked_has_special(const struct asked *asked);
/* The number is there, or its lowest bits are. */
void asked_place(struct asked *asked, unsigned shift, unsigned width);
/* Is the word an instruction of the row? */
bool asked_has(const struct asked *asked, uint64_t word);
/* Nothing moves. */
void look_once(const struct asked *asked, uint64_t word, struct look *look);
void look_at(const struct asked *asked, uint64_t word, struct look *look);
bool look_same(const struct look *a, const struct look *b);
uint64_t look_hash(const struct look *look, uint64_t hash);

/* sleigh_lines.c: lines of the table for words with these bits */
void lines_write(const struct asked *asked, const char *name, const struct look *look, uint64_t mask, uint64_t match);
/* What words like that of the look are with the number, one from FIRST_SPECIAL on; *special: not as it says. False:
 * nothing like others. */
bool lines_special(const struct asked *asked, const struct look *look, unsigned number, struct look *one,
                   bool *special);
/* The table of special numbers that are the same in all words; others are in `usual`, which is there already. */
void lines_apart(const struct asked *asked, const char *name, const char *usual, const struct look *apart);

#endif
