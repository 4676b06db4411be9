/* SPDX-License-Identifier: MIT */
/* Puts the delay between a result and its use. */
#include <gpucode/asm.h>
#include <gpucode/schedule.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    /* mul.f r0.x, r1.x, r1.y; rcp r0.y, r0.x; end */
    static const unsigned char shader[] = {4, 0, 5,    0,    0, 0, 0x70, 0x40, 0, 0, 0, 0,
                                           1, 0, 0x10, 0x80, 0, 0, 0,    0,    0, 0, 0, 3};
    struct gpucode_image_options image_options = {.target = gpucode_target_find("a3xx")};
    struct gpucode_image *image, *legal;
    struct gpucode_scheduled scheduled;
    struct gpucode_disasm_options options = {0};
    char *text;
    size_t length;
    if (gpucode_image_open(shader, sizeof shader, &image_options, &image) != GPUCODE_OK ||
        gpucode_schedule(image, NULL, &scheduled) != GPUCODE_OK ||
        gpucode_image_open(scheduled.bytes, scheduled.size, &image_options, &legal) != GPUCODE_OK ||
        gpucode_disassemble(legal, &options, &text, &length) != GPUCODE_OK)
        return 1;
    printf("%u slots, %u before\n%s", (unsigned)scheduled.slots, (unsigned)scheduled.slots_before, text);
    free(text);
    gpucode_image_free(legal);
    gpucode_scheduled_free(&scheduled);
    gpucode_image_free(image);
    return 0;
}
