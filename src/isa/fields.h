/* SPDX-License-Identifier: MIT */
/* Fields of registers that a set knows itself: what stands behind isa_text.fields. */
#ifndef ISA_FIELDS_H
#define ISA_FIELDS_H

#include "isa/isa.h"
#include <gpucode/fields.h>

/* The caller's array, which may be too small: `count` counts all. */
struct isa_field_list {
    struct gpucode_field_value *fields;
    size_t size, count;
    uint32_t value; /* of the register */
};

/*
 * Adds a field. Left out are a flag that is not set and, of a field whose values have names, a zero that has none.
 * `name` lives as long as the program, and so do `values`: the names of 0, 1 and so on, null where there is none;
 * `named` of them, 0: the field is a number. False: it is left out, or there is no room.
 */
bool isa_add_field(struct isa_field_list *list, const char *name, unsigned low, unsigned high,
                   const char *const *values, unsigned named);

/*
 * All fields in one text, as gpucode_target_register_text(), of what the set knows itself alone.
 */
size_t isa_fields_text(const struct gpucode_target *target, unsigned space, uint32_t number, uint64_t value, char *text,
                       size_t size);

#endif
