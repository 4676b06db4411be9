/* SPDX-License-Identifier: MIT */
/*
 * Targets: the four variants and every chipset. Chipset ids are not in the order of the hardware's history (0x45
 * is an NV40, older than 0x41), so that an id is looked up and never compared.
 */
#include "isa/hwsq/hwsq.h"
#include "isa/hwsq/names.h"

#include <ctype.h>
#include <gpucode/hwsq.h>
#include <stdlib.h>
#include <string.h>

enum unknown { skip, hang };

/* NV17 and NV41 are chipsets as well; the other variants are those of several. */
static const struct hwsq_chip variants[HWSQ_GENERATIONS] = {
#define NAMESAKE(symbol, upper, lower, number, variant, code_bytes, window, slots, unknown)                            \
    [HWSQ_##variant] = {upper, number, code_bytes, window, slots, unknown == hang},
#define CHIPSET(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef NAMESAKE
#undef CHIPSET
#undef NO_HWSQ
    [HWSQ_NV50] = {NULL, 0, 0x100, 0x1400, 2, true},
    [HWSQ_NV92] = {NULL, 0, 0x200, 0x80000, 1, false},
};

static const struct hwsq_chip chips[] = {
#define CHIPSET(symbol, upper, lower, number, variant, code_bytes, window, slots, unknown)                             \
    {upper, number, code_bytes, window, slots, unknown == hang},
#define NAMESAKE(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef CHIPSET
#undef NAMESAKE
#undef NO_HWSQ
};
#define NAMES_NV17 hwsq_names_nv17
#define NAMES_NV41 hwsq_names_nv41
#define NAMES_NV50 hwsq_names_nv50
#define NAMES_NV92 hwsq_names_nv92

#define VARIANT(symbol, text, describes)                                                                               \
    {.name = "hwsq:" text,                                                                                             \
     .isa = &hwsq_isa,                                                                                                 \
     .description = describes,                                                                                         \
     .generation = HWSQ_##symbol,                                                                                      \
     .is_generation = true,                                                                                            \
     .names = &NAMES_##symbol,                                                                                         \
     .chip = &variants[HWSQ_##symbol]},

const struct gpucode_target hwsq_targets[] = {
    VARIANT(NV17, "nv17", "HWSQ of NV17 to NV40 and NV45: waits and flags, 64 bytes of code")
        VARIANT(NV41, "nv41", "HWSQ of NV41 to G73, C51, MCP61 to MCP73: events and register writes, 128 bytes of code")
            VARIANT(NV50, "nv50", "HWSQ of G80, G84, G86: 256 bytes of code")
                VARIANT(NV92, "nv92", "HWSQ of G92 to GT218, MCP77, MCP79, MCP89: one slot, 512 bytes of code")
#define CHIPSET(symbol, upper, lower, number, variant, ...)                                                            \
    {.name = "hwsq:" lower,                                                                                            \
     .isa = &hwsq_isa,                                                                                                 \
     .description = upper " (" #number "), HWSQ variant " #variant,                                                    \
     .generation = HWSQ_##variant,                                                                                     \
     .names = &NAMES_##variant,                                                                                        \
     .chip = &chips[HWSQ_TARGET_##symbol]},
#define NAMESAKE(...)
#define NO_HWSQ(...)
#include "hwsq_chipsets.inc"
#undef CHIPSET
#undef NAMESAKE
#undef NO_HWSQ
};
_Static_assert(sizeof hwsq_targets / sizeof *hwsq_targets == HWSQ_TARGET_COUNT, "every chipset is a target");

const struct gpucode_target *hwsq_target_of_id(uint32_t id)
{
    for (unsigned i = 0; i < HWSQ_TARGET_COUNT; i++)
        if (hwsq_chip_of(&hwsq_targets[i])->chipset && hwsq_chip_of(&hwsq_targets[i])->id == id)
            return &hwsq_targets[i];
    return NULL;
}

static bool equal_fold(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
    return *a == *b;
}

const struct gpucode_target *hwsq_find(const char *name)
{
    if (name[0] == '0' && (name[1] == 'x' || name[1] == 'X') && isxdigit((unsigned char)name[2])) {
        char *end;
        unsigned long id = strtoul(name + 2, &end, 16);
        return *end || id > 0xff ? NULL : hwsq_target_of_id((uint32_t)id);
    }
    for (unsigned i = 0; i < HWSQ_TARGET_COUNT; i++)
        if (equal_fold(strchr(hwsq_targets[i].name, ':') + 1, name))
            return &hwsq_targets[i];
    return NULL;
}

bool gpucode_hwsq_facts(const struct gpucode_target *target, struct gpucode_hwsq_facts *facts)
{
    if (!target || !facts || target->isa != &hwsq_isa)
        return false;
    const struct hwsq_chip *chip = hwsq_chip_of(target);
    *facts = (struct gpucode_hwsq_facts){chip->chipset, chip->id,    chip->code_bytes,
                                         chip->window,  chip->slots, chip->unknown_hangs};
    return true;
}

const struct gpucode_target *gpucode_hwsq_target(uint32_t id)
{
    return hwsq_target_of_id(id);
}

uint64_t gpucode_hwsq_wait_units(unsigned opcode)
{
    return opcode < 0x40 ? hwsq_wait_units(opcode) : 0;
}
