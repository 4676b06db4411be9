/* SPDX-License-Identifier: MIT */
#include "asm/context.h"
#include "base/arena.h"

#include <stdlib.h>

/* What a symbol needs to know of its section. */
struct part {
    const char *name;
    uint32_t unit; /* of the image, where the section's address 0 would be; modulo 2^32 */
};

struct gpucode_program {
    struct arena arena;
    const struct gpucode_target *target;
    struct buffer out;
    size_t prefix;
    struct asm_symbol *symbols;
    size_t symbol_count;
    struct part *parts; /* of symbols: by their section's number */
    size_t part_count;
    struct gpucode_program_section *sections;
    unsigned section_count;
    struct asm_line *lines; /* in the order of emission; units rise within a section and over sections */
    size_t line_count;
    struct asm_token *tokens;
    size_t token_count;
    const struct asm_source *source; /* null: not kept */
    const void *isa_state;           /* the instruction set's own, in the arena */
    uint64_t whole;                  /* hash of all sections, where one alone was kept; else 0 */
};

/* The sections of the program, parts that were continued taken together. */
static unsigned list_sections(const struct asm_context *context, struct gpucode_program_section *list)
{
    unsigned count = 0;
    const struct asm_section *sections = context->sections.items;
    for (size_t i = 0; i < context->sections.count; i++) {
        if (sections[i].first != i)
            continue;
        struct gpucode_program_section section = {sections[i].name, sections[i].start, 0, (uint64_t)sections[i].base};
        list[count++] = section;
    }
    for (unsigned i = 0; i < count; i++)
        list[i].size = (i + 1 < count ? list[i + 1].offset : context->out.length) - list[i].offset;
    return count;
}

bool asm_make_program(struct asm_context *context, struct gpucode_program **out)
{
    struct gpucode_program *program = calloc(1, sizeof *program);
    struct part *parts = arena_array(&context->arena, context->sections.count + 1, sizeof *parts);
    struct gpucode_program_section *sections =
        arena_array(&context->arena, context->sections.count + 1, sizeof *sections);
    if (!program || !parts || !sections) {
        free(program);
        return false;
    }
    for (size_t i = 0; i < context->sections.count; i++) {
        const struct asm_section *section = &context->sections.items[i];
        size_t start = (section->start - context->prefix) / context->isa->unit_bytes;
        parts[i] = (struct part){section->name, (uint32_t)start - (uint32_t)section->base};
    }
    *program = (struct gpucode_program){
        .arena = context->arena,
        .target = context->target,
        .out = context->out,
        .prefix = context->prefix,
        .symbols = context->symbols.items,
        .parts = parts,
        .part_count = context->sections.count,
        .symbol_count = context->symbols.count,
        .sections = sections,
        .section_count = list_sections(context, sections),
        .lines = context->lines.items,
        .line_count = context->lines.count,
        .tokens = context->tokens.items,
        .token_count = context->tokens.count,
        .source = context->lines.items && context->tokens.items ? context->source : NULL,
        .isa_state = context->isa_state,
    };
    context->arena = (struct arena){0};
    context->out = (struct buffer){0};
    context->lines.items = NULL;
    context->symbols.items = NULL;
    context->tokens.items = NULL;
    *out = program;
    return true;
}

void gpucode_program_free(struct gpucode_program *program)
{
    if (!program)
        return;
    buffer_free(&program->out);
    arena_free(&program->arena);
    FREE_ALL(program->lines, program->symbols, program->tokens, program);
}

const void *gpucode_program_bytes(const struct gpucode_program *program)
{
    if (!program)
        return NULL;
    return program->out.bytes ? program->out.bytes : "";
}

size_t gpucode_program_size(const struct gpucode_program *program)
{
    if (!program)
        return 0;
    return program->out.length;
}

const struct gpucode_target *gpucode_program_target(const struct gpucode_program *program)
{
    if (!program)
        return NULL;
    return program->target;
}

size_t gpucode_program_prefix(const struct gpucode_program *program)
{
    if (!program)
        return 0;
    return program->prefix;
}

bool gpucode_program_symbol(const struct gpucode_program *program, unsigned index, struct gpucode_symbol *symbol)
{
    if (!program || !symbol || index >= program->symbol_count)
        return false;
    const struct asm_symbol *found = &program->symbols[index];
    const struct part *part = found->section == ASM_CONSTANT ? NULL : &program->parts[found->section];
    *symbol = (struct gpucode_symbol){.name = found->name,
                                      .section = part ? part->name : NULL,
                                      .value = found->value,
                                      .unit = part ? part->unit + (uint32_t)found->value : GPUCODE_NONE};
    return true;
}

bool gpucode_program_section(const struct gpucode_program *program, unsigned index,
                             struct gpucode_program_section *section)
{
    if (!program || !section || index >= program->section_count)
        return false;
    *section = program->sections[index];
    return true;
}

bool gpucode_program_keep(struct gpucode_program *program, unsigned index)
{
    if (!program || index >= program->section_count)
        return false;
    if (!program->whole)
        program->whole = gpucode_bytes_hash(program->out.bytes, program->out.length);
    struct gpucode_program_section kept = program->sections[index];
    size_t unit = program->target->isa->unit_bytes, symbols = 0, lines = 0;
    uint32_t first = (uint32_t)((kept.offset - program->prefix) / unit);
    uint32_t end = (uint32_t)((kept.offset - program->prefix + kept.size + unit - 1) / unit);
    for (size_t i = 0; i < program->symbol_count; i++) {
        const struct asm_symbol *symbol = &program->symbols[i];
        if (symbol->section == ASM_CONSTANT || strcmp(program->parts[symbol->section].name, kept.name) == 0)
            program->symbols[symbols++] = *symbol;
    }
    for (size_t i = 0; i < program->part_count; i++)
        program->parts[i].unit -= first;
    for (size_t i = 0; i < program->line_count; i++) {
        struct asm_line line = program->lines[i];
        if (line.unit < first || line.unit >= end)
            continue;
        line.unit -= first;
        program->lines[lines++] = line;
    }
    size_t tokens = 0;
    for (size_t i = 0; i < program->token_count; i++) {
        struct asm_token token = program->tokens[i];
        if (token.unit < first || token.unit > end)
            continue;
        token.unit -= first;
        program->tokens[tokens++] = token;
    }
    program->token_count = tokens;
    if (kept.size)
        memmove(program->out.bytes + program->prefix, program->out.bytes + kept.offset, kept.size);
    program->out.length = program->prefix + kept.size;
    program->symbol_count = symbols;
    program->line_count = lines;
    kept.offset = program->prefix;
    program->sections[0] = kept;
    program->section_count = 1;
    return true;
}

bool gpucode_program_declaration(const struct gpucode_program *program, unsigned index,
                                 struct gpucode_declaration *declaration)
{
    const struct isa_assembler *hooks = program ? program->target->isa->assembler : NULL;
    return declaration && hooks && hooks->declaration && hooks->declaration(program->isa_state, index, declaration);
}

/* The record that a unit belongs to, or null. */
static const struct asm_line *find_line(const struct gpucode_program *program, uint32_t unit)
{
    if (!program || !program->line_count)
        return NULL;
    size_t low = 0, high = program->line_count;
    while (low < high) { /* the last record at or before the unit */
        size_t middle = low + (high - low) / 2;
        if (program->lines[middle].unit <= unit)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || unit >= (program->out.length - program->prefix + program->target->isa->unit_bytes - 1) /
                                program->target->isa->unit_bytes)
        return NULL;
    return &program->lines[low - 1];
}

static struct gpucode_line line_of(const struct asm_place *place)
{
    const struct asm_source *source = place->source;
    const char *end = source->text + source->length;
    const char *newline = memchr(place->start, '\n', (size_t)(end - place->start));
    return (struct gpucode_line){.file = source->file,
                                 .line = place->number,
                                 .source = place->start,
                                 .source_length = (size_t)((newline ? newline : end) - place->start),
                                 .from_macro = source->is_macro};
}

bool gpucode_program_line(const struct gpucode_program *program, uint32_t unit, struct gpucode_line *line)
{
    const struct asm_line *found = line ? find_line(program, unit) : NULL;
    if (found)
        *line = line_of(&found->place);
    return found;
}

bool gpucode_program_use(const struct gpucode_program *program, uint32_t unit, unsigned index,
                         struct gpucode_line *line)
{
    const struct asm_line *found = line ? find_line(program, unit) : NULL;
    const struct asm_source *source = found ? found->place.source : NULL;
    for (; source && source->is_macro && index; index--)
        source = source->parent;
    if (!source || !source->is_macro || !source->parent)
        return false;
    struct asm_place place = {0};
    asm_find_line(&place, source->parent, source->parent_at);
    *line = line_of(&place);
    line->macro = source->macro_name;
    return true;
}

const struct asm_token *asm_program_tokens(const struct gpucode_program *program, size_t *count)
{
    *count = program->token_count;
    return program->tokens;
}

uint64_t gpucode_program_hash(const struct gpucode_program *program)
{
    if (!program)
        return 0;
    return program->whole ? program->whole
                          : gpucode_bytes_hash(gpucode_program_bytes(program), gpucode_program_size(program));
}

const struct asm_source *asm_program_source(const struct gpucode_program *program)
{
    return program->source;
}

bool gpucode_program_token(const struct gpucode_program *program, unsigned index, struct gpucode_token *token)
{
    if (!program || !token || index >= program->token_count)
        return false;
    const struct asm_token *found = &program->tokens[index];
    *token = (struct gpucode_token){.kind = found->kind,
                                    .file = found->place.source->file,
                                    .span = {(size_t)(found->at - found->place.source->text), found->length},
                                    .line = found->place.number,
                                    .column = (unsigned)(found->at - found->place.start),
                                    .unit = found->unit,
                                    .operand = found->operand};
    return true;
}
