/* SPDX-License-Identifier: MIT */
/* What handlers do on the machine, at each level of privilege. */
#ifndef ANALYSIS_TRIALS_H
#define ANALYSIS_TRIALS_H

#include "isa/analysis.h"

struct trials;

/* Boots the image. Null: out of memory; an image that does not boot is found out by trials_section(). */
struct trials *trials_begin(struct gpucode_analysis *analysis);
/* The section that is tried from now on; false: nothing can be run. The machine goes back to where boot left it. */
bool trials_section(struct trials *trials, struct analysis_code *code);
/* What was seen, as enum gpucode_privilege. */
struct trials_seen {
    unsigned all;      /* of all runs, with the packet put at the level */
    bool led;          /* the firmware came to the level by itself in some runs, */
    unsigned led_seen; /* and did this, */
    unsigned put_seen; /* that being what the same runs did with the packet put there */
};
/*
 * Runs the handler of a packet with many payloads, more of them while something of `expected` was not seen. False: the
 * machine cannot be put at that level.
 */
bool trials_run(struct trials *trials, unsigned packet, unsigned level, unsigned expected, struct trials_seen *seen);
/* null is allowed. */
void trials_end(struct trials *trials);

#endif
