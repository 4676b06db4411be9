/* SPDX-License-Identifier: MIT */
/* Checks a script that leaves memory paused. */
#include <gpucode/lint.h>
#include <stdio.h>

static void show(void *user, const struct gpucode_finding *finding)
{
    (void)user;
    printf("%llx: %s [%s]\n", (unsigned long long)finding->unit, finding->message, finding->code);
}

int main(void)
{
    static const unsigned char script[] = {0xb0, 0x5f, 0x00, 0x01, 0x7f};
    struct gpucode_image_options image_options = {.target = gpucode_target_find("hwsq:g94")};
    struct gpucode_lint_options options = {.report = show};
    struct gpucode_image *image;
    unsigned count;
    if (gpucode_image_open(script, sizeof script, &image_options, &image) != GPUCODE_OK ||
        gpucode_lint(image, &options, &count) != GPUCODE_OK)
        return 1;
    printf("%u finding\n", count);
    gpucode_image_free(image);
    return 0;
}
