/* SPDX-License-Identifier: MIT */
/* The state of a crash dump in a machine: `debug --crash`. */
#ifndef GPU_CRASH_LOAD_H
#define GPU_CRASH_LOAD_H

#include <gpucode/machine.h>
#include <stdbool.h>

struct session;
struct gpucode_crash;

/* How a dump is put into a machine, and what came of it. */
struct crash_loading {
    bool from_ring;     /* wanted: the oldest packet of the ring that is still whole, behind boot; else the crash */
    bool unchecked;     /* the dump has no packet table; the firmware has booted to have one */
    bool no_ring;       /* from_ring: the dump has none whose packets can be told, or the firmware does not boot */
    unsigned different; /* entries of the packet table that are not the firmware's */
};

/*
 * Puts the dump into a machine that has not run: memory of rings and buffers; and registers, packet table, queues and
 * PC of the SQE, or with from_ring the ring alone. What GPU registers held at the start of a ring nobody knows: they
 * are as boot leaves them. Returns GPUCODE_OK or GPUCODE_ERROR_MEMORY.
 */
enum gpucode_status crash_load_into(const struct gpucode_crash *crash, struct gpucode_machine *machine,
                                    struct crash_loading *loading);
/* The same of a file, with warnings when the firmware is another one than the one that crashed. Returns an exit code.
 */
int crash_load(struct session *session, const char *path, bool from_ring, struct gpucode_machine *machine);

#endif
