/* SPDX-License-Identifier: MIT */
#include "cli_afuc_messages.h"
#include "kit/afuc/kit.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "gpu/crash.h"
#include "gpu/recording.h"

#include <gpucode/asm.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * --me: the firmware of the ME of an a5xx beside that of its PFP. Two sources become one, whose second section includes
 * the ME's; otherwise the two files become one as gpucode_image_join() has it.
 */

/* The source of the PFP, and after it the ME's as a section. */
static int include_source(struct session *session, struct file *file, const char *path)
{
    char *whole = realpath(path, NULL), *joined = NULL;
    size_t room = file->size + (whole ? strlen(whole) : 0) + 64;
    if (whole && strpbrk(whole, "\"\\\n")) { /* would end the string that it stands in */
        free(whole);
        return complain(&session->diagnostics, CLI_AFUC_ME_PATH, path, NULL);
    }
    if (whole)
        joined = malloc(room);
    if (!joined) {
        free(whole);
        return out_of_memory(&session->diagnostics);
    }
    memcpy(joined, file->bytes, file->size);
    int more = snprintf(joined + file->size, room - file->size, "\n.section PM4\n.include \"%s\"\n", whole);
    free(whole);
    free(file->bytes);
    file->bytes = joined;
    file->size += (size_t)more;
    session->beside = path;
    return EXIT_DONE;
}

/* Bytes of a source, in its place. */
static int assemble_file(struct session *session, const struct gpucode_target *target, struct file *file)
{
    struct gpucode_program *program;
    struct gpucode_asm_options options = {
        .target = target, .file = file->name, .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = input_assemble(session, file->bytes, file->size, &options, &program);
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    size_t size = gpucode_program_size(program);
    char *bytes = malloc(size + 1);
    if (bytes) {
        memcpy(bytes, gpucode_program_bytes(program), size);
        bytes[size] = 0;
        free(file->bytes);
        file->bytes = bytes;
        file->size = size;
    }
    gpucode_program_free(program);
    return bytes ? EXIT_DONE : out_of_memory(&session->diagnostics);
}

static int open_image(struct session *session, const struct gpucode_target *target, const struct file *file,
                      struct gpucode_image **image)
{
    const struct gpucode_image_options options = {
        .target = target, .file_name = file->name, .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_image_open(file->bytes, file->size, &options, image);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, file->name, status);
}

/* Is that no code of ours? Then the option is refused when the file has been opened. */
static bool is_foreign(const struct gpucode_target *target)
{
    return target && strcmp(gpucode_target_isa(target), "afuc") != 0;
}

static int join_files(struct session *session, const struct gpucode_target *target, struct file *file,
                      struct file *other)
{
    struct gpucode_image *first = NULL, *second = NULL;
    void *bytes = NULL;
    size_t size;
    int code = EXIT_DONE;
    if (code_is_source(session, file))
        code = assemble_file(session, target, file);
    if (!code && code_is_source(session, other))
        code = assemble_file(session, target, other);
    if (!code)
        code = open_image(session, target, file, &first);
    if (!code)
        code = open_image(session, target, other, &second);
    enum gpucode_status status = code ? GPUCODE_OK : gpucode_image_join(first, second, &bytes, &size);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        code = complain(&session->diagnostics, CLI_AFUC_ME, other->name, NULL, file->name);
    else if (status != GPUCODE_OK)
        code = code_status(session, other->name, status);
    gpucode_image_free(first);
    gpucode_image_free(second);
    if (bytes) {
        free(file->bytes);
        file->bytes = bytes;
        file->size = size;
    }
    return code;
}

int firmware_complete(struct session *session, struct file *file)
{
    const char *path = session->arguments.value[OPTION_AFUC_ME];
    const struct gpucode_target *target;
    struct file other;
    if (!path)
        return EXIT_DONE;
    int code = code_target(session, &target);
    bool source = code_is_source(session, file);
    if (!code && is_foreign(target || !source ? target : gpucode_source_target(file->bytes, file->size)))
        return EXIT_DONE;
    if (!code)
        code = code_read(session, path, &other);
    if (code)
        return code;
    bool sources = source && code_is_source(session, &other) && strcmp(path, "-") != 0;
    code = sources ? include_source(session, file, path) : join_files(session, target, file, &other);
    file_free(&other);
    return code;
}

int firmware_check_me(struct session *session, const struct input *input)
{
    const char *path = session->arguments.value[OPTION_AFUC_ME];
    const struct gpucode_image_info *info = gpucode_image_info(input->image);
    if (!path || (info->section_count == 2 && strcmp(info->sections[1].name, "PM4") == 0))
        return EXIT_DONE;
    return complain(&session->diagnostics, CLI_AFUC_ME, path, NULL, input->file.name);
}

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

/* --- a machine that somebody else runs ---------------------------------------------------------------------------- */

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
        code = recording_open_again(session, session->arguments.value[OPTION_AFUC_STREAM], &recording);
    if (code)
        return code;
    size_t i = 0;
    for (; !code && i <= wanted && gpucode_stream_submit(recording.stream, i, &submit); i++)
        code = recording_store(session, &recording, &submit, machine);
    if (!code && i <= wanted)
        code = recording_lacks_submit(session, &recording, wanted, i);
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
