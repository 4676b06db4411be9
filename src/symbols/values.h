/* SPDX-License-Identifier: MIT */
/*
 * Constants and addresses of one file by name: a name that is given another value is an error, and files that tools
 * write have tens of thousands of them.
 */
#ifndef SYMBOLS_VALUES_H
#define SYMBOLS_VALUES_H

#include "symbols/symbols.h"

/* All zeros: empty. */
struct symbol_values {
    uint32_t *slots; /* index of the symbol + 1, 0: free; open addressing, at most half of them used */
    unsigned bits;   /* 2^bits slots, where there are any */
    uint32_t count;
};

/* The symbol of that name and kind, or null. */
const struct symbol *values_find(const struct symbol_values *values, const struct gpucode_symbols *symbols,
                                 enum gpucode_label_kind kind, const char *name, size_t length);
/* Notes the symbol added last, whose name is not there yet. False when out of memory. */
bool values_add(struct symbol_values *values, const struct gpucode_symbols *symbols);

#endif
