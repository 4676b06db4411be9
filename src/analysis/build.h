/* SPDX-License-Identifier: MIT */
/*
 * How an analysis is made, step by step: reach.c follows control and finds where functions and blocks begin, blocks.c
 * cuts blocks, functions.c divides them among functions, depth.c follows calls, values.c follows
 * constants, constants.c lists numbers that are places.
 */
#ifndef ANALYSIS_BUILD_H
#define ANALYSIS_BUILD_H

#include "base/list.h"
#include "isa/analysis.h"
#include "isa/isa.h"

/* Larger bounds of a register bound nothing: such a jump is not resolved. */
#define TABLE_ENTRIES_MAX 1024
/* Places where functions share code: more of them, for each unit, and nobody could read the list. */
#define OWNERS_PER_UNIT 64

/* The steps; false: out of memory. */
bool analysis_reach(struct gpucode_analysis *analysis, struct analysis_code *code);
bool analysis_cut(struct gpucode_analysis *analysis, struct analysis_code *code);
enum gpucode_status analysis_divide(struct gpucode_analysis *analysis, struct analysis_code *code);
bool analysis_measure(struct gpucode_analysis *analysis, struct analysis_code *code);
bool analysis_follow(struct gpucode_analysis *analysis, struct analysis_code *code);

/* Numbers that are places, of all sections. False: out of memory. */
bool analysis_find_constants(struct gpucode_analysis *analysis);

/* Where a unit that runs, and does not fall through, leads; at most `room` edges, of which it returns how many. */
#define SEEN_MAX 1024 /* from one unit */
#define EDGES_MAX (TABLE_ENTRIES_MAX + 1 + SEEN_MAX)
unsigned analysis_edges(const struct analysis_code *code, uint32_t unit, struct gpucode_edge edges[EDGES_MAX]);

/* Order of seen edges: by section and place; for qsort(). */
int analysis_compare_seen(const void *a, const void *b);

/* Does the delay slot of a branch hold a transfer? Then it runs only where the branch is not taken. */
static inline bool analysis_slot_branches(const struct analysis_code *code, uint32_t unit)
{
    return unit + 1 < code->units && analysis_is_transfer(&code->words[unit + 1]);
}

static inline bool analysis_is_entry(const struct analysis_code *code, uint32_t unit)
{
    return unit < code->units && code->marks[unit] & ANALYSIS_ENTRY;
}

#endif
