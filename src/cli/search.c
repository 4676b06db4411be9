/* SPDX-License-Identifier: MIT */
/* gpucode search and xref: where a pattern of instructions stands; who reads, writes, calls or jumps to something. */
#include "front/answer.h"
#include "front/code.h"
#include "front/input.h"
#include "front/session.h"
#include "front/understood.h"

#include <gpucode/report.h>
#include <string.h>

static int tell(struct session *session, const struct input *input, const struct gpucode_pattern *pattern)
{
    struct gpucode_subject subject = input_subject(input);
    unsigned found = 0;
    if (!(subject.outline = input_outline(input)))
        return EXIT_FAULT; /* it was said */
    struct gpucode_answer *answer = answer_begin(session);
    enum gpucode_status status = gpucode_report_search(&subject, pattern, answer, &found);
    int code = answer_end(session, answer);
    if (!code && status != GPUCODE_OK)
        return code_status(session, input->file.name, status);
    return code || found ? code : complain(&session->diagnostics, CLI_NO_MATCH, input->file.name, NULL);
}

static int search(struct session *session, const struct input *input)
{
    const char *text = session->arguments.operands[1];
    struct gpucode_pattern *pattern;
    if (!gpucode_can_analyse(input->target))
        return complain(&session->diagnostics, CLI_CANNOT, input->file.name, NULL, gpucode_target_isa(input->target),
                        "search");
    enum gpucode_status status = gpucode_pattern_create(input->target, input_names(input), text, strlen(text),
                                                        diagnostics_handler(&session->diagnostics), &pattern);
    int code = status == GPUCODE_OK ? tell(session, input, pattern) : code_status(session, NULL, status);
    gpucode_pattern_free(pattern);
    return code;
}

int command_search(struct session *session)
{
    struct input input;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    code = search(session, &input);
    input_close(&input);
    return code;
}

static int list_references(struct session *session, const struct understood *understood)
{
    const char *what = session->arguments.operands[1];
    const struct gpucode_subject subject = understood_listed(understood);
    unsigned found = 0;
    struct gpucode_answer *answer = answer_begin(session);
    enum gpucode_status status = gpucode_report_references(&subject, what, answer, &found);
    int code = answer_end(session, answer);
    if (status == GPUCODE_ERROR_INPUT)
        return understood_no_place(understood, what);
    if (!code && status != GPUCODE_OK)
        return code_status(session, understood->input->file.name, status);
    return code || found ? code
                         : complain(&session->diagnostics, CLI_NO_REFERENCE, understood->input->file.name, NULL, what);
}

int command_xref(struct session *session)
{
    return understood_first(session, list_references);
}
