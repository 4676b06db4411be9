/* SPDX-License-Identifier: MIT */
#include "image/image.h"
#include "isa/plain/plain.h"

enum gpucode_status gpucode_disassemble(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                        char **text, size_t *length)
{
    static const struct gpucode_disasm_options defaults;
    if (!image || !text || !length)
        return GPUCODE_ERROR_ARGUMENT;
    const struct isa_layout *layout = image_layout(image);
    struct buffer out = {0};
    if (options && options->places && layout->info.units)
        memset(options->places, 0, layout->info.units * sizeof *options->places);
    buffer_reserve(&out, layout->size * 8 + 4096);
    const struct isa *isa = layout->info.target->isa;
    (isa->listing.disassemble ? isa->listing.disassemble : isa_plain_disassemble)(layout, options ? options : &defaults,
                                                                                  &out);
    buffer_append(&out, "", 1);
    if (out.failed) {
        buffer_free(&out);
        return GPUCODE_ERROR_MEMORY;
    }
    *text = out.bytes;
    *length = out.length - 1;
    return GPUCODE_OK;
}
