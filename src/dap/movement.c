/* SPDX-License-Identifier: MIT */
/* Requests that move in time. The response goes out first, so that the client knows that something runs. */
#include "dap/server.h"

static void select_thread(struct dap *dap, const json_t *arguments)
{
    int64_t thread = number_of(arguments, "threadId", 0);
    if (thread > 0 && thread <= UINT32_MAX)
        gpucode_debug_select(dap->debug, (unsigned)(thread - 1));
}

void dap_move(struct dap *dap, struct answer *answer)
{
    atomic_store(&dap->running, dap->debug);
    answer->move(dap->debug, answer->back, &answer->stop);
    atomic_store(&dap->running, NULL);
    meanwhile_end(dap);
    console_tell_stop(dap->console, &answer->stop);
    dap_output(dap, "console", dap_take_text(dap));
    answer->stopped = true;
}

static void move(struct dap *dap, const json_t *arguments, struct answer *answer, bool back,
                 void (*how)(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop))
{
    select_thread(dap, arguments);
    answer->move = how;
    answer->back = back;
}

void request_continue(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    move(dap, arguments, answer, false, gpucode_debug_continue);
    answer->body = json_pack("{s:b}", "allThreadsContinued", 1);
}

void request_reverseContinue(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    move(dap, arguments, answer, true, gpucode_debug_continue);
}

void request_next(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    move(dap, arguments, answer, false, gpucode_debug_next);
}

void request_stepIn(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    move(dap, arguments, answer, false, gpucode_debug_step);
}

void request_stepBack(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    move(dap, arguments, answer, true, gpucode_debug_step);
}

/* Where no call is open, one step is the best that can be done. */
static void finish(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop)
{
    if (gpucode_debug_finish(debug, back, stop) != GPUCODE_OK)
        gpucode_debug_step(debug, back, stop);
}

void request_stepOut(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    move(dap, arguments, answer, false, finish);
}

/* The thread that reads has interrupted the movement already; its own event tells of the stop. */
void request_pause(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)dap;
    (void)arguments;
    (void)answer;
}
