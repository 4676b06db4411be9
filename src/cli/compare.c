/* SPDX-License-Identifier: MIT */
/* gpucode compare: an input with which two shaders do not do the same. */
#include "front/input.h"
#include "front/session.h"
#include "kit/kit.h"

#include <string.h>

static int compare_inputs(struct session *session, const struct input *first, const struct input *second)
{
    const struct kit *kit = kit_of(first->target);
    const char *set = gpucode_target_isa(first->target), *other_set = gpucode_target_isa(second->target);
    if (strcmp(set, other_set) != 0)
        return complain(&session->diagnostics, CLI_DIFF_SETS, second->file.name, NULL, set, other_set);
    if (!kit || !kit->compare)
        return complain(&session->diagnostics, CLI_CANNOT, first->file.name, NULL, set, session->command->name);
    return kit->compare(session, first, second);
}

int command_compare(struct session *session)
{
    struct input first, second;
    int code = input_open(session, session->arguments.operands[0], &first);
    if (code)
        return code;
    code = input_open(session, session->arguments.operands[1], &second);
    if (!code) {
        code = compare_inputs(session, &first, &second);
        input_close(&second);
    }
    input_close(&first);
    return code;
}
