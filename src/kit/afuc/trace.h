/* SPDX-License-Identifier: MIT */
/* What an AFUC machine does, recorded and printed: per instruction as a trace, and over all as changes. */
#ifndef KIT_AFUC_TRACE_H
#define KIT_AFUC_TRACE_H

#include "front/input.h"
#include "front/symbols.h"
#include <gpucode/machine.h>
#include <stdbool.h>
#include <stdio.h>

enum { TRACE_INSTRUCTIONS = 1, TRACE_REGISTERS = 2, TRACE_MEMORY = 4, TRACE_STATE = 8 };

/* A register or a word of memory, before the first write and after the last. */
struct trace_change {
    int space; /* enum gpucode_space; -1: memory */
    unsigned processor;
    uint64_t index;
    uint32_t before, value;
};

struct trace_changes {
    struct trace_change *list;
    size_t count, room;
    uint32_t *slots; /* hash of list: index + 1 */
    size_t slot_count;
};

struct trace {
    const struct input *input;
    struct gpucode_machine *machine;
    unsigned kinds;
    bool json;
    bool failed;               /* out of memory */
    struct trace_changes all;  /* of the whole run */
    struct trace_changes step; /* state: of this instruction; memory in order, every write */
    bool in_step, seen_step;
    unsigned processor;
    int64_t step_pc;
    struct symbols_walk walk;
};

/* Becomes the machine's hook. */
void trace_begin(struct trace *trace);
/* Prints what is not printed yet; `waiting`: the machine stands in the delay slot of waitin. */
void trace_end(struct trace *trace, const struct gpucode_stop *stop, bool waiting);
void trace_free(struct trace *trace);

/* Sorted by space, processor and number, without those that came back to their old value. */
void trace_sort(struct trace_changes *changes);
/* "gpr", "ctrl", "gpu", "pipe", "sqe" or "mem". */
const char *trace_space(int space);

#endif
