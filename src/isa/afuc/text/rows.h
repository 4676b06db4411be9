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

#define ROW_HAS_EFFECTS

/* Rows of which afuc_meaning_of() knows more than their letters say. */
#define ROW_APART "NOT_IMM MOV_IMM MOV_IMM_A5XX"

/* The set's own space of registers: what general registers do not hold. */
#define AFUC_SPACE_STATE GPUCODE_SPACE_COUNT

/*
 * REGISTER(name, space, number, count, role): registers that have a name of their own in the text or in the effects of
 * rows. Role: how the text may use the name; `hidden` ones are for effects alone.
 */
#define ROW_REGISTERS(REGISTER)                                                                                        \
    REGISTER("$sp", GPUCODE_SPACE_GENERAL, REG_SP, 1, both)                                                            \
    REGISTER("$lr", GPUCODE_SPACE_GENERAL, REG_LR, 1, both)                                                            \
    REGISTER("$rem", GPUCODE_SPACE_GENERAL, REG_REM, 1, both)                                                          \
    REGISTER("$memdata", GPUCODE_SPACE_GENERAL, REG_MEMDATA, 1, source)                                                \
    REGISTER("$regdata", GPUCODE_SPACE_GENERAL, REG_REGDATA, 1, source)                                                \
    REGISTER("$addr", GPUCODE_SPACE_GENERAL, REG_ADDR, 1, destination)                                                 \
    REGISTER("$usraddr", GPUCODE_SPACE_GENERAL, REG_USRADDR, 1, destination)                                           \
    REGISTER("$data", GPUCODE_SPACE_GENERAL, REG_DATA, 1, both)                                                        \
    REGISTER("$02", GPUCODE_SPACE_GENERAL, 2, 1, hidden)                                                               \
    REGISTER("carry", AFUC_SPACE_STATE, 0, 1, hidden)                                                                  \
    REGISTER("%SP", GPUCODE_SPACE_SQE, SQE_SP, 1, hidden)                                                              \
    REGISTER("%STACK", GPUCODE_SPACE_SQE, SQE_STACK, 8, hidden)

/* Effects of letters, wherever they stand, where the field is not zero. */
#define ROW_LETTERS(LETTER)                                                                                            \
    LETTER('r', "both $rem")                                                                                           \
    LETTER('w', "writes o")

/*
 * OPERAND(letter, name, role, print, parse, store and range): the functions stand in operands.c; roles are what the
 * operand is for gpucode_insn_operands().
 */
#define ROW_OPERANDS(OPERAND)                                                                                          \
    OPERAND('r', "(rep)", modifier, repeat, repeat, plain)                                                             \
    OPERAND('x', "(xmovN)", modifier, extra_moves, extra_moves, plain)                                                 \
    OPERAND('p', "(peek)", modifier, peek, peek, plain)                                                                \
    OPERAND('k', "(sdsN)", modifier, draw_state, draw_state, plain)                                                    \
    OPERAND('d', "destination register", written, destination, destination, plain)                                     \
    OPERAND('s', "source register", read, source, source, plain)                                                       \
    OPERAND('t', "second source register", read, source, source, plain)                                                \
    OPERAND('o', "offset register", read, source, source, plain)                                                       \
    OPERAND('i', "16-bit immediate", value, immediate, immediate, plain)                                               \
    OPERAND('n', "12-bit immediate", value, immediate, immediate, plain)                                               \
    OPERAND('e', "5-bit immediate", value, immediate, small, plain)                                                    \
    OPERAND('h', "left shift", value, shift, shift, plain)                                                             \
    OPERAND('b', "bit number", value, bit, bit, plain)                                                                 \
    OPERAND('L', "low bit number", value, bit, bit, plain)                                                             \
    OPERAND('H', "high bit number", value, bit, high_bit, plain)                                                       \
    OPERAND('m', "12-bit base offset", value, immediate, immediate, plain)                                             \
    OPERAND('c', "12-bit control register number", control, control, control, plain)                                   \
    OPERAND('q', "12-bit SQE register number", sqe, sqe, sqe, plain)                                                   \
    OPERAND('w', "pre-increment mark or 4-bit flags", modifier, preincrement, preincrement, plain)                     \
    OPERAND('u', "bits of unknown meaning", modifier, unknown_bits, unknown_bits, plain)                               \
    OPERAND('a', "branch target, words from the branch", branch, branch, label, branch)                                \
    OPERAND('f', "26-bit call target", absolute, call_target, label, plain)                                            \
    OPERAND('g', "26-bit jump target", absolute, jump_target, label, plain)                                            \
    OPERAND('z', "target of setsecure, words from it", secure, secure_target, label, secure_target)

#endif
