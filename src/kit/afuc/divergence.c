/* SPDX-License-Identifier: MIT */
/* gpucode debug --stream: a stop where the firmware first does something else than the stream says. */
#include "front/code.h"
#include "front/session.h"
#include "front/values.h"
#include "gpu/replay_first.h"
#include "kit/afuc/prepare.h"

#include <gpucode/debug.h>

int firmware_stop_at_divergence(struct session *session, const struct input *input, struct gpucode_debug *debug)
{
    const struct arguments *arguments = &session->arguments;
    const char *path = arguments->value[OPTION_AFUC_STREAM];
    struct replay_first first;
    uint64_t submit = 0;
    if (!path || arguments_have(arguments, OPTION_AFUC_CRASH)) /* with a dump's state it is another run */
        return EXIT_DONE;
    int code = value_number(session, OPTION_AFUC_SUBMIT, "a number", &submit);
    if (!code)
        code = replay_find_first(session, input, path, submit, &first);
    if (code || !first.found)
        return code;
    if (first.last) {
        complain(&session->diagnostics, CLI_AFUC_DIVERGES_LAST, path, NULL, first.text);
        return EXIT_DONE;
    }
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_WATCHPOINT_REGISTER,
                                            .access = GPUCODE_ACCESS_WRITE,
                                            .space = GPUCODE_SPACE_GPU,
                                            .address = first.number,
                                            .ignore = first.passes,
                                            .temporary = true};
    enum gpucode_status status = gpucode_debug_add(debug, &breakpoint);
    if (status != GPUCODE_OK)
        return code_status(session, path, status);
    complain(&session->diagnostics, CLI_AFUC_DIVERGES, path, NULL, first.text, breakpoint.number);
    return EXIT_DONE;
}
