/* SPDX-License-Identifier: MIT */
/* What the makers of p-code share: sleigh_code.c has statements, sleigh_value.c values, sleigh_known.c those that are
 * known. */
#ifndef EXPORT_SLEIGH_EMIT_H
#define EXPORT_SLEIGH_EMIT_H

#include "export/sleigh.h"

#define SLEIGH_VALUE_MAX 1024

/* A tree on its way. The names of its variables end in `instance`, as a tree may stand in a constructor twice. */
struct sleigh_emit {
    struct sleigh_code *code;
    const struct gpucode_action *nodes;
    unsigned instance;
    const char *space; /* of the register whose number is being written; null: none */
};

/* A value as text, and its bits. */
struct sleigh_value {
    char text[SLEIGH_VALUE_MAX];
    unsigned width;
};

/* Is the value known without running, from the tree and the modifiers of the constructor? */
bool sleigh_known(const struct sleigh_emit *emit, unsigned index, uint64_t *number);

/* Builds the letter's table, or another copy of it where it has been built; its name goes to `name`. */
void sleigh_build(struct sleigh_code *code, char kind, char letter, char name[64]);
unsigned sleigh_bytes(unsigned width);
__attribute__((format(printf, 2, 3))) struct sleigh_value sleigh_make_value(unsigned width, const char *format, ...);
/* The same in a variable of its own. */
struct sleigh_value sleigh_in_variable(struct sleigh_emit *emit, struct sleigh_value value);
struct sleigh_value sleigh_as_width(struct sleigh_emit *emit, struct sleigh_value value, unsigned width);
/* The place of a register: its name, or where it lies in its space. */
struct sleigh_value sleigh_element(struct sleigh_emit *emit, const struct gpucode_action *n);
/* What an operand holds: its table is built where it is read first. */
struct sleigh_value sleigh_operand_value(struct sleigh_emit *emit, char letter);
struct sleigh_value sleigh_call(struct sleigh_emit *emit, const struct gpucode_action *n);
/* The value of a node; statements that it needs are written first. */
struct sleigh_value sleigh_value(struct sleigh_emit *emit, unsigned index);

#endif
