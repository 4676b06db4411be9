/* SPDX-License-Identifier: MIT */
/* Files that are code from end to end and say nothing of themselves. */
#include "isa/plain/plain.h"

enum gpucode_status isa_plain_layout(struct isa_layout *layout, struct arena *arena,
                                     const struct gpucode_image_options *options)
{
    if (!options->target)
        return GPUCODE_ERROR_UNSUPPORTED;
    unsigned unit = layout->set->unit_bytes;
    struct gpucode_section *section = arena_alloc(arena, sizeof *section);
    if (!section)
        return GPUCODE_ERROR_MEMORY;
    struct gpucode_image_info *info = &layout->info;
    info->layout = "code";
    info->units = (uint32_t)(layout->size / unit);
    info->tail = (uint32_t)(layout->size % unit);
    *section = (struct gpucode_section){
        .name = "CODE", .size = info->units, .table = GPUCODE_NONE, .start_source = "the file is code"};
    info->sections = section;
    info->section_count = info->units != 0;
    return GPUCODE_OK;
}
