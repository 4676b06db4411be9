/* SPDX-License-Identifier: MIT */
/* The tables that are made of what was read. */
#ifndef XML_BUILDER_H
#define XML_BUILDER_H

#include "xml/collection.h"

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

#endif
