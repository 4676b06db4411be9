/* SPDX-License-Identifier: MIT */
/* The instruction set as far as taking files apart needs it, for tests of the image room alone. */
#include "isa/afuc/afuc.h"

const struct isa_names afuc_names_a5xx = {0}, afuc_names_a6xx = {0}, afuc_names_a7xx = {0}, afuc_names_a7xx_gen3 = {0},
                       afuc_names_gen8 = {0};

const struct isa afuc_isa = {
    .name = "afuc",
    .alias = "qrisc",
    .unit_bytes = 4,
    .targets = afuc_targets,
    .target_count = AFUC_TARGET_COUNT,
    .layout = afuc_layout,
    .handler = afuc_handler,
};

const struct isa *const isa_all[] = {&afuc_isa, NULL};

const struct gpucode_target *gpucode_target_at(unsigned index)
{
    return index < AFUC_TARGET_COUNT ? &afuc_targets[index] : NULL;
}

unsigned gpucode_target_unit_bytes(const struct gpucode_target *target)
{
    return target->isa->unit_bytes;
}
