/* SPDX-License-Identifier: MIT */
/* Loops over threads for any processor. */
#define A3XX_LANE_SET a3xx_lanes_plain
#include "isa/ir3/a3xx/machine/lane_actions.inc"
#include "isa/ir3/a3xx/machine/lane_looks.inc"
#include "isa/ir3/a3xx/machine/lane_values.inc"
