/* SPDX-License-Identifier: MIT */
#include "kit/a3xx/kit.h"
#include "kit/a3xx/input_options.h"

extern const struct kit kit_a3xx;

const struct kit kit_a3xx = {
    .name = "a3xx",
    .run = run_a3xx,
    .recognises = shader_recognises,
    .extract = shader_extract,
    .settings = shader_settings,
    .give = shader_give_machine,
};
