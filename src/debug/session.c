/* SPDX-License-Identifier: MIT */
/* Debug sessions: making one, and what it knows about the present position. */
#include "debug/session.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Code as people want to see it: instructions, labels, source places. */

bool gpucode_debug_section(const struct gpucode_debug *debug, unsigned section, struct gpucode_section *out)
{
    if (!debug)
        return false;
    const struct gpucode_image_info *info = gpucode_image_info(gpucode_debug_image(debug));
    if (section < info->section_count)
        *out = info->sections[section];
    else if (section == 0)
        *out = (struct gpucode_section){.name = "", .size = info->units, .table = GPUCODE_NONE, .start_source = ""};
    else
        return false;
    return true;
}

/* Bytes of a section from `pc` on; null: none. */
static const unsigned char *code_at(const struct gpucode_debug *debug, unsigned number, uint64_t pc, size_t *size)
{
    const struct gpucode_image *image = gpucode_debug_image(debug);
    const struct gpucode_image_info *info = gpucode_image_info(image);
    struct gpucode_section section;
    size_t file, unit = gpucode_target_unit_bytes(info->target);
    const unsigned char *bytes = gpucode_image_bytes(image, &file);
    if (!gpucode_debug_section(debug, number, &section) || pc >= section.size)
        return NULL;
    uint64_t at = info->prefix + (section.start + pc) * unit,
             end = info->prefix + ((uint64_t)section.start + section.size) * unit;
    if (end > file)
        end = file;
    if (at >= end)
        return NULL;
    *size = (size_t)(end - at);
    return bytes + at;
}

enum gpucode_status gpucode_debug_insn(const struct gpucode_debug *debug, unsigned section, uint64_t pc,
                                       struct gpucode_insn *insn, const unsigned char **bytes)
{
    if (!debug)
        return GPUCODE_ERROR_ARGUMENT;
    size_t size;
    const unsigned char *at = code_at(debug, section, pc, &size);
    if (bytes)
        *bytes = at;
    return at ? gpucode_decode(gpucode_image_info(gpucode_debug_image(debug))->target, at, size, pc, insn)
              : GPUCODE_ERROR_RANGE;
}

struct label_search {
    const struct gpucode_debug *debug;
    unsigned section;
};

/* gpucode_format_options.label */
static size_t label_text(void *user, const struct gpucode_insn *insn, uint64_t address, char *text, size_t size)
{
    const struct label_search *search = user;
    struct gpucode_section section;
    struct gpucode_flow flow;
    size_t length;
    if (!gpucode_debug_section(search->debug, search->section, &section) || address >= section.size || size < 24)
        return 0;
    const char *name = gpucode_outline_name(search->debug->outline, search->section, address, &length);
    if (name && length <= size) {
        memcpy(text, name, length);
        return length;
    }
    /* where the listing has none, it would have one of these */
    bool is_call = gpucode_insn_flow(insn, &flow) && flow.kind == GPUCODE_FLOW_CALL;
    return (size_t)(text_decimal(text_string(text, is_call ? "fxn" : "l"), address) - text);
}

unsigned gpucode_debug_text(const struct gpucode_debug *debug, unsigned section, uint64_t pc, char *text, size_t size)
{
    if (!debug)
        return 0;
    struct gpucode_insn insn;
    const unsigned char *bytes;
    struct label_search search = {debug, section};
    struct gpucode_format_options options = {
        .names = debug->symbols ? gpucode_symbols_names(debug->symbols) : NULL,
        .comments = true,
        .label = label_text,
        .user = &search,
    };
    if (size)
        *text = 0;
    enum gpucode_status status = gpucode_debug_insn(debug, section, pc, &insn, &bytes);
    if (!bytes)
        return 0;
    unsigned unit = gpucode_target_unit_bytes(gpucode_image_info(gpucode_debug_image(debug))->target);
    if (status == GPUCODE_OK) {
        gpucode_format(&insn, &options, text, size, NULL);
        return insn.size / unit ? insn.size / unit : 1;
    }
    uint64_t word = 0;
    size_t room;
    code_at(debug, section, pc, &room);
    for (unsigned i = 0; i < unit && i < room; i++)
        word |= (uint64_t)bytes[i] << i * 8;
    snprintf(text, size, "[%0*llx]", (int)unit * 2, (unsigned long long)word);
    return 1;
}

bool gpucode_debug_use(const struct gpucode_debug *debug, unsigned section, uint64_t pc, unsigned index,
                       struct gpucode_place *place)
{
    if (!debug)
        return false;
    struct gpucode_section found;
    return gpucode_debug_section(debug, section, &found) && pc < found.size &&
           gpucode_symbols_use(debug->symbols, (uint32_t)(found.start + pc), index, place);
}

bool gpucode_debug_place(const struct gpucode_debug *debug, unsigned section, uint64_t pc, struct gpucode_place *place)
{
    if (!debug)
        return false;
    struct gpucode_section found;
    return gpucode_debug_section(debug, section, &found) && pc < found.size &&
           gpucode_symbols_place(debug->symbols, (uint32_t)(found.start + pc), place);
}
