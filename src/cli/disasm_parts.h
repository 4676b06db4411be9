/* SPDX-License-Identifier: MIT */
/* Listings that need the analysis: with what it knows as comments, and parts of a program. */
#ifndef CLI_DISASM_PARTS_H
#define CLI_DISASM_PARTS_H

#include "front/session.h"
#include <stdbool.h>

/* Does an option ask for such a listing? */
bool disasm_parts_wanted(const struct session *session);
/* Writes it; FILE may be source. Returns an exit code. */
int disasm_parts(struct session *session);

#endif
