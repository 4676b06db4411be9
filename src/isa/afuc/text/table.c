/* SPDX-License-Identifier: MIT */
/* The rows of insn.def as tools/rowc.c compiled them, and targets by the id of their firmware. */
#include "isa/afuc/afuc.h"

#include "afuc_rows.inc"

const struct gpucode_target *afuc_target_of_id(const struct isa *set, uint32_t id)
{
    for (unsigned i = 0; i < set->targets.count; i++) {
        const struct afuc_chip *chip = set->targets.list[i].chip;
        if (chip && chip->id == id)
            return &set->targets.list[i];
    }
    return NULL;
}
