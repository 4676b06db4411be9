/* SPDX-License-Identifier: MIT */
/* gpucode diff: two programs compared by what they do, not by how they are written. */
#include "cli/differences.h"
#include "cli/privileges.h"
#include "front/input.h"
#include "front/session.h"
#include "kit/kit.h"
#include <gpucode/analysis.h>

#include <string.h>

static int compare_inputs(struct session *session, const struct input inputs[2])
{
    const struct kit *kit = kit_of(inputs[0].target), *other = kit_of(inputs[1].target);
    const char *set = gpucode_target_isa(inputs[0].target), *other_set = gpucode_target_isa(inputs[1].target);
    if (strcmp(set, other_set) != 0)
        return complain(&session->diagnostics, CLI_DIFF_SETS, inputs[1].file.name, NULL, set, other_set);
    if (arguments_have(&session->arguments, OPTION_PRIVILEGES))
        return privileges_compare(session, &inputs[0], &inputs[1]);
    const char *stream = session->arguments.value[OPTION_REPLAY];
    if (stream)
        return kit && kit->compare_runs ? kit->compare_runs(session, &inputs[0], &inputs[1], stream)
                                        : complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, set, "diff --replay");
    if (kit && kit->diff && kit == other && !session->arguments.value[OPTION_HTML])
        return kit->diff(session, &inputs[0], &inputs[1]);
    return differences_report(session, &inputs[0], &inputs[1]);
}

int command_diff(struct session *session)
{
    struct input inputs[2];
    int code = input_open(session, session->arguments.operands[0], &inputs[0]);
    if (code)
        return code;
    code = input_open(session, session->arguments.operands[1], &inputs[1]);
    if (!code) {
        code = compare_inputs(session, inputs);
        input_close(&inputs[1]);
    }
    input_close(&inputs[0]);
    return code;
}
