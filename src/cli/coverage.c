/* SPDX-License-Identifier: MIT */
/* gpucode coverage: which instructions of a program run. */
#include "front/coverage.h"
#include "front/arguments.h"
#include "front/outcome.h"
#include "front/session.h"
#include "kit/kit.h"

#define LIMIT 10000000 /* instructions */

/* The code from its start, on a machine as --policy and the set's own options make it. */
static int cover_plainly(struct session *session, const struct input *input)
{
    struct gpucode_machine *machine = NULL;
    struct gpucode_stop stop = {0};
    uint64_t limit = LIMIT;
    int code = value_number(session, OPTION_LIMIT, "a number of instructions", &limit);
    struct edges edges = {0};
    if (!code)
        code = edges_begin(session, &edges, input->image, session->arguments.value[OPTION_EDGES]);
    if (!code)
        code = kit_machine_create(session, input, input_names(input), &machine);
    if (!code) {
        edges_hook(&edges, machine);
        gpucode_machine_coverage(machine, true);
        struct gpucode_coverage_options options = {.stop = &stop};
        options.instructions = gpucode_machine_run(machine, limit, &stop);
        options.done = stop.reason == GPUCODE_STOP_END;
        code = stop_has_no_memory(&stop) ? out_of_memory(&session->diagnostics)
                                         : coverage_tell(session, input, machine, NULL, &options);
    }
    if (!code && stop.reason != GPUCODE_STOP_END && stop.reason != GPUCODE_STOP_IDLE)
        code = complain(&session->diagnostics, CLI_STOPPED, NULL, NULL, stop_sentence(&stop));
    code = edges_finish(session, &edges, input->image, code);
    gpucode_machine_free(machine);
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
