/* SPDX-License-Identifier: MIT */
/*
 * Which registers tell of a state, and what their bits mean: register database of the Mesa project, KGSL for gen8; for
 * a5xx a5xx_gpu.c of the Linux kernel and, that its sizes of buffers count down, adreno_snapshot.c of KGSL.
 */
#include "pm4/crash/dump.h"

#include <gpucode/fields.h>
#include <stdio.h>
#include <string.h>

/* Which GPU a dump is of, and what its blocks of registers are called. Chip ids: public list of devices of the Mesa
 * project. */

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
} block_names[] = {
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
    for (size_t i = 0; i < sizeof block_names / sizeof *block_names; i++)
        if (strncmp(block_names[i].own, own, length) == 0 && !block_names[i].own[length]) {
            if (strcmp(block_names[i].name, "BV_SQE_STAT") == 0 && words == BV_DRAW_STATE_WORDS)
                return "BV_DRAW_STATE";
            return block_names[i].name;
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

/* --- registers by generation ------------------------------------------------------------------------------------- */

static const uint32_t a5xx[GPUCODE_CRASH_ROLES] = {
    [GPUCODE_CRASH_RB_BASE] = 0x800,   [GPUCODE_CRASH_RB_RPTR] = 0x806, [GPUCODE_CRASH_RB_WPTR] = 0x807,
    [GPUCODE_CRASH_INTERRUPT] = 0xb18, [GPUCODE_CRASH_PROTECT] = 0xb1c, [GPUCODE_CRASH_HW_FAULT] = 0xb1a,
    [GPUCODE_CRASH_IB1_BASE] = 0xb1f,  [GPUCODE_CRASH_IB1_REM] = 0xb21, [GPUCODE_CRASH_IB2_BASE] = 0xb22,
    [GPUCODE_CRASH_IB2_REM] = 0xb24,
};

static const uint32_t a6xx[GPUCODE_CRASH_ROLES] = {
    [GPUCODE_CRASH_RB_BASE] = 0x800,   [GPUCODE_CRASH_RB_RPTR] = 0x806,   [GPUCODE_CRASH_RB_WPTR] = 0x807,
    [GPUCODE_CRASH_INTERRUPT] = 0x823, [GPUCODE_CRASH_PROTECT] = 0x824,   [GPUCODE_CRASH_HW_FAULT] = 0x821,
    [GPUCODE_CRASH_IB1_BASE] = 0x928,  [GPUCODE_CRASH_IB1_REM] = 0x92a,   [GPUCODE_CRASH_IB1_SIZE] = 0x943,
    [GPUCODE_CRASH_IB2_BASE] = 0x92b,  [GPUCODE_CRASH_IB2_REM] = 0x92d,   [GPUCODE_CRASH_IB2_SIZE] = 0x944,
    [GPUCODE_CRASH_SDS_BASE] = 0x92e,  [GPUCODE_CRASH_SDS_REM] = 0x930,   [GPUCODE_CRASH_RB_AVAIL] = 0x948,
    [GPUCODE_CRASH_IB1_AVAIL] = 0x949, [GPUCODE_CRASH_IB2_AVAIL] = 0x94a,
};

static const uint32_t gen8[GPUCODE_CRASH_ROLES] = {
    [GPUCODE_CRASH_RB_BASE] = 0x800,   [GPUCODE_CRASH_RB_RPTR] = 0x806,   [GPUCODE_CRASH_RB_WPTR] = 0x807,
    [GPUCODE_CRASH_INTERRUPT] = 0x8b7, [GPUCODE_CRASH_PROTECT] = 0x84f,   [GPUCODE_CRASH_HW_FAULT] = 0x8b3,
    [GPUCODE_CRASH_IB1_BASE] = 0x900,  [GPUCODE_CRASH_IB1_REM] = 0x902,   [GPUCODE_CRASH_IB1_SIZE] = 0x903,
    [GPUCODE_CRASH_IB2_BASE] = 0x904,  [GPUCODE_CRASH_IB2_REM] = 0x906,   [GPUCODE_CRASH_IB2_SIZE] = 0x907,
    [GPUCODE_CRASH_SDS_BASE] = 0x90c,  [GPUCODE_CRASH_SDS_REM] = 0x90e,   [GPUCODE_CRASH_RB_AVAIL] = 0x918,
    [GPUCODE_CRASH_IB1_AVAIL] = 0x919, [GPUCODE_CRASH_IB2_AVAIL] = 0x91a,
};

static uint32_t number_of(const char *generation, enum gpucode_crash_role role)
{
    if ((unsigned)role >= GPUCODE_CRASH_ROLES)
        return 0;
    if (strcmp(generation, "a5xx") == 0)
        return a5xx[role];
    return strcmp(generation, "gen8") == 0 ? gen8[role] : a6xx[role];
}

uint32_t gpucode_crash_number(const struct gpucode_crash *crash, enum gpucode_crash_role role)
{
    /* before a5xx there is none to look at */
    return crash && crash->head.target ? number_of(crash->head.generation, role) : 0;
}

uint32_t gpucode_crash_number_of(const struct gpucode_target *target, enum gpucode_crash_role role)
{
    return target && gpucode_target_facts(target)->packets ? number_of(gpucode_target_generation(target), role) : 0;
}

/* --- interrupts -------------------------------------------------------------------------------------------------- */

static const char *const bits[] = {
    [0] = "opcode error",
    [1] = "ucode error",
    [2] = "hardware fault",
    [4] = "register protection",
    [5] = "AHB error",
    [6] = "VSD parity",
    [7] = "illegal instruction",
    [8] = "LPAC opcode error",
    [9] = "LPAC ucode error",
    [10] = "LPAC hardware fault",
    [11] = "LPAC register protection",
    [12] = "LPAC illegal instruction",
    [13] = "BV opcode error",
    [14] = "BV ucode error",
    [15] = "BV hardware fault",
    [16] = "BV register protection",
    [17] = "BV illegal instruction",
};

static const char *const a5xx_bits[] = {
    "opcode error", "reserved bit error", "hardware fault", "DMA error", "register protection", "AHB error",
};

static const char *const gen8_bits[] = {
    [8] = "opcode error",         [9] = "VSD parity",  [10] = "register protection",
    [11] = "illegal instruction", [12] = "SMMU fault",
};

const char *gpucode_crash_interrupt(const struct gpucode_crash *crash, unsigned bit)
{
    if (!crash || !crash->head.target)
        return NULL;
    if (crash_is(crash, "a5xx"))
        return bit < sizeof a5xx_bits / sizeof *a5xx_bits ? a5xx_bits[bit] : NULL;
    if (crash_is(crash, "gen8"))
        return bit < sizeof gen8_bits / sizeof *gen8_bits ? gen8_bits[bit] : NULL;
    return bit < sizeof bits / sizeof *bits ? bits[bit] : NULL;
}

bool gpucode_crash_protection(const struct gpucode_crash *crash, struct gpucode_crash_protection *protection)
{
    uint32_t value, interrupts = 0;
    if (!protection || !gpucode_crash_read(crash, gpucode_crash_number(crash, GPUCODE_CRASH_PROTECT), &value))
        return false;
    *protection = (struct gpucode_crash_protection){
        .status = value,
        .refused = value >> 22 & 1,
        .halted = value >> 21 & 1,
        .write = !(value >> 20 & 1),
        .number = value & 0x3ffff,
    };
    if (!crash_is(crash, "a5xx"))
        return true;
    gpucode_crash_read(crash, gpucode_crash_number(crash, GPUCODE_CRASH_INTERRUPT), &interrupts);
    *protection = (struct gpucode_crash_protection){
        .status = value,
        .refused = interrupts >> 4 & 1,
        .write = value >> 24 & 1,
        .number = (value & 0xfffff) >> 2,
    };
    return true;
}

/* Only gen8's are public. */
const char *gpucode_crash_hardware_fault(const struct gpucode_crash *crash, unsigned bit)
{
    static const char *const names[] = {
        [0] = "fetch of the ring",     [1] = "fetch of IB1", [2] = "fetch of IB2", [3] = "fetch of IB3",
        [4] = "fetch of SDS",          [5] = "fetch of MRB", [6] = "fetch of VSD", [8] = "SQE read overflow",
        [9] = "event engine overflow", [10] = "ucode error",
    };
    if (!crash || !crash->head.target || !crash_is(crash, "gen8"))
        return NULL;
    return bit < sizeof names / sizeof *names ? names[bit] : NULL;
}

/* --- the packet table -------------------------------------------------------------------------------------------- */

#define TABLE (4 * GPUCODE_CRASH_UCODE_SECTION)
#define HANDLER_MASK 0x1fffu

bool gpucode_crash_table(const struct gpucode_crash *crash, uint32_t handlers[128])
{
    struct gpucode_crash_block block;
    uint32_t any = 0;
    if (!handlers || !gpucode_crash_find_block(crash, "SQE_UCODE_DBG", &block))
        return false;
    for (unsigned i = 0; i < 128; i++)
        any |= handlers[i] = gpucode_crash_word(&block.data, TABLE + i) & HANDLER_MASK;
    return any != 0;
}

/*
 * Section 7 of the debug memory has the control registers from 0 on, where it is there at all, and section 5 those that
 * firmware uses as it likes: from 0x100 on, of the a750 from 0x400 on (Mesa's crashdec).
 */
static void read_controls(struct gpucode_crash *crash, const struct gpucode_crash_block *block, const char *processor)
{
    bool late = crash->head.gpu && strcmp(crash->head.gpu, "A750") == 0, hardware = false;
    uint32_t scratch = late ? 0x400 : 0x100, end = scratch + (late ? 0x100 : 0x80);
    for (uint32_t i = 0; i < 0x400; i++)
        hardware |= gpucode_crash_word(&block->data, 7 * GPUCODE_CRASH_UCODE_SECTION + i) != 0;
    for (uint32_t i = hardware ? 0 : scratch; i < end || (hardware && i < 0x400); i++) {
        bool own = i >= scratch && i < end;
        uint64_t at = own ? 5 * GPUCODE_CRASH_UCODE_SECTION + i - scratch : 7 * GPUCODE_CRASH_UCODE_SECTION + i;
        struct gpucode_crash_control *control = dump_add(crash, &crash->controls, sizeof *control);
        if (control)
            *control = (struct gpucode_crash_control){processor, block->pipe, i, gpucode_crash_word(&block->data, at)};
    }
}

void controls_read(struct gpucode_crash *crash)
{
    char name[32];
    for (size_t i = 0; i < crash->blocks.count && !crash->no_memory; i++) {
        const struct gpucode_crash_block *block = DUMP_ITEM(crash->blocks, struct gpucode_crash_block, i);
        const char *processor = block_processor(block->name, "SQE_UCODE_DBG", name);
        if (processor && block->data.count > 5 * GPUCODE_CRASH_UCODE_SECTION &&
            (processor = dump_text(crash, processor, strlen(processor))))
            read_controls(crash, block, processor);
    }
}
