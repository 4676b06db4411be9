/* SPDX-License-Identifier: MIT */
/* What an instruction's sources stand for and how its result fits a register, as marks of its row say. */
#ifndef ISA_IR3_MACHINE_MEANING_H
#define ISA_IR3_MACHINE_MEANING_H

#include "isa/ir3/family.h"
#include "isa/ir3/machine/number.h"

/* How consts and modifiers of sources are understood. */
enum shader_meaning { SHADER_MEANS_BITS, SHADER_MEANS_INTEGER, SHADER_MEANS_FLOAT };

/* `from`: the type of a move's source. */
static inline enum shader_meaning shader_meaning(const struct isa_row *row, unsigned category, unsigned from)
{
    if (category == 1)
        return from <= A3XX_F32 ? SHADER_MEANS_FLOAT : SHADER_MEANS_BITS;
    return category < 2 || category > 4 || row->marks & SHADER_MARK_BITS ? SHADER_MEANS_BITS
           : row->marks & SHADER_MARK_FLOATS                             ? SHADER_MEANS_FLOAT
                                                                         : SHADER_MEANS_INTEGER;
}

/* How a result becomes one of the other width. */
static inline enum a3xx_result shader_result(const struct isa_row *row, unsigned category)
{
    switch (row->marks & SHADER_MARK_RESULT) {
    case SHADER_MARK_RESULT_MOVED:
        return A3XX_RESULT_MOVED;
    case SHADER_MARK_RESULT_ZEROS:
        return A3XX_RESULT_UNSIGNED;
    case SHADER_MARK_RESULT_SIGNED:
        return A3XX_RESULT_SIGNED;
    case SHADER_MARK_RESULT_WIDE:
        return A3XX_RESULT_WIDE;
    default:
        break;
    }
    if (category < 2 || category > 4)
        return A3XX_RESULT_WIDE;
    return row->marks & SHADER_MARK_FLOATS   ? A3XX_RESULT_FLOAT
           : row->marks & SHADER_MARK_SIGNED ? A3XX_RESULT_SIGNED
                                             : A3XX_RESULT_UNSIGNED;
}

#endif
