/* SPDX-License-Identifier: MIT */
/* The rows of insn.def as tools/rowc.c compiled them. */
#include "isa/ir3/ir3.h"

#include <gpucode/a3xx.h>

#include "ir3_rows.inc"
