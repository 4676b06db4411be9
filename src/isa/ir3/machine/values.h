/* SPDX-License-Identifier: MIT */
/* Categories 1 to 4 for many fibers at once. */
#ifndef ISA_IR3_MACHINE_VALUES_H
#define ISA_IR3_MACHINE_VALUES_H

#include "isa/ir3/machine/machine.h"

#define IR3_VALUES_STEP 8 /* a count of values is a multiple of this: what is beyond the last fiber is dropped */

/*
 * Calculates results in the width of their register; where policies have a say in arithmetic, as they are unless they
 * are chosen otherwise, but for the rounding to halves. False: the instruction is not one for which this can be done.
 */
bool ir3_values_plain(const struct ir3_op *op, bool half_even, const struct ir3_values *values);
bool ir3_values_avx2(const struct ir3_op *op, bool half_even, const struct ir3_values *values);

#endif
