/* SPDX-License-Identifier: MIT */
/* Names that general registers have by themselves: some mean one thing as sources and another as destinations. */
#include "base/text.h"
#include "isa/afuc/afuc.h"
#include "isa/isa.h"

#include <string.h>

#define NAME(name, number) [number] = name,
#define LENGTH(name, number) [number] = sizeof name - 1,
#define NOTHING(name, number)
#define SOURCE_both(entry) entry
#define SOURCE_source(entry) entry
#define SOURCE_destination(entry) NOTHING
#define SOURCE_hidden(entry) NOTHING
#define DESTINATION_both(entry) entry
#define DESTINATION_source(entry) NOTHING
#define DESTINATION_destination(entry) entry
#define DESTINATION_hidden(entry) NOTHING

/* Registers below REG_SP have their numbers, the others names in both roles. */
#define NUMBERED                                                                                                       \
    "$00", "$01", "$02", "$03", "$04", "$05", "$06", "$07", "$08", "$09", "$0a", "$0b", "$0c", "$0d", "$0e", "$0f",    \
        "$10", "$11", "$12", "$13", "$14", "$15", "$16", "$17", "$18", "$19",
#define NUMBERED_LENGTHS 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,

#define REGISTER(name, space, number, count, role) SOURCE_##role(NAME)(name, number)
const char afuc_source_texts[32][8] = {NUMBERED ROW_REGISTERS(REGISTER)};
const char afuc_source_names[32][9] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER
#define REGISTER(name, space, number, count, role) SOURCE_##role(LENGTH)(name, number)
const uint8_t afuc_source_text_lengths[32] = {NUMBERED_LENGTHS ROW_REGISTERS(REGISTER)};
const uint8_t afuc_source_lengths[32] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER
#define REGISTER(name, space, number, count, role) DESTINATION_##role(NAME)(name, number)
const char afuc_destination_texts[32][8] = {NUMBERED ROW_REGISTERS(REGISTER)};
const char afuc_destination_names[32][9] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER
#define REGISTER(name, space, number, count, role) DESTINATION_##role(LENGTH)(name, number)
const uint8_t afuc_destination_text_lengths[32] = {NUMBERED_LENGTHS ROW_REGISTERS(REGISTER)};
const uint8_t afuc_destination_lengths[32] = {ROW_REGISTERS(REGISTER)};
#undef REGISTER

bool afuc_own_register(const char *text, size_t length, unsigned *space, uint32_t *number)
{
    if (!length || *text != '$')
        return false;
    *space = GPUCODE_SPACE_GENERAL;
    for (uint32_t i = REG_SP; i < 32; i++)
        if ((strlen(afuc_source_names[i]) == length && memcmp(afuc_source_names[i], text, length) == 0) ||
            (strlen(afuc_destination_names[i]) == length && memcmp(afuc_destination_names[i], text, length) == 0)) {
            *number = i;
            return true;
        }
    if (length != 3 || text_hex_digit(text[1]) < 0 || text_hex_digit(text[2]) < 0)
        return false;
    *number = (uint32_t)(text_hex_digit(text[1]) * 16 + text_hex_digit(text[2]));
    if (*number > 31)
        *number = UINT32_MAX;
    return true;
}

/* Control and pipe registers, field by field. */

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
