/* SPDX-License-Identifier: MIT */
/* Strict timing: which registers have results on their way, and who uses them too early. */
#ifndef ISA_IR3_MACHINE_TIMING_H
#define ISA_IR3_MACHINE_TIMING_H

#include "isa/ir3/machine/machine.h"

/* Bytes after the register files, of a machine with strict timing. */
size_t ir3_timing_size(uint32_t fibers);
void ir3_timing_begin(struct ir3_state *state);
/* False: the instruction that is to be issued uses what is not there, and the run is halted. */
bool ir3_timing_check(struct ir3_run *run, const struct ir3_op *op);
/* The members have gone on, and may stand at several places. */
void ir3_timing_part(struct ir3_run *run);

#endif
