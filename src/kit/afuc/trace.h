/* SPDX-License-Identifier: MIT */
/* What an AFUC machine does, recorded and printed: per instruction as a trace, and over all as changes. */
#ifndef KIT_AFUC_TRACE_H
#define KIT_AFUC_TRACE_H

#include "front/input.h"
#include "front/outcome.h"
#include "front/places.h"
#include "kit/afuc/firmware.h"
#include <gpucode/answer.h>
#include <gpucode/fuzz.h>
#include <gpucode/machine.h>

#include <stdbool.h>

enum { TRACE_INSTRUCTIONS = 1, TRACE_REGISTERS = 2, TRACE_MEMORY = 4, TRACE_STATE = 8, TRACE_BOOT = 16 };

struct trace {
    struct session *session;
    struct gpucode_answer *answer; /* what is printed; null before trace_begin() */
    const struct input *input;
    struct gpucode_machine *machine;
    unsigned kinds;
    bool json;
    bool comments;       /* instructions with what the analysis knows of them */
    bool failed;         /* out of memory */
    struct changes all;  /* of the whole run */
    struct changes step; /* state: of this instruction; memory in order, every write */
    bool in_step, seen_step;
    unsigned processor;
    int64_t step_pc; /* -1: the slot that waited when boot was over; its packet is `packet` */
    int64_t packet;  /* opcode of the packet that was dispatched last, -1: none */
    struct places_walk walk;
};

/* Becomes the machine's hook. */
void trace_begin(struct trace *trace);
/* Prints what is not printed yet; `waiting`: the machine stands in the delay slot of waitin. */
void trace_end(struct trace *trace, const struct gpucode_stop *stop, bool waiting);
void trace_free(struct trace *trace);

/* "gpr", "ctrl", "gpu", "pipe", "sqe" or "mem". */
const char *trace_space(int space);

/* --- What a run of firmware has changed, and the memory and registers that --dump asks for ------------------------ */

#endif
