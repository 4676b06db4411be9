/* SPDX-License-Identifier: MIT */
/* The state of a crash dump in a machine: `debug --crash`. */
#ifndef KIT_PM4_CRASH_LOAD_H
#define KIT_PM4_CRASH_LOAD_H

#include <gpucode/machine.h>

struct session;

/*
 * Puts memory, registers, packet table, queues and PC of the SQE of the dump at `path` into a machine that has not run.
 * Warns when the firmware is another one than the one that crashed. Returns an exit code.
 */
int crash_load(struct session *session, const char *path, struct gpucode_machine *machine);

#endif
