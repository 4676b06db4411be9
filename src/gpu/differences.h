/* SPDX-License-Identifier: MIT */
/* What two firmwares do with one recorded stream. */
#ifndef GPU_DIFFERENCES_H
#define GPU_DIFFERENCES_H

#include "front/input.h"

struct session;

/* kit.compare_runs of firmware: `stream` is the file of the recording. */
int replay_differences(struct session *session, const struct input *before, const struct input *after,
                       const char *stream);

#endif
