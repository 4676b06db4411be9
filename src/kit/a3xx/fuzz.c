/* SPDX-License-Identifier: MIT */
/* Shaders under fuzz: registers, consts, memory and what textures answer. */
#include "kit/a3xx/input_options.h"
#include "kit/a3xx/kit.h"
#include "kit/fuzz_state.h"
#include <gpucode/a3xx.h>

static const struct fuzz_state_set shader_set = {
    .settings = shader_settings,
    .give = shader_give_machine,
    .kinds = {{.name = "full", .weight = 8, .space = GPUCODE_A3XX_FULL, .count = 240},
              {.name = "half", .weight = 4, .space = GPUCODE_A3XX_HALF, .count = 240, .mask = 0xffff},
              {.name = "const", .weight = 8, .space = GPUCODE_A3XX_CONST, .count = 256},
              {.name = "varying", .weight = 4, .space = GPUCODE_A3XX_VARYING, .count = GPUCODE_A3XX_VARYINGS}},
    .limit = OPTION_A3XX_LIMIT,
    .memory = true,
    .textures = true,
    .floats = true,
};

static int open_shader(struct session *session, const struct input *input, struct gpucode_fuzz_subject *subject)
{
    return fuzz_state_open(session, input, &shader_set, subject);
}

const struct kit_fuzz shader_fuzz = {
    .open = open_shader,
    .close = fuzz_state_close,
    .machine = fuzz_state_machine,
    .write = fuzz_state_write,
    .read = fuzz_state_read,
};
