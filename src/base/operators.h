/* SPDX-License-Identifier: MIT */
/* C's operators between two operands, for those who read expressions. */
#ifndef BASE_OPERATORS_H
#define BASE_OPERATORS_H

#include <stdbool.h>
#include <stdint.h>

/* How tightly they bind: 0 least, as C has it. */
enum operator_level {
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_EQUAL,
    LEVEL_COMPARE,
    LEVEL_SHIFT,
    LEVEL_ADD,
    LEVEL_MULTIPLY,
};

struct operator_row {
    char text[3];
    uint8_t length, level;
};

/* Can an operator begin with this byte? */
extern const bool operator_beginnings[256];
static inline bool operator_may_begin(char c)
{
    return operator_beginnings[(unsigned char)c];
}

/* The operator that begins at `at`, the longest one; null: none. */
const struct operator_row *operator_at(const char *at, const char *end);

#endif
