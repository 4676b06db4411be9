/* SPDX-License-Identifier: MIT */
/*
 * Strict timing of threads side by side: while threads go through the same instructions in the same slots, the same is
 * on its way for all of them, and only values differ. What a way of an issue's members has on its way is kept in the
 * flight of the first of them, and the others get it when the way ends.
 */
#ifndef ISA_A3XX_MACHINE_TIMED_H
#define ISA_A3XX_MACHINE_TIMED_H

#include "isa/a3xx/machine/group.h"
#include "isa/a3xx/machine/lanes.h"

/* A way begins: do the members have the same on their way? */
bool a3xx_timed_meet(struct a3xx_run *run, const struct a3xx_issue *issue);
/* It ends. */
void a3xx_timed_part(struct a3xx_run *run, const struct a3xx_issue *issue);

/* Is the instruction one whose results change no sources of instructions that would have to be run again? */
bool a3xx_timed_can(const struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op);
/* Waits for what the instruction's sync bits name; `width`: of the group, in lanes. */
void a3xx_timed_sync(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width);
/* The row that a register operand's reader sees at a step. */
const uint32_t *a3xx_timed_source(const struct a3xx_run *run, const struct a3xx_issue *issue,
                                  const struct a3xx_operand *operand, unsigned number_behind);
/* Where the values of a step lie that is issued now; without a place for the result where that is dropped. */
struct a3xx_lane_rows a3xx_timed_rows(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                                      unsigned step);
/* Slots pass. */
void a3xx_timed_pass(struct a3xx_run *run, const struct a3xx_issue *issue, uint32_t slots);

/*
 * Loads, stores and looks into textures, whose operands are vectors of registers that are there, under either timing.
 * What they read can be seen before it is sure that all threads can do it; a3xx_vector_begin() is the way of no return,
 * after which results are put, and a3xx_vector_end() the end.
 */
const uint32_t *a3xx_vector_source(const struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                                   unsigned source, unsigned component);
void a3xx_vector_begin(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op, uint32_t width);
/* Where a component of the result goes; null: it is dropped. */
uint32_t *a3xx_vector_result(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                             unsigned component);
void a3xx_vector_end(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op);

#endif
