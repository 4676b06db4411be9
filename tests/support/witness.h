/* SPDX-License-Identifier: MIT */
/*
 * A machine as the witness of what rows say: every register that an instruction writes or uses must be among its
 * effects, those that are certain must happen, and control must go where its flow says.
 */
#ifndef TESTS_SUPPORT_WITNESS_H
#define TESTS_SUPPORT_WITNESS_H

#include <gpucode/gpucode.h>

#define WITNESS_PROCESSORS 8
#define WITNESS_KINDS                                                                                                  \
    (GPUCODE_EVENT_INSN | GPUCODE_EVENT_WRITE | GPUCODE_EVENT_READ | GPUCODE_EVENT_USE | GPUCODE_EVENT_CHANGE |        \
     GPUCODE_EVENT_MEM_WRITE | GPUCODE_EVENT_MEM_READ)

struct witness_place {
    bool known;   /* an instruction has begun, and `insn` is it */
    uint64_t pc;  /* of the last instruction */
    bool certain; /* only these may come next: */
    uint64_t next[2];
    unsigned next_count;
    struct gpucode_flow pending; /* what happens after `slots` more instructions */
    unsigned slots;
    unsigned loose; /* so many times anything may come next */
    bool acts;      /* a register that may do more than hold its value was written or read */
    struct gpucode_insn insn;
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    unsigned effect_count, seen[GPUCODE_EFFECTS_MAX]; /* enum gpucode_use */
};

struct witness {
    struct witness_place places[WITNESS_PROCESSORS];
    char wrong[256];                                   /* the first contradiction; "": none */
    unsigned flows[6], taken, not_taken, writes, uses; /* what was checked */
};

/* To be called with each event of a hook for WITNESS_KINDS. */
void witness_event(struct witness *witness, struct gpucode_machine *machine, const struct gpucode_event *event);

/* A hook of its own; `user` is the witness. */
bool witness_hook(void *user, struct gpucode_machine *machine, const struct gpucode_event *event);

#endif
