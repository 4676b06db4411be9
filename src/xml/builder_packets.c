/* SPDX-License-Identifier: MIT */
/* Packets, of which some fields are there where another one selects them. */
#include "xml/builder.h"

#include <string.h>

/* The values that a text names, as bits: "NORMAL", "A, B". 0: none that can be told. */
static uint32_t select_values(const struct builder *builder, const struct meaning_set *set, const char *text)
{
    const struct meaning_value *values = builder->meaning->values.rows;
    uint32_t bits = 0;
    for (size_t length; *text; text += length ? length : 1) {
        length = strcspn(text, ", ");
        for (uint32_t i = 0; !set->bitset && i < set->count; i++) {
            const struct meaning_value *value = &values[set->first + i];
            const char *name = builder->strings + value->name;
            if (strlen(name) == length && memcmp(name, text, length) == 0 && value->value < 32)
                bits |= 1u << value->value;
        }
    }
    return bits;
}

/* A row of a packet. One whose selector is not known is left out. */
static void build_packet_row(const struct builder *builder, const struct meaning_packet_row *from,
                             struct field_row *row)
{
    uint32_t number = 0;
    builder_row(builder, &from->field, row);
    if (row->type == FIELD_BITSET && !from->whole)
        row->type = GPUCODE_FIELD_HEX;
    row->word = from->word;
    row->form = from->form;
    row->stride = from->stride;
    row->repeat_count = from->repeat;
    row->flags |= from->selects ? FIELD_SELECTS : 0;
    if (!from->when)
        return;
    const struct meaning_set *set = builder_find_set(builder, builder->strings + from->when, &number);
    row->when = (uint16_t)number;
    row->values = set ? select_values(builder, set, builder->strings + from->which) : 0;
    if (!row->values)
        row->chips = 0;
}

void builder_packets(const struct builder *builder)
{
    const struct meaning *meaning = builder->meaning;
    const struct meaning_packet *packets = meaning->packets.rows;
    const struct meaning_packet_row *rows = meaning->packet_rows.rows;
    for (uint32_t i = 0; i < meaning->packet_rows.count; i++)
        build_packet_row(builder, &rows[i], &builder->rows[meaning->fields.count + i]);
    for (uint32_t i = 0; i < meaning->packets.count; i++)
        builder->layouts[meaning->sets.count + i] =
            (struct field_layout){packets[i].chips >> builder->family & 1 ? packets[i].name : 0,
                                  (uint16_t)(meaning->fields.count + packets[i].first), (uint16_t)packets[i].count, 0};
}
