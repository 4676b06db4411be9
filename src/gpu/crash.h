/* SPDX-License-Identifier: MIT */
/* A crash dump given on the command line, and what its words are called. */
#ifndef GPU_CRASH_H
#define GPU_CRASH_H

#include "front/file.h"
#include "kit/kit.h"
#include <gpucode/crash.h>
#include <gpucode/machine.h>
#include <gpucode/names.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;
struct registers;
struct gpucode_symbols;

struct crash_file {
    struct session *session;
    struct file file;
    struct gpucode_crash *crash;
    const struct gpucode_crash_head *head;
    const struct gpucode_target *target; /* -t, or what the dump is of; null: neither */
    unsigned family;                     /* of registers and packets: that of the target or, before a5xx, the GPU's */
    struct registers *registers;
    struct gpucode_symbols *symbols;
    const struct gpucode_names *names; /* of the user's own, or null */
};

/* Reads and opens. Complains and returns an exit code; whatever it is, call crash_file_close(). */
int crash_file_open(struct session *session, const char *path, struct crash_file *file);
void crash_file_close(struct crash_file *file);

/* The name of a dump as a shell takes it, malloc'ed; null: no memory. */
char *crash_quoted(const char *path);

/* Shaders out of crash dumps, as members of struct kit do it for other files. */
unsigned crash_recognises(const struct file *file, const struct gpucode_target *target);
int crash_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

/* --- A crash dump of a machine that ran firmware: --crash of `run` and `replay` ----------------------------------- */

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

/* --- The state of a crash dump in a machine: `debug --crash`, and launch requests of editors ---------------------- */

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
