/* SPDX-License-Identifier: MIT */
/* What chips have, by Mesa's table of them (freedreno_devices.py). */
#include "isa/ir3/ir3.h"

/*
 * Register file and waves by part of a generation; of a generation as a whole what its smallest usual part has, and no
 * feature that only some parts have.
 */
#define PART(part, vectors, step, consts, ...) [IR3_##part] = {(vectors), (consts), 16, (step), __VA_ARGS__}
#define FIRST_OF_6 .known = true
#define LAST_OF_6 .known = true, .scalar = true, .dp2 = true
#define OF_7 .scalar = true, .dp2 = true, .later = true
#define OF_8 .scalar = true, .later = true
static const struct ir3_chip parts[] = {
    PART(4XX, 48, 2, 512, .known = false),      PART(5XX, 48, 2, 512, .known = false),
    PART(6XX, 64, 2, 512, .known = false),      PART(6_LOW, 48, 1, 512, FIRST_OF_6),
    PART(6_1, 96, 2, 512, FIRST_OF_6),          PART(6_2, 96, 2, 512, FIRST_OF_6),
    PART(6_3, 64, 2, 512, LAST_OF_6),           PART(6_4, 64, 2, 512, LAST_OF_6, .later = true),
    PART(702, 48, 1, 128, .known = true),       PART(7XX, 96, 2, 512, OF_7),
    PART(7_1, 96, 2, 512, OF_7, .known = true), PART(7_2, 96, 2, 512, OF_7, .known = true),
    PART(7_3, 96, 2, 512, OF_7, .known = true), PART(8XX, 96, 2, 512, OF_8),
    PART(830, 96, 2, 512, OF_8, .known = true), PART(840, 128, 2, 512, OF_8, .known = true),
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
