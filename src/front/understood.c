/* SPDX-License-Identifier: MIT */
#include "front/understood.h"

#include "front/code.h"
#include "front/coverage.h"
#include "front/session.h"
#include "front/input.h"

#include <stdlib.h>

int understood_open(struct session *session, const struct input *input, struct understood *understood)
{
    struct gpucode_analysis_options options = {.names = input_names(input)};
    struct gpucode_seen_edge *seen = NULL;
    const char *coverage = session->arguments.value[OPTION_SEEN];
    int code = coverage ? edges_read(session, coverage, input->image, &seen, &options.seen_count) : EXIT_DONE;
    if (code)
        return code;
    options.seen = seen;
    *understood = (struct understood){.session = session, .input = input, .info = gpucode_image_info(input->image)};
    enum gpucode_status status = gpucode_analyse(input->image, &options, &understood->analysis);
    free(seen);
    if (status != GPUCODE_OK)
        return input_refuse(session, input, status);
    understood->subject = input_subject(input);
    understood->subject.analysis = understood->analysis;
    return EXIT_DONE;
}

void understood_close(struct understood *understood)
{
    gpucode_analysis_free(understood->analysis);
    understood->analysis = NULL;
}

int understood_first(struct session *session, int (*use)(struct session *session, const struct understood *understood))
{
    struct input input;
    struct understood understood;
    int code = input_open(session, session->arguments.operands[0], &input);
    if (code)
        return code;
    code = understood_open(session, &input, &understood);
    if (!code) {
        code = use(session, &understood);
        understood_close(&understood);
    }
    input_close(&input);
    return code;
}

int understood_no_place(const struct understood *understood, const char *name)
{
    return complain(&understood->session->diagnostics, CLI_PLACE, understood->input->file.name,
                    "`gpucode info --calls` lists the functions", name);
}
