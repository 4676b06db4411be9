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

#endif
