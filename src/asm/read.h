/* SPDX-License-Identifier: MIT */
/* The lists of a source for editors. */
#ifndef ASM_READ_H
#define ASM_READ_H

#include "asm/record.h"

struct asm_listed_file {
    struct gpucode_source_file file;
    uint32_t first_word, word_count;
    size_t first_start, start_count;
};

struct asm_listed {
    struct asm_listed_file *files;
    uint32_t file_count;
    size_t *starts; /* of statements, offsets */
    size_t start_count;
    struct gpucode_word *words;
    uint32_t word_count;
    struct gpucode_source_symbol *symbols;
    uint32_t symbol_count;
    struct gpucode_source_diagnostic *diagnostics;
    uint32_t diagnostic_count;
};

/* Lists symbols and words, and joins them; false when there is no memory. */
bool asm_list_words(struct asm_context *context, struct arena *arena, struct asm_listed *listed);

#endif
