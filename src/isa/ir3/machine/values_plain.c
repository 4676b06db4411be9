/* SPDX-License-Identifier: MIT */
/* Loops over fibers for any processor. */
#define IR3_VALUES ir3_values_plain
#include "isa/ir3/machine/values.inc"
