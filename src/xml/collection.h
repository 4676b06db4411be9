/* SPDX-License-Identifier: MIT */
/* What the reader collects: names of registers, and meanings of their fields and of packets. */
#ifndef XML_COLLECTION_H
#define XML_COLLECTION_H

#include "base/buffer.h"
#include "base/diagnostics.h"
#include "isa/names/table.h"
#include "pm4/fields/fields.h"

/* Names as they are read from XML, one list per register domain of the target, and the tables made of them. */

/* More domains than any name set has. */
#define COLLECTION_DOMAINS 16

struct collection_list {
    struct isa_name *names;
    uint32_t count, room;
    uint64_t claims;
    struct name_index index;
    struct isa_name_table table; /* without names: no root, so that every look-up fails */
};

struct collection {
    struct buffer strings;
    struct collection_list lists[COLLECTION_DOMAINS];
};

/* A state to which a collection can be brought back. */
struct collection_mark {
    size_t strings_length;
    uint32_t count[COLLECTION_DOMAINS];
    uint64_t claims[COLLECTION_DOMAINS];
};

enum collection_result { COLLECTION_OK, COLLECTION_FULL, COLLECTION_MEMORY };

/* Adds a row; `name` has everything but the place of its text. */
enum collection_result collection_add(struct collection *collection, unsigned domain, const char *text,
                                      const struct isa_name *name);
struct collection_mark collection_mark(const struct collection *collection);
void collection_revert(struct collection *collection, const struct collection_mark *mark);
/* Makes the tables of all lists anew; on false (no memory) the old ones stay, and the rows should be reverted. */
bool collection_build(struct collection *collection);
void collection_free(struct collection *collection);

/*
 * What registers mean, as it is read from XML: types (enumerations and bitsets) and registers that have one. Types may
 * come in other files and later than the registers, so that they are looked up when all is read.
 */

/* Numbers of a table's rows have 16 bits. */
#define MEANING_ROWS_MAX 60000u
#define MEANING_TYPES_MAX 8000u
#define MEANING_REGISTERS_MAX 16000u
#define MEANING_ELEMENTS_MAX 30000u /* of registers that are arrays */

/* How a value is meant. */
struct meaning_type {
    uint32_t name; /* in the strings; 0: none */
    uint8_t low, high, shr, radix;
};

struct meaning_field {
    struct meaning_type type;
    uint32_t name, inside; /* inside: 1 + the number of the enumeration that stands inside of the field, or 0 */
    uint16_t chips;        /* bit N: A<N>XX */
};

struct meaning_value {
    uint32_t name, value;
    uint16_t chips;
};

/* An enumeration or a bitset; those inside of a register or field have no name. */
struct meaning_set {
    uint32_t name, first, count;
    bool bitset;
};

struct meaning_register {
    uint32_t number, inside; /* inside: 1 + the number of the bitset that stands inside of the register, or 0 */
    struct meaning_type type;
    uint16_t count, stride;
    uint8_t words;
    uint8_t domain; /* of the target's list; those of an earlier one come first */
};

/* A packet, and a field or whole word of its payload. */
struct meaning_packet {
    uint32_t name, first, count;
    uint16_t chips;
};

struct meaning_packet_row {
    struct meaning_field field;
    uint32_t when, which; /* texts: the enumeration of the field that selects, and its values; 0: always there */
    uint8_t word, form, stride, repeat;
    bool whole, selects;
};

#define MEANING_PACKETS_MAX 1000u
#define MEANING_PACKET_ROWS_MAX 5000u /* numbers of rows have 16 bits, with those of other fields */

/* More domains than any target has. */
#define MEANING_DOMAINS 16

/* A growing list. */
struct meaning_list {
    void *rows;
    uint32_t count, room;
};

struct meaning {
    struct buffer strings;
    struct meaning_list fields, values, sets, registers, packets, packet_rows;
    uint32_t elements; /* of all registers */
    /* what was made of them, and the tables that it stands in */
    struct gpucode_meanings made;
    bool has_made;
};

/* A state to which they can be brought back. */
struct meaning_mark {
    size_t strings_length;
    uint32_t fields, values, sets, registers, packets, packet_rows, elements;
};

/* Offset of a copy of the text; 0: no memory (failed is set in the strings). */
uint32_t meaning_text(struct meaning *meaning, const char *text);
/* Room for one more row of a list, zeroed; null: no memory, or `most` are there. */
void *meaning_add(struct meaning_list *list, size_t size, uint32_t most);
struct meaning_mark meaning_mark(const struct meaning *meaning);
void meaning_revert(struct meaning *meaning, const struct meaning_mark *mark);
/* Makes the tables anew; false: no memory, and the old ones stay. `family`: 2 for a2xx ... */
bool meaning_build(struct meaning *meaning, unsigned family);
void meaning_free(struct meaning *meaning);

/* --- Reads one rules-ng file into a collection of names and one of meanings --------------------------------------- */

/* A file, and what its names are for, which messages say. */
struct reader_file {
    const char *bytes;
    size_t size;
    const char *name, *target;
};

/* Rows may have been added even when the status is not GPUCODE_OK. */
enum gpucode_status xml_read(const struct reader_file *file, const struct isa_name_domain *domains,
                             const struct gpucode_diagnostic_handler *on_diagnostic, struct collection *collection,
                             struct meaning *meaning);

#endif
