/* SPDX-License-Identifier: MIT */
/* The session's beginning and end, except launch: initialize, configurationDone, restart, disconnect. */
#include "dap/server.h"

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
