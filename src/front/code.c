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

/* Hex text as input: dumps of scripts and shaders, words copied from a log. */

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if ((c | 32) >= 'a' && (c | 32) <= 'f')
        return (c | 32) - 'a' + 10;
    return -1;
}

static const char *skip(const char *at, const char *end)
{
    while (at < end) {
        if (*at == ';' || *at == '#' || (*at == '/' && at + 1 < end && at[1] == '/')) {
            while (at < end && *at != '\n')
                at++;
        } else if (strchr(" \t\r\n\f\v,[]{}", *at) && *at) {
            at++;
        } else {
            break;
        }
    }
    return at;
}

static const char *end_of_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static int refuse(const struct file *file, struct diagnostics *diagnostics, cli_message message, const char *at,
                  size_t span, const char *argument)
{
    const char *line = file->bytes, *newline;
    struct gpucode_diagnostic place = {.file = file->name, .line = 1};
    while ((newline = memchr(line, '\n', (size_t)(at - line)))) {
        line = newline + 1;
        place.line++;
    }
    const char *end = file->bytes + file->size;
    newline = memchr(line, '\n', (size_t)(end - line));
    place.source = line;
    place.source_length = (size_t)((newline ? newline : end) - line);
    place.column = (unsigned)(at - line) + 1;
    place.length = (unsigned)span;
    return complain_at(diagnostics, message, &place, NULL, argument);
}

/* `count` bytes from digits, first byte first, or last byte first for words. */
static unsigned char *write_digits(unsigned char *to, const char *digits, size_t count, bool little)
{
    for (size_t i = 0; i < count; i++) {
        const char *pair = digits + 2 * (little ? count - 1 - i : i);
        *to++ = (unsigned char)(digit(pair[0]) << 4 | digit(pair[1]));
    }
    return to;
}

/*
 * A line of a shader dump, "0003[hi_lo] text" where hi and lo may end in an x: *at moves to hi, the text after the
 * bracket is for people. A step of a repeat has blanks in the brackets and no word of its own. False: no such line.
 */
static bool dump_line(const char **at, const char *end)
{
    const char *mark = *at;
    while (mark < end && *mark >= '0' && *mark <= '9')
        mark++;
    if (mark == *at || mark == end || *mark != '[')
        return false;
    *at = mark + 1;
    for (mark++; mark < end && *mark == ' ';)
        mark++;
    if (mark < end && *mark == ']')
        *at = end_of_line(mark, end);
    return true;
}

/* Behind hi_lo: does the line go on with something that is no other hi_lo and no punctuation? */
static bool text_follows(const char *at, const char *end)
{
    if (at == end || (*at != ' ' && *at != '\t'))
        return false;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *token = at + (end - at > 1 && at[0] == '0' && (at[1] | 32) == 'x' ? 2 : 0);
    size_t digits = 0;
    while (token + digits < end && digit(token[digits]) >= 0)
        digits++;
    bool word = digits && (token + digits == end || strchr(" \t\r\n_x,]}", token[digits]));
    return at < end && !word && !strchr("\r\n,[]{};#/", *at);
}

/* Does the text begin like a shader's dump, "0003[hi_lo] text" or "hi_lo text"? Texts of instructions are passed over.
 */
static bool file_is_dump(const struct file *file)
{
    const char *end = file->bytes + file->size, *at = skip(file->bytes, end);
    const char *digits = at;
    if (dump_line(&at, end))
        return true;
    while (at < end && digit(*at) >= 0)
        at++;
    return at - digits == 8 && end - at > 9 && *at == '_' && text_follows(at + 9, end);
}

int file_from_hex(struct file *file, struct diagnostics *diagnostics)
{
    const char *end = file->bytes + file->size;
    unsigned char *bytes = malloc(file->size / 2 + 1), *to = bytes;
    int code = bytes ? EXIT_DONE : out_of_memory(diagnostics);
    for (const char *at = skip(file->bytes, end); !code && at < end; at = skip(at, end)) {
        const char *token = at;
        bool dump = dump_line(&at, end);
        if (dump && (at == end || *at == '\n'))
            continue;
        if (at + 2 < end && at[0] == '0' && (at[1] | 32) == 'x' && digit(at[2]) >= 0)
            at += 2;
        const char *digits = at;
        while (at < end && digit(*at) >= 0)
            at++;
        size_t count = (size_t)(at - digits), low = 0;
        const char *second = at + (at < end && *at == 'x' ? 2 : 1); /* a template's x after the digits */
        if (count == 8 && second < end && second[-1] == '_') {
            while (second + low < end && digit(second[low]) >= 0)
                low++;
            if (low == 8)
                at = second + 8 + (second + 8 < end && second[8] == 'x');
        }
        if (low == 8 && ((dump && at < end && *at == ']') || text_follows(at, end)))
            at = end_of_line(at, end);
        char text[32];
        snprintf(text, sizeof text, "%zu", count);
        if (!count || (at < end && at == skip(at, end)))
            code = refuse(file, diagnostics, CLI_HEX, count ? at : token, 1, "");
        else if (low == 8)
            to = write_digits(write_digits(to, second, 4, true), digits, 4, true);
        else if (count == 2 || count == 8 || count == 16)
            to = write_digits(to, digits, count / 2, true);
        else if (count > 16 && count % 2 == 0)
            to = write_digits(to, digits, count / 2, false);
        else
            code = refuse(file, diagnostics, CLI_HEX_DIGITS, token, (size_t)(at - token), text);
    }
    if (code) {
        free(bytes);
        file_free(file);
        return code;
    }
    free(file->bytes);
    file->bytes = (char *)bytes;
    file->size = (size_t)(to - bytes);
    return EXIT_DONE;
}

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
