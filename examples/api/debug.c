/* SPDX-License-Identifier: MIT */
/* Stops at a breakpoint, and takes one instruction back. */
#include <gpucode/debug.h>
#include <stdio.h>

int main(void)
{
    static const unsigned char script[] = {0x01, 0x02, 0x03, 0x7f}; /* three waits; exit */
    struct gpucode_image_options options = {.target = gpucode_target_find("hwsq:g94")};
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_debug *debug;
    struct gpucode_debug_stop stop;
    struct gpucode_breakpoint breakpoint = {.kind = GPUCODE_BREAKPOINT_CODE, .address = 2};
    if (gpucode_image_open(script, sizeof script, &options, &image) != GPUCODE_OK ||
        gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK ||
        gpucode_debug_create(machine, NULL, &debug) != GPUCODE_OK ||
        gpucode_debug_add(debug, &breakpoint) != GPUCODE_OK)
        return 1;
    gpucode_debug_continue(debug, false, &stop);
    printf("breakpoint %u at %llu\n", stop.breakpoint, (unsigned long long)stop.pc);
    gpucode_debug_step(debug, true, &stop);
    printf("back at %llu\n", (unsigned long long)stop.pc);
    gpucode_debug_free(debug);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    return 0;
}
