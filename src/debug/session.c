/* SPDX-License-Identifier: MIT */
/* Debug sessions: making one, and what it knows about the present position. */
#include "debug/session.h"

#include <stdlib.h>

#define DEFAULT_GAP 65536
#define DEFAULT_MEMORY ((size_t)256 << 20)
#define DEFAULT_DENSITY 64

/* Makes the outline of the image, anew after symbols have changed. */
static enum gpucode_status debug_find_names(struct gpucode_debug *debug)
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

enum gpucode_status gpucode_debug_create(struct gpucode_machine *machine, const struct gpucode_debug_options *options,
                                         struct gpucode_debug **out)
{
    static const struct gpucode_debug_options none = {0};
    if (!machine || !out)
        return GPUCODE_ERROR_ARGUMENT;
    if (!options)
        options = &none;
    struct gpucode_debug *debug = calloc(1, sizeof *debug);
    *out = NULL;
    if (!debug)
        return GPUCODE_ERROR_MEMORY;
    debug->machine = machine;
    debug->symbols = options->symbols;
    debug->first = gpucode_machine_count(machine);
    debug->gap = options->gap ? options->gap : DEFAULT_GAP;
    debug->memory = options->memory ? options->memory : DEFAULT_MEMORY;
    debug->density = DEFAULT_DENSITY;
    debug->limit = options->limit ? options->limit : UINT64_MAX;
    debug->wants_interrupt = options->wants_interrupt;
    debug->user = options->user;
    atomic_init(&debug->interrupt, false);
    enum gpucode_status status = debug_find_names(debug);
    if (status == GPUCODE_OK && !history_keep(debug, 0, true))
        status = GPUCODE_ERROR_MEMORY;
    if (status != GPUCODE_OK) {
        history_free(debug);
        gpucode_outline_free(debug->outline);
        free(debug);
        return status;
    }
    *out = debug;
    return GPUCODE_OK;
}

void gpucode_debug_free(struct gpucode_debug *debug)
{
    if (!debug)
        return;
    breakpoints_arm(debug, false);
    breakpoints_free(debug);
    history_free(debug);
    gpucode_outline_free(debug->outline);
    free(debug);
}

struct gpucode_machine *gpucode_debug_machine(const struct gpucode_debug *debug)
{
    if (!debug)
        return NULL;
    return debug->machine;
}

const struct gpucode_symbols *gpucode_debug_symbols(const struct gpucode_debug *debug)
{
    if (!debug)
        return NULL;
    return debug->symbols;
}

const struct gpucode_image *gpucode_debug_image(const struct gpucode_debug *debug)
{
    if (!debug)
        return NULL;
    return gpucode_machine_image(debug->machine);
}

unsigned gpucode_debug_processor(const struct gpucode_debug *debug)
{
    if (!debug)
        return 0;
    return debug->processor;
}

enum gpucode_status gpucode_debug_select(struct gpucode_debug *debug, unsigned processor)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    if (!gpucode_machine_processor(debug->machine, processor))
        return GPUCODE_ERROR_RANGE;
    debug->processor = processor;
    return GPUCODE_OK;
}

void gpucode_debug_interrupt(struct gpucode_debug *debug)
{
    if (!debug)
        return;
    atomic_store(&debug->interrupt, true);
}

bool gpucode_debug_take_interrupt(struct gpucode_debug *debug)
{
    if (!debug)
        return false;
    return atomic_exchange(&debug->interrupt, false);
}

uint64_t debug_position(const struct gpucode_debug *debug)
{
    return gpucode_machine_count(debug->machine) - debug->first;
}

uint64_t gpucode_debug_position(const struct gpucode_debug *debug)
{
    if (!debug)
        return 0;
    return debug_position(debug);
}

uint64_t gpucode_debug_end(const struct gpucode_debug *debug)
{
    if (!debug)
        return 0;
    return debug->end;
}

void debug_stand(const struct gpucode_debug *debug, struct gpucode_debug_stop *stop, enum gpucode_debug_reason reason,
                 unsigned processor)
{
    stop->reason = reason;
    stop->processor = processor;
    stop->pc = gpucode_machine_pc(debug->machine, processor);
    stop->position = debug_position(debug);
}

unsigned debug_depth(const struct gpucode_debug *debug, unsigned processor)
{
    struct gpucode_frame frame;
    unsigned depth = 0;
    while (gpucode_machine_frame(debug->machine, processor, depth, &frame) && !frame.link)
        depth++;
    return depth;
}

/* --- names of places: those of the listing ---------------------------- */

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
