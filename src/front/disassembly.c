/* SPDX-License-Identifier: MIT */
#include "front/disassembly.h"

#include "kit/afuc/exploration.h"

#include <stdlib.h>
#include <string.h>

/* Is there a word of which only running can tell that it is code? */
static bool is_doubtful(const struct gpucode_image_info *info, const struct gpucode_unit_place *places)
{
    for (uint32_t i = 0; i < info->units; i++)
        if (places[i].kind == GPUCODE_UNIT_DATA)
            return true;
    return false;
}

/* Did a word run to which the listing knew no path? */
static bool is_news(const struct gpucode_image_info *info, const struct gpucode_unit_place *places, const uint8_t *ran)
{
    for (uint32_t i = 0; i < info->units; i++)
        if (ran[i] && (places[i].kind == GPUCODE_UNIT_DATA || places[i].kind == GPUCODE_UNIT_LOOSE))
            return true;
    return false;
}

enum gpucode_status disassembly_make(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                     struct disassembly *out)
{
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct gpucode_disasm_options how = *options;
    *out = (struct disassembly){0};
    if (strcmp(info->format, "afuc") == 0) {
        how.places = out->places = malloc(((size_t)info->units + 1) * sizeof *out->places);
        if (!out->places)
            return GPUCODE_ERROR_MEMORY;
    }
    enum gpucode_status status = gpucode_disassemble(image, &how, &out->text, &out->length);
    uint8_t *ran = NULL;
    if (status == GPUCODE_OK && !how.raw && out->places && is_doubtful(info, out->places))
        ran = exploration_run(image);
    if (ran && is_news(info, out->places, ran)) {
        free(out->text);
        out->text = NULL;
        how.executed = ran;
        status = gpucode_disassemble(image, &how, &out->text, &out->length);
    }
    free(ran);
    if (status != GPUCODE_OK)
        disassembly_free(out);
    return status;
}

void disassembly_free(struct disassembly *disassembly)
{
    free(disassembly->text);
    free(disassembly->places);
    *disassembly = (struct disassembly){0};
}
