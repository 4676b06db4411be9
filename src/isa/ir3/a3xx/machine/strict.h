/* SPDX-License-Identifier: MIT */
/*
 * Strict timing: what is on its way in each thread, so that results that are read too early are not there yet. The
 * registers of a thread hold what arithmetic has issued and what other units have written back; this says which of the
 * former are too young for a reader, and which writebacks of the latter are still to come.
 */
#ifndef ISA_IR3_A3XX_MACHINE_STRICT_H
#define ISA_IR3_A3XX_MACHINE_STRICT_H

#include "isa/ir3/a3xx/a3xx.h"
#include "isa/ir3/a3xx/machine/machine.h"
#include "isa/ir3/timing/delay.h"

#define A3XX_RECENT 8 /* issue slots, a power of two of more than A3XX_DELAY_MAX */
#define A3XX_NO_RESULT 0xffff
#define A3XX_OPEN_MAX 32 /* instructions whose sources may still be read; the first of more have read theirs */

/* What (ss) and (sy) wait for. */
enum { A3XX_DUE_SS, A3XX_DUE_SY, A3XX_DUES };

/*
 * What is on its way, but for values: threads that ran the same instructions in the same slots have the same.
 * Arithmetic issues one result in a slot.
 */
struct a3xx_flight {
    uint32_t slot; /* issue slots of the thread's own path */
    /* 16 bits of each slot, from the youngest on: the register that a result of arithmetic went to, or A3XX_NO_RESULT
     */
    uint64_t recent[A3XX_RECENT / 4];
    struct a3xx_set due[A3XX_DUES], special /* of category 4 */, used /* by those that are open, and perhaps more */;
    uint32_t open_count;
    struct a3xx_open {
        uint32_t at;
        int16_t address; /* a0.x, where operands are relative to it, else 0 */
        uint16_t step;
    } open[A3XX_OPEN_MAX]; /* in the order of issue */
};

/*
 * The values that belong to it lie as registers do, in rows of all threads: what recent results have replaced, which is
 * what readers that come too early see, and results that are due.
 */
static inline uint32_t a3xx_row_replaced(uint32_t slot)
{
    return slot % A3XX_RECENT;
}

static inline uint32_t a3xx_row_due(unsigned due, int reg)
{
    return A3XX_RECENT + due * A3XX_REGISTERS + (uint32_t)reg;
}
#define A3XX_TIMED_ROWS (A3XX_RECENT + A3XX_DUES * A3XX_REGISTERS)

/* The first of these rows. */
uint32_t *a3xx_timed_values(struct a3xx_state *state);
struct a3xx_flight *a3xx_flights(struct a3xx_state *state);

/* The register that a result went to so many slots ago. */
static inline int a3xx_recent(const struct a3xx_flight *flight, unsigned age)
{
    return (int)(flight->recent[age / 4] >> 16 * (age % 4) & 0xffff);
}

/* The slots that the register stands in have their highest bit set, and nothing else is. */
static inline uint64_t a3xx_slots_of(uint64_t recent, int reg)
{
    const uint64_t highest = UINT64_C(0x8000800080008000);
    uint64_t other = recent ^ UINT64_C(0x0001000100010001) * (unsigned)reg;
    return ~(((other & ~highest) + ~highest) | other | ~highest);
}

/*
 * The slot whose result a reader that must wait for so many slots, at most A3XX_DELAY_MAX, does not see yet, so that it
 * sees what that one has replaced: the oldest one. -1: it sees the register.
 */
static inline int a3xx_hidden_slot(const struct a3xx_flight *flight, int reg, unsigned delay)
{
    uint64_t youngest = a3xx_slots_of(flight->recent[0], reg), older = 0;
    if (delay < 4)
        youngest &= UINT64_MAX >> 16 * (3 - delay);
    else
        older = a3xx_slots_of(flight->recent[1], reg) & UINT64_MAX >> 16 * (7 - delay);
    if (!(youngest | older))
        return -1;
    unsigned age = older ? 7 - (unsigned)__builtin_clzll(older) / 16 : 3 - (unsigned)__builtin_clzll(youngest) / 16;
    return (int)((flight->slot - age) % A3XX_RECENT);
}

/* A result of arithmetic is issued to a register; false: this slot has had one to it. */
static inline bool a3xx_note_result(struct a3xx_flight *flight, int reg)
{
    bool first = a3xx_recent(flight, 0) != reg;
    flight->recent[0] = (flight->recent[0] & ~UINT64_C(0xffff)) | (unsigned)reg;
    return first;
}

static inline void a3xx_pass_slot(struct a3xx_flight *flight)
{
    flight->slot++;
    flight->recent[1] = flight->recent[1] << 16 | flight->recent[0] >> 48;
    flight->recent[0] = flight->recent[0] << 16 | A3XX_NO_RESULT;
}

static inline void a3xx_forget_all_recent(struct a3xx_flight *flight)
{
    flight->recent[0] = flight->recent[1] = UINT64_MAX;
}

/* The register's number in the row of registers; -1: a number between or after them. */
static inline int a3xx_timed_register(bool half, int number)
{
    if (number >= 0 && number < A3XX_A0)
        return (half ? A3XX_HALF_0 : A3XX_FULL_0) + number;
    if (half || number < 0)
        return -1;
    if (number >= A3XX_P0 && number < A3XX_P0 + 4)
        return A3XX_PREDICATE_0 + (number - A3XX_P0);
    return number == A3XX_A0 ? A3XX_ADDRESS : -1;
}

/* The other way: the register's number in its file. */
static inline int a3xx_timed_number(int reg)
{
    return reg >= A3XX_PREDICATE_0 ? A3XX_P0 + (reg - A3XX_PREDICATE_0)
           : reg == A3XX_ADDRESS   ? A3XX_A0
           : reg >= A3XX_HALF_0    ? reg - A3XX_HALF_0
                                   : reg;
}

static inline bool a3xx_timed_half(int reg)
{
    return reg >= A3XX_HALF_0 && reg < A3XX_ADDRESS;
}

/* The registers that results are due for, for which none is from here on. */
static inline struct a3xx_set a3xx_take_due(struct a3xx_flight *flight, unsigned due)
{
    struct a3xx_set taken = flight->due[due];
    flight->due[due] = (struct a3xx_set){{0}};
    if (due == A3XX_DUE_SS)
        flight->special = (struct a3xx_set){{0}};
    return taken;
}

/* Arithmetic has no result of this register any more that anybody would miss. */
static inline void a3xx_forget_recent(struct a3xx_flight *flight, int reg)
{
    if (!(a3xx_slots_of(flight->recent[0], reg) | a3xx_slots_of(flight->recent[1], reg)))
        return;
    for (unsigned age = 0; age < A3XX_RECENT; age++)
        if (a3xx_recent(flight, age) == reg)
            flight->recent[age / 4] |= UINT64_C(0xffff) << 16 * (age % 4);
}

/* Notes that the instruction's sources may still be read, as those of one step of it. */
void a3xx_keep_open(struct a3xx_flight *flight, const struct a3xx_open *open, const struct a3xx_op *op);
/* What (ss), and what (sy), has read its sources by. */
void a3xx_close_open(struct a3xx_flight *flight, const struct a3xx_program *program, bool ss, bool sy);
/*
 * Queues a result for a register; where one is queued already, the one issued first is kept, as if it arrived last,
 * unless the order of the two is known. False: that one is kept. `again`: it is the same result, of other sources.
 */
bool a3xx_queue(struct a3xx_flight *flight, const struct a3xx_choices *choice, enum a3xx_unit unit, int reg,
                bool again);
static inline unsigned a3xx_due_of(enum a3xx_unit unit)
{
    return unit == A3XX_LONG_LATENCY ? A3XX_DUE_SY : A3XX_DUE_SS;
}

/* Bytes of the state with what strict timing keeps after the threads. */
size_t a3xx_strict_size(uint32_t threads);
/* Makes a prepared program's operands ask for their values, and sets the threads' clocks going. False: no memory. */
bool a3xx_strict_start(struct machine_core *core, struct a3xx_state *state);
/* Runs one instruction of run->thread. */
void a3xx_strict_execute(struct a3xx_run *run, const struct a3xx_op *op);

/* Runs instructions again that may not have read the register before it changed. */
void a3xx_run_again(struct a3xx_run *run, struct a3xx_flight *flight, int reg);
/* A value of the running thread. */
static inline uint32_t *a3xx_timed_value(const struct a3xx_run *run, uint32_t row)
{
    return run->timed + (size_t)row * run->stride + run->index;
}
/* A result of arithmetic goes to a register's place. */
static inline void a3xx_issue_result(struct a3xx_run *run, int reg, uint32_t *to, uint32_t value)
{
    struct a3xx_flight *flight = &run->flights[run->index];
    if (a3xx_note_result(flight, reg)) /* else a fault of this instruction has ended a run before */
        *a3xx_timed_value(run, a3xx_row_replaced(flight->slot)) = *to;
    *to = value;
    if (__builtin_expect(a3xx_set_has(&flight->used, reg), 0))
        a3xx_run_again(run, flight, reg);
}

/* What an instruction that issues now sees of a0.x. */
int a3xx_strict_address(const struct a3xx_run *run);
/* What operands relative to a0.x add, under either timing. */
static inline int a3xx_address(const struct a3xx_run *run)
{
    return run->strict ? a3xx_strict_address(run) : (int16_t)*a3xx_thread_register(run, false, A3XX_A0);
}
/* The host wrote a register: all that read it see it. */
void a3xx_strict_touch(struct a3xx_state *state, unsigned index, bool half, uint32_t number);

#endif
