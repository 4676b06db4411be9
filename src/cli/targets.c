/* SPDX-License-Identifier: MIT */
/* gpucode targets: what -t takes. */
#include "front/answer.h"
#include "front/session.h"

#include <gpucode/target.h>

#define ANSWER_ROWS "cli/answer.def"
#define ANSWER_PART_TARGETS
#include <gpucode/answer_rows.h>
ANSWER_TABLE(targets, "What -t takes.");

int command_targets(struct session *session)
{
    struct gpucode_answer *answer = answer_begin_indented(session);
    const struct gpucode_target *target;
    gpucode_answer_begin(answer, &fields[ALL]);
    gpucode_answer_begin(answer, &fields[TARGETS]);
    for (unsigned i = 0; (target = gpucode_target_at(i)); i++) {
        gpucode_answer_begin(answer, &fields[TARGET]);
        gpucode_answer_text(answer, &fields[NAME], gpucode_target_name(target));
        gpucode_answer_text(answer, &fields[ISA], gpucode_target_isa(target));
        gpucode_answer_text(answer, &fields[GENERATION], gpucode_target_generation(target));
        gpucode_answer_number(answer, &fields[UNIT], gpucode_target_unit_bytes(target));
        gpucode_answer_text(answer, &fields[DESCRIPTION], gpucode_target_description(target));
        gpucode_answer_end(answer);
    }
    gpucode_answer_end(answer);
    gpucode_answer_end(answer);
    return answer_end(session, answer);
}
