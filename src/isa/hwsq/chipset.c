/* SPDX-License-Identifier: MIT */
/* What outside programs may ask of chipsets. */
#include "isa/hwsq/hwsq.h"

#include <gpucode/hwsq.h>

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
    return hwsq_target_of_id(&hwsq_isa, id);
}

uint64_t gpucode_hwsq_wait_units(unsigned opcode)
{
    return opcode < 0x40 ? hwsq_wait_units(opcode) : 0;
}
