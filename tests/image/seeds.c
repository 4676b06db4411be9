/* SPDX-License-Identifier: MIT */
/*
 * Writes one small image of each container form: the seeds of fuzz/corpus/container.
 *
 *     image-seeds DIRECTORY
 */
#include "builder.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    bool written[FORM_AQE + 1] = {false};
    if (argc != 2)
        return 2;
    for (unsigned i = 0; i < built_layout_count; i++) {
        const struct built_layout *layout = &built_layouts[i];
        if (written[layout->form])
            continue;
        written[layout->form] = true;
        struct built built;
        build_image(&built, layout, 1, 8);
        size_t size;
        unsigned char *bytes = built_file(&built, &size);
        char path[4096];
        snprintf(path, sizeof path, "%s/%s.seed", argv[1], layout->name);
        FILE *file = fopen(path, "wb");
        bool good = bytes && file && fwrite(bytes, 1, size, file) == size;
        good = file && fclose(file) == 0 && good;
        free(bytes);
        if (!good)
            return 1;
    }
    return 0;
}
