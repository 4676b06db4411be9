/* SPDX-License-Identifier: MIT */
/* Finds a target by name, and counts those of its instruction set. */
#include <gpucode/target.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a630"), *other;
    unsigned count = 0;
    if (!target)
        return 1;
    for (unsigned i = 0; (other = gpucode_target_at(i)); i++)
        count += strcmp(gpucode_target_isa(other), gpucode_target_isa(target)) == 0;
    printf("%s is %s, %s; addresses count %u bytes\n", gpucode_target_name(target), gpucode_target_description(target),
           gpucode_target_generation(target), gpucode_target_unit_bytes(target));
    printf("more targets of %s: %s\n", gpucode_target_isa(target), count > 1 ? "yes" : "no");
    return 0;
}
