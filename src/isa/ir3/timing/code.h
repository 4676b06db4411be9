/* SPDX-License-Identifier: MIT */
/* A program on its way through the scheduler. Branches count the instructions as they stand in it. */
#ifndef ISA_IR3_TIMING_CODE_H
#define ISA_IR3_TIMING_CODE_H

#include "isa/ir3/timing/paths.h"
#include "isa/lint.h"

#define SHADER_NOPS_SHIFT 40 /* the repeat of a nop */
#define SHADER_NOPS (UINT64_C(7) << SHADER_NOPS_SHIFT)

struct a3xx_code {
    const struct gpucode_target *target;
    const struct shader_family *family;
    struct gpucode_insn *insn;
    uint32_t *origin; /* which instruction of the file each was, or GPUCODE_SCHEDULE_NEW */
    uint32_t count;   /* to the last instruction that is not padding */
    uint32_t padding; /* nops after it */
    uint32_t slots, sync_bits;
    uint32_t stalls; /* estimate of what sync bits wait for, in slots */
};

/* What must be added to each instruction; arrays of code.count. */
struct a3xx_repair {
    struct a3xx_paths paths; /* settled; `before` counts what is added in front of an instruction as after the place */
    uint32_t *pad;           /* slots in front of it */
    uint8_t *add;            /* A3XX_ADD_... */
};
enum { A3XX_ADD_SS = 1, A3XX_ADD_SY = 2, A3XX_ADD_NOP_SS = 4 /* (ss) on the nop in front */ };

/* Can hold an (ss) for the instruction after it, because it starts nothing that (ss) waits for. */
static inline bool a3xx_carries_ss(const struct gpucode_insn *insn)
{
    return shader_category(insn->bits) < 4;
}

static inline bool a3xx_has_sync(const struct gpucode_insn *insn)
{
    return insn->bits & SHADER_SY || (shader_takes_ss(insn) && insn->bits & SHADER_SS);
}

/*
 * Takes nops and sync bits out, and fixes the branches; padding is not looked at. Not `all`: the sync bits of the first
 * instruction and each (sy) that a store may want stay. place[i] (code->count + 1 of them): where instruction i, or the
 * next one kept, is now. False: no memory.
 */
bool a3xx_strip(struct a3xx_code *code, bool all, uint32_t *place);
/* Finds the least that makes it legal, as a3xx_watch has it. False: no memory. a3xx_repair_close() is due in any case.
 */
bool a3xx_repair_open(struct a3xx_repair *repair, const struct a3xx_code *code);
void a3xx_repair_close(struct a3xx_repair *repair);
/* Reorders instructions within basic blocks; nops and sync bits are gone already. Those that have sync bits stay where
 * they are. False: no memory. */
enum a3xx_order {
    A3XX_ORDER_WAIT,    /* what waits least, then what has the longest way after it */
    A3XX_ORDER_SLOTS,   /* what needs the fewest slots, sync bits aside; then the longest way */
    A3XX_ORDER_WAY,     /* the longest way, unless it costs many slots */
    A3XX_ORDER_PROGRAM, /* what waits least, then the order of the program */
    A3XX_ORDERS
};
bool a3xx_reorder(struct a3xx_code *code, enum a3xx_order order);

#endif
