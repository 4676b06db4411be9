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

static void store_word(struct state *state, uint64_t address, uint32_t word)
{
    unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                              (unsigned char)(word >> 24)};
    gpucode_machine_store(state->machine, address, bytes, 4);
}

/* Does what a record says; `left` is what remains of the limit. */
static void perform(struct state *state, const struct gpucode_fuzz_record *record, uint64_t *left)
{
    const uint32_t *words = record->words;
    if (record->kind < state->own) {
        const struct fuzz_state_kind *kind = &state->set->kinds[record->kind];
        if (record->count > 1)
            gpucode_machine_write(state->machine, 0, kind->space, kind->count ? words[0] % kind->count : words[0],
                                  words[1] & (kind->mask ? kind->mask : UINT32_MAX));
        return;
    }
    switch (record->kind - state->own) {
    case STATE_MEMORY:
        for (unsigned i = 1; i < record->count; i++)
            store_word(state, (words[0] & ~UINT32_C(3)) + 4 * (uint64_t)(i - 1), words[i]);
        return;
    case STATE_STEPS:
        if (record->count && *left && !state->effects) { /* two codes would be at different places */
            uint64_t wanted = 1 + words[0] % STATE_STEPS_MAX, ran;
            ran = gpucode_machine_run(state->machine, wanted < *left ? wanted : *left, &state->stop);
            *left -= ran < *left ? ran : *left;
        }
        return;
    default:
        for (unsigned i = 0; i < 4; i++)
            state->texture[i] = i < record->count ? words[i] : 0;
        state->textured = true;
        return;
    }
}

/* May the code go on? A machine that waits for an event may. */
static bool goes_on(const struct state *state)
{
    return state->stop.reason == GPUCODE_STOP_LIMIT || state->stop.reason == GPUCODE_STOP_IDLE;
}

void state_find(const struct state *state, struct gpucode_fuzz_outcome *outcome, const char *what, const char *place,
                const char *text)
{
    outcome->judgement = strcmp(what, "gap") == 0 ? GPUCODE_FUZZ_GAP : GPUCODE_FUZZ_FINDING;
    snprintf(outcome->key, sizeof outcome->key, "%s%s%s", what, *place ? "-" : "", place);
    snprintf(outcome->text, sizeof outcome->text, "%s at 0x%" PRIx64 ": %s", what, state->stop.pc, text);
}

static void judge(struct state *state, struct gpucode_fuzz_outcome *outcome)
{
    const struct gpucode_stop *stop = &state->stop;
    char place[32];
    snprintf(place, sizeof place, "%" PRIx64, stop->pc);
    const char *code = stop->code ? stop->code : "", *dash = strchr(code, '-'), *why = NULL;
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

void state_run(struct state *state, const struct gpucode_fuzz_record *records, size_t count)
{
    uint64_t left = state->limit;
    gpucode_machine_restore(state->machine, state->start);
    state->stop.reason = GPUCODE_STOP_LIMIT;
    state->textured = false;
    if (state->effects)
        state->effects->count = 0;
    for (size_t i = 0; i < count && goes_on(state); i++)
        perform(state, &records[i], &left);
    if (goes_on(state))
        gpucode_machine_run(state->machine, left, &state->stop);
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

/* --- what is seen while it runs ---------------------------------------------------------------------------------- */

/*
 * Either side may be what the input gives. Beside the one that makes both equal its neighbours are worth it: with them
 * an order turns, of floats too, whose bits are ordered as they are.
 */
static void tell_comparison(const struct state *state, uint32_t one, uint32_t other)
{
    for (uint32_t step = 0; step < 3; step++) {
        state->compared(state->compared_to, one, other + step - (step == 2 ? 3 : 0));
        state->compared(state->compared_to, other, one + step - (step == 2 ? 3 : 0));
    }
}

static bool see_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct state *state = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_COMPARE) {
        if (state->compared)
            tell_comparison(state, (uint32_t)event->value, (uint32_t)event->old);
    } else if (state->effects && (!state->set->is_effect || state->set->is_effect(event))) {
        state_note_effect(state, event);
    }
    return false;
}

void state_watch(struct state *state)
{
    unsigned kinds = (state->compared ? GPUCODE_EVENT_COMPARE : 0u) | (state->effects ? state->set->effects : 0u);
    gpucode_machine_hook(state->machine, kinds, kinds ? see_event : NULL, state);
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
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
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
    if (state)
        state_close(state);
    subject->user = NULL;
}

struct gpucode_machine *fuzz_state_machine(const struct gpucode_fuzz_subject *subject)
{
    return ((struct state *)subject->user)->machine;
}
