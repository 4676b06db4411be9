/* SPDX-License-Identifier: MIT */
/* gpucode run: code on a machine. */
#include "cli/run_code.h"
#include "front/input.h"
#include "front/session.h"
#include "kit/kit.h"

int command_run(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[session->arguments.operand_count - 1], &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    code = input_check_comments(session, &input);
    if (!code)
        code = kit && kit->run ? kit->run(session, &input) : run_code(session, &input);
    input_close(&input);
    return code;
}
