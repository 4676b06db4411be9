/* SPDX-License-Identifier: MIT */
/* What `info` says of shaders. */
#include "front/session.h"
#include "kit/a3xx/kit.h"

#include <gpucode/a3xx.h>
#include <gpucode/answer.h>

#define ANSWER_ROWS "kit/a3xx/answer.def"
#define ANSWER_PART_INFO
#include <gpucode/answer_rows.h>
const struct gpucode_answer_table shader_info_answer_table = {"info", "What a shader is and uses.", fields,
                                                              sizeof fields / sizeof *fields};

int shader_info(struct session *session, const struct info_view *view, struct gpucode_answer *answer,
                enum info_part part)
{
    (void)session;
    if (part == INFO_BODY)
        gpucode_a3xx_usage_tell(view->image, answer);
    return EXIT_DONE;
}
