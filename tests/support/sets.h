/* SPDX-License-Identifier: MIT */
/* All name sets, for the tests of this folder. */
#ifndef TESTS_NAMES_SETS_H
#define TESTS_NAMES_SETS_H

#include "group.h"
#include "isa/isa.h"

/* As isa/afuc/afuc.h and isa/hwsq/hwsq.h have them, of which no file can include both. */
extern const struct isa_names afuc_names_a5xx, afuc_names_a6xx, afuc_names_a7xx, afuc_names_a7xx_gen3, afuc_names_gen8;
extern const struct isa_names hwsq_names_nv17, hwsq_names_nv41, hwsq_names_nv50, hwsq_names_nv92;

struct set {
    const char *name;
    struct gpucode_target target;
    uint32_t gpu_numbers;   /* GPU register numbers to try */
    unsigned ambiguous_gpu; /* numbers whose printed name means another number, see test_round_trip */
};

#define SET(id, numbers, ambiguous)                                                                                    \
    {                                                                                                                  \
#id, {.name = #id, .names = &id }, numbers, ambiguous                                                          \
    }
static const struct set sets[] = {
    SET(afuc_names_a5xx, 0x28000, 7),      SET(afuc_names_a6xx, 0x28000, 5),  SET(afuc_names_a7xx, 0x28000, 8),
    SET(afuc_names_a7xx_gen3, 0x28000, 8), SET(afuc_names_gen8, 0x28000, 2),  SET(hwsq_names_nv17, 0x700000, 0),
    SET(hwsq_names_nv41, 0x700000, 0),     SET(hwsq_names_nv50, 0x700000, 0), SET(hwsq_names_nv92, 0x700000, 0),
};
#define SET_COUNT (sizeof sets / sizeof *sets)

static inline uint32_t numbers_of(const struct set *set, enum gpucode_space space)
{
    return space == GPUCODE_SPACE_GPU ? set->gpu_numbers : 0x2000;
}

#endif
