/* SPDX-License-Identifier: MIT */
/* Which GPU a dump is of, and what its blocks of registers are called. Chip ids: public list of devices of the Mesa
 * project. */
#include "pm4/crash/dump.h"

#include <gpucode/fields.h>
#include <stdio.h>
#include <string.h>

static const struct {
    uint32_t chip, mask;
    const char *name, *generation;
} gpus[] = {
    {0x07020000, 0xfffffff0, "A702", "a6xx"},      {0x07000200, 0xffffff00, "A702", "a6xx"},
    {0x07000400, 0xffffff00, "A702", "a6xx"},      {0x07002000, 0xfffffff0, "A702", "a6xx"},
    {0x07030001, 0xffffffff, "A730", "a7xx"},      {0x07030002, 0xffffffff, "FD725", "a7xx"},
    {0x43030b00, 0xffffff00, "FD735", "a7xx"},     {0x43030c00, 0xffffff00, "X1-45", "a7xx"},
    {0x43050a01, 0xffffffff, "A740", "a7xx"},      {0x43050b00, 0xffffff00, "A740v3", "a7xx"},
    {0x43050c01, 0xffffffff, "X1-85", "a7xx"},     {0x43051401, 0xffffffff, "A750", "a7xx-gen3"},
    {0x43051400, 0xffffff00, "A750", "a7xx-gen3"}, {0x44010000, 0xffffff00, "A810", "gen8"},
    {0x44050000, 0xffffffff, "A830", "gen8"},      {0x44050001, 0xffffffff, "A830", "gen8"},
    {0x44050a01, 0xffffffff, "A840", "gen8"},      {0x44050a31, 0xffffffff, "A840", "gen8"},
    {0x44070001, 0xffffffff, "X2-85", "gen8"},     {0x44070041, 0xffffffff, "X2-85", "gen8"},
};

/* The generation of a GPU whose name nobody told: up to a7xx the core's number is that of the generation. */
static const char *name_generation(struct gpucode_crash *crash)
{
    unsigned core = crash->head.chip_id >> 24;
    if (core == 0x43)
        core = 7;
    if (core == 0x44)
        return "gen8";
    if (core < 2 || core > 7)
        return NULL;
    const char *name = arena_format(&crash->loader.arena, "a%uxx", core);
    crash->no_memory |= !name;
    return name;
}

/* Up to a6xx the parts of the chip id are the digits of the name. */
static const char *name_digits(struct gpucode_crash *crash)
{
    unsigned core = crash->head.chip_id >> 24, major = crash->head.chip_id >> 16 & 0xff,
             minor = crash->head.chip_id >> 8 & 0xff;
    if (core < 2 || core > 6)
        return NULL;
    const char *name = arena_format(&crash->loader.arena, "A%u%u%u", core, major, minor);
    crash->no_memory |= !name;
    return name;
}

/* The target "SET:GENERATION" of a set that takes packets; null: there is none. */
static const struct gpucode_target *find_target(const char *generation)
{
    const struct gpucode_target *target;
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        const char *chip = strchr(gpucode_target_name(target), ':');
        if (chip && strcmp(chip + 1, generation) == 0 && gpucode_target_facts(target)->packets)
            return target;
    }
    return NULL;
}

void gpu_identify(struct gpucode_crash *crash)
{
    struct gpucode_crash_head *head = &crash->head;
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus && !head->gpu; i++)
        if ((head->chip_id & gpus[i].mask) == gpus[i].chip) {
            head->gpu = gpus[i].name;
            head->generation = gpus[i].generation;
        }
    if (!head->gpu)
        head->gpu = name_digits(crash);
    if (!head->generation)
        head->generation = name_generation(crash);
    if (head->generation)
        head->target = find_target(head->generation);
    struct gpucode_chip chip;
    crash->old = !head->target && gpucode_chip_find(head->gpu_id, head->chip_id, &chip) && chip.family < 5;
}

/* Targets by the names of chips or firmware, and the GPU that dumps have for them. */
static const struct {
    const char *target;
    uint32_t chip;
} chips[] = {
    {"a530", 0x05030002},     {"a630", 0x06030002},     {"a650", 0x06050002},      {"a660", 0x06060001},
    {"a702", 0x07002000},     {"a730", 0x07030001},     {"a740", 0x43050a01},      {"gen70500", 0x43050c01},
    {"a750", 0x43051401},     {"gen70900", 0x43051401}, {"gen71500", 0x43030c00},  {"gen80000", 0x44050000},
    {"gen80100", 0x44070041}, {"gen80200", 0x44050a31}, {"a7xx-gen3", 0x43051401}, {"gen8", 0x44050000},
    {"a5xx", 0x05030002},     {"a6xx", 0x06030002},     {"a7xx", 0x43050a01},
};

uint32_t gpucode_crash_chip(const struct gpucode_target *target)
{
    const char *name =
        target && gpucode_target_facts(target)->packets ? strchr(gpucode_target_name(target), ':') : NULL;
    for (size_t i = 0; name && i < sizeof chips / sizeof *chips; i++)
        if (strcmp(chips[i].target, name + 1) == 0)
            return chips[i].chip;
    for (size_t i = 0; name && i < sizeof chips / sizeof *chips; i++)
        if (strcmp(chips[i].target, gpucode_target_generation(target)) == 0)
            return chips[i].chip;
    return 0;
}

/* --- blocks of registers ------------------------------------------------------------------------------------------ */

/*
 * Drivers have named the same memories in different ways over the years. Names and register pairs: public sources of
 * the Linux kernel and of KGSL.
 */

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

const char *block_processor(const char *name, const char *ending, char processor[32])
{
    size_t length = strlen(name), rest = strlen(ending);
    if (length < rest || strcmp(name + length - rest, ending) != 0)
        return NULL;
    if (length == rest)
        return "SQE";
    snprintf(processor, 32, "%.*s", (int)(length - rest - 1), name);
    return processor;
}

bool block_is_code(const char *name)
{
    return strstr(name, "UCODE") != NULL;
}

/* Sections 4 (packet table), 5 and 7 (control registers) are not firmware; what 1, 2, 3 and 6 hold is not known. */
bool gpucode_crash_is_open(const struct gpucode_crash_block *block, uint64_t index)
{
    if (!block || !block->name)
        return false;
    uint64_t section = index / GPUCODE_CRASH_UCODE_SECTION;
    return !block_is_code(block->name) || section == 4 || section == 5 || section == 7;
}
