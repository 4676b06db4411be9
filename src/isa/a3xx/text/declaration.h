/* SPDX-License-Identifier: MIT */
/* What the '@' lines of a shader's source say, for running it and for reports. */
#ifndef ISA_A3XX_TEXT_DECLARATION_H
#define ISA_A3XX_TEXT_DECLARATION_H

#include "isa/a3xx/a3xx.h"

/* The lines that begin with '@', for isa_assembler.directives. */
extern const struct gpucode_directive a3xx_directives[];
/* isa_assembler.declaration: number `index` in the order of the source. */
bool a3xx_declaration(const void *state, unsigned index, struct gpucode_declaration *declaration);

#endif
