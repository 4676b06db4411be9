/* SPDX-License-Identifier: MIT */
#include "cli/run_code.h"
#include "front/input.h"
#include "front/outcome.h"
#include "front/report.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/machine.h"

#include <inttypes.h>
#include <string.h>

#define LIMIT 10000000

enum { TRACE_INSTRUCTIONS = 1, TRACE_REGISTERS = 2 };

struct code_run {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    unsigned trace;
    uint64_t limit, ran;
    struct gpucode_stop stop;
    struct changes changes;
    struct places_walk walk;
    bool failed; /* out of memory */
};

/* --- the trace -------------------------------------------------------------------------------------------- */

/* What all objects of a trace begin with. */
static void begin_object(struct json *json, const struct code_run *run, const struct gpucode_event *event)
{
    json_object(json, NULL);
    json_string(json, "processor", gpucode_machine_processor(run->machine, event->processor));
    json_number(json, "pc", event->pc);
}

static void show_insn(struct code_run *run, const struct gpucode_event *event)
{
    unsigned section = gpucode_machine_section(run->machine, event->processor);
    struct places_code names = {run->input, section, NULL};
    const struct gpucode_format_options options = {
        .names = input_names(run->input), .comments = true, .label = places_target, .user = &names};
    char text[GPUCODE_TEXT_MAX], near[PLACES_WHERE_MAX];
    const char *name = gpucode_machine_processor(run->machine, event->processor);
    if (!input_insn_text(run->input, section, event->pc, &options, text))
        snprintf(text, sizeof text, "no instruction");
    if (run->session->json) {
        struct json json = {.out = stdout};
        begin_object(&json, run, event);
        json_string(&json, "text", text);
        json_end(&json);
        return;
    }
    if (places_enter(&run->walk, run->input, event->processor, section, event->pc, near))
        printf("%-4s %s:\n", name, near);
    printf("%-4s %04" PRIx64 ": %s\n", name, event->pc, text);
}

static void show_write(const struct code_run *run, const struct gpucode_event *event)
{
    char name[GPUCODE_NAME_MAX];
    if (!gpucode_machine_name(run->machine, event->space, (uint32_t)event->address, name, sizeof name))
        return;
    if (run->session->json) {
        struct json json = {.out = stdout};
        begin_object(&json, run, event);
        json_string(&json, "register", name);
        json_number(&json, "value", event->value);
        json_number(&json, "before", event->old);
        json_end(&json);
        return;
    }
    printf("%-4s %04" PRIx64 ":   %s = 0x%" PRIx64 "\n", gpucode_machine_processor(run->machine, event->processor),
           event->pc, name, event->value);
}

static bool is_shared(const struct code_run *run, unsigned space)
{
    struct gpucode_space_info info;
    return gpucode_machine_space(run->machine, space, &info) && info.shared;
}

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct code_run *run = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_INSN) {
        show_insn(run, event);
        return false;
    }
    bool memory = event->kind == GPUCODE_EVENT_MEM_WRITE;
    const struct change change = {.space = memory ? -1 : (int)event->space,
                                  .processor = memory || is_shared(run, event->space) ? 0 : event->processor,
                                  .index = event->address,
                                  .before = (uint32_t)event->old,
                                  .value = (uint32_t)event->value};
    run->failed |= !changes_note(&run->changes, &change, false);
    if (!memory && run->trace & TRACE_REGISTERS)
        show_write(run, event);
    return run->failed;
}

/* --- results ---------------------------------------------------------------------------------------------- */

static void tell_change(const struct code_run *run, struct report *report, const struct change *change)
{
    struct gpucode_space_info info;
    char name[GPUCODE_NAME_MAX];
    bool several = gpucode_machine_processor(run->machine, 1) && !is_shared(run, (unsigned)change->space);
    report_object(report, NULL);
    if (change->space < 0) {
        report_address(report, "address", "  [%s]", 8, change->index);
    } else {
        gpucode_machine_name(run->machine, (unsigned)change->space, (uint32_t)change->index, name, sizeof name);
        report_string(report, "processor", NULL, gpucode_machine_processor(run->machine, change->processor));
        if (gpucode_machine_space(run->machine, (unsigned)change->space, &info))
            report_string(report, "space", NULL, info.name);
        report_string(report, "name", NULL, name);
        report_number(report, "number", NULL, change->index);
        report_text(report, "  %-32s", name);
    }
    report_address(report, "value", " %s", 8, change->value);
    report_address(report, "before", "  (was %s)", 8, change->before);
    if (change->space >= 0 && several)
        report_text(report, "  %s", gpucode_machine_processor(run->machine, change->processor));
    report_text(report, "\n");
    report_end(report);
}

static void tell_changes(const struct code_run *run, struct report *report, bool memory)
{
    bool any = false;
    report_array(report, memory ? "memory" : "registers");
    for (size_t i = 0; i < run->changes.count; i++) {
        if ((run->changes.list[i].space < 0) != memory)
            continue;
        if (!any)
            report_text(report, "%s\n", memory ? "memory" : "registers");
        any = true;
        tell_change(run, report, &run->changes.list[i]);
    }
    report_end(report);
}

static int report_run(struct code_run *run)
{
    if (run->failed || stop_has_no_memory(&run->stop))
        return out_of_memory(&run->session->diagnostics);
    changes_sort(&run->changes);
    struct report report = report_begin(run->session);
    report_string(&report, "file", NULL, run->input->file.name);
    report_string(&report, "target", NULL, gpucode_target_name(run->input->target));
    tell_changes(run, &report, false);
    tell_changes(run, &report, true);
    stop_tell(&report, run->input, run->machine, &run->stop, run->ran);
    report_end(&report);
    if (run->stop.reason == GPUCODE_STOP_END)
        return EXIT_DONE;
    fflush(stdout);
    return complain(&run->session->diagnostics, CLI_STOPPED, run->input->file.name, NULL, stop_sentence(&run->stop));
}

int run_code(struct session *session, const struct input *input)
{
    static const struct value_word words[] = {
        {"instructions", TRACE_INSTRUCTIONS}, {"registers", TRACE_REGISTERS}, {NULL, 0}};
    struct code_run run = {.session = session, .input = input, .limit = LIMIT};
    int code = value_trace(session, OPTION_TRACE, words, TRACE_INSTRUCTIONS | TRACE_REGISTERS, &run.trace);
    if (!code)
        code = value_number(session, OPTION_LIMIT, "a number of instructions", &run.limit);
    if (!code)
        code = kit_machine_create(session, input, input_names(input), &run.machine);
    if (!code) {
        unsigned insns = run.trace & TRACE_INSTRUCTIONS ? GPUCODE_EVENT_INSN : 0;
        gpucode_machine_hook(run.machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE | insns, watch_event, &run);
        run.ran = gpucode_machine_run(run.machine, run.limit, &run.stop);
        code = report_run(&run);
    }
    changes_free(&run.changes);
    gpucode_machine_free(run.machine);
    return code;
}
