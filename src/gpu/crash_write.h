/* SPDX-License-Identifier: MIT */
/* A crash dump of a machine that ran firmware: --crash of `run` and `replay`. */
#ifndef GPU_CRASH_WRITE_H
#define GPU_CRASH_WRITE_H

#include <gpucode/machine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* Memory that goes into the dump. */
struct crash_region {
    uint64_t address, bytes;
    const char *name;
};

/*
 * Packets go through a ring in memory, as drivers have it, so that the place in it can be told. Processor 0 has one.
 */
struct crash_ring {
    struct gpucode_machine *machine;
    uint32_t written; /* words in all */
    bool ready;
};

/* Makes the ring and tells the machine's registers of it. Returns an exit code. */
int crash_ring_open(struct session *session, struct gpucode_machine *machine, struct crash_ring *ring);
/* Puts in as many words as there is room for; returns how many. */
size_t crash_ring_feed(struct crash_ring *ring, const uint32_t *words, size_t count);

/* Writes the dump. Returns an exit code. */
int crash_write(struct session *session, const struct crash_ring *ring, const struct gpucode_stop *stop,
                const struct crash_region *regions, size_t count, const char *path);

#endif
