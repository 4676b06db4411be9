/* SPDX-License-Identifier: MIT */
/* Requests that move in time. The response goes out first, so that the client knows that something runs. */
#include "dap/server.h"

#include <inttypes.h>
#include <string.h>

static void select_thread(struct dap *dap, const json_t *arguments)
{
    int64_t thread = number_of(arguments, "threadId", 0);
    if (thread > 0 && thread <= UINT32_MAX)
        gpucode_debug_select(dap->debug, (unsigned)(thread - 1));
}

bool dap_halts(const json_t *message)
{
    static const char *const commands[] = {"pause", "terminate", "disconnect"};
    const char *command = text_of(message, "command");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(command, commands[i]) == 0 && strcmp(text_of(message, "type"), "request") == 0)
            return true;
    return false;
}

void dap_run_begins(struct dap *dap)
{
    gpucode_debug_take_interrupt(dap->debug); /* an interrupt that came after the last movement must not end this one */
    atomic_store(&dap->running, dap->debug);
    if (atomic_load(&dap->halts)) /* a request that came after this one and ends movements waits already */
        gpucode_debug_interrupt(dap->debug);
}

void dap_run_ends(struct dap *dap)
{
    atomic_store(&dap->running, NULL);
}

/* A movement that `pause` has ended is told of after the response to that. */
void dap_ended(struct dap *dap, struct answer *answer)
{
    answer->stopped = true;
    if (answer->stop.reason == GPUCODE_DEBUG_INTERRUPT && atomic_load(&dap->halts)) {
        answer->stopped = false;
        dap->paused = answer->stop;
        dap->has_paused = true;
    }
}

void dap_move(struct dap *dap, struct answer *answer)
{
    dap_run_begins(dap);
    answer->move(dap->debug, answer->back, &answer->stop);
    dap_run_ends(dap);
    thread_cache_end(dap);
    console_tell_stop(dap->console, &answer->stop);
    dap_output(dap, "console", dap_take_text(dap));
    dap_ended(dap, answer);
}

static void promise_movement(struct dap *dap, const json_t *arguments, struct answer *answer, bool back,
                             void (*how)(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop))
{
    select_thread(dap, arguments);
    answer->move = how;
    answer->back = back;
}

void request_continue(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    promise_movement(dap, arguments, answer, false, gpucode_debug_continue);
    answer->body = json_pack("{s:b}", "allThreadsContinued", 1);
}

void request_reverseContinue(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    promise_movement(dap, arguments, answer, true, gpucode_debug_continue);
}

void request_next(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    promise_movement(dap, arguments, answer, false, gpucode_debug_next);
}

void request_stepIn(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    promise_movement(dap, arguments, answer, false, gpucode_debug_step);
}

void request_stepBack(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    promise_movement(dap, arguments, answer, true, gpucode_debug_step);
}

/* Where no call is open, one step is the best that can be done. */
static void finish_or_step(struct gpucode_debug *debug, bool back, struct gpucode_debug_stop *stop)
{
    if (gpucode_debug_finish(debug, back, stop) != GPUCODE_OK)
        gpucode_debug_step(debug, back, stop);
}

void request_stepOut(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    promise_movement(dap, arguments, answer, false, finish_or_step);
}

void request_pause(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    (void)arguments;
    answer->stopped = dap->has_paused; /* else it ended by itself before, and the client knows */
    answer->stop = dap->paused;
    dap->has_paused = false;
}

/* Places are numbered by section and unit. */
#define TARGET_SECTION (1 << 24)

void request_gotoTargets(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    const json_t *source = json_object_get(arguments, "source");
    struct gpucode_breakpoint breakpoint = {0};
    unsigned section = gpucode_machine_section(dap->machine, gpucode_debug_processor(dap->debug));
    int64_t line = number_of(arguments, "line", 0) + dap->lines_from_0;
    char label[GPUCODE_NAME_MAX], reference[32];
    json_t *list = json_array();
    if (breakpoints_line(dap, text_of(source, "path"), number_of(source, "sourceReference", 0), line, true, 0,
                         &breakpoint) &&
        breakpoint.section == section && breakpoint.address < TARGET_SECTION && section < 64) {
        if (!gpucode_debug_label(dap->debug, section, breakpoint.address, label, sizeof label))
            snprintf(label, sizeof label, "0x%04" PRIx64, breakpoint.address);
        snprintf(reference, sizeof reference, "0x%" PRIx64, code_address(dap, section, breakpoint.address));
        json_t *target = json_pack("{s:i, s:s, s:s}", "id", (int)(section * TARGET_SECTION + breakpoint.address),
                                   "label", label, "instructionPointerReference", reference);
        if (target) {
            json_t *place = json_object();
            add_source(dap, place, section, breakpoint.address);
            json_object_set(target, "line", json_object_get(place, "line"));
            json_decref(place);
            json_array_append_new(list, target);
        }
    }
    answer->body = json_pack("{s:o}", "targets", list);
}

void request_goto(struct dap *dap, const json_t *arguments, struct answer *answer)
{
    int64_t id = number_of(arguments, "targetId", -1);
    select_thread(dap, arguments);
    unsigned processor = gpucode_debug_processor(dap->debug);
    if (id < 0 || id / TARGET_SECTION != gpucode_machine_section(dap->machine, processor) ||
        gpucode_debug_set_pc(dap->debug, processor, (uint64_t)(id % TARGET_SECTION)) != GPUCODE_OK) {
        refuse(answer, "there is no such place to go to");
        return;
    }
    answer->stopped = true;
    answer->reason = "goto";
    answer->stop = (struct gpucode_debug_stop){.processor = processor};
}
