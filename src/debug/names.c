/* SPDX-License-Identifier: MIT */
/* Names of places: those of the listing, so that all commands call a place the same. */
#include "debug/session.h"

enum gpucode_status debug_find_names(struct gpucode_debug *debug)
{
    struct gpucode_symbols *symbols = (struct gpucode_symbols *)(uintptr_t)debug->symbols;
    const struct gpucode_disasm_options options = {.names = symbols ? gpucode_symbols_names(symbols) : NULL,
                                                   .label = symbols ? gpucode_symbols_label : NULL,
                                                   .user = symbols};
    struct gpucode_outline *outline;
    enum gpucode_status status = gpucode_outline_create(gpucode_machine_image(debug->machine), &options, &outline);
    if (status != GPUCODE_OK)
        return status;
    gpucode_outline_free(debug->outline);
    debug->outline = outline;
    return GPUCODE_OK;
}

enum gpucode_status gpucode_debug_rename(struct gpucode_debug *debug)
{
    return debug ? debug_find_names(debug) : GPUCODE_ERROR_ARGUMENT;
}

const struct gpucode_outline *gpucode_debug_outline(const struct gpucode_debug *debug)
{
    if (!debug)
        return NULL;
    return debug->outline;
}

size_t gpucode_debug_label(const struct gpucode_debug *debug, unsigned section, uint64_t pc, char *text, size_t size)
{
    if (!debug)
        return 0;
    return gpucode_outline_near(debug->outline, section, pc, text, size);
}
