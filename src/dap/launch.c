/* SPDX-License-Identifier: MIT */
/*
 * The launch request: from a file to a session that can be debugged. Fields that belong to instruction sets are taken
 * as the tables of their kits describe them.
 */
#include "dap/server.h"

#include "kit/kit.h"
#include "wire/wire.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct fields {
    const struct kit *kit; /* of the program's set, or null */
    struct launch launch;
    max_align_t state[];
};

/* The kit of the program's set, or null. */
static const struct kit *dap_kit(const struct dap *dap)
{
    const char *name = gpucode_target_isa(gpucode_image_info(dap->image)->target);
    const struct kit *kit;
    for (unsigned i = 0; dap->kits && (kit = dap->kits(i)); i++)
        if (strcmp(kit->name, name) == 0)
            return kit;
    return NULL;
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

/* Tells that a field's text is not what was expected; returns GPUCODE_ERROR_INPUT. */
static enum gpucode_status fields_refuse(struct dap *dap, const char *name, const char *text, const char *expected)
{
    char message[512];
    int length = snprintf(message, sizeof message, "%s %.200s: expected %s", name, text, expected);
    dap_write(dap, message, (size_t)length);
    return GPUCODE_ERROR_INPUT;
}

/* One text of a field; `value` may be anything that JSON has. */
static enum gpucode_status take_text(struct fields *fields, struct dap *dap, const struct launch_field *field,
                                     bool is_own, const json_t *value)
{
    const char *text = json_string_value(value), *expected = "a text";
    enum gpucode_status status = GPUCODE_ERROR_ARGUMENT;
    if (text && !*text && !field->list) /* editors send empty texts for fields that are not set */
        return GPUCODE_OK;
    if (text && is_own)
        status = field->take(&fields->launch, text, &expected);
    else if (text)
        expected = field->foreign;
    return status == GPUCODE_ERROR_ARGUMENT ? fields_refuse(dap, field->name, text ? text : "", expected) : status;
}

static enum gpucode_status take_field(struct fields *fields, struct dap *dap, const struct launch_field *field,
                                      bool is_own, const json_t *arguments)
{
    const json_t *value = json_object_get(arguments, field->name);
    enum gpucode_status status = GPUCODE_OK;
    if (!value)
        return GPUCODE_OK;
    if (!field->list || !json_is_array(value))
        return take_text(fields, dap, field, is_own, value);
    for (size_t i = 0; status == GPUCODE_OK && i < json_array_size(value); i++)
        status = take_text(fields, dap, field, is_own, json_array_get(value, i));
    return status;
}

/* Takes the fields of one phase; those of other sets than the program's are refused. */
static enum gpucode_status take_phase(struct fields *fields, struct dap *dap, enum launch_phase phase,
                                      const json_t *arguments)
{
    enum gpucode_status status = GPUCODE_OK;
    const struct kit_launch *own = fields->kit ? fields->kit->launch : NULL;
    const struct kit *kit;
    for (unsigned i = 0; dap->kits && (kit = dap->kits(i)); i++) {
        const struct launch_field *field = kit->launch ? kit->launch->fields : NULL;
        if (kit != fields->kit && own && field == own->fields)
            continue; /* sets share these */
        for (; status == GPUCODE_OK && field && field->name; field++)
            if (field->phase == phase)
                status = take_field(fields, dap, field, kit == fields->kit, arguments);
    }
    return status;
}

/*
 * Takes the fields that decide how the machine is made. *fields is for fields_give(), and freed by free(); null where
 * the status is not GPUCODE_OK. What is wrong was told.
 */
static enum gpucode_status fields_begin(struct dap *dap, const json_t *arguments, struct kit_settings *settings,
                                        struct fields **out)
{
    const struct kit *kit = dap_kit(dap);
    const struct kit_launch *own = kit ? kit->launch : NULL;
    struct fields *fields = memory_zeroed(1, sizeof *fields + (own ? own->state_size : 0));
    *out = fields;
    if (!fields)
        return GPUCODE_ERROR_MEMORY;
    fields->kit = kit;
    fields->launch = (struct launch){.program = dap->program,
                                     .read = read_whole,
                                     .user = dap,
                                     .on_diagnostic = dap_diagnostic_handler(dap),
                                     .state = fields->state};
    if (own && own->begin)
        own->begin(&fields->launch);
    enum gpucode_status status = take_phase(fields, dap, LAUNCH_SETTINGS, arguments);
    if (status == GPUCODE_OK && own && own->settings)
        own->settings(&fields->launch, settings);
    return status;
}

/* Gives dap->machine the rest. */
static enum gpucode_status fields_give(struct fields *fields, struct dap *dap, const json_t *arguments)
{
    const struct kit_launch *own = fields->kit ? fields->kit->launch : NULL;
    const char *field = "", *expected = "";
    fields->launch.machine = dap->machine;
    enum gpucode_status status = take_phase(fields, dap, LAUNCH_PLACES, arguments);
    if (status == GPUCODE_OK && own && own->give)
        status = own->give(&fields->launch);
    if (status == GPUCODE_OK)
        status = take_phase(fields, dap, LAUNCH_INPUTS, arguments);
    if (status == GPUCODE_OK && own && own->finish)
        status = own->finish(&fields->launch, &field, &expected);
    if (status == GPUCODE_ERROR_ARGUMENT)
        status = fields_refuse(dap, field, text_of(arguments, field), expected);
    dap->first_processor = fields->launch.processor;
    return status;
}

/* --- the program -------------------------------------------------------------------------------------------------- */

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
    bool raw = flag_of(arguments, "raw");
    errno = 0;
    dap->bytes = console_file(dap->path, &size);
    memory_note(dap->bytes || errno != ENOMEM);
    const void *code = dap->bytes;
    if (!dap->bytes) {
        dap_write(dap, "cannot read the program", 23);
        return GPUCODE_ERROR_INPUT;
    }
    if (!raw && is_text(dap->bytes, size)) {
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
    const struct gpucode_image_options options = {
        .target = target, .file_name = dap->path, .raw = raw, .on_diagnostic = dap_diagnostic_handler(dap)};
    enum gpucode_status status = gpucode_image_open(code, size, &options, &dap->own_image);
    dap->image = dap->own_image;
    return status;
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

/* From the file or the recording to the session. */
static enum gpucode_status make_all(struct dap *dap, const json_t *arguments, const struct gpucode_target *target)
{
    bool is_recorded = *text_of(arguments, "from");
    enum gpucode_status status = !dap->path    ? GPUCODE_ERROR_MEMORY
                                 : is_recorded ? recorded_open(dap, arguments)
                                               : open_program(dap, arguments, target);
    if (status == GPUCODE_OK)
        status = read_symbols(dap, arguments);
    if (status == GPUCODE_OK)
        status = is_recorded ? recorded_machine(dap) : make_machine(dap, arguments);
    if (status == GPUCODE_OK)
        status = make_session(dap);
    return status == GPUCODE_OK && is_recorded ? recorded_begin(dap) : status;
}

void dap_close(struct dap *dap)
{
    console_free(dap->console);
    gpucode_debug_free(dap->debug);
    gpucode_machine_free(dap->machine);
    gpucode_symbols_free(dap->symbols);
    recorded_free(dap);
    gpucode_image_free(dap->own_image);
    gpucode_program_free(dap->program);
    free(dap->bytes);
    free(dap->path);
    dap->console = NULL;
    dap->debug = NULL;
    dap->machine = NULL;
    dap->symbols = NULL;
    dap->image = dap->own_image = NULL;
    dap->program = NULL;
    dap->bytes = dap->path = NULL;
    dap->first_processor = 0;
}

void request_launch(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const char *from = text_of(arguments, "from"), *program = *from ? from : text_of(arguments, "program"),
               *name = text_of(arguments, "target");
    const struct gpucode_target *target = *name ? gpucode_target_find(name) : NULL;
    if (dap->debug) {
        refuse(answer, "a program is launched already");
        return;
    }
    if (*name && !target) {
        refuse(answer, "there is no target '%s'; `gpucode targets` lists them", name);
        return;
    }
    free(dap->path);
    dap->path = realpath(program, NULL);
    memory_note(dap->path || errno != ENOMEM);
    if (!dap->path)
        dap->path = memory_copy(program);
    dap_take_text(dap);
    enum gpucode_status status = make_all(dap, arguments, target);
    if (!memory_done(status)) {
        /* what is wrong in a source begins with its place, in a recording perhaps with the draw after its name */
        size_t length = dap->text_length ? strlen(program) : 0;
        bool placed = length && strncmp(dap->text, program, length) == 0 && strchr(":,", dap->text[length]);
        refuse(answer, "%s%s%s", placed ? "" : program, placed ? "" : ": ",
               dap->text_length ? dap->text : gpucode_status_text(status));
        dap_take_text(dap);
        dap_close(dap);
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

/* --- the launch request as a JSON schema, for the manifests of editors' extensions -------------------------------- */

enum field_type { TYPE_TEXT, TYPE_FLAG, TYPE_TEXTS, TYPE_TEXT_BY_NAME };

struct general_field {
    const char *name;
    enum field_type type;
    const char *doc, *preset; /* preset: JSON, or null */
};

/* In front of the fields of the sets, and after them. */
static const struct general_field first_fields[] = {
    {"program", TYPE_TEXT, "Source or binary file.", "\"${file}\""},
    {"from", TYPE_TEXT, "In place of a program: a recorded stream or crash dump, whose shader at `draw` is debugged.",
     NULL},
    {"target", TYPE_TEXT, "What the code is, as `gpucode targets` lists it, where the file does not say.", NULL},
    {"stopOnEntry", TYPE_FLAG, "Stop before the first instruction.", "true"},
    {"symbols", TYPE_TEXTS, "Maps and symbol files.", NULL},
    {"policies", TYPE_TEXT_BY_NAME, "Choices of the machine's behaviour, NAME: VALUE.", NULL},
    {0},
};
static const struct general_field last_fields[] = {
    {"commands", TYPE_TEXTS, "Debugger commands before anything runs, e.g. `packet CP_NOP 1, 2`.", NULL},
    {"raw", TYPE_FLAG, "No container: all of the file is code.", NULL},
    {0},
};

static void add_field(json_t *properties, const char *name, enum field_type type, const char *doc, const char *preset)
{
    static const char *const types[] = {"string", "boolean", "array", "object"};
    json_t *field = json_pack("{s:s}", "type", types[type]);
    if (type == TYPE_TEXTS)
        json_object_set_new(field, "items", json_pack("{s:s}", "type", "string"));
    if (type == TYPE_TEXT_BY_NAME)
        json_object_set_new(field, "additionalProperties", json_pack("{s:s}", "type", "string"));
    json_object_set_new(field, "description", json_string(doc));
    if (preset)
        json_object_set_new(field, "default", json_loads(preset, JSON_DECODE_ANY, NULL));
    json_object_set_new(properties, name, field);
}

static void add_fields(json_t *properties, const struct general_field *field)
{
    for (; field->name; field++)
        add_field(properties, field->name, field->type, field->doc, field->preset);
}

bool dap_print_schema(FILE *out, dap_kits *kits)
{
    json_t *properties = json_object();
    const struct kit *kit;
    add_fields(properties, first_fields);
    for (unsigned i = 0; (kit = kits(i)); i++)
        for (const struct launch_field *field = kit->launch ? kit->launch->fields : NULL; field && field->name; field++)
            add_field(properties, field->name, field->list ? TYPE_TEXTS : TYPE_TEXT, field->doc, NULL);
    add_fields(properties, last_fields);
    json_t *schema = json_pack("{s:o}", "properties", properties);
    bool good = schema && json_dumpf(schema, out, JSON_INDENT(2)) == 0 && putc('\n', out) != EOF;
    json_decref(schema);
    return good;
}

/* The session's beginning and end, except launch: initialize, configurationDone, restart, disconnect. */

void request_initialize(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    static const char *const can[] = {
        "supportsConfigurationDoneRequest",
        "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints",
        "supportsHitConditionalBreakpoints",
        "supportsLogPoints",
        "supportsValueFormattingOptions",
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
        answer->stop = (struct gpucode_debug_stop){.reason = GPUCODE_DEBUG_BEGINNING,
                                                   .processor = gpucode_debug_processor(dap->debug)};
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

/*
 * Nothing is left to do: the thread that reads has marked the request if it waits, and one that is being answered is
 * finished.
 */
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
