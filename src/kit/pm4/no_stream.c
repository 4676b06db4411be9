/* SPDX-License-Identifier: MIT */
/* gpucode crash, decode and replay in builds without zlib. */
#include "front/session.h"

int command_crash(struct session *session);
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

int command_crash(struct session *session)
{
    return command_decode(session);
}
