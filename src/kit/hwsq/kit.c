/* SPDX-License-Identifier: MIT */
#include "kit/hwsq/kit.h"

#include "front/answer.h"
#include "front/code.h"
#include "front/input.h"
#include "front/session.h"
#include "kit/fuzz_state.h"
#include "kit/kit.h"

#include <stdio.h>
#include <string.h>

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

extern const struct gpucode_answer_table script_diff_answer_table, script_extract_answer_table, script_info_answer_table, script_run_answer_table;
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
