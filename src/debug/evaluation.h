/* SPDX-License-Identifier: MIT */
/*
 * Expressions: a parser by precedence that computes as it reads. The side of &&, || and ?: that does not count is
 * read, but neither errors of values nor assignments happen in it.
 */
#ifndef DEBUG_EVALUATION_H
#define DEBUG_EVALUATION_H

#include "debug/session.h"

#include <ctype.h>

#define EVALUATION_DEPTH_MAX 200

struct evaluation {
    struct gpucode_debug *debug;
    const char *at, *end;
    struct place place;
    struct gpucode_diagnostic_handler on_diagnostic;
    bool assign, no_memory; /* no_memory: what it says is not a fault of the text */
    unsigned depth, skip;   /* skip: not 0 in a side that does not count */
};

/* What a C type says about a number. */
struct evaluation_type {
    unsigned bytes;
    bool is_unsigned, pointer, is_float;
};

/* Reports; returns false. */
bool evaluation_fail(struct evaluation *e, const char *at, size_t span, message_id message, const char *argument);
/* The same where the value matters; elsewhere it becomes 0, and true is returned. */
bool evaluation_fail_value(struct evaluation *e, const char *at, message_id message, const char *argument,
                           struct gpucode_value *value);
/* The same; its absence is an error: `what` was expected. */
bool evaluation_expect(struct evaluation *e, char c, const char *what);

static inline bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static inline char evaluation_peek(const struct evaluation *e, size_t offset)
{
    return (size_t)(e->end - e->at) > offset ? e->at[offset] : 0;
}

static inline void set_plain(struct gpucode_value *value, uint64_t number)
{
    *value = (struct gpucode_value){.number = (int64_t)number};
}

/* --- evaluate_name.c: each takes what stands at e->at --- */
bool evaluate_number(struct evaluation *e, struct gpucode_value *value);
bool evaluate_quoted(struct evaluation *e, struct gpucode_value *value);
bool evaluate_name(struct evaluation *e, struct gpucode_value *value);

/* --- evaluate_float.c --- */
#define VALUE_BITS 2u /* in `section`, within an expression: an integer made of bits of registers that hold floats */
bool evaluation_is_float(const struct gpucode_value *value);
/* Takes a float; false: none stands here. *good: it is right, else told. */
bool evaluate_float(struct evaluation *e, struct gpucode_value *value, bool *good);
/* The value as a float; `at`: where it is asked for. False: told. */
bool evaluation_to_float(struct evaluation *e, const char *at, struct gpucode_value *value);
/* Makes a float an integer, towards 0; other values stay. */
void evaluation_to_integer(struct gpucode_value *value);
bool compute_unary_float(struct evaluation *e, const char *at, char operator, struct gpucode_value * value);
/* compute_binary() where one side is a float. */
bool compute_float(struct evaluation *e, const char *at, const char *text, struct gpucode_value *left,
                   const struct gpucode_value *right);
/* Notes that an integer was made of a register's bits, if it was. */
void evaluation_mark_bits(const struct gpucode_debug *debug, const struct gpucode_value *operand,
                          struct gpucode_value *result);

/* --- evaluate.c --- */
bool evaluate_expression(struct evaluation *e, struct gpucode_value *value);

/* --- what names and places mean ----------------------------------------------------------------------------------- */

/* The register at an address of a machine whose registers have addresses instead of memory; false: there is none. */
bool lookup_mmio(struct gpucode_debug *debug, uint64_t address, struct gpucode_value *value);
/* Reads what value->place says into value->number. */
bool lookup_read(struct gpucode_debug *debug, struct gpucode_value *value);

#endif
