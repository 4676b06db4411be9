/* SPDX-License-Identifier: MIT */
/* What a source says of its program for those who check it. */
#ifndef FRONT_FACTS_H
#define FRONT_FACTS_H

#include <gpucode/asm.h>

#define FACTS_ENTRIES_MAX 16

/* Entry points that labels place, where the target has such ("entry0" to "entry3"); returns how many. */
unsigned facts_entries(const struct gpucode_program *program, uint64_t entries[FACTS_ENTRIES_MAX]);
/* What the source declares, malloc'ed; null: no memory. `program` may be null. */
struct gpucode_declaration *facts_declarations(const struct gpucode_program *program, unsigned *count);

#endif
