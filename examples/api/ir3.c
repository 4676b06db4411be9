/* SPDX-License-Identifier: MIT */
/* <gpucode/ir3.h>: how many registers a shader of a6xx takes, and how many waves that leaves room for. */
#include <gpucode/ir3.h>
#include <gpucode/target.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    /* (rpt1)mov.f32f32 r5.x, (r)r0.x; end */
    static const unsigned char shader[16] = {0x00, 0, 0, 0, 0x14, 0x49, 0x04, 0x20, 0, 0, 0, 0, 0, 0, 0, 0x03};
    struct gpucode_image_options options = {.target = gpucode_target_find("ir3:a630")};
    struct gpucode_image *image;
    if (gpucode_image_open(shader, sizeof shader, &options, &image) != GPUCODE_OK)
        return 1;
    struct gpucode_ir3_usage usage;
    if (gpucode_ir3_usage(image, &usage) == GPUCODE_OK)
        printf("%" PRIu32 " slots, %" PRIu32 " vectors, %" PRIu32 " waves\n", usage.shader.slots, usage.registers,
               usage.waves);
    gpucode_image_free(image);
    return 0;
}
