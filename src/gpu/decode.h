/* SPDX-License-Identifier: MIT */
/* What `decode` is asked for: a recording with the names for it, and the options. */
#ifndef GPU_DECODE_H
#define GPU_DECODE_H

#include "front/output.h"
#include "front/terminal.h"
#include "gpu/recording.h"

#include <gpucode/stream_decode.h>

struct session;
struct registers;
struct gpucode_symbols;

struct decoding {
    struct session *session;
    struct recording recording;
    struct registers *registers;
    struct gpucode_symbols *symbols;
    const char **queries;
    uint64_t *answered;
    const char *draws; /* the operand N:M of --diff, or null */
    struct gpucode_stream_decode_options options;
    struct gpucode_stream_decoded decoded;
    struct progress progress;
    struct outputs outputs; /* of shaders */
    const char *prefix;     /* of their files; null: there are none */
    unsigned shaders;
    int code; /* why decoding was ended */
};

/* Reads N:M, or false. */
bool decode_pair(const char *text, uint64_t *first, uint64_t *second);
/* Refuses options that can do nothing beside others, before anything is read. Returns an exit code. */
int decode_refuse(struct session *session);
/* Reads the options. Complains and returns an exit code. */
int decode_options(struct session *session, struct decoding *decoding);
/* The list of shaders alone, with their code, or with files of that prefix. */
void decode_extraction(struct decoding *decoding, const char *prefix);
/* Writes the least part for which a condition holds. Complains and returns an exit code. (decode_minimise.c) */
int decode_minimise(struct session *session, struct decoding *decoding);
/* Complains of what was asked for and is not there: draws, streams, answers. Returns an exit code. */
int decode_check(struct session *session, const struct decoding *decoding);

/* `extract`, of recorded streams, as members of struct kit do it for other files. */
#define STREAM_NO_MEMORY (~0u) /* nobody can tell whether it is one */
unsigned stream_recognises(const struct file *file, const struct gpucode_target *target);
int stream_extract(struct session *session, const struct gpucode_target *target, const struct file *file);

#endif
