/* SPDX-License-Identifier: MIT */
#include "kit/pm4/recording.h"

#include "front/code.h"
#include "front/session.h"
#include <gpucode/packet.h>

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
    struct gpucode_chip chip;
    recording->family = gpucode_target_family(recording->target);
    if (!recording->target &&
        gpucode_chip_find(gpucode_stream_gpu_id(recording->stream), gpucode_stream_chip_id(recording->stream), &chip))
        recording->family = chip.family;
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

int recording_family(struct session *session, const struct recording *recording)
{
    if (recording->family)
        return EXIT_DONE;
    if (recording->target)
        return complain(&session->diagnostics, CLI_PM4_STREAM_PACKETS, recording->file.name, NULL,
                        gpucode_target_name(recording->target));
    return recording_target(session, recording);
}

uint64_t recording_limit(const struct recording *recording)
{
    struct gpucode_record record;
    uint64_t limit = 1u << 18;
    for (size_t i = 0; gpucode_stream_record(recording->stream, i, &record); i++)
        limit += 16 * (uint64_t)(record.size / 4);
    return limit < GPUCODE_PACKET_WORDS_MAX ? limit : GPUCODE_PACKET_WORDS_MAX;
}

void recording_close(struct recording *recording)
{
    gpucode_stream_free(recording->stream);
    file_free(&recording->file);
}
