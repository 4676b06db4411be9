/* SPDX-License-Identifier: MIT */
/*
 * An instruction set in one file: nine instructions of 16 bits, 16 registers. The file is its own list of rows (INSN
 * is defined) and its own rows.h (tools/rowc.c, which defines ROWS_H); everything it leaves out is as isa/plain/ has
 * it.
 */
#ifdef INSN
INSN(HALT, "halt", 1, "0000 ---- --------", "halt", "stop", MANUAL, "toy", "Ends the program.", { M->ended = true; })
INSN(SET, "set", 1, "0001 dddd iiiiiiii", "set {d}, {i}", "", MANUAL, "toy", "Sets a register.", { D = I; })
INSN(ADD, "add", 1, "0010 dddd aaaa bbbb", "add {d}, {a}, {b}", "", MANUAL, "toy", "Adds.", { D = A + B; })
INSN(SUB, "sub", 1, "0011 dddd aaaa bbbb", "sub {d}, {a}, {b}", "", MANUAL, "toy", "Subtracts.", { D = A - B; })
INSN(LOAD, "load", 1, "0100 dddd aaaa ----", "load {d}, {a}", "reads memory", MANUAL, "toy", "Reads memory.",
     { D = isa_plain_load(M, A); })
INSN(STORE, "store", 1, "0101 ---- aaaa bbbb", "store {a}, {b}", "writes memory", MANUAL, "toy", "Writes memory.",
     { isa_plain_store(M, A, B); })
INSN(JUMP, "jump", 1, "0110 tttttttttttt", "jump {t}", "jump t", MANUAL, "toy", "Goes there.", { M->next = T; })
INSN(JNZ, "jnz", 1, "0111 aaaa tttttttt", "jnz {a}, {t}", "branch t", MANUAL, "toy", "Goes there unless it is 0.",
     { M->next = A ? T : M->next; })
INSN(JUMPR, "jumpr", 1, "1000 aaaa --------", "jumpr {a}", "jump", MANUAL, "toy", "Goes where a register says.",
     { M->next = A; })
#else
#define ROW_HAS_EFFECTS
#define ROW_GENERATIONS 1
#define ROW_SET toy_rows
#define ROW_OPERANDS(OPERAND)                                                                                          \
    OPERAND('d', "register", REGISTER, WRITE)                                                                          \
    OPERAND('a', "register", REGISTER, READ)                                                                           \
    OPERAND('b', "register", REGISTER, READ)                                                                           \
    OPERAND('i', "number", NUMBER, NONE)                                                                               \
    OPERAND('t', "place", TARGET, NONE)

#ifndef ROWS_H
#include "isa/plain/plain.h"

#include "toy_rows.inc"

enum {
#define INSN(id, ...) TOY_##id,
#include "toy.c"
#undef INSN
};

#define D M->registers[isa_letter(insn, 'd')]
#define A M->registers[isa_letter(insn, 'a')]
#define B M->registers[isa_letter(insn, 'b')]
#define I (uint32_t) isa_letter(insn, 'i')
#define T isa_letter(insn, 't')
static void execute(struct isa_plain_processor *M, const struct gpucode_insn *insn)
{
    switch (insn->row) {
#define INSN(id, mnemonic, generations, bits, text, effects, evidence, source, doc, ...)                               \
    case TOY_##id:                                                                                                     \
        __VA_ARGS__ break;
#include "toy.c"
#undef INSN
    }
}

extern const struct isa toy_isa;
static const char *const generations[] = {"toy", NULL};
static const struct gpucode_target target = {
    .name = "toy", .isa = &toy_isa, .description = "toy", .is_generation = true};
static const struct isa_operand_class classes[] = {
#define OPERAND(letter, title, class, use) ISA_PLAIN_##class(title, use),
    ROW_OPERANDS(OPERAND)
#undef OPERAND
};
static const struct isa_plain plain = {.register_count = 16, .execute = execute};

const struct isa toy_isa = {
    .name = "toy",
    .title = "A toy",
    .unit_bytes = 2,
    .facts = {.fixed_size = true},
    .targets = {.generations = generations, .list = &target, .count = 1},
    .text = {.rows = &toy_rows, .operand_classes = classes, .syntax = {.comment = ";"}},
    .plain = &plain,
};
#endif
#endif
