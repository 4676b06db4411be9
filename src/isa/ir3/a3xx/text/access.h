/* SPDX-License-Identifier: MIT */
/*
 * Which registers an instruction reads and writes, and how a repeat changes that: for the public record, the listing,
 * the checker of schedules and the emulator. The row says which operands there are and what is done with them; their
 * forms lie in the bits. Nothing is kept.
 */
#ifndef ISA_IR3_A3XX_TEXT_ACCESS_H
#define ISA_IR3_A3XX_TEXT_ACCESS_H

#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/family.h"

/*
 * All accesses of the instruction's first step, sources first in the order of the text, results last; a0.x read for
 * relative operands is an access too (source 0, not written). r63 stands for nothing and is left out.
 * Returns how many, at most A3XX_ACCESS_MAX.
 */
unsigned a3xx_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX]);

/* The instruction that step `step` of a repeat amounts to: without flags, with registers stepped. */
uint64_t a3xx_step(const struct gpucode_insn *insn, unsigned step);

#endif
