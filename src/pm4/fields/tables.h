/* SPDX-License-Identifier: MIT */
/* What registers, packets and descriptors mean: constant tables that tools/fieldc.c makes from data/pm4/. */
#ifndef PM4_FIELDS_TABLES_H
#define PM4_FIELDS_TABLES_H

#include <gpucode/fields.h>

/* Numbers of the GMU of a6xx and later, in an address space of its own, come as families after the others. */
#define FIELD_GMU_FIRST 6
#define FIELD_GMU(family) ((family) + GPUCODE_FAMILY_MAX + 1 - FIELD_GMU_FIRST)
#define FIELD_FAMILIES (FIELD_GMU(GPUCODE_FAMILY_MAX) + 1)
#define FIELD_RUN_ROW_BITS 14 /* a run is its first number above these bits, and the row, or all ones for none */
#define FIELD_NO_ROW ((1u << FIELD_RUN_ROW_BITS) - 1)
#define FIELD_NO_LAYOUT 0xffffu
#define FIELD_BUCKET_BITS 6 /* numbers of so many lower bits are found from the run that the first of them lies in */
#define FIELD_BUCKETS (0x40000 >> FIELD_BUCKET_BITS)

/* Names are offsets in field_strings; bit N of `chips` is family N - 1 (A2XX: bit 1, A8XX: bit 7). */

/* Types of fields, beyond those of enum gpucode_field_type. */
enum { FIELD_BITSET = GPUCODE_FIELD_ENUM + 1, FIELD_ELEMENT };

enum { FIELD_SELECTS = 1, FIELD_UNNAMED = 2, FIELD_SHADOWED = 4, FIELD_UNKNOWN = 8 /* UNK<digit>... */ };

struct field_row {
    uint32_t name;
    uint32_t values; /* packets: bit per value of the selector that the field is there with; 0: always */
    uint16_t of;     /* enumeration, or layout of a bitset */
    uint16_t when;   /* the enumeration whose field is the selector */
    uint8_t low, high;
    uint8_t type, shr, radix, chips, flags;
    uint8_t word, form;           /* packets, descriptors */
    uint8_t stride, repeat_count; /* packets: the row repeats every `stride` words; 0 times: to the end */
};

struct field_layout {
    uint32_t name;
    uint16_t first, count; /* of field_rows */
    uint16_t words;        /* descriptors: size of one */
};

struct field_enum {
    uint32_t name;
    uint16_t first, count;
};

struct field_register {
    uint32_t name; /* "BASE[].MEMBER" */
    uint32_t number;
    uint16_t of; /* as in field_row */
    uint16_t stride, count;
    uint8_t words, type, low, high, shr, radix, subscript, length;
};

struct field_packet {
    uint32_t name;
    uint16_t layout; /* FIELD_NO_LAYOUT: nothing is known */
    uint8_t number, chips;
};

struct field_chip {
    uint64_t id;
    uint32_t gpu, name;
    uint32_t family;
};

/* CP_LOAD_STATE*: what a block and type of state are. */
struct field_load {
    uint32_t packet, block, type, content;
    uint8_t chips, words;
};

/* Registers that hold the address of descriptors. */
struct field_pointer {
    uint32_t name, content, count;
    uint8_t chips;
};

/* Tables that refer to one another: the built-in ones, or those of a user's file. */
struct field_set {
    const char *strings;
    const struct field_row *rows;
    const struct field_layout *layouts; /* built-in: of registers, then packets, then descriptors */
    const struct field_enum *enums;
    const uint32_t *value_names, *values;
    const uint8_t *value_chips;
    const struct field_register *registers;
    const uint32_t *runs[FIELD_FAMILIES]; /* by number; null: the set has no registers of the family */
    const uint16_t *buckets[FIELD_FAMILIES];
};

extern const struct field_set field_built_in;
extern const uint16_t field_register_order[]; /* its registers in the order of their names */
extern const unsigned field_register_count;
extern const unsigned field_descriptor_first, field_descriptor_end;
extern const struct field_packet field_packets[];
extern const unsigned field_packet_count;
extern const struct field_chip field_chips[];
extern const unsigned field_chip_count;
extern const struct field_load field_loads[];
extern const unsigned field_load_count;
extern const struct field_pointer field_pointers[];
extern const unsigned field_pointer_count;

#endif
