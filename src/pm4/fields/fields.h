/* SPDX-License-Identifier: MIT */
/* Inside of the tables of meanings. */
#ifndef PM4_FIELDS_FIELDS_H
#define PM4_FIELDS_FIELDS_H

#include "pm4/fields/tables.h"

static inline const char *field_string(uint32_t offset)
{
    return field_strings + offset;
}

static inline bool field_on_family(uint8_t chips, unsigned family)
{
    return chips >> (family - 1) & 1;
}

static inline bool field_family_is_known(unsigned family)
{
    return family >= GPUCODE_FAMILY_MIN && family <= GPUCODE_FAMILY_MAX;
}

static inline uint64_t field_mask(unsigned low, unsigned high)
{
    return (UINT64_MAX >> (63 - (high - low))) << low;
}

/* The row of a register and, in `*at`, which of its numbers it is; null: no register. */
const struct field_register *field_register_of(unsigned family, uint32_t number, uint32_t *at);

/* One field's value out of a word or two, with its text. */
void field_read(unsigned family, const struct field_row *row, uint64_t word, struct gpucode_field_value *field);
/* Is a field with that value left out? */
bool field_is_quiet(const struct gpucode_field_value *field);

/* Fields of a word with several; as gpucode_register_fields(). */
size_t field_read_layout(unsigned family, unsigned layout, uint64_t word, struct gpucode_field_value *fields,
                         size_t size);

/* The layout of a packet; null: nothing is known of its payload. */
const struct field_layout *field_packet_layout(unsigned family, unsigned opcode);

/* "0x1f", "0"; returns the end of the text. */
char *field_put_hex(char *at, uint64_t value);

#endif
