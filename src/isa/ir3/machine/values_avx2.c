/* SPDX-License-Identifier: MIT */
/* The same loops for processors with AVX2. */
#define IR3_VALUES ir3_values_avx2
#include "isa/ir3/machine/values.inc"
