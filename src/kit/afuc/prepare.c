/* SPDX-License-Identifier: MIT */

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "gpu/crash.h"
#include "gpu/recording.h"
#include "kit/afuc/kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int set_register(struct session *session, struct gpucode_machine *machine, unsigned processor, const char *text)
{
    char name[GPUCODE_NAME_MAX];
    const char *number = value_split(text, name, sizeof name);
    uint64_t value;
    unsigned space;
    uint32_t index;
    if (!number || !number_read(number, UINT32_MAX, &value))
        return value_refuse(session, OPTION_AFUC_REG, text, "NAME=VALUE, a 32-bit number");
    if (!gpucode_machine_find(machine, name, &space, &index) ||
        gpucode_machine_write(machine, processor, space, index, (uint32_t)value) != GPUCODE_OK)
        return complain(&session->diagnostics, CLI_AFUC_RUN_REGISTER, NULL, NULL, name);
    return EXIT_DONE;
}

int firmware_prepare(struct session *session, struct gpucode_machine *machine, unsigned processor)
{
    const struct arguments *arguments = &session->arguments;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++) {
        const struct given *given = &arguments->given[i];
        if (given->option == OPTION_AFUC_REG)
            code = set_register(session, machine, processor, given->value);
        else if (given->option == OPTION_AFUC_MEMORY)
            code = kit_load_memory(session, machine, given->option, given->value);
    }
    return code;
}

/* --- a machine that somebody else runs -----------------------------------------------------------------------------
 */

int firmware_section(struct session *session, const struct input *input, const char **section)
{
    const struct gpucode_image_info *info = gpucode_image_info(input->image);
    const char *wanted = session->arguments.value[OPTION_AFUC_SECTION];
    char hint[128] = "sections:";
    bool found = !wanted;
    *section = info->section_count > 1 ? wanted : NULL;
    for (unsigned i = 0; !found && i < info->section_count; i++) {
        size_t length = strlen(hint);
        found = strcmp(info->sections[i].name, wanted) == 0;
        snprintf(hint + length, sizeof hint - length, " %s", info->sections[i].name);
    }
    return found ? EXIT_DONE : complain(&session->diagnostics, CLI_AFUC_SECTION, input->file.name, hint, wanted);
}

int firmware_settings(struct session *session, const struct input *input, struct kit_settings *settings)
{
    const struct arguments *arguments = &session->arguments;
    const char *section;
    struct gpucode_setting *at = settings->list;
    int code = firmware_check_me(session, input);
    if (!code)
        code = firmware_section(session, input, &section);
    if (code)
        return code;
    if (arguments->value[OPTION_AFUC_STREAM]) {
        struct recording recording;
        code = recording_open(session, arguments->value[OPTION_AFUC_STREAM], &recording);
        if (code)
            return code;
        at += recording_settings(&recording, input->image, at, settings->text, sizeof settings->text);
        recording_close(&recording);
    }
    if (section)
        *at = (struct gpucode_setting){"afuc-processor", section};
    return EXIT_DONE;
}

/* Recorders leave out buffers that were mapped otherwise: such a stream cannot run. */
static bool is_recorded(const struct gpucode_submit *submit, const struct gpucode_stream_command *command)
{
    for (size_t i = 0; i < submit->buffer_count; i++) {
        const struct gpucode_stream_buffer *buffer = &submit->buffers[i];
        uint64_t from = command->address - buffer->address;
        if (command->address >= buffer->address && from <= buffer->length &&
            buffer->length - from >= 4 * (uint64_t)command->words)
            return true;
    }
    return false;
}

/* Memory as it is at the submit that --submit names, and its streams in the ring. */
static int give_stream(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    struct recording recording;
    struct gpucode_submit submit;
    uint64_t wanted = 0;
    int code = value_number(session, OPTION_AFUC_SUBMIT, "a number", &wanted);
    if (!code)
        code = recording_open(session, session->arguments.value[OPTION_AFUC_STREAM], &recording);
    if (code)
        return code;
    size_t i = 0;
    for (; !code && i <= wanted && gpucode_stream_submit(recording.stream, i, &submit); i++)
        code = recording_store(session, &recording, &submit, machine);
    if (!code && i <= wanted)
        code = value_refuse(session, OPTION_AFUC_SUBMIT, session->arguments.value[OPTION_AFUC_SUBMIT],
                            "a submit of the stream, the first being 0");
    for (size_t k = 0; !code && k < submit.command_count; k++)
        if (is_recorded(&submit, &submit.commands[k]))
            code = recording_feed(session, input->target, &submit.commands[k], machine, NULL);
    recording_close(&recording);
    return code;
}

unsigned firmware_processor(const struct session *session, const struct gpucode_machine *machine)
{
    const char *section = session->arguments.value[OPTION_AFUC_SECTION], *name;
    for (unsigned i = 0; section && (name = gpucode_machine_processor(machine, i)); i++)
        if (strcmp(name, section) == 0)
            return i;
    return 0;
}

int firmware_give(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    const char *dump = session->arguments.value[OPTION_AFUC_DEVCORE];
    int code = dump ? crash_load(session, dump, arguments_have(&session->arguments, OPTION_AFUC_FROM_RING), machine)
                    : EXIT_DONE;
    if (!code && session->arguments.value[OPTION_AFUC_STREAM])
        code = give_stream(session, input, machine);
    return code ? code : firmware_prepare(session, machine, firmware_processor(session, machine));
}
