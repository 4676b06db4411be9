/* SPDX-License-Identifier: MIT */
/* Which registers an instruction reads and writes, in the form in which A3XX has it: the timing of both is one. */
#ifndef ISA_IR3_TEXT_ACCESS_H
#define ISA_IR3_TEXT_ACCESS_H

#include "isa/ir3/family.h"
#include "isa/ir3/ir3.h"

/* As a3xx_accesses(). */
unsigned ir3_accesses(const struct gpucode_insn *insn, struct a3xx_access access[A3XX_ACCESS_MAX]);

static inline bool ir3_is_general(const struct a3xx_access *access)
{
    return access->file == A3XX_FILE_FULL || access->file == A3XX_FILE_HALF;
}
/* One of the registers that the wave has once. */
static inline bool ir3_is_shared(const struct a3xx_access *access)
{
    return ir3_is_general(access) && !access->relative && access->number >= IR3_SHARED &&
           access->number < IR3_SHARED_END;
}
/* Does it write up0.x or its like, a predicate for all fibers at once? */
bool ir3_is_scalar_predicate(const struct gpucode_insn *insn);
/* Is it of the unit of shared registers? Then it is in order with others of it. */
bool ir3_is_scalar(const struct gpucode_insn *insn);

#endif
