/* SPDX-License-Identifier: MIT */
/* Layouts of packets: constant tables that tools/layoutc.c makes from data/afuc/packet_*.tsv. */
#ifndef PM4_PACKET_LAYOUT_H
#define PM4_PACKET_LAYOUT_H

#include <gpucode/packet.h>

/* Bit N of `chips`: aNxx. */

struct packet_value {
    const char *name;
    uint32_t value;
    uint16_t chips;
};

struct packet_enum {
    const char *name;
    const struct packet_value *values;
    unsigned count;
};

struct packet_field {
    const char *name;
    const struct packet_enum *type; /* null: no names for values */
    uint8_t word, low, width;       /* width above 32 - low: goes on in the next word */
    uint8_t stride;                 /* the field repeats every so many words; 0: it does not */
    uint8_t form;                   /* enum gpucode_packet_form */
    int16_t selector;               /* the field whose value decides whether this one is there; -1: none */
    uint16_t chips;
    uint32_t selected; /* the value it must have */
};

struct packet_layout {
    const char *name;
    const struct packet_field *fields;
    unsigned count;
};

/* Sorted by name. */
extern const struct packet_layout packet_layouts[];
extern const unsigned packet_layout_count;

/* Null: the packet has none. */
const struct packet_layout *packet_layout_find(const char *name);

#endif
