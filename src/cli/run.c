/* SPDX-License-Identifier: MIT */
#include "cli/run.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/coverage.h"
#include "front/input.h"
#include "front/outcome.h"
#include "front/places.h"
#include "front/session.h"
#include "gpu/recorded.h"
#include "kit/kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_RUN
#include <gpucode/answer_rows.h>
ANSWER_TABLE(run, "What a run does, has changed, and how it has stopped.");

#define LIMIT 10000000

enum { TRACE_INSTRUCTIONS = 1, TRACE_REGISTERS = 2 };

struct code_run {
    struct session *session;
    const struct input *input;
    struct gpucode_machine *machine;
    struct gpucode_answer *answer;
    unsigned trace;
    uint64_t limit, ran;
    struct gpucode_stop stop;
    struct changes changes;
    struct places_walk walk;
    bool failed; /* out of memory */
};

/* --- the trace -------------------------------------------------------------------------------------------- */

static void put_place(const struct code_run *run, unsigned field, uint64_t pc)
{
    char shown[24];
    snprintf(shown, sizeof shown, "%04" PRIx64, pc);
    gpucode_answer_shown(run->answer, &fields[field], pc, shown);
}

static void show_insn(struct code_run *run, const struct gpucode_event *event)
{
    unsigned section = gpucode_machine_section(run->machine, event->processor);
    struct places_code names = {run->input, section, NULL};
    const struct gpucode_format_options options = {
        .names = input_names(run->input), .comments = true, .label = places_target, .user = &names};
    char text[GPUCODE_TEXT_MAX], near[PLACES_WHERE_MAX];
    const char *name = gpucode_machine_processor(run->machine, event->processor);
    if (!input_insn_text(run->input, section, event->pc, &options, text))
        snprintf(text, sizeof text, "no instruction");
    gpucode_answer_begin(run->answer, &fields[INSN]);
    if (!run->session->json && places_enter(&run->walk, run->input, event->processor, section, event->pc, near))
        gpucode_answer_format(run->answer, &fields[INSN_ENTRY], "%-4s %s:", name, near);
    gpucode_answer_text(run->answer, &fields[INSN_PROCESSOR], name);
    put_place(run, INSN_PC, event->pc);
    gpucode_answer_text(run->answer, &fields[INSN_TEXT], text);
    gpucode_answer_end(run->answer);
}

static void show_write(const struct code_run *run, const struct gpucode_event *event)
{
    char name[GPUCODE_NAME_MAX];
    if (!gpucode_machine_name(run->machine, event->space, (uint32_t)event->address, name, sizeof name))
        return;
    gpucode_answer_begin(run->answer, &fields[WRITE]);
    gpucode_answer_text(run->answer, &fields[WRITE_PROCESSOR],
                        gpucode_machine_processor(run->machine, event->processor));
    put_place(run, WRITE_PC, event->pc);
    gpucode_answer_text(run->answer, &fields[WRITE_REGISTER], name);
    gpucode_answer_number(run->answer, &fields[WRITE_VALUE], event->value);
    gpucode_answer_number(run->answer, &fields[WRITE_BEFORE], event->old);
    gpucode_answer_end(run->answer);
}

static bool is_shared(const struct code_run *run, unsigned space)
{
    struct gpucode_space_info info;
    return gpucode_machine_space(run->machine, space, &info) && info.shared;
}

static bool watch_event(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    struct code_run *run = user;
    (void)machine;
    if (event->kind == GPUCODE_EVENT_INSN) {
        show_insn(run, event);
        return false;
    }
    bool memory = event->kind == GPUCODE_EVENT_MEM_WRITE;
    const struct change change = {.space = memory ? -1 : (int)event->space,
                                  .processor = memory || is_shared(run, event->space) ? 0 : event->processor,
                                  .index = event->address,
                                  .before = (uint32_t)event->old,
                                  .value = (uint32_t)event->value};
    run->failed |= !changes_note(&run->changes, &change, false);
    if (!memory && run->trace & TRACE_REGISTERS)
        show_write(run, event);
    return run->failed;
}

/* --- results ---------------------------------------------------------------------------------------------- */

static void tell_register(const struct code_run *run, const struct change *change)
{
    struct gpucode_answer *answer = run->answer;
    struct gpucode_space_info info;
    char name[GPUCODE_NAME_MAX];
    const char *processor = gpucode_machine_processor(run->machine, change->processor);
    bool several = gpucode_machine_processor(run->machine, 1) && !is_shared(run, (unsigned)change->space);
    gpucode_machine_name(run->machine, (unsigned)change->space, (uint32_t)change->index, name, sizeof name);
    gpucode_answer_begin(answer, &fields[REGISTER]);
    gpucode_answer_text(answer, &fields[REGISTER_PROCESSOR], processor);
    if (gpucode_machine_space(run->machine, (unsigned)change->space, &info))
        gpucode_answer_text(answer, &fields[REGISTER_SPACE], info.name);
    gpucode_answer_text(answer, &fields[REGISTER_NAME], name);
    gpucode_answer_number(answer, &fields[REGISTER_NUMBER], change->index);
    gpucode_answer_number(answer, &fields[REGISTER_VALUE], change->value);
    gpucode_answer_number(answer, &fields[REGISTER_BEFORE], change->before);
    gpucode_answer_text(answer, &fields[REGISTER_OF], several ? processor : NULL);
    gpucode_answer_end(answer);
}

static void tell_word(const struct code_run *run, const struct change *change)
{
    gpucode_answer_begin(run->answer, &fields[MEMORY_WORD]);
    gpucode_answer_number(run->answer, &fields[MEMORY_ADDRESS], change->index);
    gpucode_answer_number(run->answer, &fields[MEMORY_VALUE], change->value);
    gpucode_answer_number(run->answer, &fields[MEMORY_BEFORE], change->before);
    gpucode_answer_end(run->answer);
}

static void tell_changes(const struct code_run *run)
{
    const struct changes *changes = &run->changes;
    gpucode_answer_begin(run->answer, &fields[REGISTERS]);
    for (size_t i = 0; i < changes->count; i++)
        if (changes->list[i].space >= 0)
            tell_register(run, &changes->list[i]);
    gpucode_answer_end(run->answer);
    gpucode_answer_begin(run->answer, &fields[MEMORY]);
    for (size_t i = 0; i < changes->count; i++)
        if (changes->list[i].space < 0)
            tell_word(run, &changes->list[i]);
    gpucode_answer_end(run->answer);
}

static int tell_run(struct code_run *run)
{
    if (run->failed || stop_has_no_memory(&run->stop))
        return out_of_memory(&run->session->diagnostics);
    changes_sort(&run->changes);
    gpucode_answer_begin(run->answer, &fields[RUN]);
    gpucode_answer_text(run->answer, &fields[FILE_NAME], run->input->file.name);
    gpucode_answer_text(run->answer, &fields[TARGET], gpucode_target_name(run->input->target));
    tell_changes(run);
    stop_tell(run->answer, run->input, run->machine, &run->stop, run->ran, false);
    gpucode_answer_end(run->answer);
    int code = answer_end(run->session, run->answer);
    run->answer = NULL;
    if (code || run->stop.reason == GPUCODE_STOP_END)
        return code;
    fflush(stdout);
    return complain(&run->session->diagnostics, CLI_STOPPED, run->input->file.name, NULL, stop_sentence(&run->stop));
}

int run_code(struct session *session, const struct input *input)
{
    static const struct value_word words[] = {
        {"instructions", TRACE_INSTRUCTIONS}, {"registers", TRACE_REGISTERS}, {NULL, 0}};
    struct code_run run = {.session = session, .input = input, .limit = LIMIT};
    int code = value_trace(session, OPTION_TRACE, words, TRACE_INSTRUCTIONS | TRACE_REGISTERS, &run.trace);
    if (!code)
        code = value_number(session, OPTION_LIMIT, "a number of instructions", &run.limit);
    if (!code)
        code = kit_machine_create(session, input, input_names(input), &run.machine);
    if (!code) {
        unsigned insns = run.trace & TRACE_INSTRUCTIONS ? GPUCODE_EVENT_INSN : 0;
        gpucode_machine_hook(run.machine, GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE | insns, watch_event, &run);
        run.answer = answer_begin(session);
        run.ran = gpucode_machine_run(run.machine, run.limit, &run.stop);
        code = tell_run(&run);
    }
    gpucode_answer_free(run.answer);
    changes_free(&run.changes);
    gpucode_machine_free(run.machine);
    return code;
}

/* --- gpucode run: code on a machine ------------------------------------------------------------------------------- */

int command_run(struct session *session)
{
    struct recorded recorded;
    struct input input;
    unsigned count = session->arguments.operand_count;
    int code = recorded_input(session, count ? session->arguments.operands[count - 1] : NULL, &recorded, &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    code = input_check_comments(session, &input);
    if (!code)
        code = kit && kit->run ? kit->run(session, &input) : run_code(session, &input);
    input_close(&input);
    recorded_close(session, &recorded);
    return code;
}

/* gpucode coverage: which instructions of a program run. */

#define LIMIT 10000000 /* instructions */

/* The code from its start, on a machine as --policy and the set's own options make it. */
static int cover_plainly(struct session *session, const struct input *input)
{
    struct gpucode_machine *machine = NULL;
    struct gpucode_stop stop = {0};
    uint64_t limit = LIMIT;
    int code = value_number(session, OPTION_LIMIT, "a number of instructions", &limit);
    struct edges edges = {0};
    if (!code)
        code = edges_begin(session, &edges, input->image, session->arguments.value[OPTION_EDGES]);
    if (!code)
        code = kit_machine_create(session, input, input_names(input), &machine);
    if (!code) {
        edges_hook(&edges, machine);
        gpucode_machine_coverage(machine, true);
        struct gpucode_coverage_options options = {.stop = &stop};
        options.instructions = gpucode_machine_run(machine, limit, &stop);
        options.done = stop.reason == GPUCODE_STOP_END;
        code = stop_has_no_memory(&stop) ? out_of_memory(&session->diagnostics)
                                         : coverage_tell(session, input, machine, NULL, &options);
    }
    if (!code && stop.reason != GPUCODE_STOP_END && stop.reason != GPUCODE_STOP_IDLE)
        code = complain(&session->diagnostics, CLI_STOPPED, input->file.name, NULL, stop_sentence(&stop));
    code = edges_finish(session, &edges, input->image, code);
    gpucode_machine_free(machine);
    return code;
}

int command_coverage(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    const struct kit *kit = kit_of(input.target);
    code = input_check_comments(session, &input);
    if (!code)
        code = kit && kit->coverage ? kit->coverage(session, &input) : cover_plainly(session, &input);
    input_close(&input);
    return code;
}
