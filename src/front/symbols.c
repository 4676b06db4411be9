/* SPDX-License-Identifier: MIT */
#include "front/symbols.h"

#include "front/code.h"
#include "front/input.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

const char *symbols_where(const struct input *input, unsigned section, uint64_t unit, char *text)
{
    static const char in[] = " in ";
    memcpy(text, in, sizeof in);
    if (!gpucode_outline_near(input_outline(input), section, unit, text + sizeof in - 1,
                              SYMBOLS_WHERE_MAX - sizeof in + 1))
        *text = 0;
    return text;
}

bool symbols_enter(struct symbols_walk *walk, const struct input *input, unsigned processor, unsigned section,
                   uint64_t unit, char near[SYMBOLS_WHERE_MAX])
{
    if (!gpucode_outline_near(input_outline(input), section, unit, near, SYMBOLS_WHERE_MAX))
        return false;
    size_t length = strcspn(near, "+");
    bool same = walk->processor == processor && strlen(walk->name) == length && memcmp(walk->name, near, length) == 0;
    if (length >= sizeof walk->name)
        length = sizeof walk->name - 1;
    memcpy(walk->name, near, length);
    walk->name[length] = 0;
    walk->processor = processor;
    return !same || !strchr(near, '+');
}

size_t symbols_target(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct symbols_code *code = user;
    char plain[64];
    (void)insn;
    size_t length;
    const struct gpucode_outline *outline = input_outline(code->input);
    const char *name = outline ? gpucode_outline_name(outline, code->section, address, &length) : NULL;
    if (name && length <= size) {
        memcpy(text, name, length);
        return length;
    }
    if (!code->prefix)
        return 0;
    int written = snprintf(plain, sizeof plain, "%s%" PRIu64, code->prefix, address);
    if (written < 0 || (size_t)written >= sizeof plain || (size_t)written > size)
        return 0;
    memcpy(text, plain, (size_t)written);
    return (size_t)written;
}
