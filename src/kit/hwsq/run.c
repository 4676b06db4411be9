/* SPDX-License-Identifier: MIT */
/* gpucode run for HWSQ scripts: a time line of what they do, and how long it takes. */
#include "cli_gpu_messages.h"
#include "front/answer.h"
#include "front/arguments.h"
#include "front/output.h"
#include "front/session.h"
#include "kit/hwsq/kit.h"
#include <gpucode/time_line.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/hwsq/answer.def"
#define ANSWER_PART_RUN
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table script_run_answer_table = {"run", "What a script does.", fields,
                                                             sizeof fields / sizeof *fields};

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

/* --- telling --------------------------------------------------------------------------------------------- */

/* `units ip action`, as reference traces have it. */
static void tell_trace(const struct result *result, struct gpucode_answer *answer)
{
    char text[256];
    gpucode_answer_text(answer, &fields[TITLE], "# units  ip  action");
    for (size_t i = 0; i < result->actions.count; i++) {
        const struct action *action = &result->actions.items[i];
        if (!action_is_effect(action))
            continue;
        action_plain(action, text, sizeof text);
        gpucode_answer_format(answer, &fields[TITLE], "%" PRIu64 "\t%03" PRIx32 "\t%s",
                              action->time / GPUCODE_HWSQ_UNIT_CLOCKS, action->pc, text);
    }
}

static unsigned count_kind(const struct actions *actions, enum action_kind kind)
{
    unsigned count = 0;
    for (size_t i = 0; i < actions->count; i++)
        count += actions->items[i].kind == kind;
    return count;
}

static void put_time(struct gpucode_answer *answer, unsigned field, const struct result *result, uint64_t clocks)
{
    gpucode_answer_format(answer, &fields[field], "%.3f", microseconds(result, clocks));
}

static void tell_worst(const struct result *result, struct gpucode_answer *answer)
{
    const struct worst *worst = &result->worst;
    if (!worst->known)
        return;
    gpucode_answer_number(answer, &fields[END_WORST], worst->total);
    gpucode_answer_number(answer, &fields[END_WORST_PAUSED], worst->paused);
    gpucode_answer_flag(answer, &fields[END_WORST_EXACT], worst->exact);
    gpucode_answer_format(answer, &fields[END_WORST_SHOWN], "%s%.3f us, memory paused %.3f us",
                          worst->exact ? "" : "at least ", microseconds(result, worst->total),
                          microseconds(result, worst->paused));
}

/* How the script ended, and how long it took. */
static void tell_end(const struct result *result, struct gpucode_answer *answer)
{
    const struct actions *actions = &result->actions;
    const struct gpucode_stop *stop = &actions->stop;
    gpucode_answer_begin(answer, &fields[END]);
    gpucode_answer_text(answer, &fields[END_STOP], stop->code ? stop->code : "limit");
    gpucode_answer_text(answer, &fields[END_TEXT], stop->text[0] ? stop->text : NULL);
    gpucode_answer_text(answer, &fields[END_TARGET], gpucode_target_name(result->input->target));
    gpucode_answer_number(answer, &fields[END_SIZE], result->input->size);
    gpucode_answer_text(answer, &fields[END_WORD],
                        stop->reason == GPUCODE_STOP_END     ? "ended"
                        : stop->reason == GPUCODE_STOP_LIMIT ? "stopped"
                                                             : "stands still");
    gpucode_answer_number(answer, &fields[END_PC], stop->pc);
    gpucode_answer_number(answer, &fields[END_INSTRUCTIONS], actions->instructions);
    gpucode_answer_number(answer, &fields[END_CLOCKS], stop->time);
    put_time(answer, END_TIME, result, stop->time);
    gpucode_answer_number(answer, &fields[END_WRITES], count_kind(actions, ACTION_WRITE));
    gpucode_answer_number(answer, &fields[END_WAITS], actions->wait_units);
    gpucode_answer_format(answer, &fields[END_WAITED], "nominally %" PRIu64 " us, %.3f us at %g ns per clock",
                          actions->wait_units, microseconds(result, actions->wait_units * GPUCODE_HWSQ_UNIT_CLOCKS),
                          result->clock_ns);
    gpucode_answer_real(answer, &fields[END_CLOCK], result->clock_ns);
    gpucode_answer_number(answer, &fields[END_EVENTS], count_kind(actions, ACTION_EWAIT));
    gpucode_answer_number(answer, &fields[END_EVENT_CLOCKS], actions->waited_event_clocks);
    put_time(answer, END_EVENT_TIME, result, actions->waited_event_clocks);
    gpucode_answer_number(answer, &fields[END_PAUSED_CLOCKS], actions->paused_clocks);
    put_time(answer, END_PAUSED_TIME, result, actions->paused_clocks);
    gpucode_answer_flag(answer, &fields[END_PAUSED], actions->paused);
    gpucode_answer_flag(answer, &fields[END_LINE], true);
    tell_worst(result, answer);
    gpucode_answer_end(answer);
}

static void tell_action(const struct result *result, struct gpucode_answer *answer, const struct action *action)
{
    static const char *const kinds[] = {"write", "flag", "ewait", "wait", "exit", "illegal"};
    char text[256], pc[16];
    bool lasted = action->kind == ACTION_EWAIT && action->end != UINT64_MAX && action->end > action->time;
    gpucode_answer_begin(answer, &fields[EFFECT]);
    gpucode_answer_text(answer, &fields[EFFECT_KIND], kinds[action->kind]);
    gpucode_answer_number(answer, &fields[EFFECT_TIME], action->time);
    put_time(answer, EFFECT_SHOWN_TIME, result, action->time);
    gpucode_answer_number(answer, &fields[EFFECT_POSITION], action->position);
    if (result->actions.processors > 1)
        gpucode_answer_text(answer, &fields[EFFECT_SLOT], action->processor ? "B" : "A");
    snprintf(pc, sizeof pc, "%03" PRIx32, action->pc);
    gpucode_answer_shown(answer, &fields[EFFECT_PC], action->pc, pc);
    gpucode_answer_number(answer, &fields[EFFECT_NUMBER], action->number);
    gpucode_answer_number(answer, &fields[EFFECT_VALUE], action->value);
    action_named(result->input, action, text, sizeof text);
    gpucode_answer_text(answer, &fields[EFFECT_TEXT], text);
    if (lasted) {
        gpucode_answer_number(answer, &fields[EFFECT_LASTED], action->end - action->time);
        put_time(answer, EFFECT_SHOWN_LASTED, result, action->end - action->time);
    }
    gpucode_answer_end(answer);
}

static void tell_timeline(const struct result *result, struct gpucode_answer *answer)
{
    const struct actions *actions = &result->actions;
    gpucode_answer_format(answer, &fields[TITLE], "%s, %zu bytes\n", gpucode_target_name(result->input->target),
                          result->input->size);
    gpucode_answer_format(answer, &fields[TITLE], "%12s %14s  %s pc   action", "clocks", "us",
                          actions->processors > 1 ? "slot" : "");
    for (size_t i = 0; i < actions->count; i++)
        tell_action(result, answer, &actions->items[i]);
    tell_end(result, answer);
}

/* --- --time-line and --perfetto --------------------------------------------------------------------------- */

enum { LANE_PAUSED, LANE_FLAGS, LANE_WAITS, LANE_EVENTS, LANE_WRITES, LANE_FAULTS, LANES };

/* Lanes of both slots: what they do overlaps. */
static const char *const lanes[2][LANES] = {
    {"memory paused", "flags", "waits", "events", "writes", "faults"},
    {"memory paused", "flags B", "waits B", "events B", "writes B", "faults B"}};

struct tracing {
    struct gpucode_time_line *line;
    uint64_t count[2][LANES];
};

static void put_span(struct tracing *tracing, unsigned slot, unsigned lane, const char *name, uint64_t start,
                     uint64_t end, uint64_t position)
{
    gpucode_time_line_put(tracing->line,
                          &(struct gpucode_time_line_event){
                              .lane = lanes[slot][lane],
                              .name = name,
                              .number = tracing->count[slot][lane]++,
                              .start = start,
                              .end = end,
                              .mark = lane == LANE_FAULTS ? GPUCODE_TIME_LINE_FAULT : GPUCODE_TIME_LINE_PLAIN,
                              .has = GPUCODE_TIME_LINE_HAS_POSITION,
                              .position = position,
                          });
}

static void put_action(const struct result *result, struct tracing *tracing, const struct action *action)
{
    static const unsigned lane[] = {
        [ACTION_WRITE] = LANE_WRITES, [ACTION_FLAG] = LANE_FLAGS, [ACTION_EWAIT] = LANE_EVENTS,
        [ACTION_WAIT] = LANE_WAITS,   [ACTION_EXIT] = LANES,      [ACTION_ILLEGAL] = LANE_FAULTS};
    char text[256];
    bool lasts = action->kind == ACTION_EWAIT || action->kind == ACTION_WAIT;
    uint64_t end = action->end == UINT64_MAX ? result->actions.stop.time : action->end;
    action_named(result->input, action, text, sizeof text);
    if (lane[action->kind] < LANES)
        put_span(tracing, action->processor, lane[action->kind], text, action->time,
                 lasts && end > action->time ? end : action->time, action->position);
}

static int put_lined(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form)
{
    const struct result *result = user;
    const struct actions *actions = &result->actions;
    const struct gpucode_stop *stop = &actions->stop;
    const struct gpucode_time_line_options options = {.form = form,
                                                      .title = result->input->file.name,
                                                      .unit = "clocks",
                                                      .lanes = lanes[0],
                                                      .lane_count = LANES,
                                                      .nanoseconds = result->clock_ns};
    struct tracing tracing = {.line = gpucode_time_line_begin(answer, &options)};
    bool paused = actions->paused_before;
    uint64_t since = 0, position = 0;
    for (size_t i = 0; i < actions->count; i++) {
        const struct action *action = &actions->items[i];
        if (action->paused && !paused)
            since = action->time, position = action->position;
        else if (!action->paused && paused)
            put_span(&tracing, 0, LANE_PAUSED, "FB_PAUSE", since, action->time, position);
        paused = action->paused;
        put_action(result, &tracing, action);
    }
    if (paused)
        put_span(&tracing, 0, LANE_PAUSED, "FB_PAUSE", since, stop->time, position);
    if (stop->reason != GPUCODE_STOP_END)
        put_span(&tracing, stop->processor, LANE_FAULTS, stop->code ? stop->text : "the limit of opcodes is reached",
                 stop->time, stop->time, actions->instructions);
    return gpucode_time_line_end(tracing.line) == GPUCODE_ERROR_MEMORY ? out_of_memory(&result->session->diagnostics)
                                                                       : EXIT_DONE;
}

static int show_result(struct result *result)
{
    const struct arguments *arguments = &result->session->arguments;
    const char *kind = arguments->value[OPTION_HWSQ_TRACE], *path = arguments->value[OPTION_HWSQ_PLOT];
    char *plot = NULL;
    size_t length = 0;
    bool trace = arguments_have(arguments, OPTION_HWSQ_TRACE), lined = arguments_have(arguments, OPTION_HWSQ_TIME_LINE);
    if (trace && lined)
        return complain(&result->session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, "trace", "time-line");
    if (kind && strcmp(kind, "actions") != 0)
        return complain(&result->session->diagnostics, CLI_OPTION_CHOICE, NULL, "one of: actions", "--trace", kind);
    int code = EXIT_DONE;
    if ((!trace || result->session->json) && result->actions.stop.reason != GPUCODE_STOP_LIMIT)
        code = worst_find(result->session, result->input, result->settings, result->limit, &result->worst);
    if (!code && path && !plot_actions(result->input, &result->actions, result->clock_ns, &plot, &length))
        code = out_of_memory(&result->session->diagnostics);
    if (code) {
        free(plot);
        return code;
    }
    if (lined) {
        code = answer_time_line(result->session, NULL, put_lined, result);
    } else {
        struct gpucode_answer *answer = answer_begin(result->session);
        if (trace && !result->session->json)
            tell_trace(result, answer);
        else
            tell_timeline(result, answer);
        code = answer_end(result->session, answer);
    }
    if (!code && path) /* last: it is there when all went well */
        code = outputs_write(&result->session->diagnostics, path, plot, length);
    if (!code && arguments->value[OPTION_HWSQ_PERFETTO])
        code = answer_time_line(result->session, arguments->value[OPTION_HWSQ_PERFETTO], put_lined, result);
    free(plot);
    if (code || result->actions.stop.reason == GPUCODE_STOP_END)
        return code;
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
