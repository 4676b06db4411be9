/* SPDX-License-Identifier: MIT */
/*
 * What is a finding, and the subject as the fuzzer has it. With --against the same inputs run on two codes: a finding is an
 * input with which they act otherwise on the outside, in another order, or stop in another way. What one of them does by
 * itself is not a finding then.
 */
#include "kit/fuzz_state.h"

#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAP_REST 2048u

/* --- the difference ----------------------------------------------------------------------------------------------- */

/* The first effect that is not the same; false: all are. */
static bool find_effect(const struct state_effects *one, const struct state_effects *other, unsigned *where)
{
    unsigned count = one->count < other->count ? one->count : other->count;
    for (*where = 0; *where < count; ++*where)
        if (one->list[*where].hash != other->list[*where].hash)
            return true;
    return one->count != other->count;
}

/* The first register that holds another value at the end; null: all are the same. */
static const struct fuzz_state_output *find_output(const struct state *one, const struct state *other)
{
    for (unsigned i = 0; i < one->output_count; i++) {
        const struct fuzz_state_output *output = &one->outputs[i];
        uint32_t values[2] = {0, 0};
        gpucode_machine_read(one->machine, 0, output->space, output->number, &values[0]);
        gpucode_machine_read(other->machine, 0, output->space, output->number, &values[1]);
        if (values[0] != values[1])
            return output;
    }
    return NULL;
}

static const char *code_of(const struct gpucode_stop *stop)
{
    return stop->code ? stop->code : "";
}

/* Letters and digits of a name, which may be part of a file's. */
static void plain_name(char *name)
{
    for (; *name; name++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *name))
            *name = '_';
}

/* "PFB.CFG0 = 0x1", "[0x1000] = 0x2"; "nothing": there is no such effect. */
static void name_effect(const struct state *state, unsigned where, char text[96])
{
    const struct state_effect *effect = &state->effects->list[where];
    char name[GPUCODE_NAME_MAX];
    if (where >= state->effects->count) {
        snprintf(text, 96, "nothing");
    } else if (effect->kind == GPUCODE_EVENT_MEM_WRITE) {
        snprintf(text, 96, "[0x%" PRIx64 "] = 0x%" PRIx64, effect->address, effect->value);
    } else {
        if (!gpucode_machine_name(state->machine, effect->space, (uint32_t)effect->address, name, sizeof name))
            snprintf(name, sizeof name, "%s 0x%" PRIx64, gpucode_space_name(state->input->target, effect->space),
                     effect->address);
        snprintf(text, 96, "%.60s = 0x%" PRIx64, name, effect->value);
    }
}

static void tell_effect(struct state *state, unsigned where, struct gpucode_fuzz_outcome *outcome)
{
    const struct state_effects *effects = state->effects;
    char place[32] = "end", text[384], here[96], there[96];
    if (where < effects->count)
        snprintf(place, sizeof place, "%" PRIx64, effects->list[where].pc);
    name_effect(state, where, here);
    name_effect(state->other, where, there);
    snprintf(text, sizeof text, "effect %u is another one than in %.120s: %s, there %s", where,
             state->other_input->file.name, here, there);
    state_find(state, outcome, "differs", place, text);
}

static void tell_output(struct state *state, const struct fuzz_state_output *output,
                        struct gpucode_fuzz_outcome *outcome)
{
    char name[GPUCODE_NAME_MAX] = "", text[256];
    uint32_t values[2] = {0, 0};
    gpucode_machine_read(state->machine, 0, output->space, output->number, &values[0]);
    gpucode_machine_read(state->other->machine, 0, output->space, output->number, &values[1]);
    gpucode_machine_name(state->machine, output->space, output->number, name, sizeof name);
    snprintf(text, sizeof text, "%.40s is 0x%" PRIx32 " at the end, with %.100s 0x%" PRIx32, name, values[0],
             state->other_input->file.name, values[1]);
    name[30] = 0;
    plain_name(name);
    state_find(state, outcome, "differs", name, text);
}

static void state_compare_other(struct state *state, const struct gpucode_fuzz_record *records, size_t count,
                                struct gpucode_fuzz_outcome *outcome)
{
    struct state *other = state->other;
    const struct fuzz_state_output *output;
    unsigned where;
    char place[32], text[GPUCODE_NAME_MAX + 512];
    state_run(other, records, count);
    bool stops = state->stop.reason != other->stop.reason || strcmp(code_of(&state->stop), code_of(&other->stop)) != 0;
    if (find_effect(state->effects, other->effects, &where)) {
        tell_effect(state, where, outcome);
    } else if (stops) {
        snprintf(place, sizeof place, "%" PRIx64, state->stop.pc);
        snprintf(text, sizeof text, "%s; %s: %s", state->stop.text, state->other_input->file.name, other->stop.text);
        state_find(state, outcome, "stops", place, text);
    } else if (state->stop.reason == GPUCODE_STOP_END && (output = find_output(state, other))) {
        tell_output(state, output, outcome);
    }
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static int make_other(struct state *state)
{
    struct session *session = state->session;
    if (strcmp(gpucode_target_isa(state->other_input->target), gpucode_target_isa(state->input->target)) != 0)
        return complain(&session->diagnostics, CLI_FUZZ_AGAINST, state->other_input->file.name, NULL,
                        gpucode_target_isa(state->other_input->target), gpucode_target_isa(state->input->target));
    int code = state_make(state->other, session, state->other_input, state->set);
    if (code)
        return code;
    if (state->set->outputs)
        state->output_count = state->set->outputs(state->input, state->outputs, STATE_OUTPUTS_MAX);
    state_watch(state->other);
    return EXIT_DONE;
}

static int state_open_other(struct state *state)
{
    struct session *session = state->session;
    const char *path = session->arguments.value[state->set->against];
    if (!path)
        return EXIT_DONE;
    struct input *input = calloc(1, sizeof *input);
    state->other = calloc(1, sizeof *state->other);
    state->effects = calloc(1, sizeof *state->effects);
    if (state->other)
        state->other->effects = calloc(1, sizeof *state->effects);
    int code = EXIT_DONE;
    if (!input || !state->other || !state->effects || !state->other->effects)
        code = out_of_memory(&session->diagnostics);
    if (!code)
        code = input_open(session, path, input);
    if (code) {
        free(input);
        return code;
    }
    state->other_input = input;
    return make_other(state);
}

static void state_close_other(struct state *state)
{
    if (state->other)
        state_close(state->other);
    if (state->other_input)
        input_close(state->other_input);
    free(state->other_input);
}

/* --- what is a finding -------------------------------------------------------------------------------------------- */

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
    case GPUCODE_STOP_IDLE: /* an event that nobody will bring any more */
        if (state->set->feeds && state->fed_right == UINT64_MAX)
            return;
        state_find(state, outcome, "hang", place, stop->text);
        return;
    case GPUCODE_STOP_HANG:
        state_find(state, outcome, "hang", place, stop->text);
        return;
    case GPUCODE_STOP_LIMIT:
        state_find(state, outcome, "endless", "", "no end within the limit");
        return;
    case GPUCODE_STOP_UNKNOWN:
        state_find(state, outcome, "gap", place, stop->text);
        return;
    default:
        if (state->set->feeds && state->fed_right == UINT64_MAX)
            return;
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
    *subject = (struct gpucode_fuzz_subject){.kind_count = state->kind_count,
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

bool fuzz_state_lacks_memory(const struct gpucode_fuzz_subject *subject)
{
    const struct state *state = subject->user;
    return state->lacks_memory || (state->other && state->other->lacks_memory);
}

const struct kit_fuzz_facts *fuzz_state_facts(const struct gpucode_fuzz_subject *subject)
{
    return &((const struct state *)subject->user)->facts;
}
