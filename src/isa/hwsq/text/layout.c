/* SPDX-License-Identifier: MIT */
/* A HWSQ image is raw code: nothing in it says so, and the target must be given. */
#include "isa/hwsq/hwsq.h"

enum gpucode_status hwsq_layout(struct isa_layout *layout, struct arena *arena,
                                const struct gpucode_image_options *options)
{
    if (!options->target)
        return GPUCODE_ERROR_UNSUPPORTED;
    const struct hwsq_chip *chip = hwsq_chip_of(options->target);
    struct gpucode_image_info *info = &layout->info;
    info->layout = "code RAM";
    info->units = (uint32_t)layout->size;
    struct gpucode_section *section = arena_alloc(arena, sizeof *section);
    struct gpucode_image_fact *facts = arena_array(arena, 3, sizeof *facts);
    if (!section || !facts)
        return GPUCODE_ERROR_MEMORY;
    *section = (struct gpucode_section){
        .name = "CODE", .size = info->units, .table = GPUCODE_NONE, .start_source = "the file is code"};
    info->sections = section;
    info->section_count = info->units != 0;
    facts[0] = (struct gpucode_image_fact){"code RAM", arena_format(arena, "0x%x bytes", chip->code_bytes), "target"};
    facts[1] = (struct gpucode_image_fact){"window", arena_format(arena, "0x%x", chip->window), "target"};
    facts[2] = (struct gpucode_image_fact){"slots", chip->slots == 2 ? "2" : "1", "target"};
    if (!facts[0].value || !facts[1].value)
        return GPUCODE_ERROR_MEMORY;
    info->facts = facts;
    info->fact_count = 3;
    return GPUCODE_OK;
}
