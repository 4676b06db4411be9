/* SPDX-License-Identifier: MIT */
/* Opens a short dump: the GPU, and a word of memory from a buffer. */
#include <gpucode/crash.h>
#include <inttypes.h>
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
    uint32_t word;
    if (gpucode_crash_open(text, strlen(text), NULL, &crash) != GPUCODE_OK)
        return 1;
    const struct gpucode_crash_head *head = gpucode_crash_head(crash);
    printf("%s, kernel %s\n", head->gpu, head->kernel);
    if (gpucode_crash_load(crash, 0x100000000, &word, sizeof word) == sizeof word)
        printf("0x%08" PRIx32 "\n", word);
    gpucode_crash_free(crash);
    return 0;
}
