/* SPDX-License-Identifier: MIT */
/* What insn.def is written in: the letters of its fields and the kinds of operand behind them. */
#ifndef ISA_A3XX_TEXT_ROWS_H
#define ISA_A3XX_TEXT_ROWS_H

#define A3 1 /* the only generation: a320 and a330 */

#define ROW_GENERATIONS 1
#define ROW_SET a3xx_rows

/*
 * Fields that another operand prints and parses with its own: the flags in front of the mnemonic, the modifier
 * and width bits of sources. The same letter may mean different things in different categories.
 */
#define ROW_HIDDEN_LETTERS "jsuptrfvqkGHJI"

/* OPERAND(letter, name, functions, store and range): the functions stand in the files of this folder. */
#define ROW_OPERANDS(OPERAND)                                                                                          \
    /* all categories */                                                                                               \
    OPERAND('y', "(sy)(ss)(jp)(sat)(rptN)(ul)", flags, plain)                                                          \
    OPERAND('z', "reserved bits", reserved, plain)                                                                     \
    OPERAND('j', "(jp)", hidden, plain)                                                                                \
    OPERAND('s', "(ss)", hidden, plain)                                                                                \
    OPERAND('u', "(ul)", hidden, plain)                                                                                \
    OPERAND('p', "(rptN)", hidden, plain)                                                                              \
    OPERAND('t', "(sat)", hidden, plain)                                                                               \
    OPERAND('r', "(r) of the first source", hidden, plain)                                                             \
    OPERAND('q', "(r) of the second source", hidden, plain)                                                            \
    OPERAND('k', "a modifier or the rest of a field", hidden, plain)                                                   \
    OPERAND('f', "width of the sources", hidden, plain)                                                                \
    OPERAND('v', "conversion of the result", hidden, plain)                                                            \
    OPERAND('G', "a modifier", hidden, plain)                                                                          \
    OPERAND('H', "a modifier", hidden, plain)                                                                          \
    OPERAND('J', "a modifier", hidden, plain)                                                                          \
    OPERAND('I', "inversion, or type", hidden, plain)                                                                  \
    /* category 0 */                                                                                                   \
    OPERAND('P', "predicate", predicate, plain)                                                                        \
    OPERAND('i', "branch offset", target, target)                                                                      \
    /* category 1 */                                                                                                   \
    OPERAND('n', "rounding", rounding, plain)                                                                          \
    OPERAND('d', "destination", move_destination, plain)                                                               \
    OPERAND('m', "source", move_source, move_immediate)                                                                \
    OPERAND('L', "type of old texts", old_type, plain)                                                                 \
    OPERAND('S', "type", type_suffix, plain)                                                                           \
    OPERAND('T', "type of the result", type, plain)                                                                    \
    /* categories 2 to 4 */                                                                                            \
    OPERAND('e', "(ei)", end_input, plain)                                                                             \
    OPERAND('c', "condition", condition, plain)                                                                        \
    OPERAND('x', "width of the factors", factor_width, plain)                                                          \
    OPERAND('D', "destination", destination, plain)                                                                    \
    OPERAND('a', "first source", first, immediate)                                                                     \
    OPERAND('b', "second source", second, immediate)                                                                   \
    OPERAND('A', "first source", mad_first, plain)                                                                     \
    OPERAND('B', "second source", mad_second, plain)                                                                   \
    OPERAND('C', "third source", mad_third, plain)                                                                     \
    /* category 5 */                                                                                                   \
    OPERAND('X', "texture flags", texture_flags, plain)                                                                \
    OPERAND('w', "typed destination", texture_destination, plain)                                                      \
    OPERAND('Y', "destination", masked_destination, plain)                                                             \
    OPERAND('U', "coordinates", coordinates, plain)                                                                    \
    OPERAND('V', "second source", parameters, plain)                                                                   \
    OPERAND('Q', "offsets", offsets, plain)                                                                            \
    OPERAND('F', "sampler", sampler, plain)                                                                            \
    OPERAND('E', "texture", texture, plain)                                                                            \
    OPERAND('K', "register with sampler and texture", texture_index, plain)                                            \
    /* category 6 */                                                                                                   \
    OPERAND('g', "data register", data, plain)                                                                         \
    OPERAND('Z', "comma", comma, plain)                                                                                \
    OPERAND('R', "address register", address, plain)                                                                   \
    OPERAND('o', "offset in bytes", load_offset, signed)                                                               \
    OPERAND('O', "offset in bytes", store_offset, signed)                                                              \
    OPERAND('M', "offset", short_offset, plain)                                                                        \
    OPERAND('N', "half address register", half_address, plain)                                                         \
    OPERAND('l', "number of components", components, plain)                                                            \
    OPERAND('2', "access", access, plain)                                                                              \
    OPERAND('3', "components", access_components, plain)                                                               \
    OPERAND('4', "slot", slot, plain)                                                                                  \
    OPERAND('6', "first source", atomic_first, plain)                                                                  \
    OPERAND('9', "second source", atomic_second, plain)                                                                \
    /* anything */                                                                                                     \
    OPERAND('W', "64-bit word", word, plain)

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
