/* SPDX-License-Identifier: MIT */
/* Shader binaries have no header: a file is instructions from its first byte to its last. */
#include "isa/a3xx/a3xx.h"

enum gpucode_status a3xx_layout(struct isa_layout *layout, struct arena *arena,
                                const struct gpucode_image_options *options)
{
    if (!options->target) /* the bytes do not show it */
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_section *section = arena_alloc(arena, sizeof *section);
    if (!section)
        return GPUCODE_ERROR_MEMORY;
    layout->info.layout = "raw words";
    layout->info.units = (uint32_t)(layout->size / 8);
    layout->info.tail = (uint32_t)(layout->size % 8);
    *section = (struct gpucode_section){
        .name = "code", .size = layout->info.units, .table = GPUCODE_NONE, .start_source = "start of the file"};
    layout->info.sections = section;
    layout->info.section_count = layout->info.units ? 1 : 0;
    return GPUCODE_OK;
}
