/* SPDX-License-Identifier: MIT */
/* gpucode coverage: which instructions of a program run. */
#include "front/coverage.h"
#include "front/code.h"
#include "front/policies.h"
#include "front/session.h"
#include "kit/kit.h"

#include <inttypes.h>
#include <stdlib.h>

#define LIMIT 10000000 /* instructions */

int command_coverage(struct session *session);

/* A machine that ran, for sets without a way of their own to start one. */
struct plain_run {
    struct gpucode_machine *machine;
    const struct input *input;
    struct gpucode_stop stop;
    uint64_t count; /* instructions */
};

static const char *stop_text(const struct gpucode_stop *stop)
{
    return *stop->text ? stop->text : "the limit of instructions is reached";
}

static void put_ending(const void *user)
{
    const struct plain_run *run = user;
    if (run->stop.reason == GPUCODE_STOP_END)
        printf("end: %" PRIu64 " instructions\n", run->count);
    else
        printf("%s, %" PRIu64 " instructions\n", stop_text(&run->stop), run->count);
}

static void put_ending_json(const void *user, struct json *json)
{
    const struct plain_run *run = user;
    json_string(json, "file", run->input->file.name);
    json_string(json, "target", gpucode_target_name(run->input->target));
    json_number(json, "instructions", run->count);
    json_bool(json, "ended", run->stop.reason == GPUCODE_STOP_END);
    json_object(json, "stop");
    json_string(json, "code", run->stop.code);
    json_string(json, "text", run->stop.text);
    json_number(json, "pc", run->stop.pc);
    json_end(json);
}

/* The number of --limit, or its default. Complains and returns an exit code. */
static int read_limit(struct session *session, uint64_t *limit)
{
    const char *text = session->arguments.value[OPTION_LIMIT];
    char *end = NULL;
    *limit = text ? strtoull(text, &end, 0) : LIMIT;
    return !text || (*text >= '0' && *text <= '9' && !*end)
               ? EXIT_DONE
               : complain(&session->diagnostics, CLI_RUN_VALUE, NULL, NULL, "limit", text, "a number of instructions");
}

/* Runs and tells. */
static int cover_machine(struct session *session, struct plain_run *run)
{
    const struct kit *kit = kit_of(run->input->target);
    uint64_t limit;
    int code = read_limit(session, &limit);
    if (!code && kit && kit->give)
        code = kit->give(session, run->input, run->machine);
    if (code)
        return code;
    gpucode_machine_coverage(run->machine, true);
    run->count = gpucode_machine_run(run->machine, limit, &run->stop);
    const struct coverage_ending ending = {put_ending, put_ending_json, run};
    code = coverage_report(session, run->input, run->machine, NULL, &ending);
    if (!code && run->stop.reason != GPUCODE_STOP_END && run->stop.reason != GPUCODE_STOP_IDLE)
        code = complain(&session->diagnostics, CLI_STOPPED, NULL, NULL, stop_text(&run->stop));
    return code;
}

/* The code from its start, on a machine as --policy and the set's own options make it. */
static int cover_plainly(struct session *session, const struct input *input)
{
    struct plain_run run = {.input = input};
    struct kit_settings own = {0};
    struct gpucode_setting *settings = NULL;
    const struct kit *kit = kit_of(input->target);
    int code = kit && kit->settings ? kit->settings(session, input, &own) : EXIT_DONE;
    if (!code)
        code = policies_read(session, own.list, &settings);
    if (code)
        return code;
    const struct gpucode_machine_options options = {
        .policies = settings, .names = input_names(input), .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_machine_create(input->image, &options, &run.machine);
    free(settings);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        return complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, gpucode_target_isa(input->target), "coverage");
    if (status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    code = cover_machine(session, &run);
    gpucode_machine_free(run.machine);
    return code;
}

int command_coverage(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    code = kit && kit->coverage ? kit->coverage(session, &input) : cover_plainly(session, &input);
    input_close(&input);
    return code;
}
