/* SPDX-License-Identifier: MIT */
#include "kit/hwsq/kit.h"

#include "front/answer.h"
#include "front/code.h"
#include "front/input.h"
#include "front/session.h"
#include "kit/fuzz_state.h"
#include "kit/kit.h"

#include <gpucode/answer.h>
#include <gpucode/hwsq.h>
#include <gpucode/insn.h>
#include <stdio.h>
#include <string.h>

/* What `info` says of scripts. */

#define ANSWER_ROWS "kit/hwsq/answer.def"
#define ANSWER_PART_INFO
#include <gpucode/answer_rows.h>
static const struct gpucode_answer_table script_info_answer_table = {"info", "What a script is.", fields,
                                                                     sizeof fields / sizeof *fields};

/* Read from the first byte on, as a listing does; not from the entry points. */
struct counts {
    uint64_t instructions, unknown_bytes, wait_units, register_writes, event_waits, flag_changes;
};

static bool count_insns(const struct gpucode_image *image, struct counts *counts)
{
    const struct gpucode_target *target = gpucode_image_info(image)->target;
    struct gpucode_hwsq_facts facts;
    size_t size;
    const unsigned char *bytes = gpucode_image_bytes(image, &size);
    if (!gpucode_hwsq_facts(target, &facts))
        return false;
    *counts = (struct counts){0};
    for (size_t at = 0; at < size;) {
        struct gpucode_insn insn;
        struct gpucode_row row;
        if (gpucode_decode(target, bytes + at, size - at, at, &insn) != GPUCODE_OK ||
            !gpucode_row(target, insn.row, &row)) {
            counts->unknown_bytes++;
            at++;
            continue;
        }
        counts->instructions++;
        counts->wait_units += gpucode_hwsq_wait_units(bytes[at]);
        counts->register_writes += strncmp(row.mnemonic, "addr", 4) == 0;
        counts->event_waits += strcmp(row.mnemonic, "ewait") == 0;
        counts->flag_changes += strstr(row.mnemonic, "set") != NULL;
        at += insn.size;
    }
    return true;
}

static int script_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                       enum info_part part)
{
    struct counts counts;
    (void)session;
    if (part != INFO_BODY || !count_insns(view->image, &counts))
        return EXIT_DONE;
    gpucode_answer_number(answer, &fields[INSTRUCTIONS], counts.instructions);
    gpucode_answer_number(answer, &fields[UNKNOWN], counts.unknown_bytes);
    gpucode_answer_number(answer, &fields[WAITS], counts.wait_units);
    gpucode_answer_number(answer, &fields[WRITES], counts.register_writes);
    gpucode_answer_number(answer, &fields[FLAGS], counts.flag_changes);
    gpucode_answer_number(answer, &fields[EVENT_WAITS], counts.event_waits);
    return EXIT_DONE;
}

/* --- Scripts under fuzz: events, registers that they read back, and the moments at which these change ------------- */

static const char *wrong_end(const struct gpucode_machine *machine)
{
    return script_is_paused(machine) ? "the script has ended and memory is still paused" : NULL;
}

/* As `diff` has it: register writes, flags and events that are waited for, at whatever time. */
static bool is_effect(const struct gpucode_event *event)
{
    return event->kind == GPUCODE_EVENT_WRITE || event->space == GPUCODE_SPACE_FLAG ||
           event->space == GPUCODE_SPACE_EVENT;
}

static const struct fuzz_state_set script_set = {
    .settings = script_settings,
    .kinds = {{.name = "event", .weight = 8, .space = GPUCODE_SPACE_EVENT, .count = 32, .mask = 1},
              {.name = "register", .weight = 4, .space = GPUCODE_SPACE_GPU}},
    .limit = OPTION_HWSQ_LIMIT,
    .against = OPTION_HWSQ_FUZZ_AGAINST,
    .forbids = OPTION_HWSQ_FUZZ_ASSERT,
    .numbers = GPUCODE_SPACE_GPU,
    .effects = GPUCODE_EVENT_WRITE | GPUCODE_EVENT_ACTION,
    .is_effect = is_effect,
    .options = " --policy hwsq-events=modelled",
    .wrong_end = wrong_end,
};

static int open_script(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    return fuzz_state_open(session, input, &script_set, subject);
}

static const struct kit_fuzz script_fuzz = FUZZ_STATE(open_script);

/* --- what a script does, in sentences --- */

static int explain_script(struct session *session, const struct input *input)
{
    const struct kit_machine_parts parts = {script_settings, script_give, input_names(input)};
    struct gpucode_machine *machine;
    int code = kit_machine_made(session, input, &parts, &machine);
    if (!code) {
        struct gpucode_answer *answer = answer_begin(session);
        enum gpucode_status status = gpucode_hwsq_explain(machine, input->file.name, script_limit(input), answer);
        code = answer_end(session, answer);
        if (!code && status != GPUCODE_OK)
            code = code_status(session, input->file.name, status);
    }
    gpucode_machine_free(machine);
    return code;
}

/* --- the kit --- */

extern const struct kit kit_hwsq;

extern const struct gpucode_answer_table script_diff_answer_table, script_extract_answer_table, script_run_answer_table;
static const struct gpucode_answer_table *const answers[] = {&script_diff_answer_table, &script_extract_answer_table,
                                                             &script_info_answer_table, &script_run_answer_table, NULL};

const struct kit kit_hwsq = {
    .name = "hwsq",
    .answers = answers,
    .run = run_hwsq,
    .diff = script_diff,
    .recognises = script_recognises,
    .extract = script_extract,
    .info = script_info,
    .explain = explain_script,
    .explain_table = gpucode_hwsq_explain_table,
    .settings = script_settings,
    .give = script_give,
    .fuzz = &script_fuzz,
};
