/* SPDX-License-Identifier: MIT */
/* Registers of the user's own, their names and fields, from --registers and $GPUCODE_REGISTERS. */
#ifndef FRONT_REGISTERS_H
#define FRONT_REGISTERS_H

#include <gpucode/fields.h>
#include <gpucode/names.h>

struct session;
struct registers;

/* Are there any, so that the target must be known? */
bool registers_are_named(const struct session *session);
/*
 * Loads all register files for a target, those of the command line ahead of those of the environment. *registers is
 * null when there are none. A null target loads nothing. Returns an exit code.
 */
int registers_load(struct session *session, const struct gpucode_target *target, struct registers **registers);
/* The same where there is no target but a family of GPUs, 2 for a2xx to 4 for a4xx; for 0 nothing is loaded. */
int registers_load_family(struct session *session, unsigned family, struct registers **registers);
/* For the `names` member of the library's options; null for null. */
const struct gpucode_names *registers_names(const struct registers *registers);
/* What the registers mean, for gpucode_meanings_...(); null: nothing more than is built in. */
const struct gpucode_meanings *registers_meanings(const struct registers *registers);
void registers_free(struct registers *registers);

#endif
