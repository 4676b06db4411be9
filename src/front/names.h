/* SPDX-License-Identifier: MIT */
/* Names of the user's own: of code, registers, packets and memory from --symbols, of registers from --registers. */
#ifndef FRONT_NAMES_H
#define FRONT_NAMES_H

#include <gpucode/fields.h>
#include <gpucode/names.h>
#include <gpucode/symbols.h>

struct session;
struct registers;

/* --- symbols --- */

/*
 * Reads all symbol files. *symbols is null when there are none, or no target. `names` (may be null) go after theirs
 * and must live as long. Returns an exit code; not EXIT_DONE: there is nothing to free.
 */
int symbols_load(struct session *session, const struct gpucode_target *target, const struct gpucode_names *names,
                 struct gpucode_symbols **symbols);
/* Adds the labels of a program (may be null) and says which image it is about. Nothing for null symbols. */
int symbols_bind(struct session *session, struct gpucode_symbols *symbols, const struct gpucode_program *program,
                 const struct gpucode_image *image, const char *file);
/* For the `names` of the library's options: those of the symbols, or `names` when there are none. */
const struct gpucode_names *symbols_names(const struct gpucode_symbols *symbols, const struct gpucode_names *names);

/* --- registers, with their fields, also from $GPUCODE_REGISTERS --- */

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
