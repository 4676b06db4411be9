/* SPDX-License-Identifier: MIT */
/* gpucode symbols: names of one image for another. */
#include "front/answer.h"
#include "front/code.h"
#include "front/file.h"
#include "front/input.h"
#include "front/output.h"
#include "front/session.h"
#include "front/understood.h"

#include <gpucode/report.h>
#include <stdlib.h>
#include <string.h>

/* Writes the new file and tells what is not in it. */
static int carry(struct session *session, const struct gpucode_subject *before, const struct gpucode_subject *after,
                 const struct file *names)
{
    const char *path = session->arguments.value[OPTION_OUTPUT];
    const struct gpucode_symbol_text text = {names->name, names->bytes, names->size};
    struct outputs outputs = {.diagnostics = &session->diagnostics};
    bool told = path && strcmp(path, "-") != 0; /* else the names themselves go to standard output */
    char *made = NULL;
    size_t length;
    unsigned lost = 0;
    struct gpucode_answer *answer = told ? answer_begin(session) : answer_begin_on(session, stderr);
    if (!answer)
        return out_of_memory(&session->diagnostics);
    enum gpucode_status status = gpucode_report_carried(
        before, after, &text, diagnostics_handler(&session->diagnostics), answer, &made, &length, &lost);
    int code = answer_end(session, answer);
    if (status == GPUCODE_ERROR_UNSUPPORTED)
        code = complain(&session->diagnostics, CLI_DIFF_SETS, after->file, NULL,
                        gpucode_target_isa(gpucode_image_info(before->image)->target),
                        gpucode_target_isa(gpucode_image_info(after->image)->target));
    else if (status != GPUCODE_OK)
        code = code_status(session, names->name, status);
    if (!code)
        code = outputs_close(&outputs, outputs_add(&outputs, path ? path : "-", made, length));
    free(made);
    return code ? code : lost ? EXIT_FINDINGS : EXIT_DONE;
}

static int between(struct session *session, const struct input *old, const struct input *new, const struct file *names)
{
    struct understood understood[2] = {{0}};
    int code = understood_open(session, old, &understood[0]);
    if (!code)
        code = understood_open(session, new, &understood[1]);
    if (!code)
        code = carry(session, &understood[0].subject, &understood[1].subject, names);
    understood_close(&understood[0]);
    understood_close(&understood[1]);
    return code;
}

static int with_new(struct session *session, const struct input *new, const struct file *names)
{
    const char *from = session->arguments.value[OPTION_NAMES_FROM];
    const struct gpucode_subject subject = input_subject(new);
    struct input old;
    if (!from) /* the names are of this image, and the file is to say so */
        return carry(session, &subject, &subject, names);
    int code = input_open(session, from, &old);
    if (code)
        return code;
    code = between(session, &old, new, names);
    input_close(&old);
    return code;
}

int command_symbols(struct session *session)
{
    const char *to = session->arguments.value[OPTION_NAMES_TO];
    struct input new;
    struct file names;
    if (!to)
        return complain(&session->diagnostics, CLI_NAMES_TO, NULL, NULL);
    int code = file_read(&names, session->arguments.operands[0], &session->diagnostics);
    if (code)
        return code;
    code = input_open(session, to, &new);
    if (!code) {
        code = with_new(session, &new, &names);
        input_close(&new);
    }
    file_free(&names);
    return code;
}
