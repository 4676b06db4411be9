/* SPDX-License-Identifier: MIT */
/* gpucode compare: two shaders run with the same inputs. */
#include "front/answer.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "kit/kit.h"
#include "kit/shader/shader.h"
#include <gpucode/shader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUTS_MAX (2 * SHADER_REGISTERS)
#define KEPT_MAX (2 * SHADER_REGISTERS + SHADER_CONSTS + GPUCODE_A3XX_VARYINGS)

struct side {
    const struct input *input;
    struct input declared; /* the same, with what the other one's source declares where it is not a source */
    struct gpucode_machine *machine;
    struct shader_inputs inputs;
    struct gpucode_shader_place kept[KEPT_MAX];
    size_t kept_count;
};

struct pair {
    struct session *session;
    const struct shader_set *set;
    struct side side[2];
    struct gpucode_shader_place outputs[OUTPUTS_MAX];
    size_t output_count;
};

static void keep(struct side *side, unsigned space, const bool *given, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (given[i])
            side->kept[side->kept_count++] = (struct gpucode_shader_place){space, i};
}

/* A machine with what options and source give; that is not varied. Returns an exit code. */
static int make_side(struct pair *pair, struct side *side)
{
    const struct kit_machine_parts parts = {pair->set->settings, NULL, input_names(side->input)};
    int code = input_check_whole(pair->session, side->input);
    if (!code)
        code = kit_machine_made(pair->session, &side->declared, &parts, &side->machine);
    if (!code)
        code = shader_give_of(pair->session, &side->declared, side->machine, pair->set, &side->inputs);
    keep(side, GPUCODE_A3XX_FULL, side->inputs.given[0], SHADER_REGISTERS);
    keep(side, GPUCODE_A3XX_HALF, side->inputs.given[1], SHADER_REGISTERS);
    keep(side, GPUCODE_A3XX_CONST, side->inputs.given_const, SHADER_CONSTS);
    keep(side, GPUCODE_A3XX_VARYING, side->inputs.given_varying, GPUCODE_A3XX_VARYINGS);
    return code;
}

/* --- outputs ------------------------------------------------------------------------------------------------------ */

static void add_output(struct pair *pair, unsigned space, uint32_t number)
{
    for (size_t i = 0; i < pair->output_count; i++)
        if (pair->outputs[i].space == space && pair->outputs[i].number == number)
            return;
    if (pair->output_count < OUTPUTS_MAX)
        pair->outputs[pair->output_count++] = (struct gpucode_shader_place){space, number};
}

/* What either source declares with @out. */
static void add_declared(struct pair *pair, const struct gpucode_program *program)
{
    struct gpucode_declaration declared;
    for (unsigned i = 0; program && gpucode_program_declaration(program, i, &declared); i++)
        for (unsigned k = 0; strcmp(declared.kind, "out") == 0 && declared.file == 'r' && k < declared.count; k++)
            add_output(pair, declared.half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL, declared.first + k);
}

/* --outputs r0.x,r1.y: these; else those that are declared. Returns an exit code. */
static int take_outputs(struct pair *pair)
{
    const char *text = pair->session->arguments.value[OPTION_COMPARE_OUTPUTS], *at = text;
    unsigned space;
    uint32_t number;
    for (unsigned i = 0; i < 2 && !text; i++)
        add_declared(pair, pair->side[i].input->program);
    while (at && *at) {
        size_t length = strcspn(at, ",");
        if (!shader_find(pair->side[0].machine, pair->side[0].declared.program, at, length, &space, &number) ||
            (space != GPUCODE_A3XX_FULL && space != GPUCODE_A3XX_HALF))
            return value_refuse(pair->session, OPTION_COMPARE_OUTPUTS, text, "registers with commas between them");
        add_output(pair, space, number);
        at += length + (at[length] == ',');
    }
    return EXIT_DONE;
}

/* --- telling ------------------------------------------------------------------------------------------------------ */

static int tell(struct pair *pair, const struct gpucode_shader_comparison *found)
{
    struct session *session = pair->session;
    const char *page = session->arguments.value[OPTION_HTML];
    const struct gpucode_subject subjects[2] = {input_subject(pair->side[0].input), input_subject(pair->side[1].input)};
    struct gpucode_answer *answer = page ? gpucode_answer_create() : answer_begin_indented(session);
    gpucode_shader_comparison_tell(found, pair->side[0].machine, subjects, answer);
    char title[256];
    snprintf(title, sizeof title, "%s \u2192 %s", subjects[0].file, subjects[1].file);
    return answer_end_page(session, answer, page, title);
}

static int run_pair(struct pair *pair)
{
    struct session *session = pair->session;
    struct gpucode_shader_compare_options options = {.seed = 1};
    struct gpucode_shader_comparison found;
    int code = value_number(session, OPTION_COMPARE_SEED, "a number", &options.seed);
    if (!code)
        code = value_number(session, OPTION_COMPARE_RUNS, "a number of runs, 1 or more", &options.runs);
    if (!code && session->arguments.value[OPTION_COMPARE_RUNS] && !options.runs)
        code = value_refuse(session, OPTION_COMPARE_RUNS, "0", "a number of runs, 1 or more");
    if (!code)
        code = value_number(session, OPTION_A3XX_LIMIT, "a number of instructions", &options.limit);
    if (!code)
        code = take_outputs(pair);
    if (code)
        return code;
    options.outputs = (struct gpucode_shader_places){pair->outputs, pair->output_count};
    for (unsigned i = 0; i < 2; i++)
        options.kept[i] = (struct gpucode_shader_places){pair->side[i].kept, pair->side[i].kept_count};
    enum gpucode_status status = gpucode_shader_compare(pair->side[0].machine, pair->side[1].machine, &options, &found);
    if (status == GPUCODE_ERROR_RANGE)
        return complain(&session->diagnostics, CLI_COMPARE_THREADS, pair->side[1].input->file.name, NULL);
    if (status != GPUCODE_OK)
        return code_status(session, pair->side[0].input->file.name, status);
    bool differ = found.differs != GPUCODE_SHADER_SAME, none = !differ && !found.ended;
    if (none) {
        unsigned side = found.stop[0].reason == GPUCODE_STOP_END; /* the one that did not end */
        const struct gpucode_stop *stop = &found.stop[side];
        code = complain(&session->diagnostics, CLI_COMPARE_NONE, pair->side[side].input->file.name, NULL,
                        stop->reason == GPUCODE_STOP_LIMIT ? "the limit of instructions is reached" : stop->text);
    } else {
        code = tell(pair, &found);
    }
    gpucode_shader_comparison_free(&found);
    return code ? code : differ ? EXIT_FINDINGS : EXIT_DONE;
}

int shader_compare(struct session *session, const struct shader_set *set, const struct input *first,
                   const struct input *second)
{
    struct pair *pair = calloc(1, sizeof *pair);
    if (!pair)
        return out_of_memory(&session->diagnostics);
    pair->session = session;
    pair->set = set;
    pair->side[0].input = first;
    pair->side[1].input = second;
    for (unsigned i = 0; i < 2; i++) {
        pair->side[i].declared = *pair->side[i].input;
        if (!pair->side[i].declared.program)
            pair->side[i].declared.program = pair->side[!i].input->program;
    }
    int code = make_side(pair, &pair->side[0]);
    if (!code)
        code = make_side(pair, &pair->side[1]);
    if (!code)
        code = run_pair(pair);
    gpucode_machine_free(pair->side[0].machine);
    gpucode_machine_free(pair->side[1].machine);
    free(pair);
    return code;
}

/* --- What `gpucode fuzz` leaves alone, and what its --against looks at when two shaders are at their ends --------- */

/* Do half registers lie in the full ones, two in each? */
static bool are_merged(struct gpucode_machine *machine)
{
    uint32_t full = 0, half = 0, changed = 0;
    gpucode_machine_read(machine, 0, GPUCODE_A3XX_FULL, 0, &full);
    gpucode_machine_read(machine, 0, GPUCODE_A3XX_HALF, 0, &half);
    gpucode_machine_write(machine, 0, GPUCODE_A3XX_HALF, 0, half ^ 1);
    gpucode_machine_read(machine, 0, GPUCODE_A3XX_FULL, 0, &changed);
    gpucode_machine_write(machine, 0, GPUCODE_A3XX_HALF, 0, half);
    return changed != full;
}

/* The full register that a half one lies in then: those from hr48 on, which are shared, in those from r48 on. */
static uint32_t full_of(uint32_t half)
{
    return half < 4 * 48 ? half / 2 : 4 * 48 + (half - 4 * 48) / 2;
}

static void keep_given(struct state *state, const struct shader_inputs *inputs)
{
    bool full[SHADER_REGISTERS] = {false}, half[SHADER_REGISTERS] = {false};
    bool merged = are_merged(state->machine);
    for (uint32_t i = 0; i < SHADER_REGISTERS; i++) {
        full[i] |= inputs->given[0][i];
        half[i] |= inputs->given[1][i] || (merged && inputs->given[0][full_of(i)]);
        full[full_of(i)] |= merged && inputs->given[1][i];
    }
    fuzz_state_keep(state, GPUCODE_A3XX_FULL, full, SHADER_REGISTERS);
    fuzz_state_keep(state, GPUCODE_A3XX_HALF, half, SHADER_REGISTERS);
    fuzz_state_keep(state, GPUCODE_A3XX_CONST, inputs->given_const, SHADER_CONSTS);
    fuzz_state_keep(state, GPUCODE_A3XX_VARYING, inputs->given_varying, GPUCODE_A3XX_VARYINGS);
}

int shader_give_kept(struct state *state, const struct shader_set *set)
{
    struct shader_inputs inputs;
    int code = shader_give_of(state->session, state->input, state->machine, set, &inputs);
    if (!code)
        keep_given(state, &inputs);
    return code;
}

bool shader_is_effect(const struct gpucode_event *event)
{
    return event->space == 0;
}

unsigned shader_outputs(const struct input *input, const struct gpucode_a3xx_usage *usage,
                        struct fuzz_state_output *list, unsigned room)
{
    struct gpucode_declaration declared;
    unsigned count = 0;
    for (unsigned i = 0; input->program && gpucode_program_declaration(input->program, i, &declared); i++)
        for (unsigned k = 0; strcmp(declared.kind, "out") == 0 && declared.file == 'r' && k < declared.count; k++)
            if (count < room)
                list[count++] = (struct fuzz_state_output){declared.half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL,
                                                           declared.first + k};
    if (!count && usage)
        for (unsigned number = 0; number < 240; number++) {
            if (count < room && usage->full.outputs[number / 32] >> number % 32 & 1)
                list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_FULL, number};
            if (count < room && usage->half.outputs[number / 32] >> number % 32 & 1)
                list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_HALF, number};
        }
    if (count < room)
        list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_FLAGS, 0}; /* killed */
    return count;
}
