/* SPDX-License-Identifier: MIT */
/* What the rows of a4xx to a8xx are written in: generations, the letters of their fields and the kinds of operand. */
#ifndef ISA_IR3_TEXT_ROWS_H
#define ISA_IR3_TEXT_ROWS_H

#include "isa/ir3/text/marks.h"

#include <stdint.h>

#ifdef ROWS_OF_A3XX
#error "a file has the rows of one set"
#endif

/* Generations, as bits. */
#define A4 1
#define A5 2
#define A6 4
#define A7 8
#define A8 16
#define A4_A5 (A4 | A5)
#define A6_A7 (A6 | A7)
#define A7_UP (A7 | A8)
#define A6_UP (A6 | A7_UP)
#define A5_UP (A5 | A6_UP)
#define A4_UP (A4 | A5_UP)

#define ROW_GENERATIONS 5
#define ROW_SET ir3_rows
#define ROW_HAS_EFFECTS

/*
 * The encoding has words that two rows explain: the later definition, which is listed here, is taken. Among themselves
 * they are in this order.
 */
#define ROW_FIRST " MOVA_R MOVA_R_GPR MOVS MOVS_A0 LDIB_B STIB_B "

/* What the effects of rows name beside operands. */
#define ROW_REGISTERS(REGISTER)                                                                                        \
    REGISTER("a0.x", GPUCODE_A3XX_FULL, IR3_A0, 1, hidden)                                                             \
    REGISTER("a1.x", GPUCODE_A3XX_FULL, IR3_A0 + 1, 1, hidden)

/* What rows say of this set alone, beside what marks.h has. */
enum ir3_mark {
    IR3_MARK_EITHER = 1 << 18,  /* category 3: sources have 16 bits by bit 42 */
    IR3_MARK_NUMBERS = 1 << 19, /* category 3: the first and third source may be a number where others have a const */
    IR3_MARK_DOT = 1 << 20,     /* dp2acc, dp4acc */
    IR3_MARK_MATRIX = 1 << 21,  /* wmm */
    IR3_MARK_SAMPLER = 1 << 23, /* category 5: it names a sampler, a texture */
    IR3_MARK_TEXTURE = 1 << 24,
    IR3_MARK_SOURCE = 1 << 25, /* it has a first source, and a second one without being told */
    IR3_MARK_SECOND = 1 << 26,
    IR3_MARK_UNTYPED = 1 << 27, /* its text has no type */
    IR3_MARK_FETCH = 1 << 28,   /* isam, whose flags mean something else */
    IR3_MARK_LANES = 1 << 29,   /* looks at other fibers, not at a texture */
    IR3_MARK_ATOMIC = 1 << 30,  /* type 6 is u64 */
};
#define IR3_MARK_MULTI (UINT32_C(1) << 31) /* swz, gat, sct */
#define ROW_MARKS(MARK)                                                                                                \
    SHADER_ROW_MARKS(MARK)                                                                                             \
    MARK("either width", IR3_MARK_EITHER)                                                                              \
    MARK("numbers", IR3_MARK_NUMBERS)                                                                                  \
    MARK("dot product", IR3_MARK_DOT)                                                                                  \
    MARK("matrix", IR3_MARK_MATRIX)                                                                                    \
    MARK("sampler", IR3_MARK_SAMPLER)                                                                                  \
    MARK("texture", IR3_MARK_TEXTURE)                                                                                  \
    MARK("one source", IR3_MARK_SOURCE)                                                                                \
    MARK("two sources", IR3_MARK_SOURCE | IR3_MARK_SECOND)                                                             \
    MARK("untyped", IR3_MARK_UNTYPED)                                                                                  \
    MARK("fetch", IR3_MARK_FETCH)                                                                                      \
    MARK("lanes", IR3_MARK_LANES)                                                                                      \
    MARK("atomic", IR3_MARK_ATOMIC)                                                                                    \
    MARK("multi", IR3_MARK_MULTI)

/*
 * OPERAND(letter, name, role, functions): the functions stand in the files of this folder; a role is what the operand
 * is for gpucode_insn_operands(). The letters of a category's flags (y) cover what the text shows in front of the
 * mnemonic, (sy) and (jp) excepted, which all have at one place.
 */
#define ROW_OPERANDS(OPERAND)                                                                                          \
    /* all categories */                                                                                               \
    OPERAND('y', "flags in front of the mnemonic", modifier, flags)                                                    \
    OPERAND('z', "bits that the text does not show", modifier, reserved)                                               \
    OPERAND('W', "64-bit word", value, word)                                                                           \
    OPERAND('k', "number", value, number)                                                                              \
    OPERAND('l', "number", value, number)                                                                              \
    OPERAND('n', "number", value, number)                                                                              \
    OPERAND('N', "number of fibers", modifier, fibers)                                                                 \
    OPERAND('S', "type", modifier, type_suffix)                                                                        \
    OPERAND('u', ".u", modifier, uniform)                                                                              \
    /* category 0 */                                                                                                   \
    OPERAND('P', "predicate", read, predicate)                                                                         \
    OPERAND('Q', "second predicate", read, predicate)                                                                  \
    OPERAND('i', "branch offset", target, target)                                                                      \
    /* category 1 */                                                                                                   \
    OPERAND('T', "type of the result", modifier, type)                                                                 \
    OPERAND('R', "rounding, (sat)", modifier, rounding)                                                                \
    OPERAND('d', "destination", written, move_destination)                                                             \
    OPERAND('m', "source", read, move_source)                                                                          \
    OPERAND('2', "sources", read, move_sources)                                                                        \
    OPERAND('6', "register with the width of the type", used, typed_register)                                          \
    OPERAND('7', "destinations", written, move_destinations)                                                           \
    /* categories 2 to 4 */                                                                                            \
    OPERAND('c', "condition", modifier, condition)                                                                     \
    OPERAND('D', "destination", written, destination)                                                                  \
    OPERAND('a', "first source", read, first)                                                                          \
    OPERAND('b', "second source", read, second)                                                                        \
    OPERAND('A', "first source", read, three_first)                                                                    \
    OPERAND('B', "second source", read, three_second)                                                                  \
    OPERAND('C', "third source", read, three_third)                                                                    \
    OPERAND('x', "signs and half of the sources", modifier, packing)                                                   \
    /* category 5 */                                                                                                   \
    OPERAND('X', "texture flags", modifier, texture_flags)                                                             \
    OPERAND('3', "typed destination", written, texture_destination)                                                    \
    OPERAND('U', "coordinates", read, coordinates)                                                                     \
    OPERAND('V', "second source", read, parameters)                                                                    \
    OPERAND('K', "sampler and texture", read, descriptors)                                                             \
    /* category 6 */                                                                                                   \
    OPERAND('g', "data register", used, typed_register)                                                                \
    OPERAND('p', "register", used, plain_register)                                                                     \
    OPERAND('q', "second register", used, plain_register)                                                              \
    OPERAND('r', "third register", used, plain_register)                                                               \
    OPERAND('s', "fourth register", used, plain_register)                                                              \
    OPERAND('J', "address register or const", read, address)                                                           \
    OPERAND('G', "shifted address", read, shifted_address)                                                             \
    OPERAND('o', "offset in bytes", value, signed_offset)                                                              \
    OPERAND('O', "offset in elements", value, element_offset)                                                          \
    OPERAND('v', "number of components", value, count)                                                                 \
    OPERAND('E', "number of components", value, count)                                                                 \
    OPERAND('f', "typed or untyped", modifier, access)                                                                 \
    OPERAND('t', "mode", modifier, mode)                                                                               \
    OPERAND('j', "descriptor base", modifier, base)                                                                    \
    OPERAND('h', "slot", read, slot)                                                                                   \
    OPERAND('F', "slot", read, high_source)                                                                            \
    OPERAND('I', "register or number", read, high_source)                                                              \
    OPERAND('H', "register or number", read, low_source)                                                               \
    OPERAND('L', "offset of the constants", read, constants_offset)                                                    \
    OPERAND('Z', "const", value, const_place)                                                                          \
    OPERAND('w', ".rck", modifier, residency)                                                                          \
    OPERAND('Y', "component of a vector", modifier, component)                                                         \
    OPERAND('e', "mark of a store", modifier, store)                                                                   \
    /* category 7 */                                                                                                   \
    OPERAND('4', "memory and accesses", modifier, memories)                                                            \
    OPERAND('5', "variant", modifier, variant)                                                                         \
    OPERAND('8', "scope, type and size of the table", modifier, alias_table)                                           \
    OPERAND('9', "what is replaced", used, alias_place)                                                                \
    OPERAND('M', "replacement", read, alias_source)

#endif
