/* SPDX-License-Identifier: MIT */
/* What the number in an instruction may mean: a register whose name stands after it in listings. */
#ifndef ISA_AFUC_TEXT_MEANING_H
#define ISA_AFUC_TEXT_MEANING_H

#include "isa/afuc/afuc.h"

/* What the instruction's immediate may mean as the number of a register. */
struct afuc_meaning {
    enum gpucode_space space;
    uint32_t number;
    bool plain; /* the immediate alone is the number: its name could stand in its place */
};

/*
 * False: it means none. `letter` is the last field of the instruction's row; inline for who knows the row, since then
 * most of it goes away.
 */
static inline __attribute__((always_inline)) bool afuc_meaning_of(const struct gpucode_insn *insn, char letter,
                                                                  struct afuc_meaning *meaning)
{
    if (!afuc_letter_names(letter) || insn->row == AFUC_NOT_IMM)
        return false;
    uint32_t value = letter == 'i' ? insn->bits & 0xffff : insn->bits & 0xfff;
    *meaning = (struct afuc_meaning){GPUCODE_SPACE_GPU, value, true};
    if (afuc_is_move(insn->row)) {
        unsigned shift = insn->bits >> 21 & 31;
        meaning->number = value << shift;
        meaning->plain = shift == 0;
        if ((insn->bits >> 16 & 31) == REG_ADDR && shift >= 16) {
            uint32_t pipe = meaning->number & ~UINT32_C(0x40000); /* "do not step the address" */
            if ((pipe & 0xffffff) == 0)
                *meaning = (struct afuc_meaning){GPUCODE_SPACE_PIPE, pipe >> 24, shift == 24 && value <= 0xff};
            else
                meaning->number = pipe;
        }
    }
    return meaning->space == GPUCODE_SPACE_PIPE || meaning->number >= 0x100;
}

/* Writes the comment with the name of a register, built-in or the caller's; `at` itself where it has none. */
char *afuc_put_meaning(char *at, const struct gpucode_target *target, const struct gpucode_names *names,
                       enum gpucode_space space, uint32_t number);

#endif
