/* SPDX-License-Identifier: MIT */
/* A program's source with other code in place of its own: what the files of this work share. */
#ifndef ASM_REWRITE_H
#define ASM_REWRITE_H

#include "asm/context.h"

/* A line of the source; new instructions stand in front of its own, or after it. Columns are bytes from its start. */
struct rewrite_line {
    const char *text;
    size_t length;            /* with its end */
    size_t start;             /* of the instruction with its flags */
    size_t mnemonic;          /* after the flags; `start` for what the instruction set reads its own way */
    size_t end;               /* after the instruction */
    size_t comment;           /* of the last one, if nothing stands after it; else where the line ends */
    size_t stop;              /* where the line ends, without the characters that end it */
    size_t first_token;       /* of the program's tokens, */
    size_t token_count;       /* and how many stand on this line */
    bool has_label, has_insn; /* an instruction, or what the set reads its own way */
    bool is_insn;             /* the former, with a mnemonic */
    uint32_t unit;            /* the only one that comes from it; GPUCODE_NONE: none */
    bool kept;                /* its unit, or another one, stands here: */
    uint32_t output;          /* this one of the result */
    uint32_t before, added;   /* of the result: first of the new instructions in front, how many */
    uint32_t behind, tail;    /* the same after it */
};

struct rewrite {
    const struct gpucode_program *program;
    const struct gpucode_replacement *code;
    const struct asm_token *tokens;
    struct rewrite_line *lines;
    uint32_t line_count;
    uint32_t *line_of; /* of each unit of the program; GPUCODE_NONE: not to be edited */
    uint32_t units;
    unsigned unit_bytes;
    struct buffer out;
};

/* rewrite_text.c */
/* The bits of a unit: of the program, or of the new code. */
uint64_t rewrite_old(const struct rewrite *rewrite, uint32_t unit);
uint64_t rewrite_new(const struct rewrite *rewrite, uint32_t unit);
/* Writes the text. False: an instruction cannot be written. */
bool rewrite_print(struct rewrite *rewrite);

#endif
