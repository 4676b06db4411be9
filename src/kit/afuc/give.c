/* SPDX-License-Identifier: MIT */
/* What a machine for the debugger is given: with --crash the state of a dump. */
#include "front/session.h"
#include "kit/afuc/kit.h"
#include "kit/pm4/crash_load.h"

int give_afuc(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    const char *path = session->arguments.value[OPTION_AFUC_CRASH];
    (void)input;
    return path ? crash_load(session, path, machine) : EXIT_DONE;
}
