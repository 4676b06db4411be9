/* SPDX-License-Identifier: MIT */
/* gpucode run for HWSQ scripts: a time line of what they do, and how long it takes. */
#include "front/json.h"
#include "front/output.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/hwsq/actions.h"
#include "kit/hwsq/kit.h"
#include "kit/hwsq/plot.h"
#include "kit/hwsq/worst.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct result {
    struct session *session;
    const struct input *input;
    const struct gpucode_setting *settings;
    struct actions actions;
    uint64_t limit; /* opcodes */
    double clock_ns;
    struct worst worst;
};

static double microseconds(const struct result *result, uint64_t clocks)
{
    return (double)clocks * result->clock_ns / 1000;
}

static const char *find_setting(const struct gpucode_setting *settings, const char *name)
{
    const char *value = NULL;
    for (; settings->name; settings++)
        if (strcmp(settings->name, name) == 0)
            value = settings->value;
    return value;
}

/* --- traces ---------------------------------------------------------------------------------------------- */

/* `units ip action`, as reference traces have it. */
static void print_actions(const struct result *result)
{
    char text[256];
    puts("# units  ip  action");
    for (size_t i = 0; i < result->actions.count; i++) {
        const struct action *action = &result->actions.items[i];
        if (!action_is_effect(action))
            continue;
        action_plain(action, text, sizeof text);
        printf("%" PRIu64 "\t%03" PRIx32 "\t%s\n", action->time / GPUCODE_HWSQ_UNIT_CLOCKS, action->pc, text);
    }
}

/* How the script ended, and how long it took. */
static void write_end(const struct result *result)
{
    const struct actions *actions = &result->actions;
    struct json json = {.out = stdout};
    json_object(&json, NULL);
    json_string(&json, "stop", actions->stop.code ? actions->stop.code : "limit");
    json_string(&json, "text", actions->stop.text[0] ? actions->stop.text : NULL);
    json_number(&json, "pc", actions->stop.pc);
    json_number(&json, "instructions", actions->instructions);
    json_number(&json, "total_clocks", actions->stop.time);
    json_number(&json, "wait_units", actions->wait_units);
    json_number(&json, "event_clocks", actions->waited_event_clocks);
    json_number(&json, "paused_clocks", actions->paused_clocks);
    if (result->worst.known) {
        json_number(&json, "worst_total_clocks", result->worst.total);
        json_number(&json, "worst_paused_clocks", result->worst.paused);
        json_bool(&json, "worst_exact", result->worst.exact);
    }
    json_end(&json);
}

static void write_actions(const struct result *result)
{
    static const char *const kinds[] = {"write", "flag", "ewait", "wait", "exit", "illegal"};
    const struct actions *actions = &result->actions;
    char text[256];
    for (size_t i = 0; i < actions->count; i++) {
        const struct action *action = &actions->items[i];
        struct json json = {.out = stdout};
        json_object(&json, NULL);
        json_string(&json, "action", kinds[action->kind]);
        json_number(&json, "time_clocks", action->time);
        json_number(&json, "position", action->position);
        json_number(&json, "pc", action->pc);
        if (actions->processors > 1)
            json_string(&json, "slot", action->processor ? "B" : "A");
        json_number(&json, "number", action->number);
        json_number(&json, "value", action->value);
        action_named(result->input, action, text, sizeof text);
        json_string(&json, "text", text);
        json_end(&json);
    }
    write_end(result);
}

static unsigned count_kind(const struct actions *actions, enum action_kind kind)
{
    unsigned count = 0;
    for (size_t i = 0; i < actions->count; i++)
        count += actions->items[i].kind == kind;
    return count;
}

static void print_totals(const struct result *result)
{
    const struct actions *actions = &result->actions;
    printf("\n%s at 0x%03" PRIx64 " after %" PRIu64 " opcodes and %" PRIu64 " clocks, %.3f us\n",
           actions->stop.reason == GPUCODE_STOP_END     ? "ended"
           : actions->stop.reason == GPUCODE_STOP_LIMIT ? "stopped"
                                                        : "stands still",
           actions->stop.pc, actions->instructions, actions->stop.time, microseconds(result, actions->stop.time));
    printf("register writes  %u\n", count_kind(actions, ACTION_WRITE));
    printf("waits            %" PRIu64 " units: nominally %" PRIu64 " us, %.3f us at %g ns per clock\n",
           actions->wait_units, actions->wait_units,
           microseconds(result, actions->wait_units * GPUCODE_HWSQ_UNIT_CLOCKS), result->clock_ns);
    printf("event waits      %u, %.3f us\n", count_kind(actions, ACTION_EWAIT),
           microseconds(result, actions->waited_event_clocks));
    printf("memory paused    %.3f us%s\n", microseconds(result, actions->paused_clocks),
           actions->paused ? ", and still is" : "");
    if (result->worst.known)
        printf("worst of phases  %s%.3f us, memory paused %.3f us\n", result->worst.exact ? "" : "at least ",
               microseconds(result, result->worst.total), microseconds(result, result->worst.paused));
}

static void print_timeline(const struct result *result)
{
    const struct actions *actions = &result->actions;
    char text[256];
    printf("%s, %zu bytes\n\n", gpucode_target_name(result->input->target), result->input->size);
    printf("%12s %14s  %s pc   action\n", "clocks", "us", actions->processors > 1 ? "slot" : "");
    for (size_t i = 0; i < actions->count; i++) {
        const struct action *action = &actions->items[i];
        action_named(result->input, action, text, sizeof text);
        printf("%12" PRIu64 " %14.3f  ", action->time, microseconds(result, action->time));
        if (actions->processors > 1)
            printf("%c    ", action->processor ? 'B' : 'A');
        printf("%03" PRIx32 "  %s", action->pc, text);
        if (action->kind == ACTION_EWAIT && action->end != UINT64_MAX && action->end > action->time)
            printf("  (%.3f us)", microseconds(result, action->end - action->time));
        putchar('\n');
    }
    print_totals(result);
}

static int write_plot(const struct result *result, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    if (!plot_actions(result->input, &result->actions, result->clock_ns, &text, &length)) {
        free(text);
        return out_of_memory(&result->session->diagnostics);
    }
    int code = outputs_write(&result->session->diagnostics, path, text, length);
    free(text);
    return code;
}

static int show_result(struct result *result)
{
    const struct arguments *arguments = &result->session->arguments;
    const char *kind = arguments->value[OPTION_HWSQ_TRACE];
    bool trace = arguments_have(arguments, OPTION_HWSQ_TRACE);
    if (kind && strcmp(kind, "actions") != 0)
        return complain(&result->session->diagnostics, CLI_OPTION_CHOICE, NULL, "one of: actions", "--trace", kind);
    int code = EXIT_DONE;
    if ((!trace || result->session->json) && result->actions.stop.reason != GPUCODE_STOP_LIMIT)
        code = worst_find(result->session, result->input, result->settings, result->limit, &result->worst);
    if (!code && arguments->value[OPTION_HWSQ_PLOT])
        code = write_plot(result, arguments->value[OPTION_HWSQ_PLOT]);
    if (code)
        return code;
    if (result->session->json)
        write_actions(result);
    else if (trace)
        print_actions(result);
    else
        print_timeline(result);
    if (result->actions.stop.reason == GPUCODE_STOP_END)
        return EXIT_DONE;
    fflush(stdout);
    complain(&result->session->diagnostics, CLI_STOPPED, result->input->file.name, NULL,
             result->actions.stop.code ? result->actions.stop.text : "the limit of opcodes is reached");
    return EXIT_FINDINGS;
}

int run_hwsq(struct session *session, const struct input *input)
{
    struct kit_settings asked = {0};
    struct gpucode_setting *settings;
    int code = script_settings(session, input, &asked);
    if (!code)
        code = policies_read(session, asked.list, &settings);
    if (code)
        return code;
    struct result result = {
        .session = session, .input = input, .settings = settings, .limit = script_limit(input), .clock_ns = 32};
    const char *clock = find_setting(settings, "hwsq-clock-ns");
    uint64_t clock_ns;
    code = value_number(session, OPTION_HWSQ_LIMIT, "a number of opcodes", &result.limit);
    if (!code)
        code = actions_record(session, input, settings, result.limit, &result.actions);
    if (!code && clock && number_read(clock, UINT64_MAX, &clock_ns))
        result.clock_ns = (double)clock_ns;
    if (!code)
        code = show_result(&result);
    actions_free(&result.actions);
    free(settings);
    return code;
}
