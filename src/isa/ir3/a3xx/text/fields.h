/* SPDX-License-Identifier: MIT */
/*
 * What lies where in a word: the named fields of rows.h, and the parts of a source operand. No other file knows the
 * number of a bit.
 */
#ifndef ISA_IR3_A3XX_TEXT_FIELDS_H
#define ISA_IR3_A3XX_TEXT_FIELDS_H

#include "isa/ir3/a3xx/text/rows.h"
#include "isa/ir3/family.h"
#include "isa/row.h"

/* A3XX_name_SHIFT and A3XX_name_WIDTH of the fields that rows.h names. */
enum a3xx_field_place {
#include "isa/a3xx_fields.inc"
};

/* The value of a named field, its mask in the word, and a value put where it belongs. */
#define A3XX_FIELD(bits, name) a3xx_bits((bits), A3XX_##name##_SHIFT, A3XX_##name##_WIDTH)
#define A3XX_MASK(name) (((UINT64_C(1) << A3XX_##name##_WIDTH) - 1) << A3XX_##name##_SHIFT)
#define A3XX_PLACE(name, value) ((uint64_t)(value) << A3XX_##name##_SHIFT)

static inline unsigned a3xx_bits(uint64_t bits, unsigned shift, unsigned width)
{
    return (unsigned)(bits >> shift & ((UINT64_C(1) << width) - 1));
}

/* Fields of one bit, as masks. */
#define A3XX_SS A3XX_MASK(SS) /* categories 0 to 4 */
#define A3XX_SY A3XX_MASK(SY)
#define A3XX_JP A3XX_MASK(JP)
#define A3XX_UL A3XX_MASK(UL)     /* categories 1 to 4 */
#define A3XX_EI A3XX_MASK(EI)     /* bary.f */
#define A3XX_FULL A3XX_MASK(FULL) /* category 2 and 4: sources have 32 bits */

/* Flags of category 5. */
enum {
    A3XX_TEXTURE_3D = 1,
    A3XX_TEXTURE_ARRAY = 2,
    A3XX_TEXTURE_SHADOW = 4,
    A3XX_TEXTURE_S2EN = 8, /* a register has sampler and texture */
    A3XX_TEXTURE_OFFSET = 16,
    A3XX_TEXTURE_PROJECTED = 32
};
#define A3XX_S2EN A3XX_PLACE(TEXTURE_FLAGS, A3XX_TEXTURE_S2EN)
static inline bool a3xx_has_flag(uint64_t bits, unsigned flag)
{
    return bits >> A3XX_TEXTURE_FLAGS_SHIFT & flag;
}

/* With (s2en) a half register takes the place of sampler and texture. */
enum { A3XX_TEXTURE_INDEX_SHIFT = A3XX_SAMPLER_SHIFT, A3XX_TEXTURE_INDEX_WIDTH = 8 };
#define A3XX_TEXTURE_NUMBERS (A3XX_MASK(SAMPLER) | A3XX_MASK(TEXTURE))

/* Extra issue slots: N of (rptN). */
static inline unsigned a3xx_repeat(uint64_t bits)
{
    unsigned category = shader_category(bits);
    return category == 0 ? A3XX_FIELD(bits, FLOW_REPEAT) : category < 5 ? A3XX_FIELD(bits, REPEAT) : 0;
}

/* Where a branch goes, from itself on; the hardware looks at 16 bits. */
static inline int a3xx_branch_offset(uint64_t bits)
{
    return (int16_t)A3XX_FIELD(bits, OFFSET);
}

/* A store's offset lies in two pieces. */
static inline int a3xx_store_offset(uint64_t bits)
{
    return shader_signed(A3XX_FIELD(bits, STORE_OFFSET_HIGH) << A3XX_STORE_OFFSET_LOW_WIDTH |
                             A3XX_FIELD(bits, STORE_OFFSET_LOW),
                         A3XX_STORE_OFFSET_LOW_WIDTH + A3XX_STORE_OFFSET_HIGH_WIDTH);
}
static inline uint64_t a3xx_place_store_offset(unsigned offset)
{
    return A3XX_PLACE(STORE_OFFSET_LOW, offset & 0xff) | A3XX_PLACE(STORE_OFFSET_HIGH, offset >> 8 & 0x1f);
}

/* --- sources ------------------------------------------------------------------------------------------------------ */

/*
 * A source of category 2 and 4 has 16 bits: abs, neg, three for its form, eleven for what it is. Category 3 has the
 * low 13 of them, category 1 the low 12; what of the form they lack is 0.
 */
enum a3xx_form {
    A3XX_FORM_GPR = 0,
    A3XX_FORM_RELATIVE = 1,
    A3XX_FORM_CONST = 2,
    A3XX_FORM_INTEGER = 4,
    A3XX_FORM_FLOAT = 5,
    A3XX_FORM_CONST_TOO = 6 /* the same as CONST, with a bit that does nothing */
};
enum {
    A3XX_SOURCE_REGISTER = 0xff,
    A3XX_SOURCE_REGISTER_RESERVED = 0x700, /* beside a register */
    A3XX_SOURCE_OFFSET = 0x3ff,
    A3XX_SOURCE_OF_CONSTS = 0x400, /* relative: c<a0.x + N>, else r<a0.x + N> */
    A3XX_SOURCE_HALF_FLOAT = 0x400,
    A3XX_SOURCE_NUMBER = 0x7ff, /* of a const; an immediate */
    A3XX_SOURCE_CONST_TOO = 0x2000,
    A3XX_SOURCE_FORM_SHIFT = 11,
    A3XX_SOURCE_MODIFIERS_SHIFT = 14,
    A3XX_SOURCE_REGISTER_WIDTH = 8,
    A3XX_SOURCE_OFFSET_WIDTH = 10,
    A3XX_SOURCE_NUMBER_WIDTH = 11,
    A3XX_SOURCE_INTEGER_MIN = -1024, /* of an immediate */
    A3XX_SOURCE_INTEGER_MAX = 1023
};
enum { A3XX_NEG = 1, A3XX_ABS = 2 }; /* modifiers */

static inline unsigned a3xx_source(enum a3xx_form form, unsigned number)
{
    return (unsigned)form << A3XX_SOURCE_FORM_SHIFT | number;
}

static inline enum a3xx_form a3xx_form(unsigned source)
{
    return (enum a3xx_form)(source >> A3XX_SOURCE_FORM_SHIFT & 7);
}

static inline unsigned a3xx_modifiers_of(unsigned source)
{
    return source >> A3XX_SOURCE_MODIFIERS_SHIFT & 3;
}

static inline int a3xx_source_offset(unsigned source)
{
    return shader_signed(source, A3XX_SOURCE_OFFSET_WIDTH);
}

static inline int a3xx_source_integer(unsigned source)
{
    return shader_signed(source, A3XX_SOURCE_NUMBER_WIDTH);
}

/* How many bits of a source count up when it steps. */
static inline unsigned a3xx_stepping_width(enum a3xx_form form)
{
    return form == A3XX_FORM_GPR        ? A3XX_SOURCE_REGISTER_WIDTH
           : form == A3XX_FORM_RELATIVE ? A3XX_SOURCE_OFFSET_WIDTH
           : form == A3XX_FORM_FLOAT    ? 0 /* an entry of a table has no next one */
                                        : A3XX_SOURCE_NUMBER_WIDTH;
}

/* The source of a move in the form of the others; immediates have 32 bits, and A3XX_FROM_IMMEDIATE marks them. */
static inline unsigned a3xx_move_source(uint64_t bits)
{
    unsigned source = (unsigned)bits & A3XX_SOURCE_NUMBER;
    if (A3XX_FIELD(bits, FROM_CONST))
        return source | A3XX_FORM_CONST << A3XX_SOURCE_FORM_SHIFT;
    return source | ((unsigned)bits & A3XX_FORM_RELATIVE << A3XX_SOURCE_FORM_SHIFT);
}

#endif
