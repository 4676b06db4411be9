/* SPDX-License-Identifier: MIT */
/* Name sets of HWSQ targets, made from data/hwsq/sets.tsv: spaces GPU (byte addresses), FLAG and EVENT. */
#ifndef ISA_HWSQ_NAMES_H
#define ISA_HWSQ_NAMES_H

#include "isa/names.h"

extern const struct isa_names hwsq_names_nv17; /* no events */
extern const struct isa_names hwsq_names_nv41;
extern const struct isa_names hwsq_names_nv50;
extern const struct isa_names hwsq_names_nv92;

#endif
