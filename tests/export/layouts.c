/* SPDX-License-Identifier: MIT */
/* Writes firmware files of all layouts to a folder; a line of each: its name, target and layout. */
#include "support/builder.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static struct built built;
    for (unsigned i = 0; argc > 1 && i < 3 * built_layout_count; i++) {
        const struct built_layout *layout = &built_layouts[i / 3];
        char path[1024];
        size_t size;
        build_image(&built, layout, i, 40 + 50 * (i % 3));
        unsigned char *bytes = built_file(&built, &size);
        snprintf(path, sizeof path, "%s/%s_%u.fw", argv[1], layout->name, i);
        FILE *file = bytes ? fopen(path, "wb") : NULL;
        if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
            return 1;
        printf("%s_%u.fw %s %s\n", layout->name, i, layout->target, layout->container);
        free(bytes);
    }
    return 0;
}
