/* SPDX-License-Identifier: MIT */
/* A request and what is sent for it: the response, and events after that. */
#include "dap/server.h"

#include <string.h>

static const char *reason_of(const struct dap *dap, const struct answer *answer)
{
    static const char *const reasons[] = {
        [GPUCODE_DEBUG_DONE] = "step",       [GPUCODE_DEBUG_BREAKPOINT] = "breakpoint",
        [GPUCODE_DEBUG_MACHINE] = "pause",   [GPUCODE_DEBUG_BEGINNING] = "entry",
        [GPUCODE_DEBUG_INTERRUPT] = "pause", [GPUCODE_DEBUG_MEMORY] = "pause",
        [GPUCODE_DEBUG_LIMIT] = "pause",
    };
    const struct gpucode_debug_stop *stop = &answer->stop;
    const char *own = stop->reason == GPUCODE_DEBUG_BREAKPOINT ? breakpoints_reason(dap, stop->breakpoint) : NULL;
    if (answer->reason || own)
        return answer->reason ? answer->reason : own;
    if (stop->reason == GPUCODE_DEBUG_BREAKPOINT && stop->event.kind)
        return "data breakpoint";
    if (stop->reason == GPUCODE_DEBUG_MACHINE && console_faulted(dap->console))
        return "exception";
    return reasons[stop->reason];
}

static void tell_stop(struct dap *dap, const struct answer *answer)
{
    const struct gpucode_debug_stop *stop = &answer->stop;
    dap->stop = *stop;
    json_t *body = json_pack("{s:s, s:i, s:b}", "reason", reason_of(dap, answer), "threadId", (int)stop->processor + 1,
                             "allThreadsStopped", 1);
    if (stop->reason == GPUCODE_DEBUG_MACHINE) {
        json_object_set_new(body, "description", json_string(stop->machine.text));
        json_object_set_new(body, "text", json_string(stop->machine.text));
    }
    if (stop->breakpoint) {
        json_t *hit = json_pack("[i]", (int)breakpoints_shown(dap, stop->breakpoint));
        for (unsigned i = 0; i < stop->also_count; i++)
            json_array_append_new(hit, json_integer(breakpoints_shown(dap, stop->also[i])));
        json_object_set_new(body, "hitBreakpointIds", hit);
    }
    dap_event(dap, "stopped", body);
}

static void send_response(struct dap *dap, const json_t *request, const char *command, struct answer *answer)
{
    json_t *message = json_pack("{s:s, s:s, s:b, s:I}", "type", "response", "command", command, "success",
                                !answer->failed, "request_seq", (json_int_t)number_of(request, "seq", 0));
    if (answer->failed) {
        json_t *text = json_string(answer->error);
        if (!text)
            text = json_string("failed");
        json_object_set_new(message, "message", text);
        /* the protocol wants a body here as well; clients show one or the other */
        json_object_set_new(message, "body", json_pack("{s:{s:i, s:O}}", "error", "id", 1, "format", text));
        json_decref(answer->body);
    } else if (answer->body) {
        json_object_set_new(message, "body", answer->body);
    }
    if (answer->move) /* before the response: a client asks as soon as it has that */
        thread_cache_begin(dap);
    dap_lock_and_send(dap, message);
    if (answer->initialized)
        dap_event(dap, "initialized", NULL);
    if (answer->move)
        dap_move(dap, answer);
    if (answer->stopped)
        tell_stop(dap, answer);
    if (answer->invalidated && dap->knows_invalidated)
        dap_event(dap, "invalidated", json_pack("{s:[s]}", "areas", "all"));
    if (answer->terminated)
        dap_event(dap, "terminated", NULL);
}

void dap_cancelled(struct dap *dap, const json_t *message)
{
    struct answer answer = {0};
    refuse(&answer, "cancelled");
    send_response(dap, message, text_of(message, "command"), &answer);
}

void dap_handle(struct dap *dap, const json_t *message)
{
    static const struct {
        const char *command;
        request_function *handle;
        bool needs_program;
    } requests[] = {
#define REQUEST(name, needs) {#name, request_##name, needs},
#include "dap/request.def"
#undef REQUEST
    };
    const char *command = text_of(message, "command");
    struct answer answer = {0};
    if (strcmp(text_of(message, "type"), "request") != 0)
        return;
    size_t i = 0, count = sizeof requests / sizeof *requests;
    while (i < count && strcmp(requests[i].command, command) != 0)
        i++;
    const json_t *arguments = json_object_get(message, "arguments");
    if (i == count)
        refuse(&answer, "there is no request '%s'", command);
    else if (requests[i].needs_program && !dap->debug)
        refuse(&answer, "no program is launched");
    else
        requests[i].handle(dap, arguments, &answer);
    send_response(dap, message, command, &answer);
}
