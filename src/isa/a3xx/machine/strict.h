/* SPDX-License-Identifier: MIT */
/*
 * Strict timing: what is on its way in each thread, so that results that are read too early are not there yet. The
 * registers of a thread hold what arithmetic has issued and what other units have written back; this says which of the
 * former are too young for a reader, and which writebacks of the latter are still to come.
 */
#ifndef ISA_A3XX_MACHINE_STRICT_H
#define ISA_A3XX_MACHINE_STRICT_H

#include "isa/a3xx/machine/machine.h"
#include "isa/a3xx/timing/delay.h"

#define A3XX_RECENT 8    /* results of arithmetic that may be too young: more than A3XX_DELAY_MAX */
#define A3XX_OPEN_MAX 32 /* instructions whose sources may still be read; the first of more have read theirs */

/* What (ss) and (sy) wait for. */
enum { A3XX_DUE_SS, A3XX_DUE_SY, A3XX_DUES };

struct a3xx_flight {
    uint64_t slot; /* issue slots of the thread's own path */
    struct a3xx_recent {
        uint64_t slot;
        uint32_t old; /* what readers that come too early see */
        int32_t reg;  /* -1: none any more */
    } recent[A3XX_RECENT];
    uint32_t newest; /* index of the last one, modulo A3XX_RECENT */
    uint32_t open_count;
    struct a3xx_set due[A3XX_DUES], special /* of category 4 */, used /* by those that are open, and perhaps more */;
    uint32_t result[A3XX_DUES][A3XX_REGISTERS];
    struct a3xx_open {
        uint32_t at;
        int16_t address; /* a0.x, where operands are relative to it */
        uint8_t step;
    } open[A3XX_OPEN_MAX]; /* in the order of issue */
};

/* Bytes of the state with what strict timing keeps behind the threads. */
size_t a3xx_strict_size(uint32_t threads);
/* Makes a prepared program's operands ask for their values, and sets the threads' clocks going. */
void a3xx_strict_start(struct a3xx_state *state);
/* Runs one instruction of run->thread. */
void a3xx_strict_execute(struct a3xx_run *run, const struct a3xx_op *op);

/* What the operand's reader sees of a register, or of a0.x. */
uint32_t a3xx_strict_read(const struct a3xx_run *run, const struct a3xx_operand *operand, int number);
int a3xx_strict_address(const struct a3xx_run *run);
void a3xx_strict_put(struct a3xx_run *run, bool half, int number, uint32_t value);
/* What operands relative to a0.x add, under either timing. */
static inline int a3xx_address(const struct a3xx_run *run)
{
    return run->strict ? a3xx_strict_address(run) : (int16_t)*a3xx_thread_register(run, false, A3XX_A0);
}
/* The host wrote a register: all that read it see it. */
void a3xx_strict_touch(struct a3xx_state *state, unsigned index, bool half, uint32_t number);

#endif
