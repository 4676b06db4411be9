/* SPDX-License-Identifier: MIT */
/* The rows of insn.def as tools/rowc.c compiled them. */
#include "isa/hwsq/hwsq.h"

#include "hwsq_rows.inc"
