/* SPDX-License-Identifier: MIT */
/* GPUs by id, and packets by opcode. */
#include "pm4/fields/fields.h"

#include <string.h>

/*
 * Ways in which a chip id and a row's agree. Patch ff and fuse ffff of a row stand for any; a row for any patch does
 * not look at the fuse either.
 */
static bool is_chip(const struct field_chip *row, uint32_t gpu_id, uint64_t chip_id)
{
    if (row->gpu && gpu_id)
        return row->gpu == gpu_id;
    uint64_t differs = row->id ^ chip_id;
    bool any_patch = (row->id & 0xff) == 0xff, any_fuse = row->id >> 32 == 0xffff;
    if (!chip_id)
        return false;
    return !differs || (any_patch && !((uint32_t)differs >> 8)) || (any_fuse && !(uint32_t)differs);
}

/* What the bits of an id that no row has say. */
static unsigned guess_family(uint32_t gpu_id, uint64_t chip_id)
{
    unsigned core = chip_id >> 24 & 0xff;
    if (core >= 2 && core <= 6)
        return core;
    if (core == 7)
        return (uint32_t)chip_id >> 4 == 0x0700200 ? 6 : 7;
    if (core == 0x43)
        return 7;
    if (core == 0x44)
        return 8;
    return !chip_id && gpu_id >= 200 && gpu_id < 900 ? gpu_id / 100 : 0;
}

bool gpucode_chip_find(uint32_t gpu_id, uint64_t chip_id, struct gpucode_chip *chip)
{
    if (!chip)
        return false;
    *chip = (struct gpucode_chip){0};
    for (unsigned i = 0; i < field_chip_count; i++)
        if (is_chip(&field_chips[i], gpu_id, chip_id)) {
            chip->name = field_string(field_chips[i].name);
            chip->family = field_chips[i].family;
            return true;
        }
    chip->family = guess_family(gpu_id, chip_id);
    return chip->family != 0;
}

unsigned gpucode_target_family(const struct gpucode_target *target)
{
    if (!target || !gpucode_target_facts(target)->packets)
        return 0;
    const char *generation = gpucode_target_generation(target);
    for (; *generation; generation++)
        if (*generation >= '2' && *generation <= '8')
            return (unsigned)(*generation - '0');
    return 0;
}

static const struct field_packet *find_packet(unsigned family, unsigned opcode)
{
    for (unsigned i = 0; field_family_is_known(family) && i < field_packet_count; i++)
        if (field_packets[i].number == opcode && field_on_family(field_packets[i].chips, family))
            return &field_packets[i];
    return NULL;
}

const char *gpucode_packet_name(unsigned family, unsigned opcode)
{
    const struct field_packet *packet = find_packet(family, opcode);
    return packet ? field_string(packet->name) : NULL;
}

bool gpucode_packet_find(unsigned family, const char *name, size_t length, uint32_t *opcode)
{
    bool found = false, first = false;
    for (unsigned i = 0; name && opcode && field_family_is_known(family) && i < field_packet_count; i++) {
        const struct field_packet *packet = &field_packets[i];
        const char *known = field_string(packet->name);
        if (strlen(known) != length || memcmp(known, name, length) != 0 || !field_on_family(packet->chips, family))
            continue;
        bool shown = find_packet(family, packet->number) == packet;
        if (found && (shown == first ? packet->number >= *opcode : first))
            continue;
        *opcode = packet->number;
        first = shown;
        found = true;
    }
    return found;
}

const struct field_layout *field_packet_layout(unsigned family, unsigned opcode)
{
    const struct field_packet *packet = find_packet(family, opcode);
    return packet && packet->layout != FIELD_NO_LAYOUT ? &field_built_in.layouts[packet->layout] : NULL;
}

/* "A|B": the values of an enumeration whose bits are set. */
static void put_selected(const struct field_row *row, char text[GPUCODE_FIELD_TEXT_MAX])
{
    const struct field_set *set = &field_built_in;
    const struct field_enum *names = &set->enums[row->when];
    struct field_text out = {.text = text, .size = GPUCODE_FIELD_TEXT_MAX};
    *text = 0;
    for (unsigned i = names->first; i < names->first + names->count; i++) {
        if (set->values[i] > 31 || !(row->values >> set->values[i] & 1))
            continue;
        const char *name = field_string(set->value_names[i]);
        field_append(&out, "|", out.length ? 1 : 0);
        field_append(&out, name, strlen(name));
    }
}

/* `outer`: the field of the payload that the row is, or is a part of. */
static void tell_payload_field(const struct field_row *outer, const struct field_row *row,
                               struct gpucode_payload_field *field)
{
    enum gpucode_field_type type = field_type_of(row);
    *field = (struct gpucode_payload_field){
        .name = field_string(row->name),
        .word = outer->word,
        .low = row->low,
        .high = row->high,
        .type = type,
        .values = type == GPUCODE_FIELD_ENUM ? field_string(field_built_in.enums[row->of].name) : NULL,
        .repeat = outer->stride};
    if (outer->values) {
        field->selector = field_string(field_built_in.enums[outer->when].name);
        put_selected(outer, field->selected);
    }
}

bool gpucode_payload_field(unsigned family, unsigned opcode, unsigned index, struct gpucode_payload_field *field)
{
    const struct field_layout *layout = field_packet_layout(family, opcode), *parts;
    const struct field_row *rows = field_built_in.rows, *row;
    for (unsigned i = 0; layout && field && i < layout->count; i++) {
        row = &rows[layout->first + i];
        if (!field_on_family(row->chips, family) || row->flags & FIELD_SHADOWED)
            continue;
        bool single = row->type != FIELD_BITSET || row->of == FIELD_NO_LAYOUT;
        parts = single ? layout : &field_built_in.layouts[row->of];
        for (unsigned k = 0; k < (single ? 1 : parts->count); k++) {
            const struct field_row *part = single ? row : &rows[parts->first + k];
            if (!field_on_family(part->chips, family) || index--)
                continue;
            tell_payload_field(row, part, field);
            return true;
        }
    }
    return false;
}
