/* SPDX-License-Identifier: MIT */
/*
 * What the sets of the family share, A3XX and the generations after it: what instructions read and write, and what is
 * found out from that. Nothing here knows the rows of a set.
 */
#ifndef ISA_SHADER_FAMILY_H
#define ISA_SHADER_FAMILY_H

#include <gpucode/a3xx.h>

#include <stdbool.h>
#include <stdint.h>

enum a3xx_file {
    A3XX_FILE_FULL,      /* r0.x is 0 */
    A3XX_FILE_HALF,      /* hr0.x is 0 */
    A3XX_FILE_CONST,     /* c0.x is 0; `half` says how it is read */
    A3XX_FILE_ADDRESS,   /* a0.x is 0 */
    A3XX_FILE_PREDICATE, /* p0.x is 0 */
    A3XX_FILE_IMMEDIATE, /* number is the value: an integer, or bits of a float of the operand's width */
    A3XX_FILE_ORDER,     /* no register, but what must be waited for as one: enum a3xx_order_place; later generations */
};
enum a3xx_order_place { A3XX_ORDER_CONSTS /* the const file as the shader writes it */, A3XX_ORDER_BARRIER };

struct a3xx_access {
    enum a3xx_file file;
    int32_t number; /* first component; relative: offset from a0.x */
    uint8_t count;  /* components, gaps included */
    uint8_t mask;   /* bit i: component number + i takes part; 0: all of count */
    uint8_t source; /* 0 for a result, else 1 to 4 by position in the text */
    char letter;    /* of the operand in the row's text; 0: the text does not name it */
    bool write;
    bool half;     /* the value has 16 bits */
    bool relative; /* a0.x is added */
    bool steps;    /* number rises by one at each step of a repeat */
    bool neg, abs;
    bool table;    /* immediate: entry of the table of floats */
    uint8_t cycle; /* slots after the step's issue at which it happens: of instructions that take several at once */
};

#define A3XX_ACCESS_MAX 12

/* --- usage.c ------------------------------------------------------------------------------------------------
 */

/* Adds one step of an instruction with these accesses; `interpolates`: its first source is the number of a varying. */
void a3xx_usage_add(struct gpucode_a3xx_usage *usage, const struct a3xx_access *access, unsigned count, unsigned step,
                    bool interpolates);
/* Counts the registers of both files, when all is added. */
void a3xx_usage_finish(struct gpucode_a3xx_usage *usage);

#endif
