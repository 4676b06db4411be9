/* SPDX-License-Identifier: MIT */
/* gpucode run for AFUC: boots a firmware, gives it packets, tells what changed and why it stopped. */
#include "front/json.h"
#include "front/policies.h"
#include "front/session.h"
#include "front/symbols.h"
#include "front/values.h"
#include "kit/afuc/firmware.h"
#include "kit/afuc/kit.h"
#include "kit/afuc/trace.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct afuc_run {
    struct session *session;
    const struct input *input;
    struct firmware *firmware;
    struct gpucode_machine *machine; /* the firmware's */
    struct trace trace;
};

static const struct value_word trace_words[] = {{"instructions", TRACE_INSTRUCTIONS},
                                                {"registers", TRACE_REGISTERS},
                                                {"memory", TRACE_MEMORY},
                                                {"state", TRACE_STATE},
                                                {NULL, 0}};

static int run_packets(struct afuc_run *run)
{
    bool packets = firmware_has_packets(run->session);
    if (!packets && !(run->trace.kinds & TRACE_STATE)) /* nothing but the boot to tell of */
        trace_begin(&run->trace);
    if (!firmware_boot(run->firmware))
        return EXIT_DONE;
    if (packets)
        trace_begin(&run->trace);
    return firmware_feed(run->firmware);
}

/* --- results -------------------------------------------------------------------------------------------------- */

static const char *name_of(struct afuc_run *run, const struct change *change, char *name)
{
    char memory[SYMBOLS_WHERE_MAX];
    if (change->space < 0 && gpucode_symbols_memory(run->input->symbols, change->index, memory, sizeof memory))
        snprintf(name, GPUCODE_NAME_MAX, "[%.*s]", GPUCODE_NAME_MAX - 3, memory);
    else if (change->space < 0)
        snprintf(name, GPUCODE_NAME_MAX, "[0x%" PRIx64 "]", change->index);
    else
        gpucode_machine_name(run->machine, (unsigned)change->space, (uint32_t)change->index, name, GPUCODE_NAME_MAX);
    return name;
}

/* A name of memory in front of the colon. */
static bool memory_name(const struct afuc_run *run, const char *text, const char **end, uint64_t *address)
{
    struct gpucode_label label;
    *end = text + strcspn(text, ":");
    bool found = run->input->symbols &&
                 gpucode_symbols_find(run->input->symbols, NULL, text, (size_t)(*end - text), &label) &&
                 label.kind == GPUCODE_LABEL_MEMORY;
    if (found)
        *address = (uint64_t)label.value;
    return found;
}

static int tell_dump(struct afuc_run *run, const char *text, struct json *json)
{
    const char *end;
    char name[GPUCODE_NAME_MAX];
    uint64_t address, count = 1;
    unsigned space;
    uint32_t number, value;
    if (gpucode_machine_find(run->machine, text, &space, &number) && !strchr(text, ':')) {
        gpucode_machine_read(run->machine, run->firmware->processor, space, number, &value);
        gpucode_machine_name(run->machine, space, number, name, sizeof name);
        if (json)
            json_number(json, name, value);
        else
            printf("  %-32s 0x%08" PRIx32 "\n", name, value);
        return EXIT_DONE;
    }
    end = text;
    if (!(number_take(&end, &address) || memory_name(run, text, &end, &address)) || *end != ':' ||
        !number_read(end + 1, 1 << 20, &count))
        return value_refuse(run->session, OPTION_AFUC_DUMP, text, "a register, or ADDRESS:WORDS");
    for (uint64_t i = 0; i < count; i++) {
        unsigned char bytes[4] = {0};
        bool mapped = gpucode_machine_load(run->machine, address + 4 * i, bytes, 4) == GPUCODE_OK;
        value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        if (!gpucode_symbols_memory(run->input->symbols, address + 4 * i, name, sizeof name))
            snprintf(name, sizeof name, "0x%" PRIx64, address + 4 * i);
        if (json && mapped)
            json_number(json, name, value);
        else if (!json)
            printf(mapped ? "  [%s]%*s 0x%08" PRIx32 "\n" : "  [%s]%*s not mapped\n", name,
                   (int)(strlen(name) < 30 ? 30 - strlen(name) : 0), "", value);
    }
    return EXIT_DONE;
}

static int tell_dumps(struct afuc_run *run, struct json *json)
{
    const struct arguments *arguments = &run->session->arguments;
    int code = EXIT_DONE;
    for (unsigned i = 0; !code && i < arguments->given_count; i++)
        if (arguments->given[i].option == OPTION_AFUC_DUMP)
            code = tell_dump(run, arguments->given[i].value, json);
    return code;
}

static int write_changes(struct afuc_run *run)
{
    struct json json = {.out = stdout};
    char name[GPUCODE_NAME_MAX];
    json_object(&json, NULL);
    firmware_put_json(run->firmware, &json);
    for (unsigned memory = 0; memory < 2; memory++) {
        json_array(&json, memory ? "memory" : "registers");
        for (size_t i = 0; i < run->trace.all.count; i++) {
            const struct change *change = &run->trace.all.list[i];
            if ((change->space < 0) != (memory == 1))
                continue;
            json_object(&json, NULL);
            if (!memory) {
                json_string(&json, "processor", gpucode_machine_processor(run->machine, change->processor));
                json_string(&json, "space", trace_space(change->space));
                json_string(&json, "name", name_of(run, change, name));
            }
            json_number(&json, memory ? "address" : "number", change->index);
            if (memory && gpucode_symbols_memory(run->input->symbols, change->index, name, sizeof name))
                json_string(&json, "name", name);
            json_number(&json, "before", change->before);
            json_number(&json, "value", change->value);
            json_end(&json);
        }
        json_end(&json);
    }
    int code = EXIT_DONE;
    if (arguments_have(&run->session->arguments, OPTION_AFUC_DUMP)) {
        json_object(&json, "dump");
        code = tell_dumps(run, &json);
        json_end(&json);
    }
    json_end(&json);
    return code;
}

static int print_changes(struct afuc_run *run)
{
    char name[GPUCODE_NAME_MAX];
    int space = -2;
    bool several = gpucode_machine_processor(run->machine, 1) != NULL;
    for (size_t i = 0; i < run->trace.all.count; i++) {
        const struct change *change = &run->trace.all.list[i];
        struct gpucode_space_info info;
        if (change->space != space) {
            space = change->space;
            if (space >= 0 && gpucode_machine_space(run->machine, (unsigned)space, &info))
                printf("%s registers\n", info.name);
            else
                puts("memory");
        }
        printf("  %-32s 0x%08" PRIx32 "  (was 0x%08" PRIx32 ")", name_of(run, change, name), change->value,
               change->before);
        if (several && space >= 0 && space != GPUCODE_SPACE_GPU)
            printf("  %s", gpucode_machine_processor(run->machine, change->processor));
        putchar('\n');
    }
    if (arguments_have(&run->session->arguments, OPTION_AFUC_DUMP))
        puts("dump");
    int code = tell_dumps(run, NULL);
    if (!code)
        firmware_put_text(run->firmware);
    return code;
}

static int report_run(struct afuc_run *run)
{
    trace_end(&run->trace, &run->firmware->stop, firmware_is_waiting(run->firmware));
    if (run->trace.failed)
        return complain(&run->session->diagnostics, CLI_MEMORY, NULL, NULL);
    changes_sort(&run->trace.all);
    int code = EXIT_DONE;
    if (run->trace.kinds & TRACE_STATE && run->session->json)
        ; /* the trace is the result, a line each */
    else
        code = run->session->json ? write_changes(run) : print_changes(run);
    return code ? code : firmware_verdict(run->firmware);
}

/* --- the command ------------------------------------------------------------------------------------------------ */

int run_afuc(struct session *session, const struct input *input)
{
    struct afuc_run run = {.session = session, .input = input};
    int code = value_trace(session, OPTION_AFUC_TRACE, trace_words, TRACE_INSTRUCTIONS, &run.trace.kinds);
    if (!code)
        code = firmware_open(session, input, &run.firmware);
    if (!code) {
        run.machine = run.firmware->machine;
        run.trace.input = input;
        run.trace.machine = run.machine;
        run.trace.json = session->json;
        code = run_packets(&run);
    }
    if (!code)
        code = report_run(&run);
    trace_free(&run.trace);
    firmware_close(run.firmware);
    return code;
}
