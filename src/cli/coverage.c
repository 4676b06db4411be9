/* SPDX-License-Identifier: MIT */
/* gpucode coverage: which instructions of a program run. */
#include "front/coverage.h"
#include "front/edges.h"
#include "front/outcome.h"
#include "front/report.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/kit.h"
#include "kit/machine.h"

#define LIMIT 10000000 /* instructions */

/* A machine that ran, for sets without a way of their own to start one. */
struct plain_run {
    const struct input *input;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    uint64_t count; /* instructions */
};

static void tell_ending(const void *user, struct report *report)
{
    const struct plain_run *run = user;
    report_string(report, "file", NULL, run->input->file.name);
    report_string(report, "target", NULL, gpucode_target_name(run->input->target));
    report_bool(report, "ended", NULL, run->stop.reason == GPUCODE_STOP_END);
    stop_tell(report, run->input, run->machine, &run->stop, run->count);
}

/* The code from its start, on a machine as --policy and the set's own options make it. */
static int cover_plainly(struct session *session, const struct input *input)
{
    struct plain_run run = {.input = input};
    uint64_t limit = LIMIT;
    int code = value_number(session, OPTION_LIMIT, "a number of instructions", &limit);
    struct edges edges = {0};
    if (!code)
        code = edges_begin(session, &edges, input->image, session->arguments.value[OPTION_EDGES]);
    if (!code)
        code = kit_machine_create(session, input, input_names(input), &run.machine);
    if (!code) {
        edges_hook(&edges, run.machine);
        const struct coverage_ending ending = {tell_ending, &run};
        gpucode_machine_coverage(run.machine, true);
        run.count = gpucode_machine_run(run.machine, limit, &run.stop);
        code = stop_has_no_memory(&run.stop) ? out_of_memory(&session->diagnostics)
                                             : coverage_report(session, input, run.machine, NULL, &ending);
    }
    if (!code && run.stop.reason != GPUCODE_STOP_END && run.stop.reason != GPUCODE_STOP_IDLE)
        code = complain(&session->diagnostics, CLI_STOPPED, NULL, NULL, stop_sentence(&run.stop));
    code = edges_finish(session, &edges, input->image, code);
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
    code = input_check_comments(session, &input);
    if (!code)
        code = kit && kit->coverage ? kit->coverage(session, &input) : cover_plainly(session, &input);
    input_close(&input);
    return code;
}
