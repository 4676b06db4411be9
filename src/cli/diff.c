/* SPDX-License-Identifier: MIT */
/* gpucode diff and compare: two programs by what they do, not by how they are written; where they do not do the same.
 */
#include "front/answer.h"
#include "front/code.h"
#include "front/input.h"
#include "front/session.h"
#include "front/terminal.h"
#include "front/understood.h"
#include "kit/kit.h"

#include <gpucode/report.h>
#include <string.h>

/* A report of two subjects, and whether they differ. */
typedef enum gpucode_status report_on(const struct gpucode_subject *before, const struct gpucode_subject *after,
                                      struct gpucode_answer *answer, bool *differ);

/* Tells why there is no report, or shows it; returns an exit code. */
static int finish(struct session *session, const struct input inputs[2], struct gpucode_answer *answer,
                  enum gpucode_status status, bool differ)
{
    const char *page = session->arguments.value[OPTION_HTML];
    char title[256];
    if (status == GPUCODE_ERROR_UNSUPPORTED || status == GPUCODE_ERROR_RANGE) {
        gpucode_answer_free(answer);
        return status == GPUCODE_ERROR_RANGE ? complain(&session->diagnostics, CLI_OTHER_LEVELS, NULL, NULL)
               : arguments_have(&session->arguments, OPTION_PRIVILEGES)
                   ? complain(&session->diagnostics, CLI_NO_LEVELS, inputs[0].file.name, NULL,
                              gpucode_target_name(inputs[0].target))
                   : complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, gpucode_target_isa(inputs[0].target),
                              session->command->name);
    }
    if (status != GPUCODE_OK)
        gpucode_answer_fail(answer, status);
    snprintf(title, sizeof title, "%s \u2192 %s", inputs[0].file.name, inputs[1].file.name);
    int code = answer_end_page(session, answer, page, title);
    return code ? code : differ ? EXIT_FINDINGS : EXIT_DONE;
}

static int report(struct session *session, const struct input inputs[2], report_on *make,
                  const struct gpucode_subject subjects[2])
{
    bool differ = false, page = session->arguments.value[OPTION_HTML] != NULL;
    bool lines = arguments_have(&session->arguments, OPTION_PRIVILEGES);
    struct gpucode_answer *answer = page    ? gpucode_answer_create()
                                    : lines ? answer_begin(session)
                                            : answer_begin_indented(session);
    enum gpucode_status status = make(&subjects[0], &subjects[1], answer, &differ);
    return finish(session, inputs, answer, status, differ);
}

static int report_analysed(struct session *session, const struct input inputs[2], report_on *make)
{
    struct understood understood[2] = {{0}};
    int code = understood_open(session, &inputs[0], &understood[0]);
    if (!code)
        code = understood_open(session, &inputs[1], &understood[1]);
    if (!code)
        code = report(
            session, inputs, make,
            (const struct gpucode_subject[]){understood_listed(&understood[0]), understood_listed(&understood[1])});
    understood_close(&understood[0]);
    understood_close(&understood[1]);
    return code;
}

static int compare_inputs(struct session *session, const struct input inputs[2])
{
    const struct kit *kit = kit_of(inputs[0].target), *other = kit_of(inputs[1].target);
    const char *set = gpucode_target_isa(inputs[0].target), *other_set = gpucode_target_isa(inputs[1].target);
    if (strcmp(set, other_set) != 0)
        return complain(&session->diagnostics, CLI_DIFF_SETS, inputs[1].file.name, NULL, set, other_set);
    if (arguments_have(&session->arguments, OPTION_PRIVILEGES))
        return report_analysed(session, inputs, gpucode_report_privilege_changes);
    const char *stream = session->arguments.value[OPTION_REPLAY];
    if (stream)
        return kit && kit->compare_runs ? kit->compare_runs(session, &inputs[0], &inputs[1], stream)
                                        : complain(&session->diagnostics, CLI_CANNOT, NULL, NULL, set, "diff --replay");
    if (kit && kit->diff && kit == other && !session->arguments.value[OPTION_HTML])
        return kit->diff(session, &inputs[0], &inputs[1]);
    if (gpucode_can_follow_values(inputs[0].target))
        return report_analysed(session, inputs, gpucode_report_changes);
    return report(session, inputs, gpucode_report_block_changes,
                  (const struct gpucode_subject[]){input_subject(&inputs[0]), input_subject(&inputs[1])});
}

int command_diff(struct session *session)
{
    struct input inputs[2];
    struct paint paint = {.out = stdout};
    int code = input_open(session, session->arguments.operands[0], &inputs[0]);
    if (code)
        return code;
    session->paint = &paint;
    code = input_open(session, session->arguments.operands[1], &inputs[1]);
    if (!code) {
        code = compare_inputs(session, inputs);
        input_close(&inputs[1]);
    }
    input_close(&inputs[0]);
    paint_end(&paint);
    session->paint = NULL;
    return code;
}

/* gpucode compare: an input with which two shaders do not do the same. */

static int find_difference(struct session *session, const struct input *first, const struct input *second)
{
    const struct kit *kit = kit_of(first->target);
    const char *set = gpucode_target_isa(first->target), *other_set = gpucode_target_isa(second->target);
    if (strcmp(set, other_set) != 0)
        return complain(&session->diagnostics, CLI_DIFF_SETS, second->file.name, NULL, set, other_set);
    if (!kit || !kit->compare)
        return complain(&session->diagnostics, CLI_CANNOT, first->file.name, NULL, set, session->command->name);
    return kit->compare(session, first, second);
}

int command_compare(struct session *session)
{
    struct input first, second;
    int code = input_open(session, session->arguments.operands[0], &first);
    if (code)
        return code;
    code = input_open(session, session->arguments.operands[1], &second);
    if (!code) {
        code = find_difference(session, &first, &second);
        input_close(&second);
    }
    input_close(&first);
    return code;
}
