/* SPDX-License-Identifier: MIT */
/*
 * A slow second opinion: AFUC instructions evaluated one at a time from their decoded fields, by mnemonic, written from
 * the manual and without a line of the machine's. It knows general registers, $data both ways with GPU registers after
 * it, plain control registers, memory below 16 MiB and branches.
 */
#ifndef TESTS_SLOW_H
#define TESTS_SLOW_H

#include <gpucode/gpucode.h>

struct slow {
    uint32_t reg[32];
    uint64_t carry;
    uint32_t control[0x1000];
    uint32_t gpu[0x1000];
    uint32_t memory[0x400000];
    const uint32_t *payload;
    unsigned taken;      /* of the payload */
    unsigned through;    /* 0x1d or 0x1e: what $data writes through */
    uint32_t pc, branch; /* branch: target of the branch whose delay slot is next, or UINT32_MAX */
};

/* Runs the instruction at pc; false when it is not one of those above. */
bool slow_step(struct slow *slow, const struct gpucode_target *target, const uint32_t *code);

#endif
