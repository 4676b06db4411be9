/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/kit.h"
#include "kit/a3xx/input_options.h"
#include "kit/a3xx/rewrite.h"
#include "kit/a3xx/statement.h"
#include "kit/launch.h"

extern const struct kit kit_a3xx;
extern const struct kit_launch a3xx_launch;

static bool shader_locate(const struct gpucode_line *line, const struct gpucode_finding *finding, unsigned *column,
                          unsigned *span)
{
    struct statement statement;
    size_t start, end;
    if (!statement_parse(line->source, line->source_length, &statement))
        return false;
    if (!finding->operand || !statement_operand(line->source, &statement, finding->operand, &start, &end)) {
        start = statement.start;
        end = statement.end;
    }
    *column = (unsigned)start + 1;
    *span = (unsigned)(end - start);
    return true;
}

const struct kit kit_a3xx = {
    .name = "a3xx",
    .run = run_a3xx,
    .recognises = shader_recognises,
    .extract = shader_extract,
    .info = shader_info,
    .locate = shader_locate,
    .rewrite = rewrite_source,
    .declare = shader_declare,
    .settings = shader_settings,
    .give = shader_give_machine,
    .launch = &a3xx_launch,
};
