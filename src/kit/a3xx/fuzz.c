/* SPDX-License-Identifier: MIT */
/* Shaders under fuzz: registers, consts, memory and what textures answer. */
#include "kit/a3xx/input_options.h"
#include "kit/a3xx/kit.h"
#include "kit/fuzz_state.h"
#include <gpucode/a3xx.h>

#include <string.h>

/* What the source declares as outputs; without it registers that the text writes and does not read behind that. */
static unsigned list_outputs(const struct input *input, struct fuzz_state_output *list, unsigned room)
{
    struct gpucode_declaration declared;
    struct gpucode_a3xx_usage usage;
    unsigned count = 0;
    for (unsigned i = 0; input->program && gpucode_program_declaration(input->program, i, &declared); i++)
        for (unsigned k = 0; strcmp(declared.kind, "out") == 0 && declared.file == 'r' && k < declared.count; k++)
            if (count < room)
                list[count++] = (struct fuzz_state_output){declared.half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL,
                                                           declared.first + k};
    if (!count && gpucode_a3xx_usage(input->image, &usage) == GPUCODE_OK)
        for (unsigned number = 0; number < 240; number++) {
            if (count < room && usage.full.outputs[number / 32] >> number % 32 & 1)
                list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_FULL, number};
            if (count < room && usage.half.outputs[number / 32] >> number % 32 & 1)
                list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_HALF, number};
        }
    if (count < room)
        list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_FLAGS, 0}; /* killed */
    return count;
}

static const struct fuzz_state_set shader_set = {
    .settings = shader_settings,
    .give = shader_give_machine,
    .kinds = {{.name = "full", .weight = 8, .space = GPUCODE_A3XX_FULL, .count = 240},
              {.name = "half", .weight = 4, .space = GPUCODE_A3XX_HALF, .count = 240, .mask = 0xffff},
              {.name = "const", .weight = 8, .space = GPUCODE_A3XX_CONST, .count = 256},
              {.name = "varying", .weight = 4, .space = GPUCODE_A3XX_VARYING, .count = GPUCODE_A3XX_VARYINGS}},
    .limit = OPTION_A3XX_LIMIT,
    .against = OPTION_A3XX_FUZZ_AGAINST,
    .forbids = OPTION_A3XX_FUZZ_ASSERT,
    .numbers = GPUCODE_NONE,
    .effects = GPUCODE_EVENT_MEM_WRITE,
    .outputs = list_outputs,
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
