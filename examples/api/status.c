/* SPDX-License-Identifier: MIT */
/* Every status has a sentence for people. */
#include <gpucode/status.h>
#include <stdio.h>

int main(void)
{
    printf("a version: %s\n", gpucode_version()[0] ? "yes" : "no");
    printf("%s\n", gpucode_status_text(GPUCODE_ERROR_TRUNCATED));
    return 0;
}
