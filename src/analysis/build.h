/* SPDX-License-Identifier: MIT */
/*
 * How an analysis is made, step by step: reach.c follows control, finds where functions and blocks begin and cuts
 * blocks, functions.c divides them among functions and follows calls, values.c follows constants, references.c lists
 * numbers that are places.
 */
#ifndef ANALYSIS_BUILD_H
#define ANALYSIS_BUILD_H

#include "base/arena.h"
#include "isa/analysis.h"
#include "isa/isa.h"

#include <limits.h>

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

/*
 * Numbers that are places, of all sections. *changed: jumps by registers lead elsewhere than the analysis was made
 * with, so that it has to be made again. False: out of memory.
 */
bool analysis_find_constants(struct gpucode_analysis *analysis, bool *changed);

/* Where a unit that runs, and does not fall through, leads; at most `room` edges, of which it returns how many. */
#define SEEN_MAX 1024 /* from one unit */
#define EDGES_MAX (TABLE_ENTRIES_MAX + 1 + SEEN_MAX)

/* Order of seen edges: by section and place; for qsort(). */
int analysis_compare_seen(const void *a, const void *b);
/* The first of a list, in the order of its places, that leaves a unit; each begins with a struct gpucode_seen_edge. */
size_t analysis_first_from(const void *list, size_t count, size_t size, uint32_t unit);

/* Does the delay slot of a branch hold a transfer? Then it runs only where the branch is not taken. */
static inline bool analysis_slot_branches(const struct analysis_code *code, uint32_t unit)
{
    return unit + 1 < code->units && analysis_is_transfer(&code->words[unit + 1]);
}

static inline bool analysis_is_entry(const struct analysis_code *code, uint32_t unit)
{
    return unit < code->units && code->marks[unit] & ANALYSIS_ENTRY;
}

/* --- values followed until nothing changes: over all code, or from one function at a level ------------------------ */

#define LEVEL_UNKNOWN UINT_MAX

struct analysis_run {
    struct gpucode_analysis *analysis;
    struct analysis_code *code;
    unsigned registers;
    unsigned level;    /* LEVEL_UNKNOWN: all code is looked at, and branches go both ways */
    isa_value *states; /* in front of each piece */
    isa_value *exits;  /* of each function, where it returns */
    bool *seen;        /* of each piece: its state is one */
    bool *left;        /* of each function: its exit is one */
    bool *queued;
    struct list todo, visited, exited; /* pieces to look at; pieces seen; functions left */
    uint32_t *callers, *caller_of;     /* pieces that call function f: callers[caller_of[f]] .. */
    uint32_t *tailers, *tailer_of;     /* functions that jump to function f */
    isa_value *state;                  /* the one at hand, and a second one */
    bool failed;
};

void analysis_run_end(struct analysis_run *run);

/* analysis_calls.at_level */
bool analysis_at_level(struct gpucode_analysis *analysis, struct analysis_code *code, uint32_t function, unsigned level,
                       void (*visit)(void *user, struct analysis_code *code, uint32_t piece, const isa_value *state),
                       void *user);

#endif
