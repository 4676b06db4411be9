/* SPDX-License-Identifier: MIT */
#include "front/code.h"

#include "front/arguments.h"
#include "front/file.h"
#include "front/session.h"
#include "utf8/utf8.h"

#include <gpucode/asm.h>
#include <gpucode/elf.h>
#include <gpucode/form.h>
#include <gpucode/lint.h>
#include <gpucode/machine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int form_write(struct session *session, const char *natural, const struct gpucode_target *target, const void *bytes,
               size_t size, char **text, size_t *length)
{
    static const struct {
        const char *name;
        enum gpucode_form form;
    } forms[] = {
        {"hex", GPUCODE_FORM_HEX}, {"words", GPUCODE_FORM_WORDS}, {"c", GPUCODE_FORM_C}, {"calls", GPUCODE_FORM_CALLS}};
    const char *name = session->arguments.value[OPTION_FORM];
    *text = NULL;
    if (!name || strcmp(name, natural) == 0)
        return EXIT_DONE;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].name, name) == 0) {
            enum gpucode_status status = gpucode_form_write(target, forms[i].form, NULL, bytes, size, text, length);
            return status == GPUCODE_OK ? EXIT_DONE : code_status(session, NULL, status);
        }
    return complain(&session->diagnostics, CLI_FORM, NULL, NULL, session->command->name, name);
}

/* The diagnostic handler has heard of wrong inputs. */
static int object_status(struct session *session, const char *file, enum gpucode_status status)
{
    if (status == GPUCODE_OK || status == GPUCODE_ERROR_UNSUPPORTED)
        return EXIT_DONE;
    if (status == GPUCODE_ERROR_INPUT)
        return EXIT_INPUT;
    return status == GPUCODE_ERROR_MEMORY
               ? out_of_memory(&session->diagnostics)
               : complain(&session->diagnostics, CLI_INTERNAL, file, NULL, gpucode_status_text(status));
}

int object_write(struct session *session, const struct gpucode_program *program, const char *source, char **bytes,
                 size_t *size)
{
    void *file = NULL;
    enum gpucode_status status = gpucode_elf_write(program, source, &file, size);
    *bytes = file;
    return object_status(session, source, status);
}

int object_unwrap(struct session *session, struct file *file, const struct gpucode_target **target, bool *found)
{
    struct gpucode_diagnostic_handler on_diagnostic = diagnostics_handler(&session->diagnostics);
    struct gpucode_elf_code code;
    enum gpucode_status status = gpucode_elf_read(file->bytes, file->size, file->name, &on_diagnostic, &code);
    *found = status != GPUCODE_ERROR_UNSUPPORTED;
    if (status != GPUCODE_OK)
        return object_status(session, file->name, status);
    free(file->bytes);
    file->bytes = code.bytes;
    file->size = code.size;
    if (!*target)
        *target = code.target;
    return EXIT_DONE;
}

static bool is_limit(const struct gpucode_target *target, const char *name)
{
    struct gpucode_lint_limit limit;
    for (unsigned i = 0; gpucode_lint_limit_at(target, i, &limit, NULL); i++)
        if (strcmp(limit.name, name) == 0)
            return true;
    return false;
}

/* --policy of commands without a machine: the target is one with these choices. Limits of lint are none. */
static int choose(struct session *session, const struct gpucode_target **target)
{
    const char *command = session->command->name;
    bool lints = strcmp(command, "lint") == 0;
    if (!arguments_have(&session->arguments, OPTION_POLICY) || arguments_want_policies(&session->arguments) ||
        !(lints || strcmp(command, "disasm") == 0 || strcmp(command, "asm") == 0 || strcmp(command, "info") == 0 ||
          strcmp(command, "verify") == 0 || strcmp(command, "schedule") == 0))
        return EXIT_DONE;
    if (!*target)
        return lints ? EXIT_DONE
                     : complain(&session->diagnostics, CLI_POLICY, NULL, "say the target, too: -t TARGET",
                                session->arguments.value[OPTION_POLICY]);
    struct gpucode_setting *settings, *to;
    int code = policies_read(session, NULL, &settings);
    if (code)
        return code;
    to = settings;
    for (const struct gpucode_setting *setting = settings; setting->name; setting++)
        if (!lints || !is_limit(*target, setting->name))
            *to++ = *setting;
    *to = (struct gpucode_setting){0};
    struct gpucode_diagnostic_handler on_diagnostic = diagnostics_handler(&session->diagnostics);
    enum gpucode_status status = to > settings && !session->target
                                     ? gpucode_target_with(*target, settings, &on_diagnostic, &session->target)
                                     : GPUCODE_OK;
    free(settings);
    if (session->target)
        *target = session->target;
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, NULL, status);
}

int code_target(struct session *session, const struct gpucode_target **target)
{
    const char *name = session->arguments.value[OPTION_TARGET];
    *target = NULL;
    if (!name || (*target = gpucode_target_find(name)))
        return choose(session, target);
    struct spelling spelling = spelling_begin(name);
    const struct gpucode_target *candidate;
    for (unsigned i = 0; (candidate = gpucode_target_at(i)); i++) {
        const char *colon = strchr(gpucode_target_name(candidate), ':');
        spelling_offer(&spelling, colon && !strchr(name, ':') ? colon + 1 : gpucode_target_name(candidate));
    }
    char hint[256] = "`gpucode targets` lists them";
    if (spelling.best[0])
        snprintf(hint, sizeof hint, "did you mean '%s'? `gpucode targets` lists all", spelling.best);
    return complain(&session->diagnostics, CLI_TARGET, NULL, hint, name);
}

/* A C array, or calls of a script builder, which need a target. */
static int from_form(struct session *session, struct file *file)
{
    const struct gpucode_target *target;
    void *bytes;
    size_t size;
    int code = code_target(session, &target);
    if (code)
        return code;
    struct gpucode_diagnostic_handler on_diagnostic = diagnostics_handler(&session->diagnostics);
    enum gpucode_status status =
        gpucode_form_read(target, file->bytes, file->size, file->name, &on_diagnostic, &bytes, &size);
    if (status != GPUCODE_OK)
        return code_status(session, file->name, status);
    free(file->bytes);
    file->bytes = bytes;
    file->size = size;
    return EXIT_DONE;
}

/* A number of bytes that an option has; *count stays without it. Returns an exit code. */
static int read_count(struct session *session, enum option_id option, uint64_t *count)
{
    const char *text = session->arguments.value[option];
    char *end;
    if (!text)
        return EXIT_DONE;
    *count = strtoull(text, &end, 0);
    return *text >= '0' && *text <= '9' && !*end ? EXIT_DONE
                                                 : complain(&session->diagnostics, CLI_PART_NUMBER, NULL, NULL, text);
}

/* --skip and --length: a part of the bytes. Returns an exit code. */
static int cut_file(struct session *session, struct file *file)
{
    uint64_t skip = 0, length = UINT64_MAX;
    int code = read_count(session, OPTION_SKIP, &skip);
    if (!code)
        code = read_count(session, OPTION_LENGTH, &length);
    if (!code && (skip > file->size || (length != UINT64_MAX && length > file->size - skip)))
        code = complain(&session->diagnostics, CLI_PART, file->name, NULL, (unsigned long long)file->size);
    if (code)
        return code;
    file->size -= (size_t)skip;
    memmove(file->bytes, file->bytes + skip, file->size);
    file->size = length < file->size ? (size_t)length : file->size;
    return EXIT_DONE;
}

static int read_as_hex(struct session *session, struct file *file)
{
    int code = !file_is_dump(file) && gpucode_form_bracket(file->bytes, file->size)
                   ? from_form(session, file)
                   : file_from_hex(file, &session->diagnostics);
    if (code)
        file_free(file);
    return code;
}

int code_read(struct session *session, const char *path, struct file *file)
{
    int code = file_read(file, path, &session->diagnostics);
    if (!code && arguments_have(&session->arguments, OPTION_HEX) && (code = read_as_hex(session, file)))
        return code;
    if (!code && (code = cut_file(session, file)))
        file_free(file);
    return code;
}

bool code_is_source(const struct session *session, const struct file *file)
{
    return !arguments_have(&session->arguments, OPTION_HEX) && file->size && utf8_is_text(file->bytes, file->size);
}

int code_status(struct session *session, const char *file, enum gpucode_status status)
{
    if (status == GPUCODE_ERROR_INPUT && session->diagnostics.errors)
        return EXIT_INPUT;
    if (status == GPUCODE_ERROR_MEMORY)
        return out_of_memory(&session->diagnostics);
    return complain(&session->diagnostics, CLI_INTERNAL, file, NULL, gpucode_status_text(status));
}

int code_open(struct session *session, const char *path, struct code *opened)
{
    const struct gpucode_target *target;
    bool object;
    *opened = (struct code){0};
    int code = code_target(session, &target);
    if (!code)
        code = code_read(session, path, &opened->file);
    if (code)
        return code;
    code = object_unwrap(session, &opened->file, &target, &object);
    if (code) {
        code_close(opened);
        return code;
    }
    struct gpucode_image_options options = {
        .target = target,
        .file_name = opened->file.name,
        .raw = arguments_have(&session->arguments, OPTION_RAW),
        .on_diagnostic = diagnostics_handler(&session->diagnostics),
    };
    enum gpucode_status status = gpucode_image_open(opened->file.bytes, opened->file.size, &options, &opened->image);
    code = status == GPUCODE_OK ? arguments_check_set(&session->arguments, &session->diagnostics, session->command,
                                                      gpucode_target_isa(gpucode_image_info(opened->image)->target))
                                : code_status(session, opened->file.name, status);
    if (status == GPUCODE_ERROR_INPUT && !target)
        kinds_tell(session, &opened->file);
    else if (!code && target && code_is_source(session, &opened->file) &&
             gpucode_source_target(opened->file.bytes, opened->file.size))
        kinds_tell(session, &opened->file); /* with -t any bytes are code, those of a source too */
    if (code)
        code_close(opened);
    return code;
}

void code_close(struct code *code)
{
    gpucode_image_free(code->image);
    file_free(&code->file);
    code->image = NULL;
}
