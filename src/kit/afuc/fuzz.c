/* SPDX-License-Identifier: MIT */
#include "kit/afuc/fuzz.h"

#include "front/code.h"
#include "front/policies.h"
#include "front/session.h"
#include "front/values.h"
#include "kit/afuc/prepare.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT 20000    /* instructions of a run */
#define BOOT 10000000  /* of the boot */
#define MAP_REST 4096u /* bytes of the map behind the edges of the code */

uint32_t fuzz_read(const struct fuzzed *fuzzed, unsigned processor, unsigned space, uint32_t number)
{
    uint32_t value = 0;
    gpucode_machine_read(fuzzed->machine, processor, space, number, &value);
    return value;
}

/* --- making ---------------------------------------------------------------------------------------------------- */

/*
 * All of memory is there and addresses are cut down to words, unless --policy says otherwise: whether an address that a
 * process sends is mapped is the business of its page tables, not of the firmware.
 */
static int make_machine(struct fuzzed *fuzzed)
{
    struct session *session = fuzzed->session;
    const char *section = session->arguments.value[OPTION_AFUC_SECTION], *name;
    const struct gpucode_setting first[] = {{"afuc-memory", "0x400000000"},
                                            {"afuc-unaligned", "align"},
                                            {section ? "afuc-processor" : NULL, section},
                                            {NULL, NULL}};
    int code = policies_read(session, first, &fuzzed->settings);
    if (code)
        return code;
    const struct gpucode_machine_options options = {.policies = fuzzed->settings,
                                                    .names = input_names(fuzzed->input),
                                                    .on_diagnostic = diagnostics_handler(&session->diagnostics)};
    enum gpucode_status status = gpucode_machine_create(fuzzed->input->image, &options, &fuzzed->machine);
    if (status != GPUCODE_OK)
        return code_status(session, fuzzed->input->file.name, status);
    for (unsigned i = 0; section && (name = gpucode_machine_processor(fuzzed->machine, i)); i++)
        if (strcmp(name, section) == 0)
            fuzzed->processor = i;
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
        return complain(&fuzzed->session->diagnostics, CLI_MEMORY, NULL, NULL);
    return EXIT_DONE;
}

int fuzz_make(struct fuzzed *fuzzed, struct session *session, const struct input *input)
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
    if (!fuzz_find_kinds(fuzzed) || !fuzz_find_values(fuzzed))
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    return fuzz_take_asserts(fuzzed);
}

/* --- one run ------------------------------------------------------------------------------------------------- */

static void run_on(struct fuzzed *fuzzed, uint64_t *left)
{
    uint64_t before = gpucode_machine_time(fuzzed->machine);
    gpucode_machine_run(fuzzed->machine, *left, &fuzzed->stop);
    uint64_t ran = gpucode_machine_time(fuzzed->machine) - before;
    *left -= ran < *left ? ran : *left;
}

static void store_words(struct fuzzed *fuzzed, const struct plan_step *step)
{
    unsigned char bytes[4 * (GPUCODE_FUZZ_WORDS_MAX + 1)];
    for (uint32_t done = 0, part; done < step->count; done += part) {
        part = step->count - done < GPUCODE_FUZZ_WORDS_MAX ? step->count - done : GPUCODE_FUZZ_WORDS_MAX;
        for (uint32_t i = 0; i < part; i++)
            for (unsigned k = 0; k < 4; k++)
                bytes[4 * i + k] = (unsigned char)(fuzzed->plan.words[step->first + done + i] >> 8 * k);
        gpucode_machine_store(fuzzed->machine, step->address + 4 * (uint64_t)done, bytes, 4 * (size_t)part);
    }
}

void fuzz_run_plan(struct fuzzed *fuzzed)
{
    uint64_t left = fuzzed->limit;
    gpucode_machine_restore(fuzzed->machine, fuzzed->start);
    fuzzed->stop.reason = GPUCODE_STOP_IDLE;
    fuzzed->selected = GPUCODE_NONE;
    memset(fuzzed->opcode, FUZZ_NO_OPCODE, sizeof fuzzed->opcode);
    for (unsigned i = 0; i < fuzzed->plan.count && fuzzed->stop.reason == GPUCODE_STOP_IDLE; i++) {
        const struct plan_step *step = &fuzzed->plan.steps[i];
        if (step->kind == PLAN_STORE) {
            store_words(fuzzed, step);
        } else if (step->kind == PLAN_SET) {
            gpucode_machine_write(fuzzed->machine, fuzzed->processor, GPUCODE_SPACE_GPU, (uint32_t)step->address,
                                  step->count);
        } else if (step->kind == PLAN_FEED) {
            gpucode_machine_feed(fuzzed->machine, fuzzed->processor, fuzzed->plan.words + step->first, step->count);
            run_on(fuzzed, &left);
        } else {
            gpucode_machine_write(fuzzed->machine, fuzzed->processor, GPUCODE_SPACE_CONTROL, fuzzed->trigger, 1);
        }
    }
}

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
}

static void watch(struct fuzzed *fuzzed, unsigned more)
{
    gpucode_machine_hook(fuzzed->machine,
                         GPUCODE_EVENT_PACKET | GPUCODE_EVENT_HANDLED | fuzz_assert_kinds(fuzzed) | more |
                             (fuzzed->effects ? GPUCODE_EVENT_WRITE | GPUCODE_EVENT_MEM_WRITE : 0u),
                         fuzz_watch, fuzzed);
}

static void compare_records(void *user, const struct gpucode_fuzz_record *records, size_t count,
                            void (*seen)(void *to, uint32_t value, uint32_t wanted), void *to)
{
    struct fuzzed *fuzzed = user;
    struct gpucode_fuzz_outcome outcome = {.judgement = GPUCODE_FUZZ_PASS};
    fuzzed->compared = seen;
    fuzzed->compared_to = to;
    watch(fuzzed, GPUCODE_EVENT_COMPARE);
    run_records(user, records, count, &outcome);
    watch(fuzzed, 0);
    fuzzed->compared = NULL;
}

static enum gpucode_status attach_map(void *user, uint8_t *map, size_t size)
{
    struct fuzzed *fuzzed = user;
    return gpucode_machine_edges(fuzzed->machine, map, size);
}

/* --- the hooks of the kit ---------------------------------------------------------------------------------------- */

static int open_subject(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    *subject = (struct gpucode_fuzz_subject){0};
    struct fuzzed *fuzzed = calloc(1, sizeof *fuzzed);
    if (!fuzzed)
        return complain(&session->diagnostics, CLI_MEMORY, NULL, NULL);
    subject->user = fuzzed;
    int code = fuzz_make(fuzzed, session, input);
    if (!code)
        code = fuzz_open_other(fuzzed);
    if (code)
        return code;
    watch(fuzzed, 0);
    if (fuzzed->other)
        watch(fuzzed->other, 0);
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

void fuzz_free(struct fuzzed *fuzzed)
{
    fuzz_close_other(fuzzed);
    for (unsigned i = 0; i < FUZZ_OPCODES + 2; i++)
        free(fuzzed->values[i]);
    free(fuzzed->constant);
    gpucode_analysis_free(fuzzed->analysis);
    gpucode_snapshot_free(fuzzed->start);
    gpucode_machine_free(fuzzed->machine);
    free(fuzzed->settings);
    free(fuzzed);
}

static void close_subject(struct gpucode_fuzz_subject *subject)
{
    if (subject->user)
        fuzz_free(fuzzed_of(subject));
    subject->user = NULL;
}

static struct gpucode_machine *subject_machine(const struct gpucode_fuzz_subject *subject)
{
    return fuzzed_of(subject)->machine;
}

const struct kit_fuzz afuc_fuzz = {
    .open = open_subject,
    .close = close_subject,
    .machine = subject_machine,
    .write = fuzz_write_text,
    .debugger = fuzz_write_debugger,
    .read = fuzz_read_text,
    .seeds = fuzz_take_seeds,
};
