/* SPDX-License-Identifier: MIT */
/* What names and places in expressions mean. */
#ifndef DEBUG_LOOKUP_H
#define DEBUG_LOOKUP_H

#include "debug/session.h"

/*
 * A name without its '#'; `section` is null or the name of one. False: there is no such thing or, if value->place says
 * that it is a register, it cannot be read now.
 */
bool lookup_name(struct gpucode_debug *debug, const char *section, const char *name, struct gpucode_value *value);
bool lookup_section(const struct gpucode_debug *debug, const char *name, unsigned *number);
/* The register at an address of a machine whose registers have addresses instead of memory; false: there is none. */
bool lookup_mmio(struct gpucode_debug *debug, uint64_t address, struct gpucode_value *value);
/* Reads what value->place says into value->number. */
bool lookup_read(struct gpucode_debug *debug, struct gpucode_value *value);

#endif
