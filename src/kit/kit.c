/* SPDX-License-Identifier: MIT */
#include "kit/kit.h"

#include <stddef.h>
#include <string.h>

#define KIT(set) extern const struct kit kit_##set;
#include "kits.def"
#undef KIT

static const struct kit *const kits[] = {
#define KIT(set) &kit_##set,
#include "kits.def"
#undef KIT
    NULL,
};

const struct kit *kit_at(unsigned index)
{
    return index < sizeof kits / sizeof *kits ? kits[index] : NULL;
}

const struct kit *kit_of(const struct gpucode_target *target)
{
    for (unsigned i = 0; target && kits[i]; i++)
        if (strcmp(kits[i]->name, gpucode_target_isa(target)) == 0)
            return kits[i];
    return NULL;
}
