/* SPDX-License-Identifier: MIT */
/* Making a subject: a machine that has booted, with what is known of its code; and that of --against. */
#include "kit/afuc/fuzz.h"

#include "front/arguments.h"
#include "front/code.h"
#include "front/session.h"
#include "kit/afuc/kit.h"

#include <stdlib.h>
#include <string.h>

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
    if (!input_outline(input)) /* made before the threads of the workers, which look at it */
        return EXIT_FAULT;
    if (!fuzz_find_kinds(fuzzed) || !fuzz_find_values(fuzzed) || !fuzz_find_jumps(fuzzed))
        return out_of_memory(&session->diagnostics);
    return fuzz_take_asserts(fuzzed);
}

/* --- the other firmware ------------------------------------------------------------------------------------------ */

int fuzz_open_other(struct fuzzed *fuzzed)
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
        return complain(&session->diagnostics, CLI_FUZZ_SET, path, NULL,
                        gpucode_target_isa(fuzzed->other_input->target));
    code = fuzz_make(fuzzed->other, session, fuzzed->other_input);
    fuzzed->other->effects = calloc(1, sizeof *fuzzed->effects);
    if (!code && !fuzzed->other->effects)
        code = out_of_memory(&session->diagnostics);
    return code;
}

static void fuzz_close_other(struct fuzzed *fuzzed)
{
    if (fuzzed->other)
        fuzz_free(fuzzed->other);
    if (fuzzed->other_input)
        input_close(fuzzed->other_input);
    free(fuzzed->other_input);
    free(fuzzed->effects);
}

void fuzz_free(struct fuzzed *fuzzed)
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
