/* SPDX-License-Identifier: MIT */
/* Making a subject: the machine, the kinds of records, and words worth trying, out of the code. */
#include "kit/fuzz_state_inner.h"

#include "front/session.h"
#include "front/values.h"
#include "kit/machine_made.h"
#include <gpucode/insn.h>

#include <stdlib.h>
#include <string.h>

#define LIMIT 20000

static void add_value(struct state *state, uint32_t value)
{
    for (size_t i = 0; i < state->value_count; i++)
        if (state->values[i] == value)
            return;
    if (state->value_count < STATE_VALUES_MAX)
        state->values[state->value_count++] = value;
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
                add_value(state,
                          operands[i].type == GPUCODE_OPERAND_VALUE ? (uint32_t)operands[i].value : operands[i].number);
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
        [STATE_STEPS] = {.name = "steps", .weight = 4, .least = 1, .most = 1},
        [STATE_TEXTURE] = {.name = "texture", .weight = state->set->textures ? 4 : 0, .least = 4, .most = 4}};
    memcpy(state->kinds + state->own, specials, sizeof specials);
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

int state_make(struct state *state, struct session *session, const struct input *input,
               const struct fuzz_state_set *set)
{
    state->session = session;
    state->input = input;
    state->set = set;
    state->limit = LIMIT;
    const struct kit_machine_parts parts = {set->settings, set->give, input_names(input)};
    int code = kit_machine_made(session, input, &parts, &state->machine);
    if (!code)
        code = value_number(session, set->limit, "a number of instructions", &state->limit);
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
