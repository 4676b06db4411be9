/* SPDX-License-Identifier: MIT */
/* All of the library through one header: how many rows does each instruction set have? */
#include <gpucode/gpucode.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a730");
    unsigned here = 0, count = gpucode_row_count(target);
    for (unsigned i = 0; i < count; i++)
        here += gpucode_row_on_target(target, i);
    printf("rows: %s; of them on %s: %s\n", count ? "yes" : "no", gpucode_target_generation(target),
           here && here < count ? "some" : "all or none");
    return 0;
}
