/* SPDX-License-Identifier: MIT */
#include "kit/kit.h"

#include "front/code.h"
#include "front/input.h"
#include "front/session.h"
#include "front/arguments.h"

#include <stdlib.h>

int kit_machine_made(struct session *session, const struct input *input, const struct kit_machine_parts *parts,
                     struct gpucode_machine **machine)
{
    struct kit_settings asked = {0};
    struct gpucode_setting *settings;
    *machine = NULL;
    int code = parts->settings ? parts->settings(session, input, &asked) : EXIT_DONE;
    if (!code)
        code = policies_read(session, asked.list, &settings);
    if (code)
        return code;
    struct gpucode_machine_options options = {
        .policies = settings,
        .names = parts->names,
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    enum gpucode_status status = gpucode_machine_create(input->image, &options, machine);
    free(settings);
    if (status == GPUCODE_ERROR_UNSUPPORTED) /* the diagnostic handler was told */
        return EXIT_INPUT;
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    return parts->give ? parts->give(session, input, *machine) : EXIT_DONE;
}
