/* SPDX-License-Identifier: MIT */
/* gpucode run: code on a machine. */
#include "cli/run_code.h"
#include "front/input.h"
#include "front/session.h"
#include "gpu/recorded.h"
#include "kit/kit.h"

int command_run(struct session *session)
{
    struct recorded recorded;
    struct input input;
    unsigned count = session->arguments.operand_count;
    int code = recorded_input(session, count ? session->arguments.operands[count - 1] : NULL, &recorded, &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    code = input_check_comments(session, &input);
    if (!code)
        code = kit && kit->run ? kit->run(session, &input) : run_code(session, &input);
    input_close(&input);
    recorded_close(session, &recorded);
    return code;
}
