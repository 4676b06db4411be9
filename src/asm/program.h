/* SPDX-License-Identifier: MIT */
/* What assembling leaves behind. */
#ifndef ASM_PROGRAM_H
#define ASM_PROGRAM_H

#include "asm/context.h"

/* Moves the output, the symbols and the memory of the context into a new program; false when out of memory. */
bool asm_make_program(struct asm_context *context, struct gpucode_program **out);

#endif
