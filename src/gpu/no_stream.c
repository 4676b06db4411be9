/* SPDX-License-Identifier: MIT */
/* gpucode crash, decode and replay in builds without zlib. */
#include "front/session.h"
#include "gpu/crash_extract.h"
#include "gpu/crash_launch.h"
#include "gpu/crash_load.h"
#include "gpu/crash_write.h"
#include "gpu/differences.h"
#include "gpu/recording.h"
#include "gpu/replay_first.h"

int command_decode(struct session *session)
{
    return complain(&session->diagnostics, CLI_STREAM, session->arguments.operands[0], NULL);
}

int command_replay(struct session *session)
{
    return command_decode(session);
}

int command_crash(struct session *session)
{
    return command_decode(session);
}

unsigned crash_recognises(const struct file *file, const struct gpucode_target *target)
{
    (void)file;
    (void)target;
    return 0;
}

int crash_extract(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    (void)target;
    (void)file;
    return command_decode(session);
}

int replay_differences(struct session *session, const struct input *before, const struct input *after,
                       const char *stream)
{
    (void)before;
    (void)after;
    return complain(&session->diagnostics, CLI_STREAM, stream, NULL);
}

int crash_ring_open(struct session *session, struct gpucode_machine *machine, struct crash_ring *ring)
{
    (void)machine;
    *ring = (struct crash_ring){0};
    return complain(&session->diagnostics, CLI_STREAM, NULL, NULL);
}

int replay_find_first(struct session *session, const struct input *input, const char *path, uint64_t submit,
                      struct replay_first *first)
{
    (void)session;
    (void)input;
    (void)path;
    (void)submit;
    *first = (struct replay_first){0}; /* the stream was refused */
    return EXIT_DONE;
}

size_t crash_ring_feed(struct crash_ring *ring, const uint32_t *words, size_t count)
{
    (void)ring;
    (void)words;
    (void)count;
    return 0;
}

int crash_write(struct session *session, const struct crash_ring *ring, const struct gpucode_stop *stop,
                const struct crash_region *regions, size_t count, const char *path)
{
    (void)ring;
    (void)stop;
    (void)regions;
    (void)count;
    return complain(&session->diagnostics, CLI_STREAM, path, NULL);
}

enum gpucode_status crash_launch(struct launch *launch, const char *text, const char **expected)
{
    (void)launch;
    (void)text;
    *expected = "nothing: this build has no zlib, which crash dumps need";
    return GPUCODE_ERROR_ARGUMENT;
}

enum gpucode_status crash_launch_ring(struct launch *launch, const char *text, const char **expected)
{
    return crash_launch(launch, text, expected);
}

/* Recorded streams of the debugger: nothing opens, so that what follows is never called. */
int recording_open(struct session *session, const char *path, struct recording *recording)
{
    *recording = (struct recording){0};
    return complain(&session->diagnostics, CLI_STREAM, path, NULL);
}

void recording_close(struct recording *recording)
{
    (void)recording;
}

unsigned recording_settings(const struct recording *recording, const struct gpucode_image *image,
                            struct gpucode_setting *settings, char *text, size_t size)
{
    (void)recording;
    (void)image;
    (void)settings;
    (void)text;
    (void)size;
    return 0;
}

int recording_store(struct session *session, const struct recording *recording, const struct gpucode_submit *submit,
                    struct gpucode_machine *machine)
{
    (void)recording;
    (void)submit;
    (void)machine;
    return complain(&session->diagnostics, CLI_STREAM, NULL, NULL);
}

int recording_feed(struct session *session, const struct gpucode_target *target,
                   const struct gpucode_stream_command *command, struct gpucode_machine *machine,
                   struct crash_ring *ring)
{
    (void)target;
    (void)command;
    (void)machine;
    (void)ring;
    return complain(&session->diagnostics, CLI_STREAM, NULL, NULL);
}

bool gpucode_stream_submit(const struct gpucode_stream *stream, size_t index, struct gpucode_submit *submit)
{
    (void)stream;
    (void)index;
    (void)submit;
    return false;
}

int crash_load(struct session *session, const char *path, bool from_ring, struct gpucode_machine *machine)
{
    (void)from_ring;
    (void)machine;
    return complain(&session->diagnostics, CLI_STREAM, path, NULL);
}
