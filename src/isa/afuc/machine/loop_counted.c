/* SPDX-License-Identifier: MIT */
/* A run loop. In blocks; edges, coverage and the hang detector are looked at. */
#define RUN_LOOP afuc_loop_counted
#define OBSERVED 0
#define COUNTED 1
#include "isa/afuc/machine/loop.inc"
