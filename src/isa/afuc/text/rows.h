/* SPDX-License-Identifier: MIT */
/* What insn.def is written in: the generations, and the letters of its fields. */
#ifndef ISA_AFUC_TEXT_ROWS_H
#define ISA_AFUC_TEXT_ROWS_H

enum afuc_generation { AFUC_A5XX, AFUC_A6XX, AFUC_A7XX, AFUC_GEN8, AFUC_GENERATIONS };

#define A5 (1 << AFUC_A5XX)
#define A6 (1 << AFUC_A6XX)
#define A7 (1 << AFUC_A7XX)
#define G8 (1 << AFUC_GEN8)
#define A5_A6 (A5 | A6)
#define A6_UP (A6 | A7 | G8)
#define A7_UP (A7 | G8)
#define ALL (A5 | A6 | A7 | G8)

#define ROW_GENERATIONS AFUC_GENERATIONS
#define ROW_SET afuc_rows

/* OPERAND(letter, name, print, parse, store and range): the functions stand in operands.c. */
#define ROW_OPERANDS(OPERAND)                                                                                          \
    OPERAND('r', "(rep)", repeat, repeat, plain)                                                                       \
    OPERAND('x', "(xmovN)", extra_moves, extra_moves, plain)                                                           \
    OPERAND('p', "(peek)", peek, peek, plain)                                                                          \
    OPERAND('k', "(sdsN)", draw_state, draw_state, plain)                                                              \
    OPERAND('d', "destination register", destination, destination, plain)                                              \
    OPERAND('s', "source register", source, source, plain)                                                             \
    OPERAND('t', "second source register", source, source, plain)                                                      \
    OPERAND('o', "offset register", source, source, plain)                                                             \
    OPERAND('i', "16-bit immediate", immediate, immediate, plain)                                                      \
    OPERAND('n', "12-bit immediate", immediate, immediate, plain)                                                      \
    OPERAND('e', "5-bit immediate", immediate, small, plain)                                                           \
    OPERAND('h', "left shift", shift, shift, plain)                                                                    \
    OPERAND('b', "bit number", bit, bit, plain)                                                                        \
    OPERAND('L', "low bit number", bit, bit, plain)                                                                    \
    OPERAND('H', "high bit number", bit, bit, plain)                                                                   \
    OPERAND('m', "12-bit base offset", immediate, immediate, plain)                                                    \
    OPERAND('c', "12-bit control register number", control, immediate, plain)                                          \
    OPERAND('q', "12-bit SQE register number", sqe, immediate, plain)                                                  \
    OPERAND('w', "pre-increment mark or 4-bit flags", preincrement, preincrement, plain)                               \
    OPERAND('u', "bits of unknown meaning", unknown_bits, unknown_bits, plain)                                         \
    OPERAND('a', "branch target, words from the branch", branch, label, branch)                                        \
    OPERAND('f', "26-bit call target", call_target, label, plain)                                                      \
    OPERAND('g', "26-bit jump target", jump_target, label, plain)                                                      \
    OPERAND('z', "target of setsecure, words from it", secure_target, label, secure_target)

#endif
