/* SPDX-License-Identifier: MIT */
/* What the rows of A3XX are written in: the letters of their fields and the kinds of operand after them. */
#ifndef ISA_IR3_A3XX_TEXT_ROWS_H
#define ISA_IR3_A3XX_TEXT_ROWS_H

#include "isa/ir3/text/marks.h"

#define ROWS_OF_A3XX /* which rows of the family's insn.def they are */
#define A3 1         /* the only generation: a320 and a330 */

#define ROW_GENERATIONS 1
#define ROW_SET a3xx_rows

/*
 * Fields that another operand prints and parses with its own: the flags in front of the mnemonic, the modifier
 * and width bits of sources. The same letter may mean different things in different categories.
 */
#define ROW_HIDDEN_LETTERS "jsuptrfvqkGHJI"

#define ROW_HAS_EFFECTS

/* What the effects of rows name beside operands. */
#define ROW_REGISTERS(REGISTER)                                                                                        \
    REGISTER("a0.x", GPUCODE_A3XX_FULL, A3XX_A0, 1, hidden)                                                            \
    REGISTER("killed", GPUCODE_A3XX_FLAGS, 0, 1, hidden)

/* What rows say of this set alone, beside what marks.h has: of textures, what the first source has beside or instead of
 * coordinates. */
enum a3xx_mark {
    A3XX_MARK_ONE_COORDINATE = 1 << 18,
    A3XX_MARK_DERIVATIVE = 1 << 19,        /* one value for each of the result; looks at the quad */
    A3XX_MARK_IMPLICIT_LEVEL = 1 << 20,    /* the level is found by what the quad looks at */
    A3XX_MARK_DERIVATIVES_GIVEN = 1 << 21, /* coordinates padded to four, then two derivatives */
};
#define ROW_MARKS(MARK)                                                                                                \
    SHADER_ROW_MARKS(MARK)                                                                                             \
    MARK("one coordinate", A3XX_MARK_ONE_COORDINATE)                                                                   \
    MARK("derivative", A3XX_MARK_DERIVATIVE)                                                                           \
    MARK("implicit level", A3XX_MARK_IMPLICIT_LEVEL)                                                                   \
    MARK("derivatives given", A3XX_MARK_DERIVATIVES_GIVEN)

/*
 * OPERAND(letter, name, role, functions, store and range): the functions stand in the files of this folder; roles are
 * what the operand is for gpucode_insn_operands(): access.c. `used` ones are read or written as the row's effects say.
 */
#define ROW_OPERANDS(OPERAND)                                                                                          \
    /* all categories */                                                                                               \
    OPERAND('y', "(sy)(ss)(jp)(sat)(rptN)(ul)", modifier, flags, plain)                                                \
    OPERAND('z', "reserved bits", modifier, reserved, plain)                                                           \
    OPERAND('j', "(jp)", modifier, hidden, plain)                                                                      \
    OPERAND('s', "(ss)", modifier, hidden, plain)                                                                      \
    OPERAND('u', "(ul)", modifier, hidden, plain)                                                                      \
    OPERAND('p', "(rptN)", modifier, hidden, plain)                                                                    \
    OPERAND('t', "(sat)", modifier, hidden, plain)                                                                     \
    OPERAND('r', "(r) of the first source", modifier, hidden, plain)                                                   \
    OPERAND('q', "(r) of the second source", modifier, hidden, plain)                                                  \
    OPERAND('k', "a modifier or the rest of a field", modifier, hidden, plain)                                         \
    OPERAND('f', "width of the sources", modifier, hidden, plain)                                                      \
    OPERAND('v', "conversion of the result", modifier, hidden, plain)                                                  \
    OPERAND('G', "a modifier", modifier, hidden, plain)                                                                \
    OPERAND('H', "a modifier", modifier, hidden, plain)                                                                \
    OPERAND('J', "a modifier", modifier, hidden, plain)                                                                \
    OPERAND('I', "inversion, or type", modifier, hidden, plain)                                                        \
    /* category 0 */                                                                                                   \
    OPERAND('P', "predicate", predicate, predicate, plain)                                                             \
    OPERAND('i', "branch offset", target, target, target)                                                              \
    /* category 1 */                                                                                                   \
    OPERAND('n', "rounding", modifier, rounding, plain)                                                                \
    OPERAND('d', "destination", written, move_destination, plain)                                                      \
    OPERAND('m', "source", read, move_source, move_immediate)                                                          \
    OPERAND('L', "type of old texts", modifier, old_type, plain)                                                       \
    OPERAND('S', "type", modifier, type_suffix, plain)                                                                 \
    OPERAND('T', "type of the result", modifier, type, plain)                                                          \
    /* categories 2 to 4 */                                                                                            \
    OPERAND('e', "(ei)", modifier, end_input, plain)                                                                   \
    OPERAND('c', "condition", modifier, condition, plain)                                                              \
    OPERAND('x', "width of the factors", modifier, factor_width, plain)                                                \
    OPERAND('D', "destination", written, destination, plain)                                                           \
    OPERAND('a', "first source", read, first, immediate)                                                               \
    OPERAND('b', "second source", read, second, immediate)                                                             \
    OPERAND('A', "first source", read, mad_first, plain)                                                               \
    OPERAND('B', "second source", read, mad_second, plain)                                                             \
    OPERAND('C', "third source", read, mad_third, plain)                                                               \
    /* category 5 */                                                                                                   \
    OPERAND('X', "texture flags", modifier, texture_flags, plain)                                                      \
    OPERAND('w', "typed destination", written, texture_destination, plain)                                             \
    OPERAND('Y', "destination", written, masked_destination, plain)                                                    \
    OPERAND('U', "coordinates", read, coordinates, plain)                                                              \
    OPERAND('V', "second source", read, parameters, plain)                                                             \
    OPERAND('Q', "offsets", read, offsets, plain)                                                                      \
    OPERAND('F', "sampler", value, sampler, plain)                                                                     \
    OPERAND('E', "texture", value, texture, plain)                                                                     \
    OPERAND('K', "register with sampler and texture", read, texture_index, plain)                                      \
    /* category 6 */                                                                                                   \
    OPERAND('g', "data register", used, data, plain)                                                                   \
    OPERAND('Z', "comma", modifier, comma, plain)                                                                      \
    OPERAND('R', "address register", read, address, plain)                                                             \
    OPERAND('o', "offset in bytes", offset, load_offset, signed)                                                       \
    OPERAND('O', "offset in bytes", offset, store_offset, signed)                                                      \
    OPERAND('M', "offset", value, short_offset, plain)                                                                 \
    OPERAND('N', "half address register", read, half_address, plain)                                                   \
    OPERAND('l', "number of components", value, components, plain)                                                     \
    OPERAND('2', "access", modifier, access, plain)                                                                    \
    OPERAND('3', "components", modifier, access_components, plain)                                                     \
    OPERAND('4', "slot", read, slot, plain)                                                                            \
    OPERAND('6', "first source", read, atomic_first, plain)                                                            \
    OPERAND('9', "second source", read, atomic_second, plain)                                                          \
    /* anything */                                                                                                     \
    OPERAND('W', "64-bit word", value, word, plain)

/*
 * FIELD(name, letter, categories): fields that code takes from a word by name, each at one place in all rows of the
 * categories (bits 63:61). rowc makes name_SHIFT and name_WIDTH of them; a3xx.h has A3XX_FIELD().
 */
#define ROW_FIELDS(FIELD)                                                                                              \
    FIELD(A3XX_SY, 'y', "000 001 010 011 100 101 110")                                                                 \
    FIELD(A3XX_JP, 'j', "000 001 010 011 100 101 110")                                                                 \
    FIELD(A3XX_SS, 's', "000 001 010 011 100")                                                                         \
    FIELD(A3XX_UL, 'u', "001 010 011 100")                                                                             \
    FIELD(A3XX_SAT, 't', "010 011 100")                                                                                \
    FIELD(A3XX_FLOW_REPEAT, 'p', "000")                                                                                \
    FIELD(A3XX_REPEAT, 'p', "001 010 011 100")                                                                         \
    /* category 0 */                                                                                                   \
    FIELD(A3XX_OFFSET, 'i', "000")                                                                                     \
    FIELD(A3XX_PREDICATE, 'P', "000")                                                                                  \
    FIELD(A3XX_INVERTS, 'I', "000")                                                                                    \
    /* category 1 */                                                                                                   \
    FIELD(A3XX_MOVE_SOURCE, 'm', "001")                                                                                \
    FIELD(A3XX_MOVE_RESULT, 'd', "001")                                                                                \
    FIELD(A3XX_TO_TYPE, 'T', "001")                                                                                    \
    FIELD(A3XX_TO_RELATIVE, 'J', "001")                                                                                \
    FIELD(A3XX_FROM_TYPE, 'S', "001")                                                                                  \
    FIELD(A3XX_FROM_CONST, 'H', "001")                                                                                 \
    FIELD(A3XX_FROM_IMMEDIATE, 'G', "001")                                                                             \
    FIELD(A3XX_ROUNDING, 'n', "001")                                                                                   \
    /* categories 1 to 4: the first source's number rises with each step of a repeat */                                \
    FIELD(A3XX_FIRST_STEPS, 'r', "001 010 011 100")                                                                    \
    /* categories 2 to 4 */                                                                                            \
    FIELD(A3XX_RESULT, 'D', "010 011 100")                                                                             \
    FIELD(A3XX_CONVERTS, 'v', "010 011 100")                                                                           \
    FIELD(A3XX_FULL, 'f', "010 100")                                                                                   \
    FIELD(A3XX_FIRST, 'a', "010 100")                                                                                  \
    FIELD(A3XX_SECOND, 'b', "010")                                                                                     \
    FIELD(A3XX_SECOND_STEPS, 'q', "010")                                                                               \
    FIELD(A3XX_CONDITION, 'c', "010")                                                                                  \
    FIELD(A3XX_EI, 'e', "010")                                                                                         \
    FIELD(A3XX_MAD_FIRST, 'A', "011")                                                                                  \
    FIELD(A3XX_MAD_FIRST_NEG, 'G', "011")                                                                              \
    FIELD(A3XX_MAD_SECOND, 'B', "011")                                                                                 \
    FIELD(A3XX_MAD_SECOND_NEG, 'H', "011")                                                                             \
    FIELD(A3XX_MAD_SECOND_STEPS, 'q', "011")                                                                           \
    FIELD(A3XX_MAD_THIRD, 'C', "011")                                                                                  \
    FIELD(A3XX_MAD_THIRD_NEG, 'J', "011")                                                                              \
    FIELD(A3XX_MAD_THIRD_STEPS, 'k', "011")                                                                            \
    /* category 5 */                                                                                                   \
    FIELD(A3XX_TEXTURE_RESULT, 'w', "101")                                                                             \
    FIELD(A3XX_TEXTURE_TYPE, 'I', "101")                                                                               \
    FIELD(A3XX_TEXTURE_FLAGS, 'X', "101")                                                                              \
    FIELD(A3XX_WRITE_MASK, 'k', "101")                                                                                 \
    FIELD(A3XX_COORDINATES, 'U', "101")                                                                                \
    FIELD(A3XX_PARAMETERS, 'V', "101")                                                                                 \
    FIELD(A3XX_SOURCES_FULL, 'f', "101")                                                                               \
    FIELD(A3XX_SAMPLER, 'F', "101")                                                                                    \
    FIELD(A3XX_TEXTURE, 'E', "101")                                                                                    \
    /* category 6 */                                                                                                   \
    FIELD(A3XX_MEMORY_TYPE, 'S', "110")                                                                                \
    FIELD(A3XX_COMPONENTS, 'l', "110")                                                                                 \
    FIELD(A3XX_LOAD_OFFSET, 'o', "110")                                                                                \
    FIELD(A3XX_STORE_OFFSET_LOW, 'O', "110")                                                                           \
    FIELD(A3XX_STORE_OFFSET_HIGH, 'k', "110")                                                                          \
    FIELD(A3XX_SLOT_IS_NUMBER, 'G', "110")                                                                             \
    FIELD(A3XX_ATOMIC_FIRST_IS_NUMBER, 'J', "110")                                                                     \
    FIELD(A3XX_ATOMIC_SECOND_IS_NUMBER, 'H', "110")

#endif
