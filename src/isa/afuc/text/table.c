/* SPDX-License-Identifier: MIT */
/* The rows of insn.def as tools/rowc.c compiled them. */
#include "isa/afuc/afuc.h"

#include "afuc_rows.inc"
