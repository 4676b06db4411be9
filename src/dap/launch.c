/* SPDX-License-Identifier: MIT */
/* The launch request: from a file to a session that can be debugged. */
#include "dap/fields.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* gpucode_asm_options.include: names stand beside the file that names them. */
static bool include_file(void *user, const char *from, const char *name, char **text, size_t *length)
{
    const char *slash = strrchr(from, '/');
    char path[PATH_MAX];
    (void)user;
    int folder = slash && *name != '/' ? (int)(slash - from) + 1 : 0;
    if (snprintf(path, sizeof path, "%.*s%s", folder, from, name) >= (int)sizeof path)
        return false;
    *text = console_file(path, length);
    return *text;
}

static bool is_text(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)bytes[i] < ' ' && !strchr("\t\n\r\f\v", bytes[i]))
            return false;
    return size && !memchr(bytes, 0, size);
}

/* Reads the program into dap->image, through the assembler when it is a source. */
static enum gpucode_status open_program(struct dap *dap, const json_t *arguments, const struct gpucode_target *target)
{
    size_t size;
    dap->bytes = console_file(dap->path, &size);
    const void *code = dap->bytes;
    if (!dap->bytes) {
        dap_write(dap, "cannot read the program", 23);
        return GPUCODE_ERROR_INPUT;
    }
    if (is_text(dap->bytes, size)) {
        const struct gpucode_asm_options options = {.target = target,
                                                    .file = dap->path,
                                                    .on_diagnostic = dap_diagnostic_handler(dap),
                                                    .include = include_file,
                                                    .record_lines = true};
        enum gpucode_status status = gpucode_assemble(dap->bytes, size, &options, &dap->program);
        if (status != GPUCODE_OK)
            return status;
        code = gpucode_program_bytes(dap->program);
        size = gpucode_program_size(dap->program);
        target = gpucode_program_target(dap->program);
    }
    const struct gpucode_image_options options = {.target = target,
                                                  .file_name = dap->path,
                                                  .raw = flag_of(arguments, "raw"),
                                                  .on_diagnostic = dap_diagnostic_handler(dap)};
    return gpucode_image_open(code, size, &options, &dap->image);
}

static enum gpucode_status read_symbols(struct dap *dap, const json_t *arguments)
{
    enum gpucode_status status = gpucode_symbols_create(gpucode_image_info(dap->image)->target, NULL, &dap->symbols);
    if (status == GPUCODE_OK && dap->program)
        status = gpucode_symbols_add(dap->symbols, dap->program);
    const json_t *files = json_object_get(arguments, "symbols"), *file;
    size_t i;
    json_array_foreach(files, i, file)
    {
        size_t size;
        char *text = json_is_string(file) ? console_file(json_string_value(file), &size) : NULL;
        if (!text) {
            dap_write(dap, "cannot read a symbol file", 25);
            return GPUCODE_ERROR_INPUT;
        }
        status = gpucode_symbols_read(dap->symbols, text, size, json_string_value(file), dap_diagnostic_handler(dap));
        free(text);
        if (status != GPUCODE_OK)
            return status;
    }
    if (status != GPUCODE_OK)
        return status;
    bool given = json_array_size(files);
    status = gpucode_symbols_bind(dap->symbols, dap->image,
                                  given ? dap_diagnostic_handler(dap) : (struct gpucode_diagnostic_handler){0});
    return status == GPUCODE_ERROR_INPUT && !given ? GPUCODE_OK : status;
}

#define POLICIES_MAX 62

static enum gpucode_status make_machine(struct dap *dap, const json_t *arguments)
{
    json_t *policies = json_object_get(arguments, "policies"), *value;
    struct gpucode_setting settings[KIT_SETTINGS_MAX + POLICIES_MAX + 1] = {{0}};
    struct kit_settings own = {0};
    struct fields *fields;
    const char *name;
    size_t count = 0, given = 0;
    enum gpucode_status status = fields_begin(dap, arguments, &own, &fields);
    while (status == GPUCODE_OK && own.list[count].name) {
        settings[count] = own.list[count];
        count++;
    }
    json_object_foreach(policies, name, value)
    {
        if (status != GPUCODE_OK)
            break;
        if (json_is_string(value) && given++ < POLICIES_MAX)
            settings[count++] = (struct gpucode_setting){name, json_string_value(value)};
        else
            status = fields_refuse(dap, "policies", name, "a text for each, and at most 62 of them");
    }
    const struct gpucode_machine_options options = {.policies = settings,
                                                    .names = gpucode_symbols_names(dap->symbols),
                                                    .on_diagnostic = dap_diagnostic_handler(dap)};
    if (status == GPUCODE_OK)
        status = gpucode_machine_create(dap->image, &options, &dap->machine);
    if (status == GPUCODE_OK)
        status = fields_give(fields, dap, arguments);
    free(fields);
    return status;
}

static enum gpucode_status make_session(struct dap *dap)
{
    const struct gpucode_debug_options debug = {.symbols = dap->symbols, .wants_interrupt = dap->wants_interrupt};
    enum gpucode_status status = gpucode_debug_create(dap->machine, &debug, &dap->debug);
    if (status == GPUCODE_OK)
        status = gpucode_debug_select(dap->debug, dap->first_processor);
    const struct kit *kit = dap_kit(dap);
    const struct console_options console = {.debug = dap->debug,
                                            .symbols = dap->symbols,
                                            .words = kit ? kit->words : NULL,
                                            .write = dap_write,
                                            .user = dap};
    if (status == GPUCODE_OK && !(dap->console = console_create(&console)))
        status = GPUCODE_ERROR_MEMORY;
    return status;
}

void request_launch(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const char *program = text_of(arguments, "program"), *name = text_of(arguments, "target");
    const struct gpucode_target *target = *name ? gpucode_target_find(name) : NULL;
    if (dap->debug || dap->image || dap->bytes || dap->program) {
        refuse(answer, "a program is launched already");
        return;
    }
    if (*name && !target) {
        refuse(answer, "there is no target '%s'; `gpucode targets` lists them", name);
        return;
    }
    free(dap->path);
    dap->path = realpath(program, NULL);
    if (!dap->path)
        dap->path = strdup(program);
    dap_take_text(dap);
    enum gpucode_status status = dap->path ? open_program(dap, arguments, target) : GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK)
        status = read_symbols(dap, arguments);
    if (status == GPUCODE_OK)
        status = make_machine(dap, arguments);
    if (status == GPUCODE_OK)
        status = make_session(dap);
    if (status != GPUCODE_OK) {
        refuse(answer, "%s: %s", program, dap->text_length ? dap->text : gpucode_status_text(status));
        dap_take_text(dap);
        return;
    }
    dap->stop_on_entry = flag_of(arguments, "stopOnEntry");
    /* commands that prepare the machine before anything runs */
    const json_t *commands = json_object_get(arguments, "commands"), *command;
    size_t i;
    json_array_foreach(commands, i, command) if (json_is_string(command))
        console_run(dap->console, json_string_value(command));
    if (dap->text_length)
        dap_output(dap, "console", dap_take_text(dap));
    answer->initialized = true;
}
