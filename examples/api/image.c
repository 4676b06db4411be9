/* SPDX-License-Identifier: MIT */
/* Takes a firmware file apart; this one is made of nothing but its header. */
#include <gpucode/image.h>
#include <inttypes.h>
#include <stdio.h>

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
    return 0;
}
