/* SPDX-License-Identifier: MIT */
/*
 * Which registers an instruction reads and writes, and how a repeat changes that: for the public record, the listing,
 * the checker of schedules and the emulator. The row says which operands there are and what is done with them; their
 * forms lie in the bits. Nothing is kept.
 */
#ifndef ISA_A3XX_TEXT_ACCESS_H
#define ISA_A3XX_TEXT_ACCESS_H

#include "isa/a3xx/a3xx.h"

enum a3xx_file {
    A3XX_FILE_FULL,      /* r0.x is 0 */
    A3XX_FILE_HALF,      /* hr0.x is 0 */
    A3XX_FILE_CONST,     /* c0.x is 0; `half` says how it is read */
    A3XX_FILE_ADDRESS,   /* a0.x is 0 */
    A3XX_FILE_PREDICATE, /* p0.x is 0 */
    A3XX_FILE_IMMEDIATE, /* number is the value: an integer, or bits of a float of the operand's width */
};

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
    bool table; /* immediate: entry of the table of floats */
};

#define A3XX_ACCESS_MAX 8

/*
 * All accesses of the instruction's first step, sources first in the order of the text, results last; a0.x read for
 * relative operands is an access too (source 0, not written). r63 stands for nothing and is left out.
 * Returns how many, at most A3XX_ACCESS_MAX.
 */
unsigned a3xx_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX]);

/* The instruction that step `step` of a repeat amounts to: without flags, with registers stepped. */
uint64_t a3xx_step(const struct gpucode_insn *insn, unsigned step);

#endif
