/* SPDX-License-Identifier: MIT */
/* Inside of the tables of meanings. */
#ifndef PM4_FIELDS_FIELDS_H
#define PM4_FIELDS_FIELDS_H

#include "pm4/fields/tables.h"

/* Meanings that a user's file gives, of one family. */
struct gpucode_meanings {
    struct field_set set;
    unsigned family;
    const struct field_layout *packets; /* of the set, by packet; `packet_count` of them */
    uint32_t packet_count;
};

/* Of the built-in tables. */
static inline const char *field_string(uint32_t offset)
{
    return field_built_in.strings + offset;
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

/* A field's value out of a word or two. */
static inline uint64_t field_value_of(const struct field_row *row, uint64_t word)
{
    return (word & field_mask(row->low, row->high)) >> row->low << row->shr;
}

/* How the values of a row are written. */
static inline enum gpucode_field_type field_type_of(const struct field_row *row)
{
    bool unknown =
        (row->flags & FIELD_UNKNOWN) && row->type != GPUCODE_FIELD_REGID && row->type != GPUCODE_FIELD_BOOLEAN;
    return unknown || row->type > GPUCODE_FIELD_ENUM ? GPUCODE_FIELD_HEX : (enum gpucode_field_type)row->type;
}

/* Is a field with that value left out? */
static inline bool field_is_quiet(const struct field_row *row, uint64_t value)
{
    return !value && (row->type == GPUCODE_FIELD_BOOLEAN || (row->flags & FIELD_UNKNOWN));
}

/* One field's value out of a word or two, with its text. */
void field_read(const struct field_set *set, unsigned family, const struct field_row *row, uint64_t word,
                struct gpucode_field_value *field);

/* Fields of a word with several; as gpucode_register_fields(). */
size_t field_read_layout(const struct field_set *set, unsigned family, unsigned layout, uint64_t word,
                         struct gpucode_field_value *fields, size_t size);

/* Text of which as much is kept as there is room for; `length` counts all. */
struct field_text {
    char *text;
    size_t size, length;
};
void field_append(struct field_text *text, const char *part, size_t length);
/* Fields of a word with several: "{ A = 1 | FLAG }". */
void field_put_layout(const struct field_set *set, unsigned family, unsigned layout, uint64_t word,
                      struct field_text *text);

/* The row of a register of the built-in tables and, in `*at`, which of its words it is; null: no register. */
const struct field_register *field_register_row(unsigned family, uint32_t number, uint32_t *at);

/* The one field that such a register's word is, where it is not several. */
static inline struct field_row field_row_of(const struct field_register *row)
{
    return (struct field_row){.of = row->of,
                              .low = row->low,
                              .high = row->high,
                              .type = row->type,
                              .shr = row->shr,
                              .radix = row->radix,
                              .chips = 0xff};
}

/* --- texts back to values (parse.c) --- */

/* What a text with several fields is of. */
struct field_text_of {
    const struct field_set *set;
    unsigned family;
    const struct field_row *single; /* the text begins with the value of this one; null: all of it is parts */
    uint64_t most;                  /* a number of its own adds bits up to this */
    /* The row of a name; `value`: what was read so far. */
    const struct field_row *(*find)(void *user, const char *name, size_t length, uint64_t value);
    void *user;
};
/* "{ A = 1 | FLAG | 0x8000 }", with or without braces; what it says is put into *value. */
bool field_parse_text(const struct field_text_of *of, const char *text, size_t length, uint64_t *value,
                      struct gpucode_field_wrong *wrong);
/* Of the names that `next` gives until it returns null, the one nearest in spelling; null: none is near, or it is the
 * same. */
const char *field_nearest(const char *name, size_t length, const char *(*next)(void *user, unsigned index), void *user);

/* The layout of a packet; null: nothing is known of its payload. */
const struct field_layout *field_packet_layout(unsigned family, unsigned opcode);

/* "0x1f", "0"; returns the end of the text. */
char *field_put_hex(char *at, uint64_t value);

#endif
