/* SPDX-License-Identifier: MIT */
/*
 * What instructions do, as trees: the actions of rows, which are written in a part of C, taken apart for those who turn
 * them into something else (p-code, formulas, other people's emulators).
 *
 *     unsigned count;
 *     const struct gpucode_action *nodes = gpucode_row_action(target, row, &count);
 *
 * nodes[0] is the whole. Numbers of other nodes stand in `first`, `second`, `third` and `next`; 0 means none. Functions
 * of the set that have a formula are put in their places, with the choice that policies have by default. What is left
 * as a GPUCODE_ACTION_CALL has none: it belongs to the machine around the processor, or nobody has written it down so
 * far.
 */
#ifndef GPUCODE_ACTION_H
#define GPUCODE_ACTION_H

#include <gpucode/target.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum gpucode_action_kind {
    GPUCODE_ACTION_LIST, /* statements: first, and those after it by `next` */
    /* statements */
    GPUCODE_ACTION_DECLARE, /* a variable `text` of `width` bits with the value first */
    GPUCODE_ACTION_ASSIGN,  /* first, a place, becomes second */
    GPUCODE_ACTION_IF,      /* if first holds, the list second; else the list third, if there is one */
    GPUCODE_ACTION_WHILE,   /* while first holds, the list second */
    /* values, and a call of its own as a statement */
    GPUCODE_ACTION_CALL,     /* the function `text` of first and those after it by `next` */
    GPUCODE_ACTION_NUMBER,   /* `number` */
    GPUCODE_ACTION_NAME,     /* a word that means something to a call alone: `text` */
    GPUCODE_ACTION_VARIABLE, /* `text`, declared before */
    GPUCODE_ACTION_FIELD,    /* the field `letter` of the instruction, as encoded */
    GPUCODE_ACTION_OPERAND,  /* what the register that the field names holds; of others their value */
    GPUCODE_ACTION_STATE,    /* `text`, a register that programs have no name for: "carry"; "brief" is 0 where an action
                                runs, and 1 where it is to be read and what belongs to the machine around is a call */
    GPUCODE_ACTION_ELEMENT,  /* register first of the space `text`, as gpucode_space_name() has it, or "memory" at that
                                address */
    GPUCODE_ACTION_UNARY,    /* operator `text`: "~", "-", "!" */
    GPUCODE_ACTION_BINARY,   /* "+", "<<" and so on; "s>>" and "s<" of signed numbers */
    GPUCODE_ACTION_CHOICE,   /* second where first holds, else third */
    GPUCODE_ACTION_CAST,     /* first as `width` bits, extended with zeros */
};

/* Bytes of the longest text of a node, its end included. */
#define GPUCODE_ACTION_TEXT_MAX 34

struct gpucode_action {
    enum gpucode_action_kind kind;
    uint8_t width; /* of values: 1 (holds or not), 32, 64 bits */
    char letter;
    uint16_t first, second, third, next;
    char text[GPUCODE_ACTION_TEXT_MAX]; /* "" where the kind has none */
    uint64_t number;
};

/*
 * The action of a row; null: there is no such row, or its action is not in a form that can be taken apart. *count is
 * the number of nodes and may be null. Any thread; lives as long as the program.
 */
GPUCODE_API const struct gpucode_action *gpucode_row_action(const struct gpucode_target *target, unsigned row,
                                                            unsigned *count);

/* Where an action belongs that is not a row's. */
enum gpucode_action_place {
    GPUCODE_ACTION_READ,   /* of a general register: reading it as an operand; gives the value to the state "value" */
    GPUCODE_ACTION_WRITE,  /* writing it; the state "value" is what is written */
    GPUCODE_ACTION_AROUND, /* of a letter: what its field adds where it is not zero; a call of ROW() stands for the row
                            */
};

/*
 * The action of general register `number`, or of the letter with that code; null: there is none, and a register holds
 * what is written to it.
 */
GPUCODE_API const struct gpucode_action *gpucode_place_action(const struct gpucode_target *target,
                                                              enum gpucode_action_place place, unsigned number,
                                                              unsigned *count);

#ifdef __cplusplus
}
#endif
#endif
