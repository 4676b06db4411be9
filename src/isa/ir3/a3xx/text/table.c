/* SPDX-License-Identifier: MIT */
/* The rows of insn.def as tools/rowc.c compiled them. */
#include "isa/ir3/a3xx/a3xx.h"

#include <gpucode/a3xx.h>

#include "a3xx_rows.inc"
