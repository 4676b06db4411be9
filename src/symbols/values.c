/* SPDX-License-Identifier: MIT */
#include "symbols/values.h"

#include "isa/row.h"

#include <stdlib.h>
#include <string.h>

/* The slot that has the name, or the free one where it would go. */
static uint32_t *find_slot(const struct symbol_values *values, const struct gpucode_symbols *symbols,
                           enum gpucode_label_kind kind, const char *name, size_t length)
{
    uint32_t mask = (UINT32_C(1) << values->bits) - 1;
    uint32_t at = (isa_hash(name, length) + (uint32_t)kind) & mask;
    for (; values->slots[at]; at = (at + 1) & mask) {
        const struct gpucode_label *label = &symbols->symbols[values->slots[at] - 1].label;
        if (label->kind == kind && symbols_same(label->name, name, length))
            break;
    }
    return &values->slots[at];
}

const struct symbol *values_find(const struct symbol_values *values, const struct gpucode_symbols *symbols,
                                 enum gpucode_label_kind kind, const char *name, size_t length)
{
    const uint32_t *slot = values->slots ? find_slot(values, symbols, kind, name, length) : NULL;
    return slot && *slot ? &symbols->symbols[*slot - 1] : NULL;
}

static void insert_value(struct symbol_values *values, const struct gpucode_symbols *symbols, uint32_t index)
{
    const struct gpucode_label *label = &symbols->symbols[index].label;
    *find_slot(values, symbols, label->kind, label->name, strlen(label->name)) = index + 1;
}

bool values_add(struct symbol_values *values, const struct gpucode_symbols *symbols)
{
    if (!values->slots || values->count >= UINT32_C(1) << (values->bits - 1)) {
        struct symbol_values grown = {.bits = values->slots ? values->bits + 1 : 6, .count = values->count};
        grown.slots = grown.bits < 32 ? calloc((size_t)1 << grown.bits, sizeof *grown.slots) : NULL;
        if (!grown.slots)
            return false;
        for (size_t i = 0; values->slots && i < (size_t)1 << values->bits; i++)
            if (values->slots[i])
                insert_value(&grown, symbols, values->slots[i] - 1);
        free(values->slots);
        *values = grown;
    }
    insert_value(values, symbols, (uint32_t)symbols->symbol_count - 1);
    values->count++;
    return true;
}
