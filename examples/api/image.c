/* SPDX-License-Identifier: MIT */
/* Takes a firmware file apart; this one is made of nothing but its header. And makes one file of two. */
#include <gpucode/image.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The two firmwares of an a5xx as one file; these are made of a header (id 5ff, version 001) and a packet table. */
static bool join(void)
{
    static const unsigned char half[4 * 131] = {0, 0, 0, 0, 0x01, 0xf0, 0x5f, 0, 2};
    struct gpucode_image *image, *both = NULL;
    void *bytes = NULL;
    size_t size;
    if (gpucode_image_open(half, sizeof half, NULL, &image) != GPUCODE_OK)
        return false;
    if (gpucode_image_join(image, image, &bytes, &size) == GPUCODE_OK &&
        gpucode_image_open(bytes, size, NULL, &both) == GPUCODE_OK)
        printf("%s and %s\n", gpucode_image_info(both)->sections[0].name, gpucode_image_info(both)->sections[1].name);
    gpucode_image_free(both);
    gpucode_image_free(image);
    free(bytes);
    return both != NULL;
}

int main(void)
{
    /* the zero word, id 6ee with version 001, a table offset that points nowhere */
    static const unsigned char bytes[] = {0, 0, 0, 0, 0x01, 0xe0, 0x6e, 0x01, 0, 0, 0, 0x01};
    struct gpucode_image *image;
    if (gpucode_image_open(bytes, sizeof bytes, NULL, &image) != GPUCODE_OK)
        return 1;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    printf("%s, %" PRIu32 " words, version 0x%03" PRIx32 "\n", gpucode_target_name(info->target), info->units,
           info->version);
    for (unsigned i = 0; i < info->section_count; i++)
        printf("section %s: words %" PRIu32 " to %" PRIu32 "\n", info->sections[i].name, info->sections[i].start,
               info->sections[i].start + info->sections[i].size - 1);
    gpucode_image_free(image);
    return join() ? 0 : 1;
}
