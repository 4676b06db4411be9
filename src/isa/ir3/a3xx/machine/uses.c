/* SPDX-License-Identifier: MIT */
/* Which registers an instruction uses, for watches, and what it compares, for fuzzers: when somebody asks. */
#include "isa/ir3/a3xx/machine/strict.h"
#include "isa/ir3/a3xx/text/access.h"

/* The machine's space and number of a register of a file; false: it is none. */
static bool place_of(const struct a3xx_access *access, int *number, unsigned *space)
{
    *space = GPUCODE_A3XX_FULL;
    switch (access->file) {
    case A3XX_FILE_FULL:
        return *number >= 0 && *number < A3XX_R63;
    case A3XX_FILE_HALF:
        *space = GPUCODE_A3XX_HALF;
        return *number >= 0 && *number < A3XX_A0;
    case A3XX_FILE_CONST:
        *space = GPUCODE_A3XX_CONST;
        return *number >= 0 && *number < A3XX_CONST_COUNT;
    case A3XX_FILE_ADDRESS:
        *number += A3XX_A0;
        return *number < A3XX_P0;
    case A3XX_FILE_PREDICATE:
        *number += A3XX_P0;
        return *number < A3XX_R63;
    default:
        return false;
    }
}

static void report_access(struct a3xx_run *run, const struct a3xx_access *access, unsigned repeat)
{
    unsigned space;
    int first = access->number + (access->relative ? a3xx_address(run) : 0);
    for (unsigned step = 0; step <= (access->steps ? repeat : 0); step++)
        for (unsigned i = 0; i < access->count; i++) {
            int number = first + (int)(step + i);
            if ((access->mask && !(access->mask >> i & 1)) || !place_of(access, &number, &space))
                continue;
            uint32_t value = space == GPUCODE_A3XX_CONST
                                 ? run->state->all.consts[number]
                                 : *a3xx_thread_register(run, space == GPUCODE_A3XX_HALF, number);
            a3xx_raise_event(run, GPUCODE_EVENT_USE, space, (unsigned)number, value, value);
        }
}

/* Of a register that an earlier step of the same repeat writes, the event has the value from before the instruction. */
static void report_uses(struct a3xx_run *run, const struct a3xx_op *op)
{
    struct gpucode_insn insn = {.target = run->core->target, .bits = op->bits, .row = op->row};
    struct a3xx_access access[A3XX_ACCESS_MAX];
    unsigned count = a3xx_accesses(&insn, access), repeat = a3xx_repeat(op->bits);
    for (unsigned i = 0; i < count; i++)
        if (!access[i].write)
            report_access(run, &access[i], repeat);
}

static void report_comparison(struct a3xx_run *run, const struct a3xx_op *op)
{
    unsigned space = op->half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL;
    for (unsigned step = 0; step <= op->repeat; step++)
        a3xx_raise_event(run, GPUCODE_EVENT_COMPARE, space, step, a3xx_fetch(run, &op->source[0], step),
                         a3xx_fetch(run, &op->source[1], step));
}

void a3xx_report_sources(struct a3xx_run *run, const struct a3xx_op *op)
{
    if (run->core->hook_kinds & GPUCODE_EVENT_USE)
        report_uses(run, op);
    if (run->core->hook_kinds & GPUCODE_EVENT_COMPARE && op->row != A3XX_RAW &&
        a3xx_marks(op->row) & SHADER_MARK_COMPARES)
        report_comparison(run, op);
}
