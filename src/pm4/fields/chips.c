/* SPDX-License-Identifier: MIT */
/* GPUs by id, and packets by opcode. */
#include "pm4/fields/fields.h"

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

const struct field_layout *field_packet_layout(unsigned family, unsigned opcode)
{
    const struct field_packet *packet = find_packet(family, opcode);
    return packet && packet->layout != FIELD_NO_LAYOUT ? &field_built_in.layouts[packet->layout] : NULL;
}
