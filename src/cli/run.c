/* SPDX-License-Identifier: MIT */
/* gpucode run: code on a machine. */
#include "front/input.h"
#include "front/session.h"
#include "kit/kit.h"

int command_run(struct session *session);

int command_run(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[session->arguments.operand_count - 1], &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    code = kit && kit->run
               ? kit->run(session, &input)
               : complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, gpucode_target_isa(input.target), "run");
    input_close(&input);
    return code;
}
