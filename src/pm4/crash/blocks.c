/* SPDX-License-Identifier: MIT */
/*
 * Drivers have named the same memories in different ways over the years. Names and register pairs: public sources of
 * the Linux kernel and of KGSL.
 */
#include "pm4/crash/dump.h"

#include <string.h>

static const struct {
    const char *own, *name;
} names[] = {
    {"CP_SEQ_STAT", "SQE_STAT"},
    {"CP_SQE_STAT", "SQE_STAT"},
    {"CP_BV_SQE_STAT", "BV_SQE_STAT"},
    {"CP_SQE_AC_STAT", "LPAC_SQE_STAT"},
    {"CP_LPAC_SQE_STAT", "LPAC_SQE_STAT"},
    {"CP_UCODE_DBG_DATA", "SQE_UCODE_DBG"},
    {"CP_UCODE_DBG", "SQE_UCODE_DBG"},
    {"CP_SQE_UCODE_DBG", "SQE_UCODE_DBG"},
    {"CP_BV_SQE_UCODE_DBG", "BV_SQE_UCODE_DBG"},
    {"CP_SQE_AC_UCODE_DBG", "LPAC_SQE_UCODE_DBG"},
    {"CP_ROQ", "ROQ_DBG"},
    {"CP_ROQ_DBG", "ROQ_DBG"},
    {"CP_BV_ROQ_DBG", "BV_ROQ_DBG"},
    {"CP_LPAC_ROQ", "LPAC_ROQ_DBG"},
    {"CP_LPAC_ROQ_DBG", "LPAC_ROQ_DBG"},
    {"CP_MEMPOOOL", "MEM_POOL_DBG"},
    {"CP_MEMPOOL", "MEM_POOL_DBG"},
    {"CP_MEM_POOL_DBG", "MEM_POOL_DBG"},
    {"CP_BV_MEMPOOL", "BV_MEM_POOL_DBG"},
    {"CP_BV_MEM_POOL_DBG", "BV_MEM_POOL_DBG"},
    {"CP_DRAW_STATE", "DRAW_STATE"},
    {"CP_BV_DRAW_STATE", "BV_DRAW_STATE"},
    {"CP_LPAC_DRAW_STATE", "LPAC_DRAW_STATE"},
    {"CP_RESOURCE_TBL", "RESOURCE_TABLE_DBG"},
    {"CP_RESOURCE_TABLE_DBG", "RESOURCE_TABLE_DBG"},
    {"CP_LPAC_FIFO_DBG", "LPAC_FIFO_DBG"},
};

/* Pairs of address and data register up to a7xx, and of gen8. */
static const struct {
    uint32_t address, newer;
    const char *name;
} pairs[] = {
    {0x908, 0x8f0, "SQE_STAT"},     {0x90a, 0x8f2, "DRAW_STATE"},    {0x90c, 0x8f4, "ROQ_DBG"},
    {0x90e, 0x8f6, "MEM_POOL_DBG"}, {0x910, 0x8f8, "SQE_UCODE_DBG"},
};

/* An old list of a750 has the draw state of BV under the name of its status; the size tells them apart. */
#define BV_DRAW_STATE_WORDS 0x200

const char *block_name(const char *own, uint64_t words)
{
    size_t length = strlen(own);
    if (length > 5 && strcmp(own + length - 5, "_ADDR") == 0)
        length -= 5;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(names[i].own, own, length) == 0 && !names[i].own[length]) {
            if (strcmp(names[i].name, "BV_SQE_STAT") == 0 && words == BV_DRAW_STATE_WORDS)
                return "BV_DRAW_STATE";
            return names[i].name;
        }
    return own;
}

const char *block_name_by_registers(uint32_t address, uint32_t data)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (data == address + 1 && (address == pairs[i].address || address == pairs[i].newer))
            return pairs[i].name;
    return NULL;
}

bool block_is_code(const char *name)
{
    return strstr(name, "UCODE") != NULL;
}

/* Sections 4 (packet table), 5 and 7 (control registers) are no firmware; what 1, 2, 3 and 6 hold is not known. */
bool gpucode_crash_is_open(const struct gpucode_crash_block *block, uint64_t index)
{
    if (!block || !block->name)
        return false;
    uint64_t section = index / GPUCODE_CRASH_UCODE_SECTION;
    return !block_is_code(block->name) || section == 4 || section == 5 || section == 7;
}
