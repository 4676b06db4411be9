/* SPDX-License-Identifier: MIT */
/* A recorded stream given on the command line. */
#ifndef KIT_PM4_RECORDING_H
#define KIT_PM4_RECORDING_H

#include "front/file.h"
#include <gpucode/stream.h>
#include <gpucode/target.h>

struct session;

struct recording {
    struct file file;
    struct gpucode_stream *stream;
    const struct gpucode_target *target; /* -t, or what the file says; null: neither */
    unsigned family;                     /* of the GPU, <gpucode/fields.h>; 0: not known */
};

/* Complains when the target is not known. Returns an exit code. */
int recording_target(struct session *session, const struct recording *recording);
/* Complains when the family is not known. Returns an exit code. */
int recording_family(struct session *session, const struct recording *recording);
/* Reads and opens. Returns an exit code; on EXIT_DONE call recording_close(). */
int recording_open(struct session *session, const char *path, struct recording *recording);
/*
 * Words that decoding reads at most: buffers that call one another without end are given up soon, so that a small file
 * takes little time and memory.
 */
uint64_t recording_limit(const struct recording *recording);
void recording_close(struct recording *recording);

#endif
