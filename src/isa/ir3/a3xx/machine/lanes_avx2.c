/* SPDX-License-Identifier: MIT */
/* The same loops for processors with AVX2, which have twice the width and shifts by vectors. */
#define A3XX_LANE_SET a3xx_lanes_avx2
#include "isa/ir3/a3xx/machine/lane_actions.inc"
#include "isa/ir3/a3xx/machine/lane_looks.inc"
#include "isa/ir3/a3xx/machine/lane_values.inc"
