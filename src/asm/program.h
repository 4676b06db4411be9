/* SPDX-License-Identifier: MIT */
/* What assembling leaves behind. */
#ifndef ASM_PROGRAM_H
#define ASM_PROGRAM_H

#include "asm/context.h"

/* Moves the output, the symbols and the memory of the context into a new program; false when out of memory. */
bool asm_make_program(struct asm_context *context, struct gpucode_program **out);

/* Its tokens; null: they were not recorded. */
const struct asm_token *asm_program_tokens(const struct gpucode_program *program, size_t *count);
/* The source itself; null: lines and tokens were not recorded. */
const struct asm_source *asm_program_source(const struct gpucode_program *program);

#endif
