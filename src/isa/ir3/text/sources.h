/* SPDX-License-Identifier: MIT */
/* What sources of categories 2, 3 and 4 have in common. */
#ifndef ISA_IR3_TEXT_SOURCES_H
#define ISA_IR3_TEXT_SOURCES_H

#include "isa/ir3/ir3.h"

/* Are the sources of 16 bits? */
static inline bool ir3_half_sources(const struct isa_row *row, uint64_t bits)
{
    if (shader_category(bits) != 3)
        return !(bits & IR3_FULL);
    return row->marks & IR3_MARK_EITHER   ? !(bits & IR3_EITHER_FULL)
           : row->marks & IR3_MARK_MATRIX ? !(bits & IR3_MATRIX_FULL)
                                          : row->marks & SHADER_MARK_HALF;
}

/* An entry of the table of floats, or its number where it has no value. */
char *ir3_put_float_entry(char *at, unsigned index, bool half);

/* Modifiers of a source, in any order. */
struct ir3_modifiers {
    bool neg, abs, steps, last;
    const char *start;
    size_t span;
};

void ir3_take_modifiers(struct isa_scan *scan, struct ir3_modifiers *modifiers);
bool ir3_refuse_modifiers(struct isa_scan *scan, const struct ir3_modifiers *modifiers);

/* A width that a source shows; all that must be shown are to be the same. */
static inline bool ir3_agrees(struct isa_build *build, const struct shader_name *name)
{
    unsigned *state = &build->parse_state;
    if (*state & IR3_PARSED_WIDTH && name->half != ((*state & IR3_PARSED_HALF) != 0))
        return false;
    *state |= IR3_PARSED_WIDTH | (name->half ? IR3_PARSED_HALF : 0);
    return true;
}

/* "(1.0)", "h(pi)", and numbers of entries that have no value: "h335". */
enum ir3_literal { IR3_LITERAL_NUMBER, IR3_LITERAL_FLOAT, IR3_LITERAL_ENTRY, IR3_LITERAL_WRONG };

/* A number from `low` to `high`, or an entry of the table of floats. */
enum ir3_literal ir3_take_literal(struct isa_scan *scan, int64_t low, int64_t high, bool *half, int64_t *value);

#endif
