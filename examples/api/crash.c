/* SPDX-License-Identifier: MIT */
/* Opens a short dump: the GPU, and a word of memory from a buffer. */
#include <gpucode/crash.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char text[] = "---\n"
                               "kernel: 6.9.0\n"
                               "revision: 630 (6.3.0.2)\n"
                               "bos:\n"
                               "  - iova: 0x0000000100000000\n"
                               "    size: 4096\n"
                               "    data: !!ascii85 |\n"
                               "     !!!!\"\n";
    struct gpucode_crash *crash;
    unsigned char bytes[4]; /* the lowest one first, as GPUs have them */
    if (gpucode_crash_open(text, strlen(text), NULL, &crash) != GPUCODE_OK)
        return 1;
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    printf("%s, kernel %s\n", head->gpu, head->kernel);
    if (gpucode_crash_load(crash, 0x100000000, bytes, sizeof bytes) == sizeof bytes)
        printf("0x%02x%02x%02x%02x\n", bytes[3], bytes[2], bytes[1], bytes[0]);
    gpucode_crash_free(crash);
    return 0;
}
