/* SPDX-License-Identifier: MIT */
/* gpucode run for AFUC: boots a firmware, gives it packets, tells what changed and why it stopped. */
#include "cli/code.h"
#include "cli/json.h"
#include "cli/packet.h"
#include "cli/run.h"
#include "cli/session.h"
#include "cli/trace_afuc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 10000000

struct afuc_run {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    unsigned processor;
    uint64_t left, ran;
    struct gpucode_stop stop;
    struct trace trace;
    uint32_t words[PACKET_WORDS_MAX];
    bool fed;
};

static int bad_value(struct session *session, enum option_id option, const char *value, const char *expected)
{
    return complain(&session->diagnostics, CLI_RUN_VALUE, NULL, NULL, option_table[option].name, value, expected);
}

static bool read_number(const char *text, const char **end, uint64_t *value)
{
    char *stop;
    if (*text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &stop, 0);
    *end = stop;
    return true;
}

/* --- before the start ------------------------------------------------------------------------------------- */

static int set_register(struct afuc_run *run, const char *text)
{
    const char *equals = strrchr(text, '='), *end;
    char name[GPUCODE_NAME_MAX];
    uint64_t value;
    if (!equals || (size_t)(equals - text) >= sizeof name || !read_number(equals + 1, &end, &value) || *end ||
        value > UINT32_MAX)
        return bad_value(run->session, OPTION_REG, text, "NAME=VALUE, a 32-bit number");
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = 0;
    unsigned space;
    uint32_t number;
    if (!gpucode_machine_find(run->machine, name, &space, &number) ||
        gpucode_machine_write(run->machine, run->processor, space, number, (uint32_t)value) != GPUCODE_OK)
        return complain(&run->session->diagnostics, CLI_RUN_REGISTER, NULL, NULL, name);
    return EXIT_DONE;
}

static int load_memory(struct afuc_run *run, const char *text)
{
    const char *end;
    uint64_t address;
    if (!read_number(text, &end, &address) || *end != '=')
        return bad_value(run->session, OPTION_MEMORY, text, "ADDRESS=FILE");
    struct file file;
    int code = file_read(&file, end + 1, &run->session->diagnostics);
    if (code)
        return code;
    enum gpucode_status status = gpucode_machine_store(run->machine, address, file.bytes, file.size);
    file_free(&file);
    if (status == GPUCODE_ERROR_RANGE)
        return bad_value(run->session, OPTION_MEMORY, text, "an address behind which the file has room");
    return status == GPUCODE_OK ? EXIT_DONE : complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
}

static int read_trace(struct session *session, unsigned *kinds)
{
    static const struct {
        const char *name;
        unsigned kind;
    } names[] = {{"instructions", TRACE_INSTRUCTIONS}, {"registers", TRACE_REGISTERS}, {"memory", TRACE_MEMORY}, {"state", TRACE_STATE}};
    const char *at = session->arguments.value[OPTION_TRACE];
    *kinds = 0;
    while (at) {
        size_t length = strcspn(at, ","), i = 0;
        while (i < 4 && (strlen(names[i].name) != length || memcmp(names[i].name, at, length) != 0))
            i++;
        if (i == 4)
            return complain(&session->diagnostics, CLI_TRACE, NULL, "instructions, registers, memory, state",
                            session->arguments.value[OPTION_TRACE]);
        *kinds |= names[i].kind;
        at = at[length] ? at + length + 1 : NULL;
    }
    return EXIT_DONE;
}

/* --- running ------------------------------------------------------------------------------------------------ */

/* Does the processor stand in the delay slot of waitin? */
static bool is_waiting(const struct afuc_run *run)
{
    return run->stop.reason == GPUCODE_STOP_IDLE && run->stop.pc > 0 &&
           trace_word(&run->trace, run->stop.processor, run->stop.pc - 1) >> 26 == 0x36;
}

static bool go(struct afuc_run *run)
{
    uint64_t ran = gpucode_machine_run(run->machine, run->left, &run->stop);
    run->ran += ran;
    run->left -= ran < run->left ? ran : run->left;
    return run->stop.reason == GPUCODE_STOP_IDLE && !run->trace.failed;
}

static int feed(struct afuc_run *run, const uint32_t *words, size_t count)
{
    run->fed = true;
    if (gpucode_machine_feed(run->machine, run->processor, words, count) != GPUCODE_OK)
        return complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
    go(run); /* the next packet when the queue has run dry */
    return EXIT_DONE;
}

static int feed_packet(struct afuc_run *run, const char *text)
{
    unsigned count;
    int code = packet_read(run->session, run->input->target, input_names(run->input), text, run->words, &count);
    return code || !count ? code : feed(run, run->words, count);
}

static int feed_packets(struct afuc_run *run, const char *path)
{
    struct file file;
    int code = file_read(&file, path, &run->session->diagnostics);
    if (code)
        return code;
    for (char *line = file.bytes, *end; !code && line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        code = feed_packet(run, line);
    }
    file_free(&file);
    return code;
}

/* Words in hex, in groups of eight digits. */
static int feed_ring(struct afuc_run *run, const char *path)
{
    struct file file;
    int code = file_read(&file, path, &run->session->diagnostics);
    if (code)
        return code;
    code = file_from_hex(&file, &run->session->diagnostics);
    size_t count = file.size / 4;
    uint32_t *words = code ? NULL : malloc((count + 1) * sizeof *words);
    if (!code && !words)
        code = complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
    for (size_t i = 0; words && i < count; i++) {
        const unsigned char *at = (const unsigned char *)file.bytes + 4 * i;
        words[i] = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    if (words)
        code = feed(run, words, count);
    free(words);
    file_free(&file);
    return code;
}

static bool has_packets(const struct arguments *arguments)
{
    return arguments_have(arguments, OPTION_PACKET) || arguments_have(arguments, OPTION_PACKETS) ||
           arguments_have(arguments, OPTION_RING);
}

static int run_packets(struct afuc_run *run)
{
    const struct arguments *arguments = &run->session->arguments;
    bool packets = has_packets(arguments);
    if (!packets && !(run->trace.kinds & TRACE_STATE)) /* nothing but the boot to tell of */
        trace_begin(&run->trace);
    if (!go(run))
        return EXIT_DONE;
    if (packets)
        trace_begin(&run->trace);
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++) {
        const struct given *given = &arguments->given[i];
        if (run->stop.reason != GPUCODE_STOP_IDLE)
            break;
        if (given->option == OPTION_PACKET)
            code = feed_packet(run, given->value);
        else if (given->option == OPTION_PACKETS)
            code = feed_packets(run, given->value);
        else if (given->option == OPTION_RING)
            code = feed_ring(run, given->value);
    }
    return code;
}

/* --- results -------------------------------------------------------------------------------------------------- */

static const char *reason_name(enum gpucode_stop_reason reason)
{
    static const char *const names[] = {"limit", "hook", "idle", "end", "hang", "fault", "unknown", "breakpoint"};
    return names[reason];
}

static const char *name_of(struct afuc_run *run, const struct trace_change *change, char *name)
{
    if (change->space < 0)
        snprintf(name, GPUCODE_NAME_MAX, "[0x%" PRIx64 "]", change->index);
    else
        gpucode_machine_name(run->machine, (unsigned)change->space, (uint32_t)change->index, name, GPUCODE_NAME_MAX);
    return name;
}

static int put_dump(struct afuc_run *run, const char *text, struct json *json)
{
    const char *end;
    char name[GPUCODE_NAME_MAX];
    uint64_t address, count = 1;
    unsigned space;
    uint32_t number, value;
    if (gpucode_machine_find(run->machine, text, &space, &number) && !strchr(text, ':')) {
        gpucode_machine_read(run->machine, run->processor, space, number, &value);
        gpucode_machine_name(run->machine, space, number, name, sizeof name);
        if (json)
            json_number(json, name, value);
        else
            printf("  %-32s 0x%08" PRIx32 "\n", name, value);
        return EXIT_DONE;
    }
    if (!read_number(text, &end, &address) || *end != ':' || !read_number(end + 1, &end, &count) || *end || count > 1 << 20)
        return bad_value(run->session, OPTION_DUMP, text, "a register, or ADDRESS:WORDS");
    for (uint64_t i = 0; i < count; i++) {
        unsigned char bytes[4] = {0};
        bool mapped = gpucode_machine_load(run->machine, address + 4 * i, bytes, 4) == GPUCODE_OK;
        value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        snprintf(name, sizeof name, "0x%" PRIx64, address + 4 * i);
        if (json && mapped)
            json_number(json, name, value);
        else if (!json)
            printf(mapped ? "  [%s]%*s 0x%08" PRIx32 "\n" : "  [%s]%*s not mapped\n", name, (int)(30 - strlen(name)), "", value);
    }
    return EXIT_DONE;
}

static int put_dumps(struct afuc_run *run, struct json *json)
{
    const struct arguments *arguments = &run->session->arguments;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++)
        if (arguments->given[i].option == OPTION_DUMP)
            code = put_dump(run, arguments->given[i].value, json);
    return code;
}

static int put_json(struct afuc_run *run, bool consumed)
{
    struct json json = {.out = stdout};
    char name[GPUCODE_NAME_MAX];
    json_object(&json, NULL);
    json_string(&json, "file", run->input->file.name);
    json_string(&json, "target", gpucode_target_name(run->input->target));
    json_number(&json, "instructions", run->ran);
    json_bool(&json, "consumed", consumed);
    json_object(&json, "stop");
    json_string(&json, "reason", reason_name(run->stop.reason));
    json_string(&json, "code", run->stop.code);
    json_string(&json, "text", run->stop.text);
    json_string(&json, "processor", gpucode_machine_processor(run->machine, run->stop.processor));
    json_number(&json, "pc", run->stop.pc);
    json_end(&json);
    for (unsigned memory = 0; memory < 2; memory++) {
        json_array(&json, memory ? "memory" : "registers");
        for (size_t i = 0; i < run->trace.all.count; i++) {
            const struct trace_change *change = &run->trace.all.list[i];
            if ((change->space < 0) != (memory == 1))
                continue;
            json_object(&json, NULL);
            if (!memory) {
                json_string(&json, "processor", gpucode_machine_processor(run->machine, change->processor));
                json_string(&json, "space", trace_space(change->space));
                json_string(&json, "name", name_of(run, change, name));
            }
            json_number(&json, memory ? "address" : "number", change->index);
            json_number(&json, "before", change->before);
            json_number(&json, "value", change->value);
            json_end(&json);
        }
        json_end(&json);
    }
    int code = EXIT_DONE;
    if (arguments_have(&run->session->arguments, OPTION_DUMP)) {
        json_object(&json, "dump");
        code = put_dumps(run, &json);
        json_end(&json);
    }
    json_end(&json);
    return code;
}

static int put_text(struct afuc_run *run)
{
    char name[GPUCODE_NAME_MAX];
    int space = -2;
    bool several = gpucode_machine_processor(run->machine, 1) != NULL;
    for (size_t i = 0; i < run->trace.all.count; i++) {
        const struct trace_change *change = &run->trace.all.list[i];
        struct gpucode_space_info info;
        if (change->space != space) {
            space = change->space;
            if (space >= 0 && gpucode_machine_space(run->machine, (unsigned)space, &info))
                printf("%s registers\n", info.name);
            else
                puts("memory");
        }
        printf("  %-32s 0x%08" PRIx32 "  (was 0x%08" PRIx32 ")", name_of(run, change, name), change->value, change->before);
        if (several && space >= 0 && space != GPUCODE_SPACE_GPU)
            printf("  %s", gpucode_machine_processor(run->machine, change->processor));
        putchar('\n');
    }
    if (arguments_have(&run->session->arguments, OPTION_DUMP))
        puts("dump");
    int code = put_dumps(run, NULL);
    if (!code)
        printf("%s: %s (word 0x%" PRIx64 " of %s), %" PRIu64 " instructions\n", reason_name(run->stop.reason),
               run->stop.text[0] ? run->stop.text : "the limit of instructions is reached", run->stop.pc,
               gpucode_machine_processor(run->machine, run->stop.processor), run->ran);
    return code;
}

static int report(struct afuc_run *run)
{
    bool waiting = is_waiting(run);
    uint32_t level = 0;
    unsigned space;
    uint32_t number;
    if (gpucode_machine_find(run->machine, "@IB_LEVEL", &space, &number))
        gpucode_machine_read(run->machine, run->stop.processor, space, number, &level);
    bool consumed = waiting && !level;
    trace_end(&run->trace, &run->stop, waiting);
    if (run->trace.failed)
        return complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
    trace_sort(&run->trace.all);
    int code = EXIT_DONE;
    if (run->trace.kinds & TRACE_STATE && run->session->json)
        ; /* the trace is the result, a line each */
    else
        code = run->session->json ? put_json(run, consumed) : put_text(run);
    if (code || consumed)
        return code;
    return complain(&run->session->diagnostics, CLI_STOPPED, NULL, NULL,
                    run->stop.text[0] ? run->stop.text : "the limit of instructions is reached");
}

/* --- the command ------------------------------------------------------------------------------------------------ */

static int prepare(struct afuc_run *run)
{
    const struct arguments *arguments = &run->session->arguments;
    const char *section = arguments->value[OPTION_SECTION], *name, *end;
    int code = read_trace(run->session, &run->trace.kinds);
    if (!code && arguments->value[OPTION_LIMIT] &&
        (!read_number(arguments->value[OPTION_LIMIT], &end, &run->left) || *end))
        code = bad_value(run->session, OPTION_LIMIT, arguments->value[OPTION_LIMIT], "a number");
    for (unsigned i = 0; section && (name = gpucode_machine_processor(run->machine, i)); i++)
        if (strcmp(name, section) == 0)
            run->processor = i;
    for (unsigned i = 0; !code && i < arguments->given_count; i++) {
        const struct given *given = &arguments->given[i];
        if (given->option == OPTION_REG)
            code = set_register(run, given->value);
        else if (given->option == OPTION_MEMORY)
            code = load_memory(run, given->value);
    }
    return code;
}

int run_afuc(struct session *session, const struct input *input)
{
    const char *section = session->arguments.value[OPTION_SECTION];
    const struct gpucode_setting first[] = {{section ? "afuc-processor" : NULL, section}, {NULL, NULL}};
    struct gpucode_setting *settings = NULL;
    int code = run_policies(session, first, &settings);
    if (code)
        return code;
    struct afuc_run *run = calloc(1, sizeof *run);
    if (!run) {
        free(settings);
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    }
    const struct gpucode_machine_options options = {
        .policies = settings, .names = input_names(input), .sink = diagnostics_sink(&session->diagnostics)};
    *run = (struct afuc_run){.session = session, .input = input, .left = LIMIT};
    enum gpucode_status status = gpucode_machine_create(input->image, &options, &run->machine);
    if (status == GPUCODE_OK) {
        run->trace.input = input;
        run->trace.machine = run->machine;
        run->trace.json = session->json;
        code = prepare(run);
        if (!code)
            code = run_packets(run);
        if (!code)
            code = report(run);
    } else {
        code = code_status(session, input->file.name, status);
    }
    trace_free(&run->trace);
    gpucode_machine_free(run->machine);
    free(run);
    free(settings);
    return code;
}
