/* SPDX-License-Identifier: MIT */
/* What an instruction does, as a tree: the operations of AFUC's add. */
#include <gpucode/gpucode.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    const struct gpucode_target *target = gpucode_target_find("afuc:a730");
    struct gpucode_row row;
    for (unsigned i = 0; gpucode_row(target, i, &row); i++) {
        unsigned count;
        const struct gpucode_action *nodes = gpucode_row_action(target, i, &count);
        if (strcmp(row.id, "ADD") != 0 || !nodes)
            continue;
        for (unsigned n = 0; n < count; n++)
            if (nodes[n].kind == GPUCODE_ACTION_BINARY)
                printf("%s of %u bits\n", nodes[n].text, nodes[n].width);
    }
    return 0;
}
