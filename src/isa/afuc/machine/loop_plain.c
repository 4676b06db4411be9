/* SPDX-License-Identifier: MIT */
/* A run loop. In blocks, with nobody who looks on. */
#define RUN_LOOP afuc_loop_plain
#define OBSERVED 0
#define COUNTED 0
#include "isa/afuc/machine/loop.inc"
