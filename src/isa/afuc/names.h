/* SPDX-License-Identifier: MIT */
/* Name sets of AFUC targets, made from data/afuc/sets.tsv: spaces CONTROL, SQE, PIPE, GPU and PACKET. */
#ifndef ISA_AFUC_NAMES_H
#define ISA_AFUC_NAMES_H

#include "isa/names.h"

extern const struct isa_names afuc_names_a5xx; /* no SQE registers are known */
extern const struct isa_names afuc_names_a6xx;
extern const struct isa_names afuc_names_a7xx;
extern const struct isa_names afuc_names_a7xx_gen3; /* a750: other control registers */
extern const struct isa_names afuc_names_gen8;

#endif
