/* SPDX-License-Identifier: MIT */
/* The shader of a draw in a recording, as the code that a command is about: --from FILE --draw N --stage fs. */
#ifndef GPU_RECORDED_H
#define GPU_RECORDED_H

#include "front/input.h"
#include "gpu/recording.h"

#include <gpucode/stream_stage.h>

struct recorded {
    struct recording recording;
    struct gpucode_stream_decode_options options;
    struct gpucode_stream_stage *stage; /* null: the code is not from a recording */
    struct gpucode_submit submit;
    char *name; /* of the input, for messages */
};

/* Is --from? */
bool recorded_is_given(const struct session *session);
/*
 * Opens the file, or with --from the shader; then session->recorded leads to it. Returns an exit code; on EXIT_DONE
 * call input_close(), and recorded_close() after it.
 */
int recorded_input(struct session *session, const char *path, struct recorded *recorded, struct input *input);
void recorded_close(struct session *session, struct recorded *recorded);

/* Shaders of recordings as launch requests of editors ask for them. */

struct launch_recordings;
extern const struct launch_recordings recorded_launches;

#endif
