/* SPDX-License-Identifier: MIT */
#include "front/symbols.h"

#include "front/code.h"
#include "front/session.h"

static int load_files(struct session *session, struct gpucode_symbols *symbols)
{
    const struct arguments *arguments = &session->arguments;
    for (unsigned i = 0; i < arguments->given_count; i++) {
        struct file file;
        if (arguments->given[i].option != OPTION_SYMBOLS)
            continue;
        int code = file_read(&file, arguments->given[i].value, &session->diagnostics);
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
