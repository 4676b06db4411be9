/* SPDX-License-Identifier: MIT */
/* Shaders of a4xx and later: what `info` says of them, and the list of what the kit has. */
#include "kit/ir3/kit.h"
#include "front/session.h"

#include <gpucode/ir3.h>

extern const struct kit kit_ir3;

#define ANSWER_ROWS "kit/ir3/info.answer.def"
#include <gpucode/answer_rows.h>
static const struct gpucode_answer_table info_table = {"info", "What a shader is and uses.", fields,
                                                       sizeof fields / sizeof *fields};
extern const struct gpucode_answer_table shader_run_answer_table, shader_trace_answer_table;
static const struct gpucode_answer_table *const answers[] = {&info_table, &shader_run_answer_table,
                                                             &shader_trace_answer_table, NULL};

static int shader_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                       enum info_part part)
{
    (void)session;
    if (part == INFO_BODY)
        gpucode_ir3_usage_tell(view->image, answer);
    return EXIT_DONE;
}

const struct kit kit_ir3 = {
    .name = "ir3",
    .answers = answers,
    .run = ir3_run,
    .info = shader_info,
    .settings = ir3_settings,
    .give = ir3_give,
};
