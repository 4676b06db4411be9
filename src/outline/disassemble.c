/* SPDX-License-Identifier: MIT */
/* The text of an image. */
#include "outline/outline.h"

#include "isa/isa.h"
#include "isa/machine.h"
#include "isa/plain/plain.h"

/* Text that is handed over in pieces of this size, or a little more. */
#define WINDOW 65536

/* Fills the text of *listing, or its window. */
static void list_image(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                       struct isa_lines *listing)
{
    static const struct gpucode_disasm_options defaults;
    const struct isa_layout *layout = image_layout(image);
    const struct isa *isa = layout->info.target->isa;
    if (!options)
        options = &defaults;
    listing->image = image;
    if (isa->machine && isa->machine->packet && !options->raw && !options->executed && !options->static_only)
        listing->explore = outline_explore;
    (isa->listing.disassemble ? isa->listing.disassemble : isa_plain_disassemble)(layout, options, listing);
}

enum gpucode_status outline_list(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                 bool recorded, struct isa_lines *listing)
{
    *listing = (struct isa_lines){.recorded = recorded};
    buffer_reserve(&listing->text, image_layout(image)->size * 8 + 4096);
    list_image(image, options, listing);
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

enum gpucode_status gpucode_disassemble_to(const struct gpucode_image *image,
                                           const struct gpucode_disasm_options *options,
                                           bool (*write)(void *user, const char *text, size_t length), void *user)
{
    if (!image || !write)
        return GPUCODE_ERROR_ARGUMENT;
    struct isa_lines listing = {.text = {.flush = write, .user = user}};
    if (buffer_reserve(&listing.text, WINDOW))
        list_image(image, options, &listing);
    bool good = buffer_finish(&listing.text), refused = listing.text.refused;
    isa_lines_free(&listing);
    return good ? GPUCODE_OK : refused ? GPUCODE_ERROR_SPACE : GPUCODE_ERROR_MEMORY;
}
