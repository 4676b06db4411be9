/* SPDX-License-Identifier: MIT */
/*
 * Sections. Where labels are those of the file (gpucode_syntax.file_labels) a section may be left and continued: its
 * parts are sections of their own until the end, and are put one after the other then.
 */
#include "asm/context.h"
#include "asm/record.h"
#include "base/arena.h"

#include <stdlib.h>

/* Byte after a section in the output. */
static size_t section_stop(const struct asm_context *context, size_t section)
{
    return section + 1 < context->sections.count ? context->sections.items[section + 1].start : context->out.length;
}

/* Goes on with the section whose first part is `first`. */
static bool continue_section(struct asm_context *context, uint32_t first)
{
    struct asm_section *sections = context->sections.items;
    uint32_t number = (uint32_t)context->sections.count, last = sections[first].last;
    if (last == number - 1)
        return true;
    int64_t units = (int64_t)((section_stop(context, last) - sections[last].start) / context->isa->unit_bytes);
    struct asm_section part = {sections[first].name, context->out.length, sections[last].base + units, first, 0, 0};
    sections[last].next = number;
    sections[first].last = number;
    return ASM_PUSH(context, context->sections, part);
}

bool asm_begin_section(struct asm_context *context, const char *name, size_t length, int64_t base, const char *at)
{
    const char *copy = arena_copy(&context->arena, name, length);
    if (!copy) {
        context->failed = true;
        return false;
    }
    struct asm_section *sections = context->sections.items;
    uint32_t count = (uint32_t)context->sections.count, same = 0;
    while (same < count && strcmp(sections[same].name, copy) != 0)
        same++;
    if (same < count && context->isa->text.syntax.file_labels)
        return continue_section(context, same);
    if (same < count) /* a reference ignores the names, so that sources may repeat them */
        asm_report(context, context->source, at, length, MSG_DUPLICATE_SECTION, NULL, copy);
    /* a section that follows nothing names the first one */
    if (count == 1 && context->out.length == context->prefix && !sections[0].name[0]) {
        sections[0].name = copy;
        sections[0].base = base;
        return true;
    }
    return ASM_PUSH(context, context->sections, (struct asm_section){copy, context->out.length, base, count, 0, count});
}

/* The output in another order: bytes, and the lines that they came from. */
struct joined {
    struct buffer out;
    struct asm_line *lines;
    size_t line_count;
    size_t *start; /* of each part */
    size_t *line;  /* number of the first line of each part; one more after the last part */
};

static void find_lines(const struct asm_context *context, struct joined *joined)
{
    size_t line = 0, unit = context->isa->unit_bytes;
    for (size_t i = 0; i <= context->sections.count; i++) {
        size_t start = i ? section_stop(context, i - 1) : context->sections.items[0].start;
        while (line < context->lines.count && context->lines.items[line].unit < (start - context->prefix) / unit)
            line++;
        joined->line[i] = i == context->sections.count ? context->lines.count : line;
    }
}

static void move_part(const struct asm_context *context, size_t part, struct joined *joined)
{
    size_t start = context->sections.items[part].start, unit = context->isa->unit_bytes;
    uint32_t moved = (uint32_t)((joined->out.length - start) / unit); /* modulo 2^32 */
    if (joined->out.length < start)
        moved = 0u - (uint32_t)((start - joined->out.length) / unit);
    for (size_t i = joined->line[part]; i < joined->line[part + 1]; i++) {
        struct asm_line line = context->lines.items[i];
        line.unit += moved;
        joined->lines[joined->line_count++] = line;
    }
    joined->start[part] = joined->out.length;
    buffer_append(&joined->out, context->out.bytes + start, section_stop(context, part) - start);
}

/* A unit moves with the part that it stands in; *part is the one of the unit before it in the text. */
static void move_unit(const struct asm_context *context, const struct joined *joined, uint32_t *unit, size_t *part)
{
    size_t bytes = context->isa->unit_bytes, offset = context->prefix + (size_t)*unit * bytes;
    while (*part + 1 < context->sections.count && context->sections.items[*part + 1].start <= offset)
        ++*part;
    *unit =
        (uint32_t)((offset - context->sections.items[*part].start + joined->start[*part] - context->prefix) / bytes);
}

/* Tokens stand in the order of the text, which is that of the units before they move. */
static void move_tokens(struct asm_context *context, const struct joined *joined)
{
    size_t part = 0;
    for (size_t i = 0; i < context->tokens.count; i++)
        move_unit(context, joined, &context->tokens.items[i].unit, &part);
    part = 0;
    for (size_t i = 0; context->record && i < context->record->words.count; i++)
        move_unit(context, joined, &context->record->words.items[i].unit, &part);
}

static void take_over(struct asm_context *context, struct joined *joined)
{
    move_tokens(context, joined);
    for (size_t i = 0; i < context->sections.count; i++)
        context->sections.items[i].start = joined->start[i];
    free(context->lines.items);
    context->lines.items = joined->lines;
    joined->lines = NULL;
    buffer_free(&context->out);
    context->out = joined->out;
    joined->out = (struct buffer){0};
}

void asm_join_sections(struct asm_context *context)
{
    const struct asm_section *sections = context->sections.items;
    size_t count = context->sections.count, i = 0;
    while (i < count && sections[i].first == i)
        i++;
    if (i == count)
        return;
    struct joined joined = {.lines = calloc(context->lines.count + 1, sizeof *joined.lines),
                            .start = calloc(count, sizeof *joined.start),
                            .line = calloc(count + 1, sizeof *joined.line)};
    bool good = joined.lines && joined.start && joined.line;
    if (good) {
        find_lines(context, &joined);
        buffer_append(&joined.out, context->out.bytes, context->prefix);
    }
    for (uint32_t first = 0; good && first < count; first++) {
        if (sections[first].first != first)
            continue;
        uint32_t part = first;
        do {
            move_part(context, part, &joined);
            part = sections[part].next;
        } while (part);
    }
    if (good && !joined.out.failed)
        take_over(context, &joined);
    else
        context->failed = true;
    buffer_free(&joined.out);
    FREE_ALL(joined.lines, joined.start, joined.line);
}
