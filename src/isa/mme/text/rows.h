/* SPDX-License-Identifier: MIT */
/* What insn.def is written in: the generations, and the letters of its fields. */
#ifndef ISA_MME_TEXT_ROWS_H
#define ISA_MME_TEXT_ROWS_H

enum mme_generation { MME_GENERATION_FERMI, MME_GENERATIONS };

#define FERMI (1 << MME_GENERATION_FERMI)

#define ROW_GENERATIONS MME_GENERATIONS
#define ROW_SET mme_rows

#define ROW_HAS_EFFECTS

/* The set's own space of registers: what general registers do not hold. */
#define MME_SPACE_SPECIAL GPUCODE_SPACE_COUNT

/* REGISTER(name, space, number, count, role): the machine's own registers, for the effects of rows alone. */
#define ROW_REGISTERS(REGISTER)                                                                                        \
    REGISTER("carry", MME_SPACE_SPECIAL, MME_CARRY, 1, hidden)                                                         \
    REGISTER("method", MME_SPACE_SPECIAL, MME_METHOD, 1, hidden)                                                       \
    REGISTER("increment", MME_SPACE_SPECIAL, MME_INCREMENT, 1, hidden)                                                 \
    REGISTER("parameters", MME_SPACE_SPECIAL, MME_LEFT, 1, hidden)                                                     \
    REGISTER("methods", GPUCODE_SPACE_GPU, 0, 0, hidden)

/* Effects of letters, wherever they stand, where the field is not zero. */
#define ROW_LETTERS(LETTER) LETTER('e', "stop, slots 1")

/*
 * OPERAND(letter, name, role, print, parse, store and range): the functions stand in operands.c; roles are what the
 * operand is for gpucode_insn_operands().
 */
#define ROW_OPERANDS(OPERAND)                                                                                          \
    OPERAND('e', "exit", modifier, exit, exit, plain)                                                                  \
    OPERAND('n', "annul", modifier, annul, annul, plain)                                                               \
    OPERAND('d', "destination register", written, register, register, plain)                                           \
    OPERAND('D', "destination register, left out when it is register 0", written, optional, optional, plain)           \
    OPERAND('x', "register", read, register, register, plain)                                                          \
    OPERAND('y', "register", read, register, register, plain)                                                          \
    OPERAND('v', "register with a shift count", read, count, register, plain)                                          \
    OPERAND('w', "register of a sum, left out when it is register 0", read, addend, addend, plain)                     \
    OPERAND('o', "operation add, adc, sub or sbb", modifier, operation, operation, plain)                              \
    OPERAND('l', "operation xor, or, and or andn", modifier, operation, operation, plain)                              \
    OPERAND('s', "first bit taken", value, number, number, plain)                                                      \
    OPERAND('z', "number of bits", value, number, number, plain)                                                       \
    OPERAND('t', "first bit replaced, or shift count", value, number, number, plain)                                   \
    OPERAND('i', "18-bit signed immediate", number, immediate, immediate, signed)                                      \
    OPERAND('k', "18-bit signed immediate of a sum, left out when it is 0", number, rest, rest, signed)                \
    OPERAND('j', "branch target", target, target, target, target)                                                      \
    OPERAND('p', "beginning of a sum", modifier, open, open, plain)                                                    \
    OPERAND('q', "end of a sum", modifier, close, close, plain)

#endif
