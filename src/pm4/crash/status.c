/* SPDX-License-Identifier: MIT */
/*
 * Which registers tell of a state, and what their bits mean: register database of the Mesa project, KGSL for gen8; for
 * a5xx a5xx_gpu.c of the Linux kernel and, that its sizes of buffers count down, adreno_snapshot.c of KGSL.
 */
#include "pm4/crash/dump.h"

#include <string.h>

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
