/* SPDX-License-Identifier: MIT */
/*
 * What an address is, by the list of buffers and the kernel's log of mappings: inside a buffer, just past one, in one
 * that was unmapped, or never mapped. The log is told to have the oldest entry first.
 */
#include "pm4/crash/draw.h"

#include <string.h>

static bool is_unmap(const struct gpucode_crash_mapping *mapping)
{
    return mapping->operation && strncmp(mapping->operation, "unmap", 5) == 0;
}

/* The newest entry with the address. */
static bool find_mapping(const struct gpucode_crash *crash, uint64_t address, struct fault_found *found)
{
    for (size_t i = crash->mappings.count; i-- > 0;) {
        const struct gpucode_crash_mapping *mapping = DUMP_ITEM(crash->mappings, struct gpucode_crash_mapping, i);
        if (address < mapping->start || address >= mapping->end)
            continue;
        found->mapping = *mapping;
        found->later = crash->mappings.count - 1 - i;
        return true;
    }
    return false;
}

/* The buffer that the address is inside of; else the one whose end is nearest before it, no further than its size. */
static void find_buffer(const struct gpucode_crash *crash, uint64_t address, struct fault_found *found)
{
    for (size_t i = 0; i < crash->buffers.count; i++) {
        const struct gpucode_crash_buffer *buffer = DUMP_ITEM(crash->buffers, struct gpucode_crash_buffer, i);
        uint64_t at = address - buffer->iova;
        bool inside = address >= buffer->iova && at < buffer->size;
        bool past = address >= buffer->iova && !inside && at - buffer->size < buffer->size;
        if (!inside && (!past || (found->has_buffer && found->offset <= at - buffer->size)))
            continue;
        found->has_buffer = true;
        found->buffer = *buffer;
        found->offset = inside ? at : at - buffer->size;
        found->place = inside ? FAULT_INSIDE : FAULT_PAST;
        if (inside)
            return;
    }
}

void fault_classify(const struct gpucode_crash *crash, uint64_t address, struct fault_found *found)
{
    *found = (struct fault_found){.place = FAULT_NEVER, .has_log = crash->mappings.count != 0};
    bool logged = find_mapping(crash, address, found);
    find_buffer(crash, address, found);
    if (logged && is_unmap(&found->mapping)) {
        found->place = FAULT_UNMAPPED;
        found->offset = address - found->mapping.start;
    } else if (logged && found->place != FAULT_INSIDE) {
        found->place = FAULT_MAPPED;
        found->offset = address - found->mapping.start;
    }
}
