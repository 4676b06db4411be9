/* SPDX-License-Identifier: MIT */
/* gpucode run for shaders: a thread or a group, inputs from the command line, registers printed. */
#include "cli_gpu_messages.h"
#include "kit/shader/shader.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/places.h"
#include "front/session.h"

#include <gpucode/a3xx.h>
#include <gpucode/diagnostic.h>
#include <gpucode/insn.h>
#include <gpucode/time_line.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A shader's run as a time line: a lane for each fiber, with the slots in which it waits for others. */

#define FIBERS 64 /* have lanes */
enum { WAITS, MEMORY, FAULTS, OTHERS };

struct fiber {
    char lane[16];
    bool open;      /* an instruction of it is being run */
    uint64_t start; /* of that; else when it ended */
    uint64_t position, pc, count;
    char text[GPUCODE_TEXT_MAX];
};

struct line {
    struct shader_run *run;
    uint64_t limit;
    void (*see)(struct shader_run *run, const struct gpucode_event *event);
    struct gpucode_time_line *line;
    const char *lanes[FIBERS + OTHERS];
    struct fiber fibers[FIBERS];
    uint64_t counts[OTHERS], now, waited;
    unsigned width;
};

/* Are they given, and together with nothing that they leave no place for? Complains and returns an exit code. */
static int shader_line_check(const struct shader_run *run, bool *wanted)
{
    const struct arguments *arguments = &run->session->arguments;
    bool records = arguments_have(arguments, OPTION_A3XX_TIME_LINE),
         trace = arguments_have(arguments, OPTION_A3XX_PERFETTO);
    const char *other = records && trace                                           ? "perfetto"
                        : arguments_have(arguments, OPTION_A3XX_TRACE)             ? "trace"
                        : records && arguments_have(arguments, OPTION_A3XX_CYCLES) ? "cycles"
                                                                                   : NULL;
    *wanted = records || trace;
    return *wanted && other ? complain(&run->session->diagnostics, CLI_GPU_OPTION_IDLE, NULL, NULL, other,
                                       records ? "time-line" : "perfetto")
                            : EXIT_DONE;
}

static void put_moment(struct line *line, unsigned lane, const struct gpucode_event *seen, const char *name)
{
    char detail[32];
    struct gpucode_time_line_event event = {.lane = line->lanes[line->width + lane],
                                            .name = name,
                                            .detail = detail,
                                            .number = line->counts[lane]++,
                                            .start = seen->time,
                                            .end = seen->time,
                                            .mark = lane == FAULTS ? GPUCODE_TIME_LINE_FAULT : GPUCODE_TIME_LINE_PLAIN,
                                            .position = seen->processor < line->width && lane != FAULTS
                                                            ? line->fibers[seen->processor].position
                                                            : line->run->instructions};
    snprintf(detail, sizeof detail, "fiber %u", seen->processor);
    places_event(line->run->input, seen->pc, (uint32_t)seen->pc, &event);
    gpucode_time_line_put(line->line, &event);
}

/* What all fibers that run at once do is over. */
static void close_fibers(struct line *line, uint64_t time)
{
    for (unsigned i = 0; i < line->width; i++) {
        struct fiber *fiber = &line->fibers[i];
        if (!fiber->open)
            continue;
        struct gpucode_time_line_event event = {.lane = fiber->lane,
                                                .name = fiber->text,
                                                .number = fiber->count++,
                                                .start = fiber->start,
                                                .end = time,
                                                .position = fiber->position};
        places_event(line->run->input, fiber->pc, (uint32_t)fiber->pc, &event);
        gpucode_time_line_put(line->line, &event);
        fiber->open = false;
        fiber->start = time;
    }
}

/* Between what it did and what it begins others have run. */
static void put_gap(struct line *line, struct fiber *fiber, uint64_t time, uint64_t position)
{
    struct gpucode_time_line_event event = {.lane = fiber->lane,
                                            .name = "waits for other fibers",
                                            .number = fiber->count,
                                            .start = fiber->start,
                                            .end = time,
                                            .mark = GPUCODE_TIME_LINE_SKIPPED,
                                            .has = GPUCODE_TIME_LINE_HAS_POSITION,
                                            .position = position};
    if (time > fiber->start) {
        gpucode_time_line_put(line->line, &event);
        fiber->count++;
    }
}

/* Flags stand in front of a name: does it wait for results of others? */
static bool is_wait(const char *text)
{
    for (; *text == '('; text += strcspn(text, ")") + 1)
        if (strncmp(text, "(ss)", 4) == 0 || strncmp(text, "(sy)", 4) == 0)
            return true;
    return strncmp(text, "bar", 3) == 0 && !strchr("y", text[3]); /* a barrier; not bary.f */
}

static void see_insn(struct line *line, const struct gpucode_event *event)
{
    uint64_t position = gpucode_machine_count(line->run->machine);
    if (event->time > line->now)
        close_fibers(line, event->time);
    line->now = event->time;
    if (event->processor >= line->width)
        return;
    struct fiber *fiber = &line->fibers[event->processor];
    put_gap(line, fiber, event->time, position);
    fiber->open = true;
    fiber->start = event->time;
    fiber->position = position;
    fiber->pc = event->pc;
    if (!shader_insn_text(line->run, event, fiber->text))
        snprintf(fiber->text, sizeof fiber->text, "0x%016" PRIx64, event->value);
    if (is_wait(fiber->text) && line->waited != event->time + 1) { /* once for all that run together */
        line->waited = event->time + 1;
        put_moment(line, WAITS, event, fiber->text);
    }
}

static bool watch(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    static const char *const spaces[] = {"", "local ", "private "};
    struct line *line = user;
    char text[80];
    (void)machine;
    line->see(line->run, event);
    if (event->kind == GPUCODE_EVENT_INSN) {
        see_insn(line, event);
    } else if (event->kind == GPUCODE_EVENT_MEM_WRITE) {
        snprintf(text, sizeof text, "%s[0x%" PRIx64 "] <= 0x%" PRIx64, spaces[event->space < 3 ? event->space : 0],
                 event->address, event->value);
        put_moment(line, MEMORY, event, text);
    }
    return false;
}

static int run_lined(void *user, struct gpucode_answer *answer, enum gpucode_time_line_form form)
{
    struct line *line = user;
    struct shader_run *run = line->run;
    static const char *const others[OTHERS] = {"waits", "memory", "faults"};
    struct gpucode_time_line_options options = {
        .form = form, .title = run->input->file.name, .unit = "slots", .lanes = line->lanes};
    line->width = run->width < FIBERS ? run->width : FIBERS;
    for (unsigned i = 0; i < line->width; i++) {
        snprintf(line->fibers[i].lane, sizeof line->fibers[i].lane, "fiber %u", i);
        line->lanes[i] = line->fibers[i].lane;
    }
    memcpy(line->lanes + line->width, others, sizeof others);
    options.lane_count = line->width + OTHERS;
    line->line = gpucode_time_line_begin(answer, &options);
    gpucode_machine_hook(run->machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_INSN | GPUCODE_EVENT_MEM_WRITE, watch, line);
    run->instructions = gpucode_machine_run(run->machine, line->limit, &run->stop);
    gpucode_machine_hook(run->machine, 0, NULL, NULL);
    uint64_t end = gpucode_machine_time(run->machine);
    close_fibers(line, end > line->now ? end : line->now + 1);
    if (run->stop.reason != GPUCODE_STOP_END) {
        struct gpucode_event last = {.processor = run->stop.processor, .pc = run->stop.pc, .time = run->stop.time};
        put_moment(line, FAULTS, &last, run->stop.code ? run->stop.text : "the limit of instructions is reached");
    }
    return gpucode_time_line_end(line->line) == GPUCODE_ERROR_MEMORY ? out_of_memory(&run->session->diagnostics)
                                                                     : EXIT_DONE;
}

/*
 * Runs the machine, at most `limit` instructions, which become the time line: with --perfetto in its file, else with
 * --time-line on standard output. `see` takes all events of the machine as well. Returns an exit code.
 */
static int shader_line_run(struct shader_run *run, uint64_t limit,
                           void (*see)(struct shader_run *run, const struct gpucode_event *event))
{
    struct session *session = run->session;
    struct line *line = calloc(1, sizeof *line);
    if (!line)
        return out_of_memory(&session->diagnostics);
    line->run = run;
    line->limit = limit;
    line->see = see;
    int code = answer_time_line(session, session->arguments.value[OPTION_A3XX_PERFETTO], run_lined, line);
    free(line);
    return code;
}

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
