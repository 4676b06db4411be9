/* SPDX-License-Identifier: MIT */
/* Names of the user's own for code, registers, packets and memory, from --symbols. */
#ifndef FRONT_SYMBOLS_H
#define FRONT_SYMBOLS_H

#include <gpucode/symbols.h>

struct session;

/*
 * Reads all symbol files. *symbols is null when there are none, or no target. `names` (may be null) go behind theirs
 * and must live as long. Returns an exit code; not EXIT_DONE: there is nothing to free.
 */
int symbols_load(struct session *session, const struct gpucode_target *target, const struct gpucode_names *names,
                 struct gpucode_symbols **symbols);
/* Adds the labels of a program (may be null) and says which image it is about. Nothing for null symbols. */
int symbols_bind(struct session *session, struct gpucode_symbols *symbols, const struct gpucode_program *program,
                 const struct gpucode_image *image, const char *file);
/* For the `names` of the library's options: those of the symbols, or `names` when there are none. */
const struct gpucode_names *symbols_names(const struct gpucode_symbols *symbols, const struct gpucode_names *names);

#endif
