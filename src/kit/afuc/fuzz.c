/* SPDX-License-Identifier: MIT */
#include "kit/afuc/fuzz.h"
#include "kit/afuc/kit.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"

#include <stdlib.h>
#include <string.h>

/* Making a subject: a machine that has booted, with what is known of its code; and that of --against. */

#define LIMIT 20000   /* instructions of a run */
#define BOOT 10000000 /* of the boot */

/*
 * All of memory is there and addresses are cut down to words, unless --policy says otherwise: whether an address that a
 * process sends is mapped is the business of its page tables, not of the firmware.
 */
static int make_machine(struct fuzzed *fuzzed)
{
    struct session *session = fuzzed->session;
    const char *section;
    int code = firmware_section(session, fuzzed->input, &section);
    if (code)
        return code;
    const struct gpucode_setting first[] = {{"afuc-memory", "0x400000000"},
                                            {"afuc-unaligned", "align"},
                                            {section ? "afuc-processor" : NULL, section},
                                            {NULL, NULL}};
    code = policies_read(session, first, &fuzzed->settings);
    if (code)
        return code;
    const struct gpucode_machine_options options = {.policies = fuzzed->settings,
                                                    .names = input_names(fuzzed->input),
                                                    .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_machine_create(fuzzed->input->image, &options, &fuzzed->machine);
    if (status != GPUCODE_OK)
        return code_status(session, fuzzed->input->file.name, status);
    fuzzed->processor = firmware_processor(session, fuzzed->machine);
    return firmware_prepare(session, fuzzed->machine, fuzzed->processor);
}

/* Registers that every firmware of the target has, or does not have. */
static void find_registers(struct fuzzed *fuzzed)
{
    static const char *const queues[8] = {NULL, "@IB1_DWORDS", "@IB2_DWORDS"};
    unsigned space;
    const struct {
        const char *name;
        uint32_t *to;
    } wanted[] = {{"%SP", &fuzzed->sp},
                  {"@IB_LEVEL", &fuzzed->level},
                  {"@PREEMPT_TRIGGER", &fuzzed->trigger},
                  {"$addr", &fuzzed->addr},
                  {"$usraddr", &fuzzed->usraddr}};
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!gpucode_machine_find(fuzzed->machine, wanted[i].name, &space, wanted[i].to))
            *wanted[i].to = GPUCODE_NONE;
    for (unsigned i = 0; i < 8; i++)
        if (!queues[i] || !gpucode_machine_find(fuzzed->machine, queues[i], &space, &fuzzed->dwords[i]))
            fuzzed->dwords[i] = GPUCODE_NONE;
}

/* Boots to where packets are waited for, which is where every run begins. */
static int boot(struct fuzzed *fuzzed)
{
    gpucode_machine_run(fuzzed->machine, BOOT, &fuzzed->stop);
    if (fuzzed->stop.reason != GPUCODE_STOP_IDLE)
        return complain(&fuzzed->session->diagnostics, CLI_STOPPED, fuzzed->input->file.name,
                        "the boot must come to where packets are waited for", fuzzed->stop.text);
    if (gpucode_machine_snapshot(fuzzed->machine, &fuzzed->start) != GPUCODE_OK)
        return out_of_memory(&fuzzed->session->diagnostics);
    return EXIT_DONE;
}

/* Makes the subject's part that all firmware has; zeroed before. Complains and returns an exit code. */
static int fuzz_make(struct fuzzed *fuzzed, struct session *session, const struct input *input)
{
    fuzzed->session = session;
    fuzzed->input = input;
    fuzzed->limit = LIMIT;
    int code = make_machine(fuzzed);
    if (!code)
        code = value_number(session, OPTION_AFUC_LIMIT, "a number of instructions", &fuzzed->limit);
    if (!code) {
        find_registers(fuzzed);
        code = boot(fuzzed);
    }
    if (code)
        return code;
    const struct gpucode_analysis_options options = {.names = input_names(fuzzed->input)};
    enum gpucode_status status = gpucode_analyse(fuzzed->input->image, &options, &fuzzed->analysis);
    if (status != GPUCODE_OK && status != GPUCODE_ERROR_UNSUPPORTED && status != GPUCODE_ERROR_RANGE)
        return code_status(session, fuzzed->input->file.name, status);
    if (!input_outline(input)) /* made before the threads of the workers, which look at it */
        return EXIT_FAULT;
    if (!fuzz_find_kinds(fuzzed) || !fuzz_find_values(fuzzed) || !fuzz_find_jumps(fuzzed))
        return out_of_memory(&session->diagnostics);
    return fuzz_take_asserts(fuzzed);
}

/* --- the other firmware ------------------------------------------------------------------------------------------ */

/* Opens the firmware of --against. Complains and returns an exit code. */
static int fuzz_open_other(struct fuzzed *fuzzed)
{
    struct session *session = fuzzed->session;
    const char *path = session->arguments.value[OPTION_AFUC_FUZZ_AGAINST];
    if (!path)
        return EXIT_DONE;
    fuzzed->other_input = calloc(1, sizeof *fuzzed->other_input);
    fuzzed->other = calloc(1, sizeof *fuzzed->other);
    fuzzed->effects = calloc(1, sizeof *fuzzed->effects);
    if (!fuzzed->other_input || !fuzzed->other || !fuzzed->effects)
        return out_of_memory(&session->diagnostics);
    int code = input_open(session, path, fuzzed->other_input);
    if (code) {
        free(fuzzed->other_input);
        fuzzed->other_input = NULL;
        return code;
    }
    if (strcmp(gpucode_target_isa(fuzzed->other_input->target), gpucode_target_isa(fuzzed->input->target)) != 0)
        return complain(&session->diagnostics, CLI_FUZZ_AGAINST, path, NULL,
                        gpucode_target_isa(fuzzed->other_input->target), gpucode_target_isa(fuzzed->input->target));
    code = fuzz_make(fuzzed->other, session, fuzzed->other_input);
    fuzzed->other->effects = calloc(1, sizeof *fuzzed->effects);
    if (!code && !fuzzed->other->effects)
        code = out_of_memory(&session->diagnostics);
    return code;
}

static void fuzz_free(struct fuzzed *fuzzed);

static void fuzz_close_other(struct fuzzed *fuzzed)
{
    if (fuzzed->other)
        fuzz_free(fuzzed->other);
    if (fuzzed->other_input)
        input_close(fuzzed->other_input);
    free(fuzzed->other_input);
    free(fuzzed->effects);
}

static void fuzz_free(struct fuzzed *fuzzed)
{
    fuzz_close_other(fuzzed);
    fuzz_forget_asserts(fuzzed);
    for (unsigned i = 0; i < FUZZ_OPCODES + 2; i++)
        free(fuzzed->values[i]);
    free(fuzzed->constant);
    free(fuzzed->leaves);
    free(fuzzed->calls);
    free(fuzzed->known);
    free(fuzzed->kept_map);
    gpucode_analysis_free(fuzzed->analysis);
    gpucode_snapshot_free(fuzzed->start);
    gpucode_machine_free(fuzzed->machine);
    free(fuzzed->settings);
    free(fuzzed);
}

#define MAP_REST 4096u /* bytes of the map after the edges of the code */

/* --- one run ------------------------------------------------------------------------------------------------- */

static void run_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                        struct gpucode_fuzz_outcome *outcome)
{
    struct fuzzed *fuzzed = user;
    fuzzed->outcome = outcome;
    fuzzed->records = records;
    fuzzed->record_count = count;
    fuzz_plan(fuzzed, records, count);
    fuzz_begin_effects(fuzzed);
    fuzz_run_plan(fuzzed);
    if (fuzzed->other)
        fuzz_compare_other(fuzzed);
    else if (outcome->judgement == GPUCODE_FUZZ_PASS)
        fuzz_judge(fuzzed);
    else
        fuzz_assert_confirm(fuzzed);
    if (outcome->judgement != GPUCODE_FUZZ_PASS && !fuzzed->other)
        fuzz_find_cause(fuzzed);
}

static void compare_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                            void (*seen)(void *to, uint32_t value, uint32_t wanted), void *to)
{
    struct fuzzed *fuzzed = user;
    struct gpucode_fuzz_outcome outcome = {.judgement = GPUCODE_FUZZ_PASS};
    fuzzed->compared = seen;
    fuzzed->compared_to = to;
    fuzz_watch_on(fuzzed, GPUCODE_EVENT_COMPARE);
    run_records(user, records, count, &outcome);
    fuzz_watch_on(fuzzed, 0);
    fuzzed->compared = NULL;
}

static enum gpucode_status attach_map(void *user, uint8_t *map, size_t size)
{
    struct fuzzed *fuzzed = user;
    uint8_t *kept = map ? realloc(fuzzed->kept_map, size) : NULL;
    if (map && !kept)
        return GPUCODE_ERROR_MEMORY;
    fuzzed->kept_map = map ? kept : fuzzed->kept_map;
    fuzzed->map = map;
    fuzzed->map_size = size;
    return gpucode_machine_edges(fuzzed->machine, map, size);
}

/* --- the hooks of the kit ---------------------------------------------------------------------------------------- */

static bool lacks_memory(const struct gpucode_fuzz_subject *subject)
{
    const struct fuzzed *fuzzed = fuzzed_of(subject);
    return fuzzed->lacks_memory || (fuzzed->other && fuzzed->other->lacks_memory);
}

static int open_subject(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    *subject = (struct gpucode_fuzz_subject){0};
    struct fuzzed *fuzzed = calloc(1, sizeof *fuzzed);
    if (!fuzzed)
        return out_of_memory(&session->diagnostics);
    subject->user = fuzzed;
    int code = fuzz_make(fuzzed, session, input);
    if (!code)
        code = fuzz_open_other(fuzzed);
    if (!code && lacks_memory(subject))
        code = out_of_memory(&session->diagnostics);
    if (code)
        return code;
    fuzz_watch_on(fuzzed, 0);
    if (fuzzed->other)
        fuzz_watch_on(fuzzed->other, 0);
    size_t map = 1;
    while (map < gpucode_machine_edge_count(fuzzed->machine) + 1 + MAP_REST)
        map *= 2;
    *subject = (struct gpucode_fuzz_subject){.kind_count = fuzzed->kind_count,
                                             .kinds = fuzzed->kinds,
                                             .values = fuzzed->values[FUZZ_OPCODES + 1],
                                             .value_count = fuzzed->value_counts[FUZZ_OPCODES + 1],
                                             .map_size = map,
                                             .attach = attach_map,
                                             .run = run_records,
                                             .compare = compare_records,
                                             .user = fuzzed};
    return EXIT_DONE;
}

static void close_subject(struct gpucode_fuzz_subject *subject)
{
    if (subject->user)
        fuzz_free(fuzzed_of(subject));
    subject->user = NULL;
}

/* --- for `run` --------------------------------------------------------------------------------------------------- */

static int check_file(struct session *session, struct gpucode_fuzz_subject *subject, const char *path,
                      struct gpucode_fuzz_outcome *outcome)
{
    unsigned char bytes[GPUCODE_FUZZ_INPUT_MAX];
    static struct gpucode_fuzz_record records[GPUCODE_FUZZ_RECORDS_MAX];
    static uint32_t words[GPUCODE_FUZZ_RECORDS_MAX * GPUCODE_FUZZ_WORDS_MAX];
    struct fuzzed *fuzzed = fuzzed_of(subject);
    size_t size;
    fuzzed->checked = false;
    int code = fuzz_read_text(session, subject, path, bytes, &size);
    if (code || !fuzzed->checked)
        return code;
    size_t count = gpucode_fuzz_read(fuzzed->kind_count, bytes, size, records, GPUCODE_FUZZ_RECORDS_MAX, words);
    run_records(fuzzed, records, count, outcome);
    return fuzzed->lacks_memory ? out_of_memory(&session->diagnostics) : EXIT_DONE;
}

int fuzz_check_files(struct session *session, const struct input *input, struct gpucode_fuzz_outcome *outcome)
{
    struct gpucode_fuzz_subject subject;
    const char *path;
    *outcome = (struct gpucode_fuzz_outcome){.judgement = GPUCODE_FUZZ_PASS};
    int code = open_subject(session, input, &subject);
    for (unsigned i = 0; !code && !*outcome->key; i++) {
        path = arguments_value_at(&session->arguments, OPTION_AFUC_PACKETS, i);
        if (!path)
            break;
        code = check_file(session, &subject, path, outcome);
    }
    close_subject(&subject);
    return code;
}

static struct gpucode_machine *subject_machine(const struct gpucode_fuzz_subject *subject)
{
    return fuzzed_of(subject)->machine;
}

static const struct kit_fuzz_facts *subject_facts(const struct gpucode_fuzz_subject *subject)
{
    return &fuzzed_of(subject)->facts;
}

const struct kit_fuzz afuc_fuzz = {
    .open = open_subject,
    .close = close_subject,
    .machine = subject_machine,
    .facts = subject_facts,
    .lacks_memory = lacks_memory,
    .write = fuzz_write_text,
    .debugger = fuzz_write_debugger,
    .read = fuzz_read_text,
    .seeds = fuzz_take_seeds,
};
