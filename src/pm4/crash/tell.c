/* SPDX-License-Identifier: MIT */
/* What a dump has. */
#include "pm4/crash/dump.h"

#include <string.h>

const struct gpucode_crash_head *gpucode_crash_head(const struct gpucode_crash *crash)
{
    return crash ? &crash->head : NULL;
}

#define TELL(name, member, type)                                                                                       \
    bool gpucode_crash_##name(const struct gpucode_crash *crash, size_t index, struct type *item)                      \
    {                                                                                                                  \
        if (!crash || !item || index >= crash->member.count)                                                           \
            return false;                                                                                              \
        *item = *DUMP_ITEM(crash->member, struct type, index);                                                         \
        return true;                                                                                                   \
    }
TELL(ring, rings, gpucode_crash_ring)
TELL(buffer, buffers, gpucode_crash_buffer)
TELL(block, blocks, gpucode_crash_block)
TELL(section, sections, gpucode_crash_section)
TELL(register, registers, gpucode_crash_register)
TELL(message, messages, gpucode_crash_message)
TELL(queue, queues, gpucode_crash_queue)

bool gpucode_crash_queue_write(const struct gpucode_crash *crash, size_t queue, size_t entry,
                               struct gpucode_crash_write *write)
{
    if (!crash || !write || queue >= crash->queues.count || entry >= crash->writes[queue].count)
        return false;
    *write = *DUMP_ITEM(crash->writes[queue], struct gpucode_crash_write, entry);
    return true;
}

bool gpucode_crash_find_block(const struct gpucode_crash *crash, const char *name, struct gpucode_crash_block *block)
{
    for (size_t i = 0; name && gpucode_crash_block(crash, i, block); i++)
        if (strcmp(block->name, name) == 0)
            return true;
    return false;
}

bool gpucode_crash_read(const struct gpucode_crash *crash, uint32_t number, uint32_t *value)
{
    size_t low = 0, high = crash && value ? crash->sorted_count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (crash->sorted[middle].number == number) {
            *value = crash->sorted[middle].value;
            return true;
        }
        if (crash->sorted[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

bool gpucode_crash_blob(const struct gpucode_crash *crash, const char *name, uint64_t *iova,
                        struct gpucode_crash_words *data)
{
    for (unsigned i = 0; crash && name && i < crash->blob_count; i++)
        if (strcmp(crash->blobs[i].name, name) == 0) {
            if (iova)
                *iova = crash->blobs[i].iova;
            if (data)
                *data = crash->blobs[i].data;
            return true;
        }
    return false;
}

bool gpucode_crash_fault(const struct gpucode_crash *crash, struct gpucode_crash_fault *fault)
{
    if (!crash || !fault || !crash->has_fault)
        return false;
    *fault = crash->fault;
    return true;
}
