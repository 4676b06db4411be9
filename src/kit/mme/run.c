/* SPDX-License-Identifier: MIT */
/* gpucode run for macros: the methods that they send, in order. */
#include "cli_mme_messages.h"
#include "kit/mme/kit.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/code.h"
#include "front/places.h"
#include "front/session.h"

#include <gpucode/insn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a macro is started with: parameters, and the values of methods that it may read. */

#define SCRATCH_FIRST 0x3400 /* byte address of the method of scratch register 0 */
#define SCRATCH_COUNT 128

/* A number of 32 bits, with a sign or without. */
static bool read_word(const char *text, uint32_t *word)
{
    uint64_t value;
    bool negative = *text == '-';
    if (!number_read(text + negative, negative ? UINT64_C(1) << 31 : UINT32_MAX, &value))
        return false;
    *word = negative ? 0 - (uint32_t)value : (uint32_t)value;
    return true;
}

enum gpucode_status macro_start_parameters(struct gpucode_machine *machine, const struct gpucode_names *names,
                                           const char *list, const char **expected)
{
    (void)names;
    *expected = "32-bit numbers between commas";
    for (const char *at = list; *at;) {
        char text[32];
        uint32_t word;
        size_t length = strcspn(at, ",");
        if (length >= sizeof text)
            return GPUCODE_ERROR_ARGUMENT;
        memcpy(text, at, length);
        text[length] = 0;
        at += length;
        bool more = *at == ',';
        if (!read_word(text, &word) || (more && !at[1]))
            return GPUCODE_ERROR_ARGUMENT;
        at += more;
        if (gpucode_machine_feed(machine, 0, &word, 1) != GPUCODE_OK)
            return GPUCODE_ERROR_MEMORY;
    }
    return GPUCODE_OK;
}

enum gpucode_status macro_start_state(struct gpucode_machine *machine, const struct gpucode_names *names,
                                      const char *text, const char **expected)
{
    const struct gpucode_target *target = gpucode_image_info(gpucode_machine_image(machine))->target;
    char name[GPUCODE_NAME_MAX];
    const char *value = value_split(text, name, sizeof name);
    uint64_t number = 0;
    uint32_t word = 0, named;
    *expected = "METHOD=VALUE, a byte address that is a multiple of 4, or a name, and 32 bits";
    if (!value || !read_word(value, &word))
        return GPUCODE_ERROR_ARGUMENT;
    if (!number_read(name, METHODS_END - 1, &number)) {
        if (!gpucode_number_of(target, names, GPUCODE_SPACE_GPU, name, strlen(name), &named))
            return GPUCODE_ERROR_ARGUMENT;
        number = named;
    }
    return number < METHODS_END && number % 4 == 0 &&
                   gpucode_machine_write(machine, 0, GPUCODE_SPACE_GPU, (uint32_t)number, word) == GPUCODE_OK
               ? GPUCODE_OK
               : GPUCODE_ERROR_ARGUMENT;
}

enum gpucode_status macro_start_scratch(struct gpucode_machine *machine, const struct gpucode_names *names,
                                        const char *text, const char **expected)
{
    char name[32];
    const char *value = value_split(text, name, sizeof name);
    uint64_t number;
    uint32_t word;
    (void)names;
    *expected = "N=VALUE, 0 to 127 and 32 bits";
    return value && number_read(name, SCRATCH_COUNT - 1, &number) && read_word(value, &word) &&
                   gpucode_machine_write(machine, 0, GPUCODE_SPACE_GPU, (uint32_t)(SCRATCH_FIRST + 4 * number), word) ==
                       GPUCODE_OK
               ? GPUCODE_OK
               : GPUCODE_ERROR_ARGUMENT;
}

uint32_t macro_special(const struct gpucode_machine *machine, const char *name)
{
    unsigned space;
    uint32_t number, value = 0;
    if (gpucode_machine_find(machine, name, &space, &number))
        gpucode_machine_read(machine, 0, space, number, &value);
    return value;
}

int macro_give(struct session *session, const struct input *input, struct gpucode_machine *machine)
{
    static const struct {
        enum option_id option;
        macro_start *start;
    } options[] = {{OPTION_MME_STATE, macro_start_state},
                   {OPTION_MME_SCRATCH, macro_start_scratch},
                   {OPTION_MME_PARAM, macro_start_parameters}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *text, *expected;
        for (unsigned k = 0; (text = arguments_value_at(&session->arguments, options[i].option, k)); k++) {
            enum gpucode_status status = options[i].start(machine, input_names(input), text, &expected);
            if (status == GPUCODE_ERROR_MEMORY)
                return out_of_memory(&session->diagnostics);
            if (status != GPUCODE_OK)
                return value_refuse(session, options[i].option, text, expected);
        }
    }
    return EXIT_DONE;
}

#define ANSWER_ROWS "kit/mme/run.answer.def"
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table macro_run_answer_table = {"run", "What a macro has written.", fields,
                                                            sizeof fields / sizeof *fields};

#define LIMIT 1000000
#define REGISTERS_COUNT 8

struct macro_write {
    uint32_t method, value;
};

struct macro_run {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    struct gpucode_answer *answer;
    unsigned trace;
    uint64_t limit, steps;
    struct gpucode_stop stop;
    struct macro_write *writes;
    size_t count, room;
    bool failed; /* out of memory */
};

enum { TRACE_INSTRUCTIONS = 1, TRACE_REGISTERS = 2 };

static bool keep_write(struct macro_run *run, uint32_t method, uint32_t value)
{
    if (run->count == run->room) {
        size_t room = run->room ? 2 * run->room : 256;
        struct macro_write *grown =
            room <= SIZE_MAX / sizeof *grown ? realloc(run->writes, room * sizeof *grown) : NULL;
        if (!grown) {
            run->failed = true;
            return false;
        }
        run->writes = grown;
        run->room = room;
    }
    run->writes[run->count++] = (struct macro_write){method, value};
    return true;
}

/* --- the trace ---------------------------------------------------------------------------------------------- */

static void trace_insn(const struct macro_run *run, uint64_t pc)
{
    struct places_code names = {.input = run->input};
    const struct gpucode_format_options options = {
        .names = input_names(run->input), .label = places_target, .user = &names};
    char text[GPUCODE_TEXT_MAX] = "no instruction";
    struct gpucode_insn insn;
    if (4 * pc + 4 <= run->input->size &&
        gpucode_decode(run->input->target, (const char *)run->input->bytes + 4 * pc, 4, pc, &insn) == GPUCODE_OK)
        gpucode_format(&insn, &options, text, sizeof text, NULL);
    gpucode_answer_format(run->answer, &fields[TRACE], "%04" PRIx64 "  %s", pc, text);
}

static void trace_write(const struct macro_run *run, const struct gpucode_event *event)
{
    char name[GPUCODE_NAME_MAX];
    if (event->space != GPUCODE_SPACE_GENERAL ||
        !gpucode_machine_name(run->machine, event->space, (uint32_t)event->address, name, sizeof name))
        return;
    gpucode_answer_format(run->answer, &fields[TRACE], "        %s = 0x%" PRIx64, name, event->value);
}

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct macro_run *run = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_INSN) {
        trace_insn(run, event->pc);
        return false;
    }
    if (run->trace & TRACE_REGISTERS)
        trace_write(run, event);
    return event->space == GPUCODE_SPACE_GPU && !keep_write(run, (uint32_t)event->address, (uint32_t)event->value);
}

/* --- results ------------------------------------------------------------------------------------------------ */

/* The stop's code without the set's name in front: "double-branch". */
static const char *short_reason(const struct gpucode_stop *stop)
{
    const char *dash = stop->code ? strchr(stop->code, '-') : NULL;
    return dash ? dash + 1 : "limit";
}

static const char *end_word(const struct gpucode_stop *stop)
{
    return stop->reason == GPUCODE_STOP_END     ? "exit"
           : stop->reason == GPUCODE_STOP_IDLE  ? "parameters"
           : stop->reason == GPUCODE_STOP_LIMIT ? "limit"
                                                : "fault";
}

static void tell_write(const struct macro_run *run, const struct macro_write *write)
{
    char name[GPUCODE_NAME_MAX], shown[GPUCODE_NAME_MAX + 32];
    bool named = gpucode_name_of(run->input->target, input_names(run->input), GPUCODE_SPACE_GPU, write->method, name,
                                 sizeof name);
    if (named)
        snprintf(shown, sizeof shown, "0x%" PRIx32 "  // %s", write->value, name);
    gpucode_answer_begin(run->answer, &fields[WRITE]);
    gpucode_answer_format(run->answer, &fields[WRITE_METHOD], "0x%04" PRIx32, write->method);
    gpucode_answer_shown(run->answer, &fields[WRITE_VALUE], write->value, named ? shown : NULL);
    gpucode_answer_end(run->answer);
}

static void tell_registers(const struct macro_run *run)
{
    gpucode_answer_begin(run->answer, &fields[REGISTERS]);
    for (uint32_t i = 1; i < REGISTERS_COUNT; i++) {
        char name[GPUCODE_NAME_MAX];
        uint32_t value = 0;
        gpucode_machine_read(run->machine, 0, GPUCODE_SPACE_GENERAL, i, &value);
        gpucode_machine_name(run->machine, GPUCODE_SPACE_GENERAL, i, name, sizeof name);
        gpucode_answer_key(run->answer, name);
        gpucode_answer_number(run->answer, &fields[REGISTER], value);
    }
    gpucode_answer_end(run->answer);
}

static int tell_run(struct macro_run *run)
{
    struct gpucode_answer *answer = run->answer;
    bool ended = run->stop.reason == GPUCODE_STOP_END;
    gpucode_answer_begin(answer, &fields[RUN]);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(run->input->target));
    gpucode_answer_begin(answer, &fields[WRITES]);
    for (size_t i = 0; i < run->count; i++)
        tell_write(run, &run->writes[i]);
    gpucode_answer_end(answer);
    gpucode_answer_text(answer, &fields[END], end_word(&run->stop));
    gpucode_answer_text(answer, &fields[END_WORD], ended ? "ended" : "stopped");
    gpucode_answer_text(answer, &fields[REASON], short_reason(&run->stop));
    gpucode_answer_number(answer, &fields[STEPS], run->steps);
    gpucode_answer_number(answer, &fields[PC], run->stop.pc);
    if (!ended)
        gpucode_answer_format(answer, &fields[STOPPED], "0x%" PRIx64 ": %s", run->stop.pc, short_reason(&run->stop));
    gpucode_answer_number(answer, &fields[LEFT], macro_special(run->machine, "LEFT"));
    tell_registers(run);
    gpucode_answer_number(answer, &fields[CARRY], macro_special(run->machine, "CARRY"));
    gpucode_answer_end(answer);
    int code = answer_end(run->session, answer);
    run->answer = NULL;
    return code;
}

static int tell_result(struct macro_run *run)
{
    struct diagnostics *diagnostics = &run->session->diagnostics;
    int code = tell_run(run);
    if (code)
        return code;
    uint32_t left = macro_special(run->machine, "LEFT");
    if (run->stop.reason != GPUCODE_STOP_END)
        return complain(diagnostics, CLI_STOPPED, run->input->file.name,
                        run->stop.code ? gpucode_explain(run->stop.code) : "--limit lets it go on",
                        run->stop.code ? run->stop.text : "the limit of words is reached");
    char text[40];
    snprintf(text, sizeof text, "%" PRIu32 " parameter%s", left, left == 1 ? "" : "s");
    return left ? complain(diagnostics, CLI_MME_LEFT, run->input->file.name, NULL, text) : EXIT_DONE;
}

/* --- the command -------------------------------------------------------------------------------------------- */

static int create_machine(struct macro_run *run)
{
    struct session *session = run->session;
    struct gpucode_setting *settings;
    int code = policies_read(session, NULL, &settings);
    if (code)
        return code;
    struct gpucode_machine_options options = {.policies = settings,
                                              .names = input_names(run->input),
                                              .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_machine_create(run->input->image, &options, &run->machine);
    free(settings);
    return status == GPUCODE_OK ? EXIT_DONE : code_status(session, run->input->file.name, status);
}

static int read_options(struct macro_run *run)
{
    static const struct value_word words[] = {
        {"instructions", TRACE_INSTRUCTIONS}, {"registers", TRACE_REGISTERS}, {NULL, 0}};
    int code = value_trace(run->session, OPTION_MME_TRACE, words, TRACE_INSTRUCTIONS | TRACE_REGISTERS, &run->trace);
    return code ? code : value_number(run->session, OPTION_MME_LIMIT, "a number of words", &run->limit);
}

int macro_run(struct session *session, const struct input *input)
{
    struct macro_run run = {.session = session, .input = input, .limit = LIMIT};
    int code = read_options(&run);
    if (!code)
        code = create_machine(&run);
    if (!code)
        code = macro_give(session, input, run.machine);
    if (!code) {
        if (session->json)
            run.trace = 0;
        gpucode_machine_hook(run.machine,
                             GPUCODE_EVENT_WRITE | (run.trace & TRACE_INSTRUCTIONS ? GPUCODE_EVENT_INSN : 0),
                             watch_event, &run);
        run.answer = answer_begin(session);
        run.steps = gpucode_machine_run(run.machine, run.limit, &run.stop);
        code = run.failed ? out_of_memory(&session->diagnostics) : tell_result(&run);
    }
    gpucode_answer_free(run.answer);
    gpucode_machine_free(run.machine);
    free(run.writes);
    return code;
}
