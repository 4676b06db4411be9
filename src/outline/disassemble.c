/* SPDX-License-Identifier: MIT */
/* The text of an image. */
#include "outline/outline.h"

#include "image/image.h"
#include "isa/machine.h"
#include "isa/plain/plain.h"

enum gpucode_status outline_list(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                 bool recorded, struct isa_lines *listing)
{
    static const struct gpucode_disasm_options defaults;
    const struct isa_layout *layout = image_layout(image);
    const struct isa *isa = layout->info.target->isa;
    if (!options)
        options = &defaults;
    *listing = (struct isa_lines){.recorded = recorded, .image = image};
    if (isa->machine && isa->machine->packet && !options->raw && !options->executed && !options->static_only)
        listing->explore = outline_explore;
    buffer_reserve(&listing->text, layout->size * 8 + 4096);
    (isa->listing.disassemble ? isa->listing.disassemble : isa_plain_disassemble)(layout, options, listing);
    buffer_append(&listing->text, "", 1);
    if (!listing->text.failed)
        return GPUCODE_OK;
    isa_lines_free(listing);
    return GPUCODE_ERROR_MEMORY;
}

enum gpucode_status gpucode_disassemble(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                        char **text, size_t *length)
{
    struct isa_lines listing;
    if (!image || !text || !length)
        return GPUCODE_ERROR_ARGUMENT;
    enum gpucode_status status = outline_list(image, options, false, &listing);
    if (status != GPUCODE_OK)
        return status;
    *text = listing.text.bytes;
    *length = listing.text.length - 1;
    listing.text = (struct buffer){0};
    isa_lines_free(&listing);
    return GPUCODE_OK;
}
