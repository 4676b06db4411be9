/* SPDX-License-Identifier: MIT */
#include "front/facts.h"

#include <gpucode/target.h>
#include <stdlib.h>
#include <string.h>

unsigned facts_entries(const struct gpucode_program *program, uint64_t entries[FACTS_ENTRIES_MAX])
{
    struct gpucode_symbol symbol;
    bool first = false;
    unsigned count = 0;
    if (!program || !gpucode_target_facts(gpucode_program_target(program))->entry_labels)
        return 0;
    for (unsigned i = 0; gpucode_program_symbol(program, i, &symbol) && count < FACTS_ENTRIES_MAX - 1; i++)
        if (symbol.section && strlen(symbol.name) == 6 && strncmp(symbol.name, "entry", 5) == 0 &&
            symbol.name[5] >= '0' && symbol.name[5] <= '3') {
            entries[count++] = symbol.unit;
            first |= symbol.name[5] == '0';
        }
    if (count && !first) /* entry point 0 is at 0 unless the source places it */
        entries[count++] = 0;
    return count;
}

struct gpucode_declaration *facts_declarations(const struct gpucode_program *program, unsigned *count)
{
    struct gpucode_declaration one;
    unsigned all = 0;
    while (program && gpucode_program_declaration(program, all, &one))
        all++;
    struct gpucode_declaration *declarations = calloc(all + 1, sizeof *declarations);
    for (*count = 0; declarations && *count < all; ++*count)
        gpucode_program_declaration(program, *count, &declarations[*count]);
    return declarations;
}
