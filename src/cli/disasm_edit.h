/* SPDX-License-Identifier: MIT */
/* `disasm --edit`: numbers that are places, for a text in which code may move. */
#ifndef CLI_DISASM_EDIT_H
#define CLI_DISASM_EDIT_H

#include "front/code.h"
#include <gpucode/analysis.h>
#include <gpucode/asm.h>

struct session;

/*
 * Sets the constants in the options, and warns of places whose numbers are not known. *analysis, which has them, is
 * to be freed, null or not. Returns an exit code.
 */
int disasm_edit(struct session *session, const struct code *opened, struct gpucode_disasm_options *options,
                struct gpucode_analysis **analysis);

#endif
