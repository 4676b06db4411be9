/* SPDX-License-Identifier: MIT */
/* Types by name: those of the files, and those that have no definition. */
#include "xml/builder.h"

#include <stdlib.h>
#include <string.h>

static int compare_names(const void *left, const void *right)
{
    const struct type_name *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : a->set < b->set ? -1 : a->set > b->set;
}

void builder_sort_names(struct builder *builder)
{
    const struct meaning_set *sets = builder->meaning->sets.rows;
    for (uint32_t i = 0; i < builder->meaning->sets.count; i++)
        if (sets[i].name)
            builder->names[builder->name_count++] = (struct type_name){builder->strings + sets[i].name, i};
    if (builder->name_count)
        qsort(builder->names, builder->name_count, sizeof *builder->names, compare_names);
}

const struct meaning_set *builder_find_set(const struct builder *builder, const char *name, uint32_t *number)
{
    uint32_t low = 0, high = builder->name_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(builder->names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == builder->name_count || strcmp(builder->names[low].name, name) != 0)
        return NULL;
    *number = builder->names[low].set;
    return &((const struct meaning_set *)builder->meaning->sets.rows)[*number];
}

/* A type that is no set; false: unknown. */
static bool find_simple(const char *name, uint8_t *type)
{
    static const char *const names[] = {
        [GPUCODE_FIELD_HEX] = "hex",          [GPUCODE_FIELD_UINT] = "uint",   [GPUCODE_FIELD_INT] = "int",
        [GPUCODE_FIELD_FLOAT] = "float",      [GPUCODE_FIELD_FIXED] = "fixed", [GPUCODE_FIELD_UFIXED] = "ufixed",
        [GPUCODE_FIELD_BOOLEAN] = "boolean",  [GPUCODE_FIELD_REGID] = "regid", [GPUCODE_FIELD_ADDRESS] = "address",
        [GPUCODE_FIELD_WADDRESS] = "waddress"};
    if (name[0] == 'a' && name[1] && strncmp(name + 2, "xx_", 3) == 0) /* some have a generation in front */
        name += 5;
    for (uint8_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0) {
            *type = i;
            return true;
        }
    return false;
}

bool builder_find_type(const struct builder *builder, const struct meaning_type *type, uint8_t *out, uint16_t *of)
{
    uint32_t number;
    const char *name = builder->strings + type->name;
    *of = 0;
    if (!type->name)
        return false;
    const struct meaning_set *set = builder_find_set(builder, name, &number);
    if (!set)
        return find_simple(name, out);
    *out = set->bitset ? FIELD_BITSET : GPUCODE_FIELD_ENUM;
    *of = (uint16_t)number;
    return true;
}

void builder_row(const struct builder *builder, const struct meaning_field *field, struct field_row *row)
{
    const char *name = builder->strings + field->name;
    bool unknown = strncmp(name, "UNK", 3) == 0 && name[3] >= '0' && name[3] <= '9';
    *row = (struct field_row){.name = field->name,
                              .low = field->type.low,
                              .high = field->type.high,
                              .shr = field->type.shr,
                              .radix = field->type.radix,
                              .chips = (uint8_t)(field->chips >> builder->family & 1 ? 0xff : 0),
                              .flags = unknown ? FIELD_UNKNOWN : 0};
    if (field->inside) {
        row->type = GPUCODE_FIELD_ENUM;
        row->of = (uint16_t)(field->inside - 1);
    } else if (!builder_find_type(builder, &field->type, &row->type, &row->of)) {
        row->type = !row->high && !field->type.name ? GPUCODE_FIELD_BOOLEAN : GPUCODE_FIELD_HEX;
    }
}
