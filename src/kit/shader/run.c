/* SPDX-License-Identifier: MIT */
/* gpucode run for shaders: a thread or a group, inputs from the command line, registers printed. */
#include "front/answer.h"
#include "front/arguments.h"
#include "front/places.h"
#include "front/session.h"
#include "kit/shader/shader.h"
#include <gpucode/a3xx.h>
#include <gpucode/diagnostic.h>
#include <gpucode/insn.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/shader/answer.def"
#define ANSWER_PART_TRACE
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table shader_trace_answer_table = {"run", "What a shader does.", fields,
                                                               sizeof fields / sizeof *fields};

#define LIMIT 10000000

static void put_place(const struct shader_run *run, unsigned field, uint64_t pc)
{
    char shown[24];
    snprintf(shown, sizeof shown, "%04" PRIx64, pc);
    gpucode_answer_shown(run->answer, &fields[field], pc, shown);
}

static void show_insn(struct shader_run *run, const struct gpucode_event *event)
{
    char text[GPUCODE_TEXT_MAX], thread[SHADER_NUMBER], near[PLACES_WHERE_MAX];
    if (!shader_insn_text(run, event, text))
        return;
    struct gpucode_answer *answer = run->answer;
    shader_thread(run, event->processor, thread);
    gpucode_answer_begin(answer, &fields[INSN]);
    if (!run->session->json && places_enter(&run->walk, run->input, event->processor, 0, event->pc, near))
        gpucode_answer_format(answer, &fields[INSN_ENTRY], "        %s%s:", thread, near);
    gpucode_answer_number(answer, &fields[INSN_SLOT], event->time);
    gpucode_answer_shown(answer, &fields[INSN_THREAD], event->processor, thread);
    put_place(run, INSN_PC, event->pc);
    gpucode_answer_text(answer, &fields[INSN_TEXT], text);
    gpucode_answer_end(answer);
}

static void show_write(struct shader_run *run, const struct gpucode_event *event)
{
    char name[GPUCODE_NAME_MAX], thread[SHADER_NUMBER], user[SHADER_NAME_MAX], value[16];
    if (!gpucode_machine_name(run->machine, event->space, (uint32_t)event->address, name, sizeof name))
        return;
    bool half = event->space == GPUCODE_A3XX_HALF;
    snprintf(value, sizeof value, "0x%0*" PRIx32, half ? 4 : 8, (uint32_t)event->value);
    struct gpucode_answer *answer = run->answer;
    char number[32] = "";
    float as_float = half ? shader_half_value((uint32_t)event->value) : shader_float_value((uint32_t)event->value);
    bool general = event->address < 61 * 4 && (event->space == GPUCODE_A3XX_FULL || half); /* not a0.x and p0.x */
    if (general)
        snprintf(number, sizeof number, "  %.9g", (double)as_float);
    shader_user_name(run, event->space, (uint32_t)event->address, user);
    gpucode_answer_begin(answer, &fields[WRITE]);
    gpucode_answer_number(answer, &fields[WRITE_SLOT], event->time);
    gpucode_answer_shown(answer, &fields[WRITE_THREAD], event->processor, shader_thread(run, event->processor, thread));
    gpucode_answer_number(answer, &fields[WRITE_PC], event->pc);
    gpucode_answer_text(answer, &fields[WRITE_REGISTER], name);
    gpucode_answer_text(answer, &fields[WRITE_VALUE], value);
    if (general)
        gpucode_answer_real(answer, &fields[WRITE_FLOAT], (double)as_float);
    gpucode_answer_format(answer, &fields[WRITE_SHOWN], "%s%s", number, user);
    gpucode_answer_end(answer);
}

static void see_event(struct shader_run *run, const struct gpucode_event *event)
{
    if (event->kind == GPUCODE_EVENT_INSN && run->cycles)
        gpucode_a3xx_cycles_see(run->cycles, event);
    if (event->kind == GPUCODE_EVENT_INSN && run->shows_insns)
        show_insn(run, event);
    if (event->kind != GPUCODE_EVENT_WRITE)
        return;
    if (event->address < SHADER_REGISTERS)
        run->written[event->space == GPUCODE_A3XX_HALF][event->address] = true;
    if (run->shows_writes)
        show_write(run, event);
}

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    see_event(user, event);
    return false;
}

enum { TRACE_INSTRUCTIONS = 1, TRACE_REGISTERS = 2 };

static int read_trace(struct shader_run *run)
{
    static const struct value_word words[] = {
        {"instructions", TRACE_INSTRUCTIONS}, {"registers", TRACE_REGISTERS}, {NULL, 0}};
    unsigned kinds;
    int code = value_trace(run->session, OPTION_A3XX_TRACE, words, TRACE_INSTRUCTIONS | TRACE_REGISTERS, &kinds);
    run->shows_insns = kinds & TRACE_INSTRUCTIONS;
    run->shows_writes = kinds & TRACE_REGISTERS;
    return code;
}

int shader_run_machine(struct shader_run *run, uint64_t limit)
{
    bool line, records = arguments_have(&run->session->arguments, OPTION_A3XX_TIME_LINE);
    int code = shader_line_check(run, &line);
    if (!code && run->set->note)
        run->set->note(run->session, run->input, &run->inputs);
    if (!code && line)
        code = shader_line_run(run, limit, see_event);
    if (code)
        return code;
    if (!records)
        run->answer = answer_begin(run->session);
    if (!line) {
        gpucode_machine_hook(run->machine,
                             GPUCODE_EVENT_WRITE | (run->shows_insns || run->cycles ? GPUCODE_EVENT_INSN : 0),
                             watch_event, run);
        run->instructions = gpucode_machine_run(run->machine, limit, &run->stop);
    }
    if (!records) {
        shader_tell(run);
        code = answer_end(run->session, run->answer);
    }
    if (code || run->stop.reason == GPUCODE_STOP_END)
        return code;
    fflush(stdout);
    return complain(&run->session->diagnostics, CLI_STOPPED, run->input->file.name,
                    run->stop.code ? gpucode_explain(run->stop.code) : "--limit lets it go on",
                    run->stop.code ? run->stop.text : "the limit of instructions is reached");
}

/* Settings that the options ask for: threads of a group, those of the set, and strict timing. */
static int make_settings(struct shader_run *run, struct shader_group *group, struct gpucode_setting *more, char *text)
{
    struct session *session = run->session;
    int code = shader_inputs_group(session, run->set, run->input->program, group, more, text);
    if (!code && run->set->settle)
        code = run->set->settle(session, run->input, group, more, text + SHADER_NUMBER);
    unsigned count = 0;
    while (more[count].name)
        count++;
    if (arguments_have(&session->arguments, OPTION_A3XX_STRICT)) {
        more[count] = (struct gpucode_setting){run->set->timing, "strict"};
        more[count + 1] = (struct gpucode_setting){NULL, NULL};
    }
    return code;
}

static int create_machine(struct shader_run *run, struct gpucode_setting *settings)
{
    struct session *session = run->session;
    if (run->set->widen)
        run->set->widen(run, settings);
    struct gpucode_machine_options options = {.policies = settings,
                                              .names = input_names(run->input),
                                              .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_machine_create(run->input->image, &options, &run->machine);
    if (status == GPUCODE_ERROR_MEMORY)
        return out_of_memory(&session->diagnostics);
    if (status != GPUCODE_OK)
        return EXIT_INPUT;
    while (gpucode_machine_processor(run->machine, run->width))
        run->width++;
    return run->set->created ? run->set->created(run, settings) : EXIT_DONE;
}

/* The options that say what to print and how long to run. */
static int read_options(struct shader_run *run, uint64_t *limit)
{
    int code = read_trace(run);
    if (!code)
        code = shader_read_wanted(run);
    if (!code)
        code = shader_check_dumps(run);
    if (!code)
        code = value_number(run->session, OPTION_A3XX_LIMIT, "a number of instructions", limit);
    return code;
}

int shader_run(struct session *session, const struct input *input, const struct shader_set *set)
{
    struct shader_run *run = calloc(1, sizeof *run);
    struct gpucode_setting *settings = NULL, more[SHADER_SETTINGS] = {{NULL, NULL}};
    struct shader_group group;
    char text[SHADER_SETTINGS_TEXT];
    uint64_t limit = LIMIT;
    if (!run)
        return out_of_memory(&session->diagnostics);
    run->session = session;
    run->input = input;
    run->set = set;
    int code = input_check_whole(session, input);
    if (!code)
        code = make_settings(run, &group, more, text);
    if (!code)
        code = policies_read(session, more, &settings);
    if (!code)
        code = create_machine(run, settings);
    if (!code)
        code = read_options(run, &limit);
    if (!code)
        code = shader_inputs_give(session, input, run->machine, set, &group, &run->inputs);
    if (!code)
        code = set->run ? set->run(run, limit) : shader_run_machine(run, limit);
    gpucode_a3xx_cycles_free(run->cycles);
    gpucode_machine_free(run->machine);
    free(settings);
    free(run);
    return code;
}
