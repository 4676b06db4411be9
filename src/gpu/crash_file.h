/* SPDX-License-Identifier: MIT */
/* A crash dump given on the command line, and what its words are called. */
#ifndef GPU_CRASH_FILE_H
#define GPU_CRASH_FILE_H

#include "front/file.h"
#include <gpucode/crash.h>
#include <gpucode/names.h>

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
/* The same of what was read; it is freed with the rest. */
int crash_file_take(struct session *session, const struct file *read, struct crash_file *file);
void crash_file_close(struct crash_file *file);

/* Shaders out of crash dumps, as members of struct kit do it for other files. */
unsigned crash_recognises(const struct file *file, const struct gpucode_target *target);
int crash_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

#endif
