/* SPDX-License-Identifier: MIT */
/* How an instruction is written, from its row and the manual's table of letters. */
#ifndef FRONT_ROW_H
#define FRONT_ROW_H

#include <gpucode/target.h>
#include <stddef.h>
#include <stdint.h>

/* What a field of a row is, "destination register"; null: it has no such field. */
const char *row_kind(const struct gpucode_target *target, uint32_t row, char letter);
/*
 * The form of a row, "add $dst, $src, IMM16", cut where there is no room; returns its length. *parts
 * (GPUCODE_FIELDS_MAX pairs) receives where each operand begins and ends in it; both may be null.
 */
size_t row_form(const struct gpucode_target *target, uint32_t row, char *text, size_t size, size_t *parts,
                unsigned *part_count);

#endif
