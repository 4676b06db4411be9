/* SPDX-License-Identifier: MIT */
#include "kit/kit.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/input.h"
#include "front/session.h"

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

int kit_load_memory(struct session *session, struct gpucode_machine *machine, enum option_id option, const char *text)
{
    const char *end = text;
    uint64_t address;
    struct file file;
    if (!number_take(&end, &address) || *end != '=')
        return value_refuse(session, option, text, "ADDRESS=FILE");
    int code = file_read(&file, end + 1, &session->diagnostics);
    if (code)
        return code;
    enum gpucode_status status = gpucode_machine_store(machine, address, file.bytes, file.size);
    file_free(&file);
    if (status == GPUCODE_ERROR_RANGE)
        return value_refuse(session, option, text, "an address after which the file has room");
    return status == GPUCODE_OK ? EXIT_DONE : out_of_memory(&session->diagnostics);
}
