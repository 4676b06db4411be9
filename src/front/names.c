/* SPDX-License-Identifier: MIT */
#include "front/names.h"

#include "front/code.h"
#include "front/file.h"
#include "front/session.h"

#include <gpucode/xml.h>
#include <stdlib.h>
#include <string.h>

/* The next file that an option of names gives; null: there are no more. The same once more names nothing else. */
static const char *next_file(const struct arguments *arguments, enum option_id option, unsigned *index)
{
    const char *file = arguments_value_at(arguments, option, (*index)++);
    for (unsigned i = 0; file && i + 1 < *index; i++)
        if (strcmp(arguments_value_at(arguments, option, i), file) == 0)
            return next_file(arguments, option, index);
    return file;
}

static int load_files(struct session *session, struct gpucode_symbols *symbols)
{
    const char *path;
    for (unsigned i = 0; (path = next_file(&session->arguments, OPTION_SYMBOLS, &i));) {
        struct file file;
        int code = file_read(&file, path, &session->diagnostics);
        if (code)
            return code;
        enum gpucode_status status =
            gpucode_symbols_read(symbols, file.bytes, file.size, file.name, diagnostics_handler(&session->diagnostics));
        code = status == GPUCODE_OK ? EXIT_DONE : code_status(session, file.name, status);
        file_free(&file);
        if (code)
            return code;
    }
    return EXIT_DONE;
}

int symbols_load(struct session *session, const struct gpucode_target *target, const struct gpucode_names *names,
                 struct gpucode_symbols **symbols)
{
    *symbols = NULL;
    if (!target || !arguments_have(&session->arguments, OPTION_SYMBOLS))
        return EXIT_DONE;
    enum gpucode_status status = gpucode_symbols_create(target, names, symbols);
    int code = status == GPUCODE_OK ? load_files(session, *symbols) : code_status(session, NULL, status);
    if (code) {
        gpucode_symbols_free(*symbols);
        *symbols = NULL;
    }
    return code;
}

int symbols_bind(struct session *session, struct gpucode_symbols *symbols, const struct gpucode_program *program,
                 const struct gpucode_image *image, const char *file)
{
    if (!symbols)
        return EXIT_DONE;
    enum gpucode_status status = program ? gpucode_symbols_add(symbols, program) : GPUCODE_OK;
    if (status == GPUCODE_OK)
        status = gpucode_symbols_bind(symbols, image, diagnostics_handler(&session->diagnostics));
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, file, status);
}

const struct gpucode_names *symbols_names(const struct gpucode_symbols *symbols, const struct gpucode_names *names)
{
    return symbols ? gpucode_symbols_names(symbols) : names;
}

static const char *named_by_environment(void)
{
    const char *names = getenv("GPUCODE_REGISTERS");
    return names && *names ? names : NULL;
}

bool registers_are_named(const struct session *session)
{
    return session->arguments.count[OPTION_REGISTERS] || named_by_environment();
}

struct registers {
    struct gpucode_xml *xml;
};

/* What the names are for: a target or, without one, a family. */
struct purpose {
    const struct gpucode_target *target;
    unsigned family;
};

static int load_file(struct session *session, const struct purpose *purpose, struct registers *registers,
                     const char *path, bool asked)
{
    struct file file;
    struct gpucode_diagnostic_handler on_diagnostic = diagnostics_handler(&session->diagnostics);
    int code = file_read(&file, path, &session->diagnostics);
    if (code)
        return code;
    enum gpucode_status status =
        purpose->target
            ? gpucode_xml_load(file.bytes, file.size, file.name, purpose->target, &on_diagnostic, &registers->xml)
            : gpucode_xml_load_family(file.bytes, file.size, file.name, purpose->family, &on_diagnostic,
                                      &registers->xml);
    /* files of the environment may be for other targets and are passed over; one of the command line must fit */
    if (status == GPUCODE_ERROR_UNSUPPORTED && asked)
        code = complain(&session->diagnostics, CLI_REGISTERS_TARGET, path, NULL,
                        purpose->target ? gpucode_target_name(purpose->target) : "of this GPU");
    else if (status == GPUCODE_ERROR_MEMORY)
        code = out_of_memory(&session->diagnostics);
    else if (status == GPUCODE_ERROR_INPUT)
        code = EXIT_INPUT;
    else if (status != GPUCODE_OK && status != GPUCODE_ERROR_UNSUPPORTED)
        code = complain(&session->diagnostics, CLI_INTERNAL, path, NULL, gpucode_status_text(status));
    file_free(&file);
    return code;
}

static int load_environment(struct session *session, const struct purpose *purpose, struct registers *registers,
                            const char *list)
{
    char *paths = strdup(list), *rest = paths, *path;
    int code = paths ? EXIT_DONE : out_of_memory(&session->diagnostics);
    while (!code && (path = strsep(&rest, ":")))
        if (*path)
            code = load_file(session, purpose, registers, path, false);
    free(paths);
    return code;
}

static int load_all(struct session *session, const struct purpose *purpose, struct registers **out)
{
    const char *environment = named_by_environment(), *path;
    *out = NULL;
    if (!registers_are_named(session))
        return EXIT_DONE;
    struct registers *registers = calloc(1, sizeof *registers);
    int code = registers ? EXIT_DONE : out_of_memory(&session->diagnostics);
    for (unsigned i = 0; !code && (path = next_file(&session->arguments, OPTION_REGISTERS, &i));)
        code = load_file(session, purpose, registers, path, true);
    if (!code && environment)
        code = load_environment(session, purpose, registers, environment);
    if (code) {
        registers_free(registers);
        return code;
    }
    *out = registers;
    return EXIT_DONE;
}

int registers_load(struct session *session, const struct gpucode_target *target, struct registers **out)
{
    const struct purpose purpose = {.target = target};
    *out = NULL;
    return target ? load_all(session, &purpose, out) : EXIT_DONE;
}

int registers_load_family(struct session *session, unsigned family, struct registers **out)
{
    const struct purpose purpose = {.family = family};
    *out = NULL;
    return family ? load_all(session, &purpose, out) : EXIT_DONE;
}

const struct gpucode_names *registers_names(const struct registers *registers)
{
    return registers ? gpucode_xml_names(registers->xml) : NULL;
}

const struct gpucode_meanings *registers_meanings(const struct registers *registers)
{
    return registers ? gpucode_xml_meanings(registers->xml) : NULL;
}

void registers_free(struct registers *registers)
{
    if (registers)
        gpucode_xml_free(registers->xml);
    free(registers);
}
