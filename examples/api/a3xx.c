/* SPDX-License-Identifier: MIT */
/* Counts what a shader uses, and what its instructions cost. */
#include <gpucode/a3xx.h>
#include <gpucode/asm.h>
#include <stdio.h>
#include <string.h>

static bool see(void *user, struct gpucode_machine *machine, const struct gpucode_event *event)
{
    (void)machine;
    gpucode_a3xx_cycles_see(user, event);
    return false;
}

static int estimate(const struct gpucode_image *image)
{
    struct gpucode_machine *machine;
    struct gpucode_a3xx_cycles *cycles;
    struct gpucode_stop stop;
    if (gpucode_a3xx_cycles_open(image, NULL, &cycles) != GPUCODE_OK)
        return 1;
    if (gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK) {
        gpucode_a3xx_cycles_free(cycles);
        return 1;
    }
    gpucode_machine_hook(machine, GPUCODE_EVENT_INSN, see, cycles);
    gpucode_machine_run(machine, 1000, &stop);
    struct gpucode_a3xx_cost all = gpucode_a3xx_cycles_of(cycles, UINT64_MAX);
    printf("%u issue slots, %u more for (ss)\n", (unsigned)all.slots, (unsigned)all.ss);
    gpucode_machine_free(machine);
    gpucode_a3xx_cycles_free(cycles);
    return 0;
}

int main(void)
{
    static const char text[] = ".target a3xx\n(rpt1)add.f r0.x, (r)r1.x, c0.x\n"
                               "(rpt5)nop\nrcp r2.x, r0.x\n(ss)mov.f32f32 r2.y, r2.x\nend\n";
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
    int code = estimate(image);
    gpucode_image_free(image);
    gpucode_program_free(program);
    return code;
}
