/* SPDX-License-Identifier: MIT */
/*
 * Targets by id and by their other names. Chipset ids are not in the order of the hardware's history (0x45 is an NV40,
 * older than 0x41), so that an id is looked up and never compared.
 */
#include "isa/hwsq/hwsq.h"

#include "base/text.h"

#include <ctype.h>
#include <string.h>

const struct gpucode_target *hwsq_target_of_id(const struct isa *set, uint32_t id)
{
    for (unsigned i = 0; i < set->targets.count; i++)
        if (hwsq_chip_of(&set->targets.list[i])->chipset && hwsq_chip_of(&set->targets.list[i])->id == id)
            return &set->targets.list[i];
    return NULL;
}

static bool equal_fold(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

const struct gpucode_target *hwsq_find(const struct isa *set, const char *name)
{
    if (name[0] == '0' && (name[1] == 'x' || name[1] == 'X') && isxdigit((unsigned char)name[2])) {
        const char *end = name + strlen(name);
        uint64_t id;
        return text_read_number(name, end, &id) != end || id > 0xff ? NULL : hwsq_target_of_id(set, (uint32_t)id);
    }
    for (unsigned i = 0; i < set->targets.count; i++)
        if (equal_fold(strchr(set->targets.list[i].name, ':') + 1, name))
            return &set->targets.list[i];
    return NULL;
}
