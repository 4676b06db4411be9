/* SPDX-License-Identifier: MIT */
/* The text of an image. */
#include "outline/outline.h"

#include "image/image.h"
#include "isa/machine.h"
#include "isa/plain/plain.h"

#include <stdlib.h>

static void print_listing(const struct isa_layout *layout, const struct gpucode_disasm_options *options,
                          struct isa_lines *listing)
{
    buffer_reserve(&listing->text, layout->size * 8 + 4096);
    const struct isa *isa = layout->info.target->isa;
    (isa->listing.disassemble ? isa->listing.disassemble : isa_plain_disassemble)(layout, options, listing);
    buffer_append(&listing->text, "", 1);
}

/* Is there a number that would be an instruction if it were known to run? */
static bool has_doubtful_data(const struct isa_layout *layout, const uint8_t *doubts)
{
    return doubts && memchr(doubts, ISA_DOUBT_DATA, layout->info.units);
}

/* Did a unit run to which the listing knew no path? */
static bool resolves_doubt(const struct isa_layout *layout, const uint8_t *doubts, const uint8_t *ran)
{
    for (uint32_t i = 0; i < layout->info.units; i++)
        if (ran[i] && doubts[i])
            return true;
    return false;
}

enum gpucode_status outline_list(const struct gpucode_image *image, const struct gpucode_disasm_options *options,
                                 bool recorded, struct isa_lines *listing)
{
    static const struct gpucode_disasm_options defaults;
    const struct isa_layout *layout = image_layout(image);
    const struct isa *isa = layout->info.target->isa;
    struct gpucode_disasm_options how = options ? *options : defaults;
    *listing = (struct isa_lines){.recorded = recorded};
    if (isa->machine && isa->machine->packet && !how.raw && !how.executed && !how.static_only)
        listing->doubts = calloc((size_t)layout->info.units + 1, 1);
    print_listing(layout, &how, listing);
    uint8_t *ran = has_doubtful_data(layout, listing->doubts) ? outline_explore(image) : NULL;
    if (ran && resolves_doubt(layout, listing->doubts, ran)) {
        isa_lines_free(listing);
        listing->recorded = recorded;
        how.executed = ran;
        print_listing(layout, &how, listing);
    }
    free(ran);
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
