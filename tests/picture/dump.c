/* SPDX-License-Identifier: MIT */
/* usage: picture-dump FILE.png. Prints the sides, and each texel as X Y and four values from 0 to 255. */
#include <gpucode/picture.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    static unsigned char bytes[1 << 22];
    struct gpucode_picture picture;
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (gpucode_picture_read(bytes, size, NULL, &picture) != GPUCODE_OK)
        return 1;
    printf("%u x %u\n", picture.width, picture.height);
    for (unsigned y = 0; y < picture.height; y++)
        for (unsigned x = 0; x < picture.width; x++) {
            const float *texel = picture.texels + 4 * ((size_t)y * picture.width + x);
            printf("%u %u", x, y);
            for (unsigned i = 0; i < 4; i++)
                printf(" %d", (int)(texel[i] * 255 + 0.5f));
            putchar('\n');
        }
    gpucode_picture_free(&picture);
    fclose(file);
    return 0;
}
