/* SPDX-License-Identifier: MIT */
/* Machines, what is seen of them, and sessions that go to and fro, while allocations fail. */
#include "calls.h"

#include <gpucode/analysis.h>
#include <gpucode/coverage.h>
#include <gpucode/debug.h>
#include <gpucode/machine.h>
#include <gpucode/outline.h>

#include <string.h>

static enum gpucode_status open_machine(unsigned which, struct code *code, struct gpucode_machine **machine)
{
    const char *const texts[] = {inputs.script, inputs.shader, inputs.macros, inputs.firmware};
    *machine = NULL;
    enum gpucode_status status = open_code(texts[which], which == 2 ? "mme:fermi" : NULL, code);
    if (status == GPUCODE_OK)
        status = gpucode_machine_create(code->image, NULL, machine);
    return status;
}

static void tell_stop(const struct gpucode_stop *stop)
{
    tell_number(stop->reason);
    tell_number(stop->pc);
}

/* A machine that lacked memory has stopped for that. */
static enum gpucode_status go(struct gpucode_machine *machine, uint64_t limit)
{
    struct gpucode_stop stop;
    gpucode_machine_run(machine, limit, &stop);
    if (stop.code && strcmp(stop.code, "machine-memory") == 0)
        return GPUCODE_ERROR_MEMORY;
    tell_stop(&stop);
    return GPUCODE_OK;
}

static bool follow(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct gpucode_walk **walk = user;
    if (!gpucode_walk_step(*walk, event->processor, gpucode_machine_section(machine, event->processor), event->pc)) {
        gpucode_walk_free(*walk);
        *walk = NULL;
        gpucode_machine_hook(machine, 0, NULL, NULL);
    }
    return false;
}

/* Runs with coverage and a walk; back to a snapshot and once more; what was seen. */
static enum gpucode_status machines(void)
{
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 4; i++) {
        struct code code;
        struct gpucode_machine *machine;
        struct gpucode_snapshot *snapshot = NULL;
        struct gpucode_walk *walk = NULL;
        size_t count = 0;
        status = open_machine(i, &code, &machine);
        if (status == GPUCODE_OK)
            status = gpucode_machine_coverage(machine, true);
        if (status == GPUCODE_OK)
            status = gpucode_machine_map(machine, 0x4000, 0x3000);
        if (status == GPUCODE_OK)
            status = gpucode_machine_store(machine, 0x4ffe, "abcd", 4);
        if (status == GPUCODE_OK)
            status = gpucode_machine_snapshot(machine, &snapshot);
        if (status == GPUCODE_OK)
            status = gpucode_walk_create(code.image, &walk);
        if (status == GPUCODE_OK) {
            gpucode_machine_hook(machine, GPUCODE_EVENT_INSN, follow, &walk);
            status = go(machine, 60);
        }
        if (status == GPUCODE_OK && !walk)
            status = GPUCODE_ERROR_MEMORY;
        if (status == GPUCODE_OK && !gpucode_walk_edges(walk, &count))
            status = GPUCODE_ERROR_MEMORY;
        tell_number(count);
        if (status == GPUCODE_OK)
            status = gpucode_machine_store(machine, 0x5000, "ef", 2);
        if (status == GPUCODE_OK)
            status = gpucode_machine_restore(machine, snapshot);
        char bytes[4] = "";
        if (status == GPUCODE_OK)
            status = gpucode_machine_load(machine, 0x4ffe, bytes, sizeof bytes);
        if (status == GPUCODE_OK) {
            tell(NULL, bytes, sizeof bytes);
            gpucode_machine_hook(machine, 0, NULL, NULL);
            status = go(machine, 60);
        }
        gpucode_walk_free(walk);
        gpucode_snapshot_free(snapshot);
        gpucode_machine_free(machine);
        close_code(&code);
    }
    return status;
}

static enum gpucode_status covered(void)
{
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 4; i++) {
        struct code code;
        struct gpucode_machine *machine;
        struct gpucode_coverage coverage = {0};
        struct gpucode_answer *answer = NULL;
        status = open_machine(i, &code, &machine);
        if (status == GPUCODE_OK)
            status = gpucode_machine_coverage(machine, true);
        if (status == GPUCODE_OK)
            status = go(machine, 60);
        if (status == GPUCODE_OK)
            status = gpucode_coverage_find(machine, code.image, code.outline, NULL, &coverage);
        if (status == GPUCODE_OK) {
            answer = gpucode_answer_create();
            status = answer ? gpucode_coverage_tell(&coverage, NULL, answer) : GPUCODE_ERROR_MEMORY;
        }
        status = show(answer, status);
        gpucode_coverage_free(&coverage);
        gpucode_machine_free(machine);
        close_code(&code);
    }
    return status;
}

static enum gpucode_status tell_place(struct gpucode_debug *debug, const struct gpucode_debug_stop *stop)
{
    const char *code = stop->reason == GPUCODE_DEBUG_MACHINE ? stop->machine.code : NULL;
    if (stop->reason == GPUCODE_DEBUG_MEMORY || (code && strcmp(code, "machine-memory") == 0))
        return GPUCODE_ERROR_MEMORY;
    tell_number(stop->reason);
    tell_number(gpucode_debug_position(debug));
    return GPUCODE_OK;
}

/* Forwards, backwards, to a position; values that are given, now and for later; names anew. */
static enum gpucode_status moved(void)
{
    enum gpucode_status status = GPUCODE_OK;
    for (unsigned i = 0; status == GPUCODE_OK && i < 4; i++) {
        struct code code;
        struct gpucode_machine *machine;
        struct gpucode_debug *debug = NULL;
        struct gpucode_debug_stop stop;
        status = open_machine(i, &code, &machine);
        if (status == GPUCODE_OK)
            status = gpucode_debug_create(machine, &(struct gpucode_debug_options){.symbols = code.symbols}, &debug);
        for (unsigned k = 0; status == GPUCODE_OK && k < 5; k++) {
            gpucode_debug_step(debug, false, &stop);
            status = tell_place(debug, &stop);
        }
        if (status == GPUCODE_OK)
            status = gpucode_debug_map(debug, 0x8000, 0x100);
        if (status == GPUCODE_OK)
            status = gpucode_debug_store(debug, 0x8010, "1234", 4);
        if (status == GPUCODE_OK) {
            gpucode_debug_next(debug, false, &stop);
            status = tell_place(debug, &stop);
        }
        if (status == GPUCODE_OK) {
            gpucode_debug_step(debug, true, &stop);
            status = tell_place(debug, &stop);
        }
        if (status == GPUCODE_OK) {
            gpucode_debug_goto(debug, 2, &stop);
            status = tell_place(debug, &stop);
        }
        if (status == GPUCODE_OK) {
            gpucode_debug_goto(debug, 5, &stop);
            status = tell_place(debug, &stop);
        }
        if (status == GPUCODE_OK)
            status = gpucode_debug_rename(debug);
        gpucode_debug_free(debug);
        gpucode_machine_free(machine);
        close_code(&code);
    }
    return status;
}

const struct call running_calls[] = {{"machines", machines}, {"covered", covered}, {"moved", moved}, {NULL, NULL}};
