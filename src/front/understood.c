/* SPDX-License-Identifier: MIT */
#include "front/understood.h"

#include "front/code.h"
#include "front/coverage.h"
#include "front/session.h"
#include "front/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Labels that somebody gave a name, and packets. */
static void offer_labels(const struct understood *understood, struct spelling *spelling)
{
    uint32_t count = 0;
    size_t length;
    char name[GPUCODE_NAME_MAX];
    const struct gpucode_outline *outline = input_outline(understood->input);
    const struct gpucode_mark *marks = outline ? gpucode_outline_marks(outline, &count) : NULL;
    const char *text = outline ? gpucode_outline_text(outline, &length) : NULL;
    for (uint32_t i = 0; i < count; i++)
        if (marks[i].kind <= GPUCODE_MARK_BUILT_IN && marks[i].name.length < sizeof name) {
            snprintf(name, sizeof name, "%.*s", (int)marks[i].name.length, text + marks[i].name.offset);
            spelling_offer(spelling, name);
        }
}

static void offer_registers(const struct understood *understood, enum gpucode_space space, struct spelling *spelling)
{
    const struct gpucode_target *target = understood->input->target;
    char name[GPUCODE_NAME_MAX + 1] = {spelling->wanted[0]};
    for (uint32_t number = 0; gpucode_name_next(target, space, &number); number++)
        if (gpucode_name_of(target, input_names(understood->input), space, number, name + 1, GPUCODE_NAME_MAX))
            spelling_offer(spelling, name);
}

int understood_no_place(const struct understood *understood, const char *name)
{
    static const char marks[] = "@%|$";
    static const enum gpucode_space spaces[] = {GPUCODE_SPACE_CONTROL, GPUCODE_SPACE_SQE, GPUCODE_SPACE_PIPE};
    struct spelling spelling = spelling_begin(name);
    char hint[160];
    const char *mark = *name ? strchr(marks, *name) : NULL;
    if (!mark)
        offer_labels(understood, &spelling);
    else if (*mark != '$')
        offer_registers(understood, spaces[mark - marks], &spelling);
    if (*name && strcmp(spelling.best, name) == 0)
        return complain(&understood->session->diagnostics, CLI_NO_FUNCTION, understood->input->file.name,
                        "`gpucode info --calls` lists the functions", name);
    snprintf(hint, sizeof hint, "did you mean %s?", spelling.best);
    return complain(&understood->session->diagnostics, CLI_PLACE, understood->input->file.name,
                    spelling.best[0] ? hint
                    : mark           ? NULL
                                     : "`gpucode info --calls` lists the functions",
                    name);
}
