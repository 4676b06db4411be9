/* SPDX-License-Identifier: MIT */
/* Which words of a section are code, and which are branched to or called. */
#ifndef ISA_AFUC_TEXT_FLOW_H
#define ISA_AFUC_TEXT_FLOW_H

#include "isa/isa.h"

enum {
    AFUC_MARK_BRANCHED = 1, /* target of a branch or jump */
    AFUC_MARK_CALLED = 2,   /* target of a call or bl */
    AFUC_MARK_REACHED = 4,  /* some path from the first word, a handler or a call leads here */
    AFUC_MARK_DATA = 8,     /* no instruction */
    AFUC_MARK_PREEMPT = 16, /* where %PREEMPT_INSTR points */
};

struct afuc_flow {
    const struct gpucode_target *target;
    const unsigned char *bytes; /* of the section */
    uint32_t words;             /* of code */
    const uint32_t *handlers;   /* of the packet table */
    unsigned handler_count;
    const uint8_t *executed; /* a byte per word, not 0 where it is known to have run; null: nothing is known */
};

/*
 * A byte of marks per word, to be freed by the caller; null when out of memory. Without find_data every word
 * that decodes counts as code, as the reference disassembler has it.
 */
uint8_t *afuc_flow_marks(const struct afuc_flow *flow, bool find_data);

#endif
