/* SPDX-License-Identifier: MIT */
/* The session's beginning and end: initialize, launch, configurationDone, restart, disconnect. */
#include "dap/server.h"
#include "kit/a3xx/shader/group.h"
#include "kit/kit.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* gpucode_asm_options.include: names stand beside the file that names them. */
static bool include(void *user, const char *from, const char *name, char **text, size_t *length)
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
                                                    .include = include,
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
    bool given = status == GPUCODE_OK && json_array_size(files);
    return given ? gpucode_symbols_bind(dap->symbols, dap->image, dap_diagnostic_handler(dap)) : status;
}

/* The kit of the program's set, or null. */
static const struct kit *dap_kit(const struct dap *dap)
{
    const char *name = gpucode_target_isa(gpucode_image_info(dap->image)->target);
    const struct kit *kit;
    for (unsigned i = 0; dap->kit_at && (kit = dap->kit_at(i)); i++)
        if (strcmp(kit->name, name) == 0)
            return kit;
    return NULL;
}

static bool is_shader(const struct dap *dap)
{
    return strcmp(gpucode_target_isa(gpucode_image_info(dap->image)->target), "a3xx") == 0;
}

static bool read_whole(void *user, const char *path, char **bytes, size_t *size)
{
    *bytes = console_file(path, size);
    if (*bytes)
        return true;
    dap_write(user, "cannot read ", 12);
    dap_write(user, path, strlen(path));
    return false;
}

static enum gpucode_status wrong_input(struct dap *dap, const char *name, const char *text, const char *expected)
{
    char message[512];
    int length = snprintf(message, sizeof message, "%s %.200s: expected %s", name, text, expected);
    dap_write(dap, message, (size_t)length);
    return GPUCODE_ERROR_INPUT;
}

/* The work group of a shader; `threads` gets the number of its threads, or "". */
static enum gpucode_status read_group(struct dap *dap, const json_t *arguments, struct shader_group *group,
                                      char threads[SHADER_NUMBER])
{
    const char *size = text_of(arguments, "local-size");
    *group = (struct shader_group){0};
    *threads = 0;
    shader_group_declared(group, dap->program);
    if (*size && (!is_shader(dap) || !shader_group_size(group, size)))
        return wrong_input(dap, "local-size", size, "X, X,Y or X,Y,Z, at most 1024 threads of an A3XX shader together");
    if (is_shader(dap))
        shader_group_threads(group, threads);
    return GPUCODE_OK;
}

/* What an A3XX shader finds: one text, or a list of them, as the options of `gpucode run` have it. */
static enum gpucode_status give_inputs(struct dap *dap, const json_t *arguments, struct shader_group *group)
{
    static const struct {
        const char *name;
        enum shader_input input;
    } kinds[] = {{"ij", SHADER_IJ},           {"const", SHADER_CONST},     {"in", SHADER_IN},
                 {"varying", SHADER_VARYING}, {"texture", SHADER_TEXTURE}, {"memory", SHADER_MEMORY}};
    struct shader_inputs inputs = {
        .machine = dap->machine, .read = read_whole, .user = dap, .on_diagnostic = dap_diagnostic_handler(dap)};
    const char *id = text_of(arguments, "local-id");
    bool shader = is_shader(dap);
    if (*id && (!shader || !shader_group_id(group, dap->machine, id)))
        return wrong_input(dap, "local-id", id, "the first of three registers (r0.x) of an A3XX shader");
    if (shader) {
        shader_group_give(group, &inputs);
        shader_give_declared(&inputs, dap->program);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const json_t *value = json_object_get(arguments, kinds[i].name);
        size_t count = json_is_array(value) ? json_array_size(value) : value ? 1 : 0;
        for (size_t k = 0; k < count; k++) {
            const json_t *one = json_is_array(value) ? json_array_get(value, k) : value;
            const char *text = json_string_value(one), *expected = "a text";
            enum shader_status status = SHADER_WRONG;
            if (text && shader) {
                status = shader_give(&inputs, kinds[i].input, text);
                expected = inputs.expected;
            } else if (text) {
                expected = "an A3XX shader that it is for";
            }
            if (status == SHADER_WRONG)
                return wrong_input(dap, kinds[i].name, text ? text : "", expected);
            if (status != SHADER_GIVEN)
                return status == SHADER_NO_MEMORY ? GPUCODE_ERROR_MEMORY : GPUCODE_ERROR_INPUT;
        }
    }
    return GPUCODE_OK;
}

#define POLICIES_MAX 63 /* with a3xx-threads of the group */

static enum gpucode_status make_machine(struct dap *dap, const json_t *arguments)
{
    json_t *policies = json_object_get(arguments, "policies"), *value;
    struct gpucode_setting settings[POLICIES_MAX + 1] = {{0}};
    struct shader_group group;
    const char *name;
    char threads[SHADER_NUMBER];
    size_t count = 0;
    enum gpucode_status status = read_group(dap, arguments, &group, threads);
    if (status != GPUCODE_OK)
        return status;
    if (*threads)
        settings[count++] = (struct gpucode_setting){"a3xx-threads", threads};
    json_object_foreach(policies, name, value)
    {
        if (!json_is_string(value) || count == POLICIES_MAX)
            return wrong_input(dap, "policies", name, "a text for each, and at most 62 of them");
        settings[count++] = (struct gpucode_setting){name, json_string_value(value)};
    }
    const struct gpucode_machine_options options = {.policies = settings,
                                                    .names = gpucode_symbols_names(dap->symbols),
                                                    .on_diagnostic = dap_diagnostic_handler(dap)};
    status = gpucode_machine_create(dap->image, &options, &dap->machine);
    if (status != GPUCODE_OK)
        return status;
    status = give_inputs(dap, arguments, &group);
    if (status != GPUCODE_OK)
        return status;
    const struct gpucode_debug_options debug = {.symbols = dap->symbols};
    status = gpucode_debug_create(dap->machine, &debug, &dap->debug);
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
    if (status != GPUCODE_OK) {
        refuse(answer, "%s: %s", program, dap->text_length ? dap->text : gpucode_status_text(status));
        dap_take_text(dap);
        return;
    }
    dap->stop_on_entry = flag_of(arguments, "stopOnEntry");
    /* packets, memory and the like: what is to be done before anything runs */
    const json_t *commands = json_object_get(arguments, "commands"), *command;
    size_t i;
    json_array_foreach(commands, i, command) if (json_is_string(command))
        console_run(dap->console, json_string_value(command));
    if (dap->text_length)
        dap_output(dap, "console", dap_take_text(dap));
    answer->initialized = true;
}

void request_initialize(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    static const char *const can[] = {
        "supportsConfigurationDoneRequest",
        "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints",
        "supportsEvaluateForHovers",
        "supportsStepBack",
        "supportsSetVariable",
        "supportsSetExpression",
        "supportsRestartRequest",
        "supportsCompletionsRequest",
        "supportsDataBreakpoints",
        "supportsReadMemoryRequest",
        "supportsWriteMemoryRequest",
        "supportsDisassembleRequest",
        "supportsInstructionBreakpoints",
        "supportsSteppingGranularity",
        "supportsTerminateRequest",
        "supportsGotoTargetsRequest",
        "supportsExceptionInfoRequest",
        "supportsBreakpointLocationsRequest",
        "supportsLoadedSourcesRequest",
        "supportsCancelRequest",
    };
    dap->lines_from_0 = json_is_false(json_object_get(arguments, "linesStartAt1"));
    dap->columns_from_0 = json_is_false(json_object_get(arguments, "columnsStartAt1"));
    dap->knows_invalidated = flag_of(arguments, "supportsInvalidatedEvent");
    answer->body = json_object();
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        json_object_set_new(answer->body, can[i], json_true());
    json_object_set_new(answer->body, "exceptionBreakpointFilters",
                        json_pack("[{s:s, s:s}]", "filter", "packet", "label", "Every packet"));
}

void request_configurationDone(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)arguments;
    if (dap->stop_on_entry) {
        answer->stopped = true;
        answer->stop = (struct gpucode_debug_stop){.reason = GPUCODE_DEBUG_BEGINNING};
    } else {
        answer->move = gpucode_debug_continue;
    }
}

void request_restart(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)arguments;
    gpucode_debug_goto(dap->debug, 0, &answer->stop);
    answer->stop.reason = GPUCODE_DEBUG_BEGINNING;
    answer->stopped = true;
}

/* Requests that wait are marked by the thread that reads; one that is being answered is finished. */
void request_cancel(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)dap;
    (void)arguments;
    (void)answer;
}

void request_disconnect(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)arguments;
    (void)answer;
    dap->done = true;
}

void request_terminate(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)dap;
    (void)arguments;
    answer->terminated = true;
}
