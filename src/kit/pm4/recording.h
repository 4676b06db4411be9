/* SPDX-License-Identifier: MIT */
/* A recorded stream given on the command line, or a crash dump, whose streams are taken. */
#ifndef KIT_PM4_RECORDING_H
#define KIT_PM4_RECORDING_H

#include "front/file.h"
#include <gpucode/stream.h>
#include <gpucode/target.h>

struct session;

struct recording {
    struct file file;
    void *made; /* of a crash dump: its streams in the form of a recording */
    struct gpucode_stream *stream;
    const struct gpucode_target *target; /* -t, or what the file says; null: neither */
};

/* Complains when the target is not known. Returns an exit code. */
int recording_target(struct session *session, const struct recording *recording);
/* Reads and opens. Returns an exit code; on EXIT_DONE call recording_close(). */
int recording_open(struct session *session, const char *path, struct recording *recording);
void recording_close(struct recording *recording);

#endif
