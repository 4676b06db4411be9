/* SPDX-License-Identifier: MIT */
/* gpucode decode and replay in builds without zlib. */
#include "front/session.h"
#include "kit/hwsq/extract.h"

int command_decode(struct session *session);
int command_replay(struct session *session);

int command_decode(struct session *session)
{
    return complain(&session->diagnostics, CLI_STREAM, session->arguments.operands[0], NULL);
}

int command_replay(struct session *session)
{
    return command_decode(session);
}

bool extract_is_stream(const struct file *file)
{
    (void)file;
    return false; /* `extract` then says what it makes of the file */
}

int extract_shaders(struct session *session, const struct gpucode_target *target, const struct file *file)
{
    (void)session;
    (void)target;
    (void)file;
    return EXIT_INPUT;
}
