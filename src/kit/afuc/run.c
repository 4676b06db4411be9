/* SPDX-License-Identifier: MIT */
/* gpucode run for AFUC: boots a firmware, gives it packets, tells what changed and why it stopped. */
#include "kit/afuc/firmware.h"
#include "kit/afuc/fuzz.h"
#include "kit/afuc/kit.h"

#include "front/answer.h"
#include "front/arguments.h"
#include "front/coverage.h"
#include "front/names.h"
#include "front/outcome.h"
#include "front/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_ROWS "kit/afuc/answer.def"
#define ANSWER_PART_RUN
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table firmware_run_answer_table = {"run", "What a run has changed.", fields,
                                                               sizeof fields / sizeof *fields};

struct results {
    const struct firmware *firmware;
    const struct trace *trace;
    struct gpucode_symbols *symbols;
    struct gpucode_answer *answer;
};

/* --- changes ------------------------------------------------------------------------------------------------- */

static void tell_register(struct results *results, const struct change *change, bool first, bool several)
{
    struct gpucode_machine *machine = results->firmware->machine;
    struct gpucode_answer *answer = results->answer;
    struct gpucode_space_info info;
    char name[GPUCODE_NAME_MAX];
    const char *processor = gpucode_machine_processor(machine, change->processor);
    gpucode_machine_name(machine, (unsigned)change->space, (uint32_t)change->index, name, sizeof name);
    gpucode_answer_begin(answer, &fields[REGISTER]);
    if (first && gpucode_machine_space(machine, (unsigned)change->space, &info))
        gpucode_answer_text(answer, &fields[REGISTER_HEADING], info.name);
    gpucode_answer_text(answer, &fields[REGISTER_PROCESSOR], processor);
    gpucode_answer_text(answer, &fields[REGISTER_SPACE], trace_space(change->space));
    gpucode_answer_text(answer, &fields[REGISTER_NAME], name);
    gpucode_answer_number(answer, &fields[REGISTER_NUMBER], change->index);
    gpucode_answer_number(answer, &fields[REGISTER_VALUE], change->value);
    gpucode_answer_number(answer, &fields[REGISTER_BEFORE], change->before);
    if (several && change->space != GPUCODE_SPACE_GPU)
        gpucode_answer_text(answer, &fields[REGISTER_OF], processor);
    gpucode_answer_end(answer);
}

static void tell_word(struct results *results, const struct change *change)
{
    struct gpucode_answer *answer = results->answer;
    char name[GPUCODE_NAME_MAX];
    bool named = gpucode_symbols_memory(results->symbols, change->index, name, sizeof name);
    gpucode_answer_begin(answer, &fields[MEMORY_WORD]);
    gpucode_answer_number(answer, &fields[MEMORY_ADDRESS], change->index);
    gpucode_answer_text(answer, &fields[MEMORY_NAME], named ? name : NULL);
    if (named)
        gpucode_answer_format(answer, &fields[MEMORY_PLACE], "[%s]", name);
    else
        gpucode_answer_format(answer, &fields[MEMORY_PLACE], "[0x%" PRIx64 "]", change->index);
    gpucode_answer_number(answer, &fields[MEMORY_VALUE], change->value);
    gpucode_answer_number(answer, &fields[MEMORY_BEFORE], change->before);
    gpucode_answer_end(answer);
}

/* Registers of one space stand below a heading in text. */
static void tell_changes(struct results *results)
{
    const struct changes *changes = &results->trace->all;
    bool several = gpucode_machine_processor(results->firmware->machine, 1) != NULL;
    int space = -2;
    gpucode_answer_begin(results->answer, &fields[REGISTERS]);
    for (size_t i = 0; i < changes->count; i++)
        if (changes->list[i].space >= 0) {
            tell_register(results, &changes->list[i], changes->list[i].space != space, several);
            space = changes->list[i].space;
        }
    gpucode_answer_end(results->answer);
    gpucode_answer_begin(results->answer, &fields[MEMORY]);
    for (size_t i = 0; i < changes->count; i++)
        if (changes->list[i].space < 0)
            tell_word(results, &changes->list[i]);
    gpucode_answer_end(results->answer);
}

/* --- --dump -------------------------------------------------------------------------------------------------- */

/* A name of memory in front of the colon. */
static bool take_memory_name(const struct gpucode_symbols *symbols, const char *text, const char **end,
                             uint64_t *address)
{
    struct gpucode_label label;
    *end = text + strcspn(text, ":");
    bool found = symbols && gpucode_symbols_find(symbols, NULL, text, (size_t)(*end - text), &label) &&
                 label.kind == GPUCODE_LABEL_MEMORY;
    if (found)
        *address = (uint64_t)label.value;
    return found;
}

static void tell_memory(struct results *results, uint64_t address)
{
    char name[GPUCODE_NAME_MAX];
    unsigned char bytes[4] = {0};
    bool mapped = gpucode_machine_load(results->firmware->machine, address, bytes, 4) == GPUCODE_OK;
    uint32_t value = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    if (!gpucode_symbols_memory(results->symbols, address, name, sizeof name))
        snprintf(name, sizeof name, "0x%" PRIx64, address);
    gpucode_answer_format(results->answer, &fields[DUMP_PLACE], "[%s]", name);
    if (mapped) {
        gpucode_answer_key(results->answer, name);
        gpucode_answer_number(results->answer, &fields[DUMP_VALUE], value);
    } else {
        gpucode_answer_flag(results->answer, &fields[DUMP_ABSENT], true);
    }
}

/* What --dump names: a register, or words of memory. */
struct wanted {
    bool is_memory;
    unsigned space;
    uint32_t number;
    uint64_t address, words;
};

static bool read_wanted(const struct firmware *firmware, const char *text, struct wanted *wanted)
{
    const char *end = text;
    wanted->is_memory = strchr(text, ':');
    if (!wanted->is_memory)
        return gpucode_machine_find(firmware->machine, text, &wanted->space, &wanted->number);
    return (number_take(&end, &wanted->address) ||
            take_memory_name(firmware->input->symbols, text, &end, &wanted->address)) &&
           *end == ':' && number_read(end + 1, 1 << 20, &wanted->words);
}

/* Is all of --dump there? Complains and returns an exit code; to be called before anything runs. */
static int results_check(const struct firmware *firmware)
{
    struct wanted wanted;
    const char *text;
    for (unsigned i = 0; (text = arguments_value_at(&firmware->session->arguments, OPTION_AFUC_DUMP, i)); i++)
        if (!read_wanted(firmware, text, &wanted))
            return value_refuse(firmware->session, OPTION_AFUC_DUMP, text, "a register, or ADDRESS:WORDS");
    return EXIT_DONE;
}

static void tell_dump(struct results *results, const char *text)
{
    const struct firmware *firmware = results->firmware;
    struct wanted wanted;
    char name[GPUCODE_NAME_MAX];
    uint32_t value;
    if (!read_wanted(firmware, text, &wanted))
        return;
    for (uint64_t i = 0; wanted.is_memory && i < wanted.words; i++)
        tell_memory(results, wanted.address + 4 * i);
    if (wanted.is_memory)
        return;
    gpucode_machine_read(firmware->machine, firmware->processor, wanted.space, wanted.number, &value);
    gpucode_machine_name(firmware->machine, wanted.space, wanted.number, name, sizeof name);
    gpucode_answer_text(results->answer, &fields[DUMP_PLACE], name);
    gpucode_answer_key(results->answer, name);
    gpucode_answer_number(results->answer, &fields[DUMP_VALUE], value);
}

static void tell_dumps(struct results *results)
{
    const struct arguments *arguments = &results->firmware->session->arguments;
    const char *text;
    if (!arguments_have(arguments, OPTION_AFUC_DUMP))
        return;
    gpucode_answer_begin(results->answer, &fields[DUMP]);
    for (unsigned i = 0; (text = arguments_value_at(arguments, OPTION_AFUC_DUMP, i)); i++)
        tell_dump(results, text);
    gpucode_answer_end(results->answer);
}

/* Tells all of it, and why the firmware stopped. Returns an exit code. */
static int results_tell(const struct firmware *firmware, const struct trace *trace,
                        const struct gpucode_fuzz_outcome *finding)
{
    struct gpucode_answer *answer = answer_begin(firmware->session);
    struct results results = {firmware, trace, firmware->input->symbols, answer};
    gpucode_answer_begin(answer, &fields[RUN]);
    gpucode_answer_text(answer, &fields[FILE_NAME], firmware->input->file.name);
    gpucode_answer_text(answer, &fields[TARGET], gpucode_target_name(firmware->input->target));
    gpucode_answer_flag(answer, &fields[CONSUMED], firmware_is_done(firmware));
    tell_changes(&results);
    tell_dumps(&results);
    stop_tell(answer, firmware->input, firmware->machine, &firmware->stop, firmware->ran, true);
    if (finding) {
        gpucode_answer_begin(answer, &fields[JUDGED]);
        gpucode_answer_text(answer, &fields[JUDGED_KEY], finding->key);
        gpucode_answer_text(answer, &fields[JUDGED_TEXT], finding->text);
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    return answer_end(firmware->session, answer);
}

struct afuc_run {
    struct session *session;
    const struct input *input;
    struct firmware *firmware;
    struct gpucode_machine *machine; /* the firmware's */
    struct trace trace;
};

static const struct value_word trace_words[] = {{"instructions", TRACE_INSTRUCTIONS},
                                                {"registers", TRACE_REGISTERS},
                                                {"memory", TRACE_MEMORY},
                                                {"state", TRACE_STATE},
                                                {"boot", TRACE_BOOT},
                                                {NULL, 0}};

static int run_packets(struct afuc_run *run)
{
    bool packets = firmware_has_packets(run->session);
    if (run->trace.kinds == TRACE_BOOT)
        run->trace.kinds |= TRACE_INSTRUCTIONS;
    bool boot = run->trace.kinds & TRACE_BOOT || (!packets && !(run->trace.kinds & TRACE_STATE));
    if (boot) /* asked for, or nothing else to tell of */
        trace_begin(&run->trace);
    if (!firmware_boot(run->firmware))
        return EXIT_DONE;
    if (packets && !boot)
        trace_begin(&run->trace);
    return firmware_feed(run->firmware);
}

static int report_run(struct afuc_run *run)
{
    trace_end(&run->trace, &run->firmware->stop, firmware_is_waiting(run->firmware));
    if (run->trace.failed || stop_has_no_memory(&run->firmware->stop))
        return out_of_memory(&run->session->diagnostics);
    struct gpucode_fuzz_outcome finding = {.judgement = GPUCODE_FUZZ_PASS};
    int code = run->firmware->checked ? fuzz_check_files(run->session, run->input, &finding) : EXIT_DONE;
    if (code)
        return code;
    bool found = finding.judgement != GPUCODE_FUZZ_PASS;
    changes_sort(&run->trace.all);
    /* with --json the trace of states is the result, a line each */
    bool told = run->trace.kinds & TRACE_STATE && run->session->json;
    code = told ? EXIT_DONE : results_tell(run->firmware, &run->trace, found ? &finding : NULL);
    if (!code)
        code = firmware_verdict(run->firmware);
    return !code && finding.judgement == GPUCODE_FUZZ_FINDING ? EXIT_FINDINGS : code;
}

/* --- the command ------------------------------------------------------------------------------------------------ */

/* The time line, by a machine of its own; *done: that is all. Returns an exit code. */
static int run_lined(struct session *session, const struct input *input, bool *done)
{
    const struct arguments *arguments = &session->arguments;
    struct firmware *firmware;
    *done = arguments_have(arguments, OPTION_AFUC_TIME_LINE);
    if (!*done && !arguments_have(arguments, OPTION_AFUC_PERFETTO))
        return EXIT_DONE;
    int code = firmware_open(session, input, &firmware);
    if (!code)
        code = firmware_line(session, firmware);
    if (!code && *done)
        code = firmware_verdict(firmware);
    firmware_close(firmware);
    return code;
}

int run_afuc(struct session *session, const struct input *input)
{
    struct afuc_run run = {.session = session, .input = input};
    bool done;
    int code = run_lined(session, input, &done);
    if (code || done)
        return code;
    code = value_trace(session, OPTION_AFUC_TRACE, trace_words, TRACE_INSTRUCTIONS, &run.trace.kinds);
    if (!code)
        code = firmware_open(session, input, &run.firmware);
    if (!code)
        code = results_check(run.firmware);
    if (!code) {
        run.machine = run.firmware->machine;
        run.trace.session = session;
        run.trace.input = input;
        run.trace.machine = run.machine;
        run.trace.json = session->json;
        run.trace.comments = arguments_have(&session->arguments, OPTION_COMMENTS);
        code = run_packets(&run);
    }
    if (!code)
        code = firmware_dump(run.firmware);
    if (!code)
        code = report_run(&run);
    trace_free(&run.trace);
    firmware_close(run.firmware);
    return code;
}

/* --- gpucode coverage for AFUC: firmware boots and takes the packets of the command line -------------------------- */

int cover_afuc(struct session *session, const struct input *input)
{
    struct firmware *firmware = NULL;
    int code = firmware_open(session, input, &firmware);
    struct edges edges = {0};
    if (!code)
        code = edges_begin(session, &edges, input->image, session->arguments.value[OPTION_EDGES]);
    if (!code) {
        gpucode_machine_coverage(firmware->machine, true);
        edges_hook(&edges, firmware->machine);
    }
    if (!code && firmware_boot(firmware))
        code = firmware_feed(firmware);
    if (!code) {
        const struct gpucode_coverage_options options = {.stop = &firmware->stop,
                                                         .instructions = firmware->ran,
                                                         .takes_packets = true,
                                                         .done = firmware_is_done(firmware)};
        code =
            coverage_tell(session, input, firmware->machine, session->arguments.value[OPTION_AFUC_SECTION], &options);
    }
    if (!code)
        code = firmware_verdict(firmware);
    code = edges_finish(session, &edges, input->image, code);
    firmware_close(firmware);
    return code;
}
