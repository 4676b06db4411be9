/* SPDX-License-Identifier: MIT */
#include "base/operators.h"

#include <stdbool.h>
#include <stddef.h>

/* Longer ones first, since one may begin like another. */
static const struct operator_row operators[] = {
    {"||", 2, LEVEL_OR},      {"&&", 2, LEVEL_AND},     {"==", 2, LEVEL_EQUAL},  {"!=", 2, LEVEL_EQUAL},
    {"<=", 2, LEVEL_COMPARE}, {">=", 2, LEVEL_COMPARE}, {"<<", 2, LEVEL_SHIFT},  {">>", 2, LEVEL_SHIFT},
    {"|", 1, LEVEL_BIT_OR},   {"^", 1, LEVEL_BIT_XOR},  {"&", 1, LEVEL_BIT_AND}, {"<", 1, LEVEL_COMPARE},
    {">", 1, LEVEL_COMPARE},  {"+", 1, LEVEL_ADD},      {"-", 1, LEVEL_ADD},     {"*", 1, LEVEL_MULTIPLY},
    {"/", 1, LEVEL_MULTIPLY}, {"%", 1, LEVEL_MULTIPLY},
};

/* Operands end in front of a comma or a line's end far more often than in front of an operator. */
const bool operator_beginnings[256] = {
    ['|'] = true, ['&'] = true, ['='] = true, ['!'] = true, ['<'] = true, ['>'] = true,
    ['^'] = true, ['+'] = true, ['-'] = true, ['*'] = true, ['/'] = true, ['%'] = true,
};

const struct operator_row *operator_at(const char *at, const char *end)
{
    ptrdiff_t left = end - at;
    if (left <= 0 || !operator_may_begin(*at))
        return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        const struct operator_row *row = &operators[i];
        if (left >= row->length && at[0] == row->text[0] && (row->length == 1 || at[1] == row->text[1]))
            return row;
    }
    return NULL;
}
