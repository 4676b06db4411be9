/* SPDX-License-Identifier: MIT */
/* Code as people want to see it: instructions, labels, source places. */
#include "debug/session.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

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
