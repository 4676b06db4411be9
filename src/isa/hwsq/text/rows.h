/* SPDX-License-Identifier: MIT */
/* What insn.def is written in: the generations, and the letters of its fields. */
#ifndef ISA_HWSQ_TEXT_ROWS_H
#define ISA_HWSQ_TEXT_ROWS_H

enum hwsq_generation { HWSQ_NV17, HWSQ_NV41, HWSQ_NV50, HWSQ_NV92, HWSQ_GENERATIONS };

#define NV41_UP (1 << HWSQ_NV41 | 1 << HWSQ_NV50 | 1 << HWSQ_NV92)
#define ALL (1 << HWSQ_NV17 | NV41_UP)

#define ROW_GENERATIONS HWSQ_GENERATIONS
#define ROW_SET hwsq_rows

#define ROW_HAS_EFFECTS

/* REGISTER(name, space, number, count, role): the slot's own registers, hidden: for the effects of rows alone. */
#define ROW_REGISTERS(REGISTER)                                                                                        \
    REGISTER("ADDR", GPUCODE_SPACE_GENERAL, HWSQ_GENERAL_ADDR, 1, hidden)                                              \
    REGISTER("DATA", GPUCODE_SPACE_GENERAL, HWSQ_GENERAL_DATA, 1, hidden)

/*
 * OPERAND(letter, name, role, print, parse, store and range): the functions stand in operands.c; roles are what the
 * operand is for gpucode_insn_operands().
 */
#define ROW_OPERANDS(OPERAND)                                                                                          \
    OPERAND('l', "wait length, 0 to 3, or a time (24us, ~24us)", value, length, length, plain)                         \
    OPERAND('s', "wait shift, even, 0 to 0x1e", value, shift, shift, plain)                                            \
    OPERAND('f', "flag number or #NAME", flag, flag, flag, plain)                                                      \
    OPERAND('e', "event number or #NAME", event, event, event, plain)                                                  \
    OPERAND('v', "event value, 0 or 1", value, number, plain_number, plain)                                            \
    OPERAND('d', "32-bit data", value, number, number, plain)                                                          \
    OPERAND('h', "low 16 bits of data", value, number, number, plain)                                                  \
    OPERAND('a', "32-bit MMIO address or register name", address, number, address, plain)                              \
    OPERAND('m', "low 16 bits of an MMIO address, or a register name", half_address, number, low_address, plain)

#endif
