/* SPDX-License-Identifier: MIT */
/*
 * Code that reads no packets, under fuzz: an input is what registers, events and memory hold before the code runs, and
 * at moments while it runs. Each set says which registers are worth it.
 */
#include "kit/fuzz_state.h"
#include "front/outcome.h"
#include "front/session.h"
#include "front/arguments.h"
#include "kit/kit.h"
#include <gpucode/insn.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void note_status(struct state *state, enum gpucode_status status)
{
    state->lacks_memory |= status == GPUCODE_ERROR_MEMORY;
}

static void store_word(struct state *state, uint64_t address, uint32_t word)
{
    unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                              (unsigned char)(word >> 24)};
    note_status(state, gpucode_machine_store(state->machine, address, bytes, 4));
}

/* Words for a machine that takes them, no more than all inputs have. */
static void feed(struct state *state, const uint32_t *words, uint64_t count)
{
    uint64_t room = state->fed_right - state->fed;
    state->fed += count < room ? count : room;
    note_status(state, gpucode_machine_feed(state->machine, 0, words, (size_t)(count < room ? count : room)));
}

void fuzz_state_keep(struct state *state, unsigned space, const bool *given, uint32_t count)
{
    for (unsigned k = 0; state->set->kinds[k].name; k++)
        for (uint32_t i = 0; state->set->kinds[k].space == space && i < count && i < STATE_KEPT_MAX; i++)
            state->kept[k][i] |= given[i];
}

bool state_skips(const struct state *state, const struct gpucode_fuzz_record *record, bool ran)
{
    if (record->kind >= state->own || record->count < 2)
        return record->kind < state->own;
    uint32_t number = state_number(&state->set->kinds[record->kind], record->words[0]);
    return (ran && state->set->own && !state->effects) || (number < STATE_KEPT_MAX && state->kept[record->kind][number]);
}

/* Does what a record says; `left` is what remains of the limit. */
static void perform(struct state *state, const struct gpucode_fuzz_record *record, uint64_t *left)
{
    const uint32_t *words = record->words;
    if (record->kind < state->own) {
        const struct fuzz_state_kind *kind = &state->set->kinds[record->kind];
        note_status(state, gpucode_machine_write(state->machine, 0, kind->space, state_number(kind, words[0]),
                                                 words[1] & (kind->mask ? kind->mask : UINT32_MAX)));
        return;
    }
    switch (record->kind - state->own) {
    case STATE_MEMORY:
        for (unsigned i = 1; i < record->count; i++)
            store_word(state, state_address(state, words[0]) + 4 * (uint64_t)(i - 1), words[i]);
        return;
    case STATE_STEPS:
        if (record->count && *left && !state->effects) { /* two codes would be at different places */
            uint64_t wanted = 1 + words[0] % STATE_STEPS_MAX, ran;
            ran = gpucode_machine_run(state->machine, wanted < *left ? wanted : *left, &state->stop);
            *left -= ran < *left ? ran : *left;
        }
        return;
    case STATE_FEED:
        feed(state, words, record->count);
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
    static const uint32_t zero;
    uint64_t left = state->limit;
    state->record_count = count;
    state->fed = 0;
    note_status(state, gpucode_machine_restore(state->machine, state->start));
    state->stop.reason = GPUCODE_STOP_LIMIT;
    state->textured = false;
    state->broken.key[0] = 0;
    if (state->effects)
        state->effects->count = 0;
    bool ran = false;
    for (size_t i = 0; i < count && goes_on(state); i++) {
        if (!state_skips(state, &records[i], ran))
            perform(state, &records[i], &left);
        ran |= records[i].kind == state->own + STATE_STEPS;
    }
    while (state->fed < state->fed_right && state->fed_right != UINT64_MAX)
        feed(state, &zero, 1);
    if (goes_on(state))
        gpucode_machine_run(state->machine, left, &state->stop);
    state->lacks_memory |= stop_has_no_memory(&state->stop);
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

static void note_facts(struct state *state, const char *what, uint64_t at, const char *code)
{
    state->facts =
        (struct kit_fuzz_facts){.kind = kit_fuzz_kind(what), .at = at, .packets = (unsigned)state->record_count};
    snprintf(state->facts.code, sizeof state->facts.code, "%s", code);
}

/* Notes the first that is done of what is forbidden; true: it was. */
static bool see_forbidden(struct state *state, const struct gpucode_event *event)
{
    bool inside = event->kind == GPUCODE_EVENT_MEM_WRITE && state->set->is_effect && !state->set->is_effect(event);
    for (unsigned i = 0; i < state->forbidden_count && !inside; i++) {
        if (!fuzz_forbidden_is(&state->forbidden[i], event))
            continue;
        state->broken.judgement = GPUCODE_FUZZ_FINDING;
        snprintf(state->broken.key, sizeof state->broken.key, "assert%u-%" PRIx64, i + 1, event->pc);
        note_facts(state, "assert", event->pc, "assert");
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

/* --- a finding ---------------------------------------------------------------------------------------------------- */

void state_find(struct state *state, struct gpucode_fuzz_outcome *outcome, const char *what, const char *place,
                const char *text)
{
    outcome->judgement = strcmp(what, "gap") == 0 ? GPUCODE_FUZZ_GAP : GPUCODE_FUZZ_FINDING;
    note_facts(state, what, state->stop.pc, state->stop.code ? state->stop.code : what);
    snprintf(outcome->key, sizeof outcome->key, "%s%s%s", what, *place ? "-" : "", place);
    snprintf(outcome->text, sizeof outcome->text, "%s at 0x%" PRIx64 ": %s", what, state->stop.pc, text);
}

/* --- Making a subject: the machine, the kinds of records, and words worth trying, out of the code ----------------- */

#define LIMIT 20000

static void add_value(struct state *state, uint32_t value)
{
    for (size_t i = 0; i < state->value_count; i++)
        if (state->values[i] == value)
            return;
    if (state->value_count < STATE_VALUES_MAX)
        state->values[state->value_count++] = value;
}

/* Where registers have addresses, code may say how many units these are; and what is compared may be added first. */
static void add_operand(struct state *state, const struct gpucode_operand *operand)
{
    uint32_t value = operand->type == GPUCODE_OPERAND_VALUE ? (uint32_t)operand->value : operand->number;
    add_value(state, value);
    for (const struct fuzz_state_kind *kind = state->set->kinds; kind->name; kind++)
        if (kind->unit) {
            add_value(state, value * kind->unit);
            add_value(state, 0 - value);
        }
}

/* Numbers of the code: immediates, and registers that it names. */
static void find_values(struct state *state)
{
    const struct gpucode_image_info *info = gpucode_image_info(state->input->image);
    unsigned unit = gpucode_target_unit_bytes(state->input->target);
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(state->input->image, &size);
    for (size_t at = info->prefix, step; at < size; at += step) {
        struct gpucode_insn insn;
        struct gpucode_operand operands[GPUCODE_OPERANDS_MAX];
        step = unit;
        if (gpucode_decode(state->input->target, bytes + at, size - at, at / unit, &insn) != GPUCODE_OK)
            continue;
        step = insn.size;
        unsigned count = gpucode_insn_operands(&insn, NULL, operands, GPUCODE_OPERANDS_MAX);
        for (unsigned i = 0; i < count; i++)
            if (operands[i].type != GPUCODE_OPERAND_MODIFIER && operands[i].type != GPUCODE_OPERAND_TARGET)
                add_operand(state, &operands[i]);
    }
    static const uint32_t floats[] = {0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000, 0x00000001};
    for (unsigned i = 0; state->set->floats && i < sizeof floats / sizeof *floats; i++)
        add_value(state, floats[i]);
}

static bool answer_texture(void *user, struct gpucode_machine *machine, const struct gpucode_texture_lookup *lookup,
                           uint32_t values[4])
{
    const struct state *state = user;
    (void)machine, (void)lookup;
    memcpy(values, state->texture, sizeof state->texture);
    return state->textured;
}

static void make_kinds(struct state *state)
{
    for (const struct fuzz_state_kind *kind = state->set->kinds; kind->name; kind++)
        state->kinds[state->own++] =
            (struct gpucode_fuzz_kind){.name = kind->name, .weight = kind->weight, .least = 2, .most = 2};
    const struct gpucode_fuzz_kind specials[STATE_SPECIALS] = {
        [STATE_MEMORY] = {.name = "memory", .weight = state->set->memory ? 4 : 0, .least = 2, .most = 9},
        [STATE_STEPS] = {.name = "steps", .weight = state->set->feeds ? 0 : 4, .least = 1, .most = 1},
        [STATE_TEXTURE] = {.name = "texture", .weight = state->set->textures ? 4 : 0, .least = 4, .most = 4},
        [STATE_FEED] = {.name = state->set->feeds, .weight = 8, .least = 1, .most = 8}};
    struct gpucode_fuzz_kind *memory = &state->kinds[state->own + STATE_MEMORY];
    memcpy(state->kinds + state->own, specials, sizeof specials);
    memory->values = state->places;
    memory->value_count =
        state->set->places ? state->set->places(state->machine, state->places, STATE_PLACES_MAX) : 0;
    state->kind_count = state->own + (state->set->feeds ? STATE_SPECIALS : STATE_FEED);
}

/* --assert 'no write WHAT'. Complains and returns an exit code. */
static int take_forbidden(struct state *state)
{
    const struct arguments *arguments = &state->session->arguments;
    const char *text;
    for (unsigned i = 0; (text = arguments_value_at(arguments, state->set->forbids, i)); i++) {
        const char *at = text;
        if (i == FUZZ_FORBIDDEN_MAX)
            return value_refuse(state->session, state->set->forbids, text, "16 of them at most");
        if (!fuzz_forbidden_word(&at, "no") || !fuzz_forbidden_word(&at, "write") ||
            !fuzz_forbidden_take(state->machine, state->set->numbers, &at, &state->forbidden[i]) ||
            at[strspn(at, " \t")])
            return value_refuse(state->session, state->set->forbids, text,
                                "'no write WHAT', WHAT being a register, A..B where registers have addresses, or "
                                "'memory A..B'");
        state->forbidden_text[state->forbidden_count++] = text;
    }
    return EXIT_DONE;
}

/* How many words all inputs have. Complains and returns an exit code. */
static int take_fed(struct state *state)
{
    static const char expected[] = "a number of words, at most 1024";
    enum option_id option = state->set->fed;
    const char *text = state->session->arguments.value[option];
    int code = value_number(state->session, option, expected, &state->fed_right);
    return !code && text && state->fed_right > 1024 ? value_refuse(state->session, option, text, expected) : code;
}

int state_make(struct state *state, struct session *session, const struct input *input,
               const struct fuzz_state_set *set)
{
    state->session = session;
    state->input = input;
    state->set = set;
    state->limit = LIMIT;
    state->fed_right = UINT64_MAX;
    const struct kit_machine_parts parts = {set->settings, NULL, input_names(input)};
    int code = kit_machine_made(session, input, &parts, &state->machine);
    if (!code && set->give)
        code = set->give(state);
    if (!code)
        code = value_number(session, set->limit, "a number of instructions", &state->limit);
    if (!code && set->feeds)
        code = take_fed(state);
    if (code)
        return code;
    if (set->textures)
        gpucode_machine_texture(state->machine, answer_texture, state);
    if (gpucode_machine_snapshot(state->machine, &state->start) != GPUCODE_OK)
        return out_of_memory(&session->diagnostics);
    find_values(state);
    make_kinds(state);
    return take_forbidden(state);
}

void state_close(struct state *state)
{
    gpucode_snapshot_free(state->start);
    gpucode_machine_free(state->machine);
    free(state->effects);
    free(state);
}
