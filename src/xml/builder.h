/* SPDX-License-Identifier: MIT */
/* The tables that are made of what was read. */
#ifndef XML_BUILDER_H
#define XML_BUILDER_H

#include "xml/meaning.h"

/* Names of types with the numbers of their sets, sorted; of equal names the one that was read first. */
struct type_name {
    const char *name;
    uint32_t set;
};

struct builder {
    const struct meaning *meaning;
    const char *strings;
    unsigned family;
    struct type_name *names;
    uint32_t name_count;
    struct field_row *rows;
    struct field_layout *layouts;
    struct field_enum *enums;
    uint32_t *value_names, *values;
    uint8_t *value_chips;
    struct field_register *registers;
    uint32_t register_count;
    uint32_t *runs;
    uint16_t *buckets, *owner;
};

/* Sorts the names of types. */
void builder_sort_names(struct builder *builder);
/* Type and number of the set; false: nothing is known of it. */
bool builder_find_type(const struct builder *builder, const struct meaning_type *type, uint8_t *out, uint16_t *of);
/* The set of a name; null: there is none. */
const struct meaning_set *builder_find_set(const struct builder *builder, const char *name, uint32_t *number);
/* A row of a bitset or packet. A field without a type is a flag if it is bit 0 alone, else hexadecimal. */
void builder_row(const struct builder *builder, const struct meaning_field *field, struct field_row *row);
/* Packets stand behind the sets, their rows behind the fields of these. */
void builder_packets(const struct builder *builder);
#endif
