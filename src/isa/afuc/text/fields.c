/* SPDX-License-Identifier: MIT */
/* Control and pipe registers, field by field. */
#include "isa/fields.h"
#include "isa/afuc/afuc.h"

#include <string.h>

/* Whose names. */
enum { A6XX = 1, A7XX = 2, A7XX_GEN3 = 4 };

enum values { NUMBER, COUNTER, EVENT_A6XX, EVENT_A7XX, EVENT_DONE, EVENT_MEMORY, EVENT_VALUE };
#define VALUES_MAX 7
static const struct {
    unsigned count;
    const char *names[VALUES_MAX];
} values[] = {
    [COUNTER] = {4, {NULL, "INCR", "START", "STOP"}},
    [EVENT_A6XX] = {4, {"UNK_EVENT", "EVENT", "DRAW", "DISPATCH"}},
    [EVENT_A7XX] = {5, {NULL, "EVENT", "DRAW", "DISPATCH", "BLIT"}},
    [EVENT_DONE] = {7,
                    {NULL, "CACHE_FLUSH", "WT_DONE", "RB_DONE", "CCU_FLUSH_DEPTH", "CCU_FLUSH_COLOR", "CCU_RESOLVE"}},
    [EVENT_MEMORY] = {5,
                      {"NO_MEMORY", "EXTERNAL_MEMORY", "ON_CHIP_MEMORY", "CLEAR_RENDER_RESOURCE",
                       "CLEAR_LRZ_RESOURCE"}},
    [EVENT_VALUE] = {5, {"NO_VALUE", "VALUE_DATA_32B", "VALUE_DATA_64B", "ALWAYS_ON", "REGISTER"}},
};

static const struct register_field {
    uint8_t space, names, low, high, values;
    const char *reg, *name;
} table[] = {
#define FIELD(space, reg, names, low, high, name, values) {GPUCODE_SPACE_##space, names, low, high, values, reg, name},
#include "isa/afuc/text/fields.def"
#undef FIELD
};

size_t afuc_register_fields(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value,
                            struct gpucode_field_value *fields, size_t size)
{
    struct isa_field_list list = {.fields = fields, .size = fields ? size : 0, .value = (uint32_t)value};
    const struct isa_names *names = target->names;
    unsigned whose = names == &afuc_names_a6xx   ? A6XX
                     : names == &afuc_names_a7xx ? A7XX
                     : names == &afuc_names_a5xx ? 0u
                                                 : A7XX_GEN3;
    char name[GPUCODE_NAME_MAX];
    if (!whose || (space != GPUCODE_SPACE_CONTROL && space != GPUCODE_SPACE_PIPE))
        return 0;
    *isa_name_of(names, NULL, (enum gpucode_space)space, number, name) = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct register_field *row = &table[i];
        if (row->space == space && row->names & whose && strcmp(row->reg, name) == 0)
            isa_add_field(&list, row->name, row->low, row->high, values[row->values].names, values[row->values].count);
    }
    return list.count;
}
