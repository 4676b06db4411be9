/* SPDX-License-Identifier: MIT */
/* Runs a script of the hardware sequencer to its end. */
#include <gpucode/machine.h>
#include <stdio.h>

int main(void)
{
    static const unsigned char script[] = {0x05, 0x7f}; /* wait 0x1 shl 0x2; exit */
    struct gpucode_image_options options = {.target = gpucode_target_find("hwsq:g94")};
    struct gpucode_image *image;
    struct gpucode_machine *machine;
    struct gpucode_stop stop;
    if (gpucode_image_open(script, sizeof script, &options, &image) != GPUCODE_OK ||
        gpucode_machine_create(image, NULL, &machine) != GPUCODE_OK)
        return 1;
    unsigned long long ran = gpucode_machine_run(machine, 100, &stop);
    printf("%llu instructions, %llu clocks, %s\n", ran, (unsigned long long)stop.time,
           stop.reason == GPUCODE_STOP_END ? "the end" : stop.text);
    gpucode_machine_free(machine);
    gpucode_image_free(image);
    return 0;
}
