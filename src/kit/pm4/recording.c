/* SPDX-License-Identifier: MIT */
#include "kit/pm4/recording.h"

#include "front/code.h"
#include "front/session.h"
#include "kit/pm4/crash_stream.h"

#include <stdlib.h>

/* Of a crash dump *bytes and *size become its streams. Returns an exit code. */
static int take_dump(struct session *session, struct recording *recording, const void **bytes, size_t *size)
{
    struct gpucode_crash_options options = {
        .file_name = recording->file.name,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    struct gpucode_crash *crash;
    if (!gpucode_crash_recognise(*bytes, *size))
        return EXIT_DONE;
    enum gpucode_status status = gpucode_crash_open(*bytes, *size, &options, &crash);
    if (status != GPUCODE_OK)
        return code_status(session, recording->file.name, status);
    if (!recording->target)
        recording->target = gpucode_crash_head(crash)->target;
    bool good = crash_stream_make(crash, &recording->made, size);
    gpucode_crash_free(crash);
    *bytes = recording->made;
    return good ? EXIT_DONE : complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
}

int recording_open(struct session *session, const char *path, struct recording *recording)
{
    *recording = (struct recording){0};
    int code = code_target(session, &recording->target);
    if (!code)
        code = code_read(session, path, &recording->file);
    if (code)
        return code;
    struct gpucode_stream_options options = {
        .file_name = recording->file.name,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    const void *bytes = recording->file.bytes;
    size_t size = recording->file.size;
    code = take_dump(session, recording, &bytes, &size);
    if (code) {
        recording_close(recording);
        return code;
    }
    enum gpucode_status status = gpucode_stream_open(bytes, size, &options, &recording->stream);
    if (status != GPUCODE_OK)
        code = code_status(session, recording->file.name, status);
    else if (!recording->target)
        recording->target = gpucode_stream_target(recording->stream);
    if (code)
        recording_close(recording);
    return code;
}

int recording_target(struct session *session, const struct recording *recording)
{
    if (recording->target)
        return EXIT_DONE;
    return complain(&session->diagnostics, CLI_PM4_STREAM_TARGET, recording->file.name,
                    "name it with -t: afuc:a5xx, afuc:a6xx, afuc:a7xx, afuc:gen8");
}

void recording_close(struct recording *recording)
{
    gpucode_stream_free(recording->stream);
    free(recording->made);
    file_free(&recording->file);
}
