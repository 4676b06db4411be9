/* SPDX-License-Identifier: MIT */
/* Writes a picture of two texels, and reads it back. */
#include <gpucode/picture.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    static const uint8_t rgba[] = {255, 0, 0, 255, 0, 0, 51, 0};
    void *bytes;
    size_t size;
    if (gpucode_picture_write(rgba, 2, 1, &bytes, &size) != GPUCODE_OK)
        return 1;
    struct gpucode_picture picture;
    enum gpucode_status status = gpucode_picture_read(bytes, size, NULL, &picture);
    free(bytes);
    if (status != GPUCODE_OK)
        return 1;
    printf("%u x %u\n", picture.width, picture.height);
    for (unsigned i = 0; i < 2; i++)
        printf("%g %g %g %g\n", (double)picture.texels[4 * i], (double)picture.texels[4 * i + 1],
               (double)picture.texels[4 * i + 2], (double)picture.texels[4 * i + 3]);
    gpucode_picture_free(&picture);
    return 0;
}
