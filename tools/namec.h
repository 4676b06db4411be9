/* SPDX-License-Identifier: MIT */
#ifndef TOOLS_NAMEC_H
#define TOOLS_NAMEC_H

#include "tsv.h"

/* Turns the table of chipsets into X-macro rows; the exit code. */
int namec_chipsets(const char *output, const char *table);

#endif
