/* SPDX-License-Identifier: MIT */
#ifndef GPU_CRASH_LAUNCH_H
#define GPU_CRASH_LAUNCH_H

#include "kit/launch.h"

/* Fields of a launch request, `take` of struct launch_field: a dump to begin in, at the crash or at the ring's start.
 */
enum gpucode_status crash_launch(struct launch *launch, const char *text, const char **expected);
enum gpucode_status crash_launch_ring(struct launch *launch, const char *text, const char **expected);

#endif
