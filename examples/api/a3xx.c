/* SPDX-License-Identifier: MIT */
/* Counts what a shader uses. */
#include <gpucode/a3xx.h>
#include <gpucode/asm.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char text[] = ".target a3xx\n(rpt1)add.f r0.x, (r)r1.x, c0.x\nend\n";
    struct gpucode_program *program;
    struct gpucode_image *image;
    struct gpucode_a3xx_usage usage;
    if (gpucode_assemble(text, strlen(text), NULL, &program) != GPUCODE_OK)
        return 1;
    struct gpucode_image_options options = {.target = gpucode_program_target(program)};
    if (gpucode_image_open(gpucode_program_bytes(program), gpucode_program_size(program), &options, &image) !=
            GPUCODE_OK ||
        gpucode_a3xx_usage(image, &usage) != GPUCODE_OK)
        return 1;
    printf("%u instructions, %u slots, %u full components, %u constants\n", (unsigned)usage.instructions,
           (unsigned)usage.slots, usage.full.components, (unsigned)usage.consts);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return 0;
}
