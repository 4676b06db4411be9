/* SPDX-License-Identifier: MIT */
/* Which registers an instruction reads and writes, in the form in which A3XX has it: the timing of both is one. */
#ifndef ISA_IR3_TEXT_ACCESS_H
#define ISA_IR3_TEXT_ACCESS_H

#include "isa/shader/family.h"
#include "isa/ir3/ir3.h"

/* As a3xx_accesses(). */
unsigned ir3_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX]);

#endif
