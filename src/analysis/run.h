/* SPDX-License-Identifier: MIT */
/* Values followed along the pieces until nothing changes: over all code, or from one function at a level. */
#ifndef ANALYSIS_RUN_H
#define ANALYSIS_RUN_H

#include "analysis/build.h"

#include <limits.h>

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
