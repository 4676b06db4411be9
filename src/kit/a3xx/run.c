/* SPDX-License-Identifier: MIT */
/* gpucode run for A3XX shaders: a thread or a group, inputs from the command line, registers printed. */
#include "front/answer.h"
#include "front/session.h"
#include "front/places.h"
#include "front/values.h"
#include "kit/a3xx/kit.h"
#include "kit/a3xx/shader/grid.h"
#include "kit/a3xx/shader/inputs.h"
#include <gpucode/a3xx.h>
#include <gpucode/diagnostic.h>
#include <gpucode/insn.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/a3xx/trace.answer.def"
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table shader_trace_answer_table = {"run", "What a shader does.", fields,
                                                               sizeof fields / sizeof *fields};

#define LIMIT 10000000
#define QUOTE_WORD(word) #word
#define QUOTE(word) QUOTE_WORD(word)

static void put_place(const struct shader_run *run, unsigned field, uint64_t pc)
{
    char shown[24];
    snprintf(shown, sizeof shown, "%04" PRIx64, pc);
    gpucode_answer_shown(run->answer, &fields[field], pc, shown);
}

static void show_insn(struct shader_run *run, const struct gpucode_event *event)
{
    char text[GPUCODE_TEXT_MAX], thread[SHADER_NUMBER], near[PLACES_WHERE_MAX];
    unsigned char bytes[8];
    struct gpucode_insn insn;
    struct places_code code = {.input = run->input};
    const struct gpucode_format_options options = {.names = input_names(run->input),
                                                   .comments = run->input->symbols != NULL,
                                                   .label = places_target,
                                                   .user = &code};
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(event->value >> 8 * i);
    if (gpucode_decode(run->input->target, bytes, 8, event->pc, &insn) != GPUCODE_OK ||
        gpucode_format(&insn, &options, text, sizeof text, NULL) != GPUCODE_OK)
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

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct shader_run *run = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_INSN && run->cycles)
        gpucode_a3xx_cycles_see(run->cycles, event);
    if (event->kind == GPUCODE_EVENT_INSN && run->shows_insns)
        show_insn(run, event);
    if (event->kind != GPUCODE_EVENT_WRITE)
        return false;
    if (event->address < SHADER_REGISTERS)
        run->written[event->space == GPUCODE_A3XX_HALF][event->address] = true;
    if (run->shows_writes)
        show_write(run, event);
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

static int run_shader(struct shader_run *run, uint64_t limit)
{
    shader_note_missing(run->session, run->input, &run->inputs);
    gpucode_machine_hook(run->machine, GPUCODE_EVENT_WRITE | (run->shows_insns || run->cycles ? GPUCODE_EVENT_INSN : 0),
                         watch_event, run);
    run->answer = answer_begin(run->session);
    run->instructions = gpucode_machine_run(run->machine, limit, &run->stop);
    shader_tell(run);
    int code = answer_end(run->session, run->answer);
    if (code || run->stop.reason == GPUCODE_STOP_END)
        return code;
    fflush(stdout);
    return complain(&run->session->diagnostics, CLI_STOPPED, run->input->file.name,
                    run->stop.code ? gpucode_explain(run->stop.code) : "--limit lets it go on",
                    run->stop.code ? run->stop.text : "the limit of instructions is reached");
}

/* Settings that the options ask for: threads of a group or of a quad, and strict timing. */
static int make_settings(struct session *session, const struct input *input, struct shader_group *group,
                         struct gpucode_setting more[3], char threads[SHADER_NUMBER])
{
    int code = shader_inputs_group(session, input->program, group, more, threads);
    if (arguments_have(&session->arguments, OPTION_A3XX_IMAGE)) {
        *group = (struct shader_group){0}; /* pixels have no number in a work group */
        more[0] = (struct gpucode_setting){"a3xx-threads", "4"};
    }
    if (arguments_have(&session->arguments, OPTION_A3XX_STRICT)) {
        unsigned count = more[0].name ? 1 : 0;
        more[count] = (struct gpucode_setting){"a3xx-timing", "strict"};
        more[count + 1] = (struct gpucode_setting){NULL, NULL};
    }
    return code;
}

/*
 * Threads of a picture's machine: many quads at once where one cannot see what the others do, which is where they write
 * memory, or where a policy lets them wait for each other.
 */
static void widen_picture(const struct shader_run *run, struct gpucode_setting *settings)
{
    const struct arguments *arguments = &run->session->arguments;
    struct gpucode_a3xx_usage usage;
    if (!arguments_have(arguments, OPTION_A3XX_IMAGE) || arguments_have(arguments, OPTION_A3XX_PIXEL) ||
        gpucode_a3xx_usage(run->input->image, &usage) != GPUCODE_OK || usage.writes_memory)
        return;
    for (const struct gpucode_setting *setting = settings + 1; setting->name; setting++)
        if (strcmp(setting->name, "a3xx-threads") == 0 || strcmp(setting->name, "a3xx-reconvergence") == 0)
            return;
    settings->value = QUOTE(SHADER_GRID_THREADS);
}

/* The machine, and with --cycles the count of what instructions cost. */
static int create_machine(struct shader_run *run, const struct gpucode_setting *settings)
{
    struct session *session = run->session;
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
    if (arguments_have(&session->arguments, OPTION_A3XX_CYCLES) &&
        gpucode_a3xx_cycles_open(run->input->image, settings, &run->cycles) != GPUCODE_OK)
        return out_of_memory(&session->diagnostics); /* the machine has looked at the settings */
    return EXIT_DONE;
}

/* The options that say what to print and how long to run. */
static int read_options(struct shader_run *run, uint64_t *limit)
{
    int code = read_trace(run);
    if (!code)
        code = shader_read_wanted(run);
    if (!code)
        code = shader_check_dumps(run->session);
    if (!code)
        code = value_number(run->session, OPTION_A3XX_LIMIT, "a number of instructions", limit);
    return code;
}

/* The picture, one quad of it, or the shader by itself. */
static int run_wanted(struct shader_run *run, uint64_t limit)
{
    const struct arguments *arguments = &run->session->arguments;
    unsigned thread;
    if (arguments_have(arguments, OPTION_A3XX_PIXEL)) {
        int code = shader_quad(run->session, run->input, &run->inputs, &thread);
        return code ? code : run_shader(run, limit);
    }
    return arguments_have(arguments, OPTION_A3XX_IMAGE) ? shader_image(run->session, run->input, &run->inputs, limit)
                                                        : run_shader(run, limit);
}

int run_a3xx(struct session *session, const struct input *input)
{
    struct shader_run *run = calloc(1, sizeof *run);
    struct gpucode_setting *settings = NULL, more[3] = {{NULL, NULL}};
    struct shader_group group;
    char threads[SHADER_NUMBER];
    uint64_t limit = LIMIT;
    if (!run)
        return out_of_memory(&session->diagnostics);
    run->session = session;
    run->input = input;
    int code = input_check_whole(session, input);
    if (!code)
        code = make_settings(session, input, &group, more, threads);
    if (!code)
        code = policies_read(session, more, &settings);
    if (!code)
        widen_picture(run, settings);
    if (!code)
        code = create_machine(run, settings);
    if (!code)
        code = read_options(run, &limit);
    if (!code)
        code = shader_inputs_give(session, input, run->machine, &group, &run->inputs);
    if (!code)
        code = run_wanted(run, limit);
    gpucode_a3xx_cycles_free(run->cycles);
    gpucode_machine_free(run->machine);
    free(settings);
    free(run);
    return code;
}
