/* SPDX-License-Identifier: MIT */
/*
 * Code that reads no packets, under fuzz: an input is what registers, events and memory hold before the code runs, and
 * at moments while it runs. Each set says which registers are worth it.
 */
#include "kit/fuzz_state_inner.h"

#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAP_REST 2048u

/* --- one run --------------------------------------------------------------------------------------------------- */

static void judge(struct state *state, struct gpucode_fuzz_outcome *outcome)
{
    const struct gpucode_stop *stop = &state->stop;
    char place[32];
    snprintf(place, sizeof place, "%" PRIx64, stop->pc);
    const char *code = stop->code ? stop->code : "", *dash = strchr(code, '-'), *why = NULL;
    if (*state->broken.key) {
        *outcome = state->broken;
        return;
    }
    switch (stop->reason) {
    case GPUCODE_STOP_FAULT:
        state_find(state, outcome, dash ? dash + 1 : code, place, stop->text);
        return;
    case GPUCODE_STOP_HANG:
    case GPUCODE_STOP_IDLE: /* an event that nobody will bring any more */
        state_find(state, outcome, "hang", place, stop->text);
        return;
    case GPUCODE_STOP_LIMIT:
        state_find(state, outcome, "endless", "", "no end within the limit");
        return;
    case GPUCODE_STOP_UNKNOWN:
        state_find(state, outcome, "gap", place, stop->text);
        return;
    default:
        if (state->set->wrong_end && (why = state->set->wrong_end(state->machine)))
            state_find(state, outcome, "left", place, why);
        return;
    }
}

static void run_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                        struct gpucode_fuzz_outcome *outcome)
{
    struct state *state = user;
    state_run(state, records, count);
    if (state->other)
        state_compare_other(state, records, count, outcome);
    else
        judge(state, outcome);
}

static void compare_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                            void (*seen)(void *to, uint32_t value, uint32_t wanted), void *to)
{
    struct state *state = user;
    state->compared = seen;
    state->compared_to = to;
    state_watch(state);
    state_run(state, records, count);
    state->compared = NULL;
    state_watch(state);
}

static enum gpucode_status attach_map(void *user, uint8_t *map, size_t size)
{
    return gpucode_machine_edges(((struct state *)user)->machine, map, size);
}

/* --- the hooks of the kit ---------------------------------------------------------------------------------------- */

int fuzz_state_open(struct session *session, const struct input *input, const struct fuzz_state_set *set,
                    struct gpucode_fuzz_subject *subject)
{
    *subject = (struct gpucode_fuzz_subject){0};
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return out_of_memory(&session->diagnostics);
    subject->user = state;
    int code = state_make(state, session, input, set);
    if (!code)
        code = state_open_other(state);
    if (code)
        return code;
    state_watch(state);
    size_t map = 1;
    while (map < gpucode_machine_edge_count(state->machine) + 1 + MAP_REST)
        map *= 2;
    *subject = (struct gpucode_fuzz_subject){.kind_count = state->own + STATE_SPECIALS,
                                             .kinds = state->kinds,
                                             .values = state->values,
                                             .value_count = state->value_count,
                                             .map_size = map,
                                             .attach = attach_map,
                                             .run = run_records,
                                             .compare = compare_records,
                                             .user = state};
    return EXIT_DONE;
}

void fuzz_state_close(struct gpucode_fuzz_subject *subject)
{
    struct state *state = subject->user;
    if (!state)
        return;
    state_close_other(state);
    state_close(state);
    subject->user = NULL;
}

struct gpucode_machine *fuzz_state_machine(const struct gpucode_fuzz_subject *subject)
{
    return ((struct state *)subject->user)->machine;
}
