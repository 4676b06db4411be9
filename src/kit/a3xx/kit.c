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

const struct kit kit_a3xx = {
    .name = "a3xx",
    .run = run_a3xx,
    .recognises = shader_recognises,
    .extract = shader_extract,
    .info = shader_info,
    .listing = shader_listing,
    .declare = shader_declare,
    .settings = shader_settings,
    .give = shader_give_machine,
    .fuzz = &shader_fuzz,
    .launch = &a3xx_launch,
};
