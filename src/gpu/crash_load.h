/* SPDX-License-Identifier: MIT */
/* The state of a crash dump in a machine: `debug --crash`, and launch requests of editors. */
#ifndef GPU_CRASH_LOAD_H
#define GPU_CRASH_LOAD_H

#include "kit/launch.h"
#include <gpucode/machine.h>
#include <stdbool.h>

struct session;
struct gpucode_crash;

/*
 * Puts the state of a dump into a machine that has not run, or with from_ring the ring alone; with warnings when the
 * firmware is another one than the one that crashed. Returns an exit code.
 */
int crash_load(struct session *session, const char *path, bool from_ring, struct gpucode_machine *machine);

/* Fields of a launch request, `take` of struct launch_field: a dump to begin in, at the crash or at the ring's start.
 */
enum gpucode_status crash_launch(struct launch *launch, const char *text, const char **expected);
enum gpucode_status crash_launch_ring(struct launch *launch, const char *text, const char **expected);

#endif
