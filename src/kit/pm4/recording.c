/* SPDX-License-Identifier: MIT */
#include "kit/pm4/recording.h"

#include "front/code.h"
#include "front/kinds.h"
#include "front/session.h"

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
    enum gpucode_status status =
        gpucode_stream_open(recording->file.bytes, recording->file.size, &options, &recording->stream);
    if (status != GPUCODE_OK)
        code = code_status(session, recording->file.name, status);
    else if (!recording->target)
        recording->target = gpucode_stream_target(recording->stream);
    if (status == GPUCODE_ERROR_INPUT)
        kinds_tell(session, &recording->file);
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
    file_free(&recording->file);
}
