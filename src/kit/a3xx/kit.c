/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/kit.h"
#include "front/session.h"
#include "kit/a3xx/input_options.h"
#include "kit/launch.h"

#include <string.h>

extern const struct kit kit_a3xx;
extern const struct kit_launch a3xx_launch;

static void shader_listing(const struct session *session, struct gpucode_disasm_options *options)
{
    const char *syntax = session->arguments.value[OPTION_A3XX_SYNTAX];
    options->expand = arguments_have(&session->arguments, OPTION_A3XX_EXPAND);
    options->cycles = arguments_have(&session->arguments, OPTION_A3XX_CYCLES);
    options->style = syntax && strcmp(syntax, "mesa") == 0;
}

extern const struct gpucode_answer_table shader_image_answer_table, shader_info_answer_table, shader_run_answer_table,
    shader_trace_answer_table;
/* Here, as builds without zlib have no file that fills it. */
#define ANSWER_ROWS "kit/a3xx/extract.answer.def"
#include <gpucode/answer_rows.h>
static const struct gpucode_answer_table extract_table = {"extract", "A shader of a stream.", fields,
                                                          sizeof fields / sizeof *fields};
static const struct gpucode_answer_table *const answers[] = {
    &extract_table,           &shader_image_answer_table, &shader_info_answer_table,
    &shader_run_answer_table, &shader_trace_answer_table, NULL};

const struct kit kit_a3xx = {
    .name = "a3xx",
    .answers = answers,
    .run = run_a3xx,
    .recognises = shader_recognises,
    .extract = shader_extract,
    .info = shader_info,
    .listing = shader_listing,
    .declare = shader_declare,
    .settings = shader_settings,
    .give = shader_give_machine,
    .debugger = shader_select_thread,
    .fuzz = &shader_fuzz,
    .launch = &a3xx_launch,
};
