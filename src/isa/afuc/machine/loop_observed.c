/* SPDX-License-Identifier: MIT */
/* A run loop. Each instruction is told to hooks, one by one. */
#define RUN_LOOP afuc_loop_observed
#define OBSERVED 1
#define COUNTED 1
#include "isa/afuc/machine/loop.inc"
