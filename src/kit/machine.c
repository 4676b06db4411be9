/* SPDX-License-Identifier: MIT */
#include "kit/machine.h"
#include "front/code.h"
#include "front/policies.h"
#include "front/session.h"
#include "kit/kit.h"

#include <stdlib.h>

int kit_machine_create(struct session *session, const struct input *input, const struct gpucode_names *names,
                       struct gpucode_machine **machine)
{
    const struct kit *kit = kit_of(input->target);
    struct kit_settings asked = {0};
    struct gpucode_setting *settings;
    *machine = NULL;
    int code = kit && kit->settings ? kit->settings(session, input, &asked) : EXIT_DONE;
    if (!code)
        code = policies_read(session, asked.list, &settings);
    if (code)
        return code;
    struct gpucode_machine_options options = {
        .policies = settings,
        .names = names,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    enum gpucode_status status = gpucode_machine_create(input->image, &options, machine);
    free(settings);
    if (status == GPUCODE_ERROR_UNSUPPORTED) /* the diagnostic handler was told */
        return EXIT_INPUT;
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    return kit && kit->give ? kit->give(session, input, *machine) : EXIT_DONE;
}
