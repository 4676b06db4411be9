/* SPDX-License-Identifier: MIT */
/* gpucode decode in builds without zlib. */
#include "cli/session.h"

int command_decode(struct session *session);

int command_decode(struct session *session)
{
    return complain(&session->diagnostics, CLI_STREAM, session->arguments.operands[0], NULL);
}
