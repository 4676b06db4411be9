/* SPDX-License-Identifier: MIT */
#ifndef ASM_INCLUDE_H
#define ASM_INCLUDE_H

#include <gpucode/asm.h>

/* What the options have for `.include "name"` in the file `from`; as gpucode_asm_options.include. */
bool asm_read_include(const struct gpucode_asm_options *options, const char *from, const char *name, char **text,
                      size_t *length);

#endif
