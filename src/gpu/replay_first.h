/* SPDX-License-Identifier: MIT */
#ifndef GPU_REPLAY_FIRST_H
#define GPU_REPLAY_FIRST_H

#include "front/input.h"
#include <stdbool.h>
#include <stdint.h>

struct session;

/* The first difference of a submit between the firmware's writes of GPU registers and those of plain decoding. */
struct replay_first {
    bool found;
    bool last;       /* the firmware writes no more after it */
    uint32_t number; /* not last: the register that the firmware writes there */
    uint64_t passes; /* instructions that write the register before, the boot included */
    char text[320];  /* "CP_NOP: RB_CNTL: 0x1 by decoding, not written by the firmware" */
};

/*
 * Runs the image from its boot through submit number `submit` of the stream in the file `path`. Without a difference,
 * and where the two cannot be compared, nothing is found. Complains when memory runs out; returns an exit code.
 */
int replay_find_first(struct session *session, const struct input *input, const char *path, uint64_t submit,
                      struct replay_first *first);

#endif
