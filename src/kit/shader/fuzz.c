/* SPDX-License-Identifier: MIT */
/* What `gpucode fuzz --against` looks at when two shaders are at their ends. */
#include "kit/shader/shader.h"

#include <string.h>

bool shader_is_effect(const struct gpucode_event *event)
{
    return event->space == 0;
}

unsigned shader_outputs(const struct input *input, const struct gpucode_a3xx_usage *usage,
                        struct fuzz_state_output *list, unsigned room)
{
    struct gpucode_declaration declared;
    unsigned count = 0;
    for (unsigned i = 0; input->program && gpucode_program_declaration(input->program, i, &declared); i++)
        for (unsigned k = 0; strcmp(declared.kind, "out") == 0 && declared.file == 'r' && k < declared.count; k++)
            if (count < room)
                list[count++] = (struct fuzz_state_output){declared.half ? GPUCODE_A3XX_HALF : GPUCODE_A3XX_FULL,
                                                           declared.first + k};
    if (!count && usage)
        for (unsigned number = 0; number < 240; number++) {
            if (count < room && usage->full.outputs[number / 32] >> number % 32 & 1)
                list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_FULL, number};
            if (count < room && usage->half.outputs[number / 32] >> number % 32 & 1)
                list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_HALF, number};
        }
    if (count < room)
        list[count++] = (struct fuzz_state_output){GPUCODE_A3XX_FLAGS, 0}; /* killed */
    return count;
}
