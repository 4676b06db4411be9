/* SPDX-License-Identifier: MIT */
/*
 * How parts of instructions look, in a form that a module can say: texts with tables in them, which have a text for
 * each case of some bits, a number that is a sum of bits, or a list.
 *
 *   sleigh_learn.c   finds the form of a part by printing instructions
 *   sleigh_shown.c   forms: what they show of a word, and how they are written
 */
#ifndef EXPORT_SLEIGH_SHOWN_H
#define EXPORT_SLEIGH_SHOWN_H

#include "export/sleigh.h"

/* Bytes of a form: literal text, in which SHOWN_TABLE, the table's number and SHOWN_END stand for a table. */
#define SHOWN_MAX 512
#define SHOWN_TABLE '\1'
#define SHOWN_END '\2'
/* Stands for a number that the instruction writes as a fraction. */
#define SHOWN_FRACTION '\3'

enum shown_kind { SHOWN_CASES, SHOWN_NUMBER, SHOWN_LIST };

struct sleigh_shown {
    enum shown_kind kind;
    unsigned size; /* bytes of the instructions */
    struct shown_case {
        uint64_t mask, match;
        char *form; /* owned; of a list: texts alone */
    } * cases;      /* of a list: one for each value */
    size_t case_room;
    unsigned case_count;
    int64_t start, step[64]; /* number: what a bit adds */
    bool fraction;           /* the number is the bits of what is shown as a fraction */
    bool written;
    uint64_t hash; /* of what it says, by which equal ones are found */
};

/* The forms of parts that were found so far. */
struct sleigh_form {
    const struct gpucode_target *target; /* that it was tried on last */
    char key[128];                       /* what writes it */
    char form[SHOWN_MAX];
    bool differs; /* not all words that were tried look so */
};

/* What a part shows of a word, kept for the next time that it is asked for. */
#define SHOWN_TEXT_BITS 12
struct shown_text {
    uint64_t word;
    unsigned asked; /* number of the part */
    bool known;
    char text[51];
};

/* What was found for the languages of a set so far. */
struct sleigh_looks {
    struct sleigh_shown *shown;
    struct sleigh_form *forms;
    struct shown_text *texts; /* SHOWN_TEXT_BITS; of other parts where `asked` is not this one's */
    unsigned asked;
    unsigned shown_count, form_count;
    size_t shown_room, form_room;
};

/* A new table; null: no memory. Forms hold its number, which goes to `number`. */
struct sleigh_shown *shown_add(struct sleigh *sleigh, enum shown_kind kind, unsigned size, unsigned *number);
bool shown_add_case(struct sleigh *sleigh, struct sleigh_shown *table, uint64_t mask, uint64_t match, const char *form);
/* Takes away the table that was added last. */
void shown_drop(struct sleigh *sleigh);
/* Appends a reference to the table that was added last, or to an equal one, which is taken in its place. */
void shown_refer(struct sleigh *sleigh, char form[SHOWN_MAX]);
void shown_append(char form[SHOWN_MAX], const char *text, size_t length);
/* Does the form show that text of the word? Numbers may be written in another base. */
bool shown_fits(const struct sleigh *sleigh, const char *form, uint64_t word, const char *text);
/* Writes the tables of a form that are not there yet, and the form as a part of a display section. */
void shown_write(const struct sleigh_row *row, const char *form, FILE *out, struct sleigh_operands *operands,
                 bool *begun);
/* The form is what writes the part with that key; `differs`: but for some words. */
void sleigh_keep_form(struct sleigh *sleigh, const char *key, const char *form, bool differs);
void shown_free(struct sleigh_looks *looks);
/* For another language: no table is written. */
void shown_again(struct sleigh_looks *looks);

/* Parts of a row's text at most. */
#define SLEIGH_PARTS_MAX 64
/* The forms of a row's parts, in the order of its text; null: no memory. The caller frees it. */
char (*sleigh_learn_row(const struct sleigh_row *row))[SHOWN_MAX];

#endif
