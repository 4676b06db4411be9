/* SPDX-License-Identifier: MIT */
/* What chips have, by Mesa's table of them (freedreno_devices.py). */
#include "isa/ir3/ir3.h"

/*
 * Register file and waves by part of a generation; of a generation as a whole what its smallest usual part has, and no
 * feature that only some parts have.
 */
static const struct ir3_chip parts[] = {
    [IR3_4XX] = {.vectors = 48, .waves = 16, .step = 2, .consts = 512},
    [IR3_5XX] = {.vectors = 48, .waves = 16, .step = 2, .consts = 512},
    [IR3_6XX] = {.vectors = 64, .waves = 16, .step = 2, .consts = 512},
    [IR3_6_LOW] = {.vectors = 48, .waves = 16, .step = 1, .consts = 512, .known = true},
    [IR3_6_1] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .known = true},
    [IR3_6_2] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .known = true},
    [IR3_6_3] = {.vectors = 64, .waves = 16, .step = 2, .consts = 512, .known = true, .scalar = true, .dp2 = true},
    [IR3_6_4] = {.vectors = 64,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_702] = {.vectors = 48, .waves = 16, .step = 1, .consts = 128, .known = true},
    [IR3_7XX] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .scalar = true, .dp2 = true, .later = true},
    [IR3_7_1] = {.vectors = 96,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_7_2] = {.vectors = 96,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_7_3] = {.vectors = 96,
                 .waves = 16,
                 .step = 2,
                 .consts = 512,
                 .known = true,
                 .scalar = true,
                 .dp2 = true,
                 .later = true},
    [IR3_8XX] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .scalar = true, .later = true},
    [IR3_830] = {.vectors = 96, .waves = 16, .step = 2, .consts = 512, .known = true, .scalar = true, .later = true},
    [IR3_840] = {.vectors = 128, .waves = 16, .step = 2, .consts = 512, .known = true, .scalar = true, .later = true},
};

const struct ir3_chip *ir3_chip(const struct gpucode_target *target)
{
    static const uint8_t part_of[] = {
#define CHIP(number, text, part, all) IR3_##part,
#include "isa/ir3/chips.def"
#undef CHIP
    };
    return &parts[part_of[(target->base ? target->base : target) - target->isa->targets.list]];
}
