/* SPDX-License-Identifier: MIT */
#include "console/console.h"

#include <stdio.h>
#include <stdlib.h>

#define LARGEST (256u << 20)

char *console_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    char *bytes = NULL;
    size_t room = 0, used = 0, got = 1;
    while (in && got && used < LARGEST) {
        if (room - used < 4096) {
            char *grown = realloc(bytes, room = room ? room * 2 : 65536);
            if (!grown)
                break;
            bytes = grown;
        }
        used += got = fread(bytes + used, 1, room - used - 1, in);
    }
    bool whole = in && !got && !ferror(in);
    if (in)
        fclose(in);
    if (!whole) {
        free(bytes);
        return NULL;
    }
    bytes[used] = 0;
    *size = used;
    return bytes;
}
