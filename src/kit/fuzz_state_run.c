/* SPDX-License-Identifier: MIT */
/* One run of an input, what is seen while it runs, and a finding as it is noted: what the other files stand on. */
#include "kit/fuzz_state_inner.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

void state_run(struct state *state, const struct gpucode_fuzz_record *records, size_t count)
{
    uint64_t left = state->limit;
    gpucode_machine_restore(state->machine, state->start);
    state->stop.reason = GPUCODE_STOP_LIMIT;
    state->textured = false;
    state->broken.key[0] = 0;
    if (state->effects)
        state->effects->count = 0;
    for (size_t i = 0; i < count && goes_on(state); i++)
        perform(state, &records[i], &left);
    if (goes_on(state))
        gpucode_machine_run(state->machine, left, &state->stop);
}

/* --- what is seen while it runs ---------------------------------------------------------------------------------- */

static void mix(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

static void note_effect(struct state *state, const struct gpucode_event *event)
{
    struct state_effects *effects = state->effects;
    if (effects->count < STATE_EFFECTS_MAX)
        effects->list[effects->count++] = (struct state_effect){.pc = event->pc,
                                                                .kind = event->kind,
                                                                .space = event->space,
                                                                .address = event->address,
                                                                .value = event->value};
    uint64_t *hash = &effects->list[effects->count - 1].hash;
    mix(hash, event->kind);
    mix(hash, event->space);
    mix(hash, event->address);
    mix(hash, event->value);
}

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

/* Notes the first that is done of what is forbidden; true: it was. */
static bool see_forbidden(struct state *state, const struct gpucode_event *event)
{
    for (unsigned i = 0; i < state->forbidden_count; i++) {
        if (!fuzz_forbidden_is(&state->forbidden[i], event))
            continue;
        state->broken.judgement = GPUCODE_FUZZ_FINDING;
        snprintf(state->broken.key, sizeof state->broken.key, "assert%u-%" PRIx64, i + 1, event->pc);
        fuzz_forbidden_tell(state->machine, event, state->forbidden_text[i], state->broken.text,
                            sizeof state->broken.text);
        return true;
    }
    return false;
}

static bool see_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct state *state = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_COMPARE) {
        if (state->compared)
            tell_comparison(state, (uint32_t)event->value, (uint32_t)event->old);
    } else if (state->effects && (!state->set->is_effect || state->set->is_effect(event))) {
        note_effect(state, event);
    } else if (!state->effects) {
        return see_forbidden(state, event);
    }
    return false;
}

void state_watch(struct state *state)
{
    unsigned kinds = (state->compared ? GPUCODE_EVENT_COMPARE : 0u) | (state->effects ? state->set->effects : 0u);
    for (unsigned i = 0; !state->effects && i < state->forbidden_count; i++)
        kinds |= fuzz_forbidden_kinds(&state->forbidden[i]);
    gpucode_machine_hook(state->machine, kinds, kinds ? see_event : NULL, state);
}

/* --- a finding ------------------------------------------------------------------------------------------------------
 */

void state_find(const struct state *state, struct gpucode_fuzz_outcome *outcome, const char *what, const char *place,
                const char *text)
{
    outcome->judgement = strcmp(what, "gap") == 0 ? GPUCODE_FUZZ_GAP : GPUCODE_FUZZ_FINDING;
    snprintf(outcome->key, sizeof outcome->key, "%s%s%s", what, *place ? "-" : "", place);
    snprintf(outcome->text, sizeof outcome->text, "%s at 0x%" PRIx64 ": %s", what, state->stop.pc, text);
}
