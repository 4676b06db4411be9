/* SPDX-License-Identifier: MIT */
/* gpucode xref: who reads, writes, calls or jumps to something. */
#include "front/answer.h"
#include "front/code.h"
#include "front/session.h"
#include "front/understood.h"

static int search(struct session *session, const struct understood *understood)
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
    if (!code && !found)
        complain(&session->diagnostics, CLI_NO_REFERENCE, understood->input->file.name, NULL, what);
    return code;
}

int command_xref(struct session *session)
{
    return understood_first(session, search);
}
