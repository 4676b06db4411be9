/* SPDX-License-Identifier: MIT */
/* The analysis of an image, and what can be asked of it. */
#include "analysis/build.h"

#include "isa/isa.h"
#include "isa/plain/plain.h"

#include <gpucode/outline.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 8 /* jumps by registers after jumps by registers */

/* A copy in order; false: out of memory. */
static bool keep_seen(struct gpucode_analysis *analysis, const struct gpucode_analysis_options *options)
{
    if (!options || !options->seen_count)
        return true;
    analysis->seen = arena_array(&analysis->arena, options->seen_count, sizeof *analysis->seen);
    if (!analysis->seen)
        return false;
    memcpy(analysis->seen, options->seen, options->seen_count * sizeof *analysis->seen);
    analysis->seen_count = options->seen_count;
    qsort(analysis->seen, analysis->seen_count, sizeof *analysis->seen, analysis_compare_seen);
    return true;
}

/* Those of a list that are of a section; each begins with a struct gpucode_seen_edge. */
static const void *of_section(const void *list, size_t all, size_t size, unsigned section, size_t *count)
{
    *count = 0;
    if (!all) /* nor need there be a list */
        return NULL;
    const char *at = list, *end = at + all * size;
    while (at < end && ((const struct gpucode_seen_edge *)at)->section < section)
        at += size;
    for (; at + *count * size < end && ((const struct gpucode_seen_edge *)(at + *count * size))->section == section;)
        ++*count;
    return at;
}

/* A place where an interruption goes is known once values are: GPUCODE_NONE at first. */
static enum gpucode_status analysis_build(struct gpucode_analysis *analysis, struct analysis_code *code,
                                          unsigned section, uint32_t interrupt)
{
    const struct gpucode_section *place = &analysis->layout->info.sections[section];
    isa_values_free(&code->pool);
    *code = (struct analysis_code){.place = place,
                                   .section = section,
                                   .units = place->table == GPUCODE_NONE ? place->size : place->table,
                                   .interrupt = interrupt,
                                   .interrupt_at = GPUCODE_NONE,
                                   .interrupt_immediate = GPUCODE_NONE};
    code->seen = of_section(analysis->seen, analysis->seen_count, sizeof *analysis->seen, section, &code->seen_count);
    code->jumps =
        of_section(analysis->jumps, analysis->jump_count, sizeof *analysis->jumps, section, &code->jump_count);
    if (!(code->facts = analysis->set->begin(&analysis->arena, analysis->layout, section)))
        return GPUCODE_ERROR_MEMORY;
    code->boot = analysis->set->header(code->facts, code->units);
    if (!analysis_reach(analysis, code) || !analysis_cut(analysis, code))
        return GPUCODE_ERROR_MEMORY;
    enum gpucode_status status = analysis_divide(analysis, code);
    if (status != GPUCODE_OK)
        return status;
    return analysis_measure(analysis, code) && analysis_follow(analysis, code) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* What boot tells the hardware about interruptions; the instruction with the number goes to *at. */
static uint32_t find_interrupt(const struct gpucode_analysis *analysis, struct analysis_code *code, uint32_t *at)
{
    isa_value state[ANALYSIS_REGISTERS_MAX];
    uint32_t found = GPUCODE_NONE;
    if (!analysis->set->interrupt || !code->function_count || code->boot >= code->units)
        return found;
    const struct gpucode_function *boot = &code->functions[code->function_at[code->boot]];
    for (uint32_t i = 0; i < boot->block_count; i++) {
        uint32_t block = boot->blocks[i];
        for (uint32_t k = code->piece_of[block]; k < code->piece_of[block + 1]; k++) {
            memcpy(state, analysis_state(analysis, code, k), analysis->set->registers * sizeof *state);
            for (uint32_t unit = code->pieces[k].start; unit < code->pieces[k].end; unit++) {
                uint32_t to = analysis->set->interrupt(code->facts, &code->pool, unit, state);
                if (to != GPUCODE_NONE && to && to < code->units) {
                    found = to;
                    *at = unit;
                }
                analysis->set->step(code->facts, &code->pool, unit, LEVEL_UNKNOWN, state);
            }
        }
    }
    return found;
}

static enum gpucode_status analyse_section(struct gpucode_analysis *analysis, unsigned section)
{
    struct analysis_code *code = &analysis->code[section];
    uint32_t at = GPUCODE_NONE;
    enum gpucode_status status = analysis_build(analysis, code, section, GPUCODE_NONE);
    if (status != GPUCODE_OK)
        return status;
    uint32_t interrupt = find_interrupt(analysis, code, &at);
    if (interrupt != GPUCODE_NONE && !(code->marks[interrupt] & ANALYSIS_ENTRY))
        status = analysis_build(analysis, code, section, interrupt);
    else if (interrupt != GPUCODE_NONE) { /* an entry already: of a packet, or of a call */
        struct gpucode_function *function = &code->functions[code->function_at[interrupt]];
        if (function->kind == GPUCODE_FUNCTION_ROUTINE)
            status = analysis_build(analysis, code, section, interrupt);
        code->interrupt = interrupt;
    }
    code->interrupt_at = at;
    code->interrupt_immediate = interrupt == GPUCODE_NONE || status != GPUCODE_OK
                                    ? GPUCODE_NONE
                                    : analysis->set->immediate(code->facts, at, interrupt);
    return status;
}

enum gpucode_status gpucode_analyse(const struct gpucode_image *image, const struct gpucode_analysis_options *options,
                                    struct gpucode_analysis **out)
{
    if (!image || !out || (options && options->seen_count && !options->seen))
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!gpucode_can_analyse(image_layout(image)->info.target))
        return GPUCODE_ERROR_UNSUPPORTED;
    struct gpucode_analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return GPUCODE_ERROR_MEMORY;
    analysis->image = image;
    analysis->layout = image_layout(image);
    analysis->set = image->isa->analysis ? image->isa->analysis : &isa_plain_analysis;
    analysis->target = analysis->layout->info.target;
    analysis->names = options ? options->names : NULL;
    unsigned count = analysis->layout->info.section_count;
    analysis->code = arena_array(&analysis->arena, (size_t)count + 1, sizeof *analysis->code);
    enum gpucode_status status = analysis->code && keep_seen(analysis, options) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    bool changed = true;
    for (unsigned round = 0; status == GPUCODE_OK && changed && round < ROUNDS_MAX; round++) {
        for (unsigned i = 0; status == GPUCODE_OK && i < count; i++) {
            analysis->section_count = i + 1 > analysis->section_count ? i + 1 : analysis->section_count;
            status = analyse_section(analysis, i);
        }
        if (status == GPUCODE_OK && !analysis_find_constants(analysis, &changed))
            status = GPUCODE_ERROR_MEMORY;
    }
    if (status != GPUCODE_OK)
        gpucode_analysis_free(analysis);
    else
        *out = analysis;
    return status;
}

bool gpucode_can_analyse(const struct gpucode_target *target)
{
    if (!target || target->isa->analysis)
        return target;
    const struct isa_row_set *rows = target->isa->text.rows;
    for (unsigned i = 0; rows && i < rows->row_count; i++)
        if (rows->rows[i].flows)
            return true;
    return false;
}

bool gpucode_can_follow_values(const struct gpucode_target *target)
{
    return target && target->isa->analysis;
}

bool gpucode_has_branches(const struct gpucode_target *target)
{
    const struct isa_row_set *rows = target ? target->isa->text.rows : NULL;
    for (unsigned i = 0; rows && i < rows->row_count; i++)
        for (unsigned k = 0; k < rows->rows[i].field_count; k++)
            if (target->isa->text.operand_classes[rows->rows[i].fields[k].kind].type == GPUCODE_OPERAND_TARGET)
                return true;
    return false;
}

void gpucode_analysis_free(struct gpucode_analysis *analysis)
{
    if (!analysis)
        return;
    for (unsigned i = 0; i < analysis->section_count; i++)
        isa_values_free(&analysis->code[i].pool);
    if (analysis->run)
        analysis_run_end(analysis->run);
    free(analysis->run);
    arena_free(&analysis->arena);
    free(analysis);
}

/* --- asking --- */

static const struct analysis_code *code_of(const struct gpucode_analysis *analysis, unsigned section)
{
    return analysis && section < analysis->section_count ? &analysis->code[section] : NULL;
}

const struct gpucode_block *gpucode_analysis_block(const struct gpucode_analysis *analysis, unsigned section,
                                                   unsigned index)
{
    const struct analysis_code *code = code_of(analysis, section);
    return code && index < code->block_count ? &code->blocks[index] : NULL;
}

const struct gpucode_function *gpucode_analysis_function(const struct gpucode_analysis *analysis, unsigned section,
                                                         unsigned index)
{
    const struct analysis_code *code = code_of(analysis, section);
    return code && index < code->function_count ? &code->functions[index] : NULL;
}

size_t gpucode_analysis_packet_name(const struct gpucode_analysis *analysis, unsigned packet, char *text, size_t size)
{
    if (!analysis || !text || size < GPUCODE_NAME_MAX)
        return 0;
    size_t length = gpucode_name_of(analysis->target, analysis->names, GPUCODE_SPACE_PACKET, packet, text, size);
    return length ? length : (size_t)snprintf(text, size, "UNKN%u", packet);
}

/* The lowest packet that has a name; without one the lowest. */
static size_t name_handler(const struct gpucode_analysis *analysis, const struct gpucode_function *function, char *text,
                           size_t size)
{
    unsigned lowest = UINT_MAX;
    for (unsigned i = 0; i < 128; i++) {
        if (!(function->packets[i / 64] >> i % 64 & 1))
            continue;
        size_t length = gpucode_name_of(analysis->target, analysis->names, GPUCODE_SPACE_PACKET, i, text, size);
        if (length)
            return length;
        lowest = lowest < i ? lowest : i;
    }
    return (size_t)snprintf(text, size, "UNKN%u", lowest);
}

size_t gpucode_analysis_name(const struct gpucode_analysis *analysis, unsigned section, unsigned index, char *text,
                             size_t size)
{
    const struct gpucode_function *function = gpucode_analysis_function(analysis, section, index);
    if (!function || !text || size < GPUCODE_NAME_MAX)
        return 0;
    if (function->kind == GPUCODE_FUNCTION_BOOT || function->kind == GPUCODE_FUNCTION_START)
        return (size_t)snprintf(text, size, "%s", analysis->set->start ? analysis->set->start : "boot");
    if (function->packets[0] || function->packets[1])
        return name_handler(analysis, function, text, size);
    if (function->kind == GPUCODE_FUNCTION_PREEMPT)
        return (size_t)snprintf(text, size, "preempt");
    return (size_t)snprintf(text, size, "fxn%u", (unsigned)function->start);
}

size_t gpucode_analysis_listed_name(const struct gpucode_analysis *analysis, const struct gpucode_outline *outline,
                                    unsigned section, unsigned index, char *text, size_t size)
{
    const struct gpucode_function *function = gpucode_analysis_function(analysis, section, index);
    size_t length = 0;
    if (text && size)
        *text = 0;
    if (!function || !text || size < GPUCODE_NAME_MAX)
        return 0;
    const char *label = outline ? gpucode_outline_name(outline, section, function->start, &length) : NULL;
    if (!label || !length)
        return gpucode_analysis_name(analysis, section, index, text, size);
    length = length < size ? length : size - 1;
    memcpy(text, label, length);
    text[length] = 0;
    return length;
}

/* The block that a unit lies in; where a delay slot is a block of its own too, the one that it begins. */
static uint32_t block_at(const struct analysis_code *code, uint32_t unit)
{
    if (unit >= code->units || !(code->marks[unit] & ANALYSIS_REACHED))
        return GPUCODE_NONE;
    if (code->block_of[unit] != GPUCODE_NONE)
        return code->block_of[unit];
    uint32_t low = 0, high = code->block_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->blocks[middle].start <= unit)
            low = middle + 1;
        else
            high = middle;
    }
    while (low-- > 0)
        if (unit < code->blocks[low].end)
            return low;
    return GPUCODE_NONE;
}

uint32_t gpucode_analysis_owner(const struct gpucode_analysis *analysis, unsigned section, uint32_t unit)
{
    const struct analysis_code *code = code_of(analysis, section);
    uint32_t block = code ? block_at(code, unit) : GPUCODE_NONE, owner = GPUCODE_NONE;
    if (block == GPUCODE_NONE)
        return GPUCODE_NONE;
    for (uint32_t i = code->owner_of[block]; i < code->owner_of[block + 1]; i++)
        if (owner == GPUCODE_NONE || code->functions[code->owners[i]].start <= unit)
            owner = code->owners[i];
    return owner;
}

bool gpucode_analysis_reached_by(const struct gpucode_analysis *analysis, unsigned section, uint32_t unit,
                                 uint64_t packets[2])
{
    const struct analysis_code *code = code_of(analysis, section);
    uint32_t block = code && packets ? block_at(code, unit) : GPUCODE_NONE;
    if (block == GPUCODE_NONE)
        return false;
    packets[0] = packets[1] = 0;
    for (uint32_t i = code->owner_of[block]; i < code->owner_of[block + 1]; i++) {
        packets[0] |= code->functions[code->owners[i]].reached_by[0];
        packets[1] |= code->functions[code->owners[i]].reached_by[1];
    }
    return true;
}

const char *gpucode_edge_name(enum gpucode_edge_kind kind)
{
    static const char *const names[] = {"next", "taken", "table", "unresolved", "return", "dispatch", "seen", "stop"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *gpucode_function_kind_name(enum gpucode_function_kind kind)
{
    static const char *const names[] = {"boot", "handler", "preempt", "routine", "program"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *gpucode_reference_kind_name(enum gpucode_reference_kind kind)
{
    static const char *const names[] = {"read", "write", "call", "jump", "address"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

const char *gpucode_privilege_name(unsigned effects)
{
    static const char *const names[] = {"register-any", "page-table", "register", "memory"};
    return !effects ? "none" : effects & 15 ? names[__builtin_ctz(effects)] : NULL;
}

size_t gpucode_analysis_register(const struct gpucode_target *target, uint32_t number, bool written, char *text,
                                 size_t size)
{
    bool known = target && target->isa->analysis && target->isa->analysis->register_text;
    return known && text && size >= GPUCODE_NAME_MAX ? target->isa->analysis->register_text(number, written, text) : 0;
}

/* An analysis for texts that are to be edited: with the code that only jumps by a register lead to. */

#define ROUNDS_MAX 8 /* jumps by a register after jumps by a register */

/* A jump of the section that leads nobody knows where; GPUCODE_NONE: there is none. */
static uint32_t find_jump(const struct gpucode_analysis *analysis, unsigned section)
{
    const struct gpucode_block *block;
    for (unsigned i = 0; (block = gpucode_analysis_block(analysis, section, i)); i++)
        for (uint32_t k = 0; k < block->edge_count; k++)
            if (block->edges[k].kind == GPUCODE_EDGE_UNRESOLVED && block->end - block->start > 1)
                return block->end - 2; /* its delay slot stands after it */
    return GPUCODE_NONE;
}

/* Lets one such jump lead to the places that were found, and that nothing else leads to; returns how many there are. */
static unsigned add_edges(struct list *edges, const struct gpucode_analysis *analysis)
{
    size_t count;
    const struct gpucode_code_constant *constants = gpucode_analysis_constants(analysis, &count);
    unsigned searched = UINT_MAX, missing = 0; /* section */
    uint32_t jump = GPUCODE_NONE;
    for (size_t i = 0; i < count; i++) {
        unsigned section = constants[i].to_section;
        if (constants[i].kind != GPUCODE_CONSTANT_CODE ||
            gpucode_analysis_owner(analysis, section, constants[i].to) != GPUCODE_NONE)
            continue;
        if (searched != section)
            jump = find_jump(analysis, section);
        searched = section;
        missing++;
        struct gpucode_seen_edge *edge = jump != GPUCODE_NONE ? list_add(edges, sizeof *edge) : NULL;
        if (edge)
            *edge = (struct gpucode_seen_edge){section, jump, constants[i].to};
    }
    return missing;
}

enum gpucode_status gpucode_analyse_places(const struct gpucode_image *image, const struct gpucode_names *names,
                                           struct gpucode_analysis **out, bool *complete)
{
    struct list edges = {0};
    enum gpucode_status status = GPUCODE_OK;
    size_t before = SIZE_MAX, lost = 0;
    unsigned missing = 0;
    if (!image || !out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    if (!gpucode_can_follow_values(gpucode_image_info(image)->target))
        return GPUCODE_ERROR_UNSUPPORTED;
    for (unsigned i = 0; status == GPUCODE_OK && i < ROUNDS_MAX && before != edges.count; i++) {
        const struct gpucode_analysis_options how = {.names = names, .seen = edges.items, .seen_count = edges.count};
        before = edges.count;
        gpucode_analysis_free(*out);
        *out = NULL;
        status = gpucode_analyse(image, &how, out);
        if (status == GPUCODE_OK)
            missing = add_edges(&edges, *out);
        if (edges.failed)
            status = GPUCODE_ERROR_MEMORY;
    }
    free(edges.items);
    if (status != GPUCODE_OK) {
        gpucode_analysis_free(*out);
        *out = NULL;
        return status;
    }
    gpucode_analysis_lost(*out, &lost);
    if (complete)
        *complete = !lost && !missing;
    return GPUCODE_OK;
}
