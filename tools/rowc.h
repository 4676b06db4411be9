/* SPDX-License-Identifier: MIT */
/* What the files of rowc share: a row as read from insn.def and what becomes of it. */
#ifndef TOOLS_ROWC_H
#define TOOLS_ROWC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUOTE2(x) #x
#define QUOTE(x) QUOTE2(x)

#define FIELDS_MAX 24
#define ELEMENTS_MAX 48
#define EFFECTS_MAX 16

struct field {
    char letter;
    unsigned kind, width, pieces;
    struct {
        unsigned shift, width;
    } piece[4];
};

/* One clause of the effects column; struct isa_effect of src/isa/row.h says what it means. */
struct effect {
    const char *verb, *use, *space, *number; /* enumerators and numbers as C has them */
    unsigned field, count, when;
    bool unless;
};

struct row {
    const char *id;
    unsigned generations; /* a bit for each */
    size_t precedence;    /* among rows that overlap the first wins; the same for both: the special case */
    uint64_t mask, match, ignored;
    unsigned size, field_count, element_count, effect_count;
    uint32_t marks;
    struct field field[FIELDS_MAX];
    struct {
        bool is_field;
        unsigned index;
        char literal[21]; /* ISA_LITERAL_ROOM */
    } element[ELEMENTS_MAX];
    struct effect effect[EFFECTS_MAX];
};

/* Ends the program with a message that names the row and, if there is one, the piece of text. */
_Noreturn void refuse_row(const struct row *row, const char *why, const char *text, int length);

/* The row's field of that letter, or null. */
struct field *field_of(struct row *row, char letter);

/* Prints the row's table of fields, and a text as C has it. */
void print_row_fields(const struct row *row);
void print_string(const char *text);

/* Prints rows as functions: rowc_text.c. */
void print_functions(const struct row *rows, const char *const *mnemonics, unsigned count);

/* Reads the effects column, and adds what the row's letters bring with them. */
void compile_effects(struct row *row, const char *effects);
void print_effects(const struct row *row);
void print_flow(const struct row *row);

/* --- decoding: rowc_decoder.c ------------------------------------------------------------------------------------- */

/* Refuses rows of which a word can be both, and neither is a special case of the other. */
void decoder_check(const struct row *rows, unsigned count);
/* Prints the decoding tree of a generation. */
void decoder_print(const struct row *rows, unsigned count, unsigned generation);

/* --- actions as trees: rowc_action.c ------------------------------------------------------------------------------ */

#define NODES_MAX 1024
#define NODE_TEXT_MAX 34 /* GPUCODE_ACTION_TEXT_MAX */

struct node {
    const char *kind; /* GPUCODE_ACTION_ is put in front */
    unsigned width;
    char letter;
    unsigned child[3], next;
    char text[NODE_TEXT_MAX];
    uint64_t number;
    bool is_signed;
};

struct tree {
    struct node node[NODES_MAX];
    unsigned count;
};

unsigned tree_node(struct tree *tree, const char *kind, unsigned width);
/* A copy of a node and all below it, not of what comes after it. */
unsigned tree_copy(struct tree *tree, unsigned node);
/* Prints the nodes as entries of the table that all actions of a set share. */
void tree_print(const struct tree *tree);

/* Makes node 0 of a text; false: it cannot be taken apart. `row` null: of no row. */
bool action_read(struct tree *tree, struct row *row, const char *text);

/* Prints the actions of all rows and places, and the tables of them. */
void actions_print(struct row *rows, const char *const *texts, unsigned count);

#endif
