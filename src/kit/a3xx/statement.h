/* SPDX-License-Identifier: MIT */
/* The parts of a source line of A3XX: `  top: (ss)(rpt1)add.f r0.x, r1.x, r2.x ; why`. */
#ifndef KIT_A3XX_STATEMENT_H
#define KIT_A3XX_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Offsets in the line. */
struct statement {
    size_t indent;   /* first byte that is no white space */
    size_t start;    /* of the instruction with its flags, behind labels */
    size_t mnemonic; /* behind the flags */
    size_t end;      /* behind the last operand */
    size_t comment;  /* the ';'; length: there is none */
    size_t length;   /* without the end of line */
};

/* Takes the line apart; false: there is no instruction or directive on it (labels and comments may be). */
bool statement_parse(const char *line, size_t length, struct statement *statement);
/* Operand number `index`, from 1, without white space around it; false: there are fewer. */
bool statement_operand(const char *line, const struct statement *statement, unsigned index, size_t *start, size_t *end);

#endif
