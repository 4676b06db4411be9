/* SPDX-License-Identifier: MIT */
/* The assembler: one pass over the text, then the places that waited for labels. */
#include "asm/context.h"
#include "asm/program.h"

#include <stdio.h>
#include <stdlib.h>

bool asm_grow(struct asm_context *context, void **items, size_t *room, size_t count, size_t size)
{
    size_t more = count ? count + count / 2 + 1 : 64;
    void *grown = more > SIZE_MAX / 2 / size ? NULL : realloc(*items, more * size);
    if (!grown) {
        context->failed = true;
        return false;
    }
    *items = grown;
    *room = more;
    return true;
}

/* --- errors ------------------------------------------------------------------------------------------- */

void asm_find_line(struct asm_place *place, const struct asm_source *source, const char *at)
{
    if (place->source != source || at < place->start)
        *place = (struct asm_place){source, source->text, source->first_line};
    for (const char *newline;
         place->start < at && (newline = memchr(place->start, '\n', (size_t)(at - place->start)));) {
        place->start = newline + 1;
        place->number++;
    }
}

/* What a report wants to know of a place; `slot` says which of the remembered places to count from. */
static struct place place_of(struct asm_context *context, unsigned slot, const struct asm_source *source,
                             const char *at, size_t span)
{
    struct asm_place *line = &context->told[slot];
    asm_find_line(line, source, at);
    return (struct place){source->file, line->start, source->length - (size_t)(line->start - source->text),
                          at,           span,        line->number};
}

static void report_parents(struct asm_context *context, const struct asm_source *source)
{
    for (unsigned depth = 0; source->parent && depth < ASM_PARENTS_SHOWN; source = source->parent, depth++) {
        struct place place = place_of(context, 1 + depth, source->parent, source->parent_at, 1);
        report(&context->options->on_diagnostic, &place, source->is_macro ? MSG_EXPANDED_HERE : MSG_INCLUDED_HERE,
               NULL);
    }
}

void asm_report(struct asm_context *context, const struct asm_source *source, const char *at, size_t span,
                enum message message, const char *hint, ...)
{
    unsigned slot = message_severity(message) == GPUCODE_NOTE ? ASM_NOTE_PLACE : 0;
    struct place place = place_of(context, slot, source, at, span);
    va_list args;
    va_start(args, hint);
    report_v(&context->options->on_diagnostic, &place, message, hint, args);
    va_end(args);
    if (message_severity(message) == GPUCODE_ERROR) {
        context->errors++;
        report_parents(context, source);
    }
}

/* Reports what the scan noted. */
static void report_remark(struct asm_context *context, const struct isa_remark *remark)
{
    if (remark->set)
        asm_report(context, context->source, remark->at, remark->span, remark->message, remark->hint, remark->text[0],
                   remark->text[1]);
}

/* --- offered to the instruction sets ------------------------------------------------------------------- */

const struct gpucode_target *asm_target(const struct asm_context *context)
{
    return context->target;
}

void asm_emit(struct asm_context *context, uint64_t bits, unsigned size)
{
    if (!buffer_reserve(&context->out, 8))
        return;
    size_t count = context->lines.count;
    /* padding and lists make many units of one statement: the first one's record holds for all of them */
    if (context->options->record_lines && (!count || context->lines.items[count - 1].at != context->statement ||
                                           context->lines.items[count - 1].place.source != context->source)) {
        struct asm_place *place = &context->emitted_at[context->frames.count];
        asm_find_line(place, context->source, context->statement);
        ASM_PUSH(context, context->lines,
                 (struct asm_line){(uint32_t)((context->out.length - context->prefix) / context->isa->unit_bytes),
                                   context->statement, *place});
    }
    unsigned char *at = (unsigned char *)buffer_end(&context->out);
    for (unsigned i = 0; i < size; i++)
        at[i] = (unsigned char)(bits >> 8 * i);
    context->out.length += size;
    context->emitted = true;
}

bool asm_number(struct asm_context *context, struct isa_scan *scan, const struct isa_value *value, unsigned width,
                unsigned size, uint64_t *bits)
{
    *bits = 0;
    if (value->term_count) {
        struct asm_fixup fixup = {.offset = context->out.length,
                                  .section = asm_section_number(context),
                                  .width = (uint8_t)width,
                                  .size = (uint8_t)size,
                                  .value = *value,
                                  .source = context->source};
        return ASM_PUSH(context, context->fixups, fixup);
    }
    if (value->constant < 0 || (width < 63 && value->constant >> width)) {
        char text[40], bits_text[24];
        snprintf(text, sizeof text, "%lld", (long long)value->constant);
        snprintf(bits_text, sizeof bits_text, "%u", width);
        return isa_fail(scan, value->start, value->length, MSG_TOO_WIDE, NULL, text, -1, bits_text);
    }
    *bits = (uint64_t)value->constant;
    return true;
}

uint64_t asm_place(const struct asm_context *context)
{
    uint64_t base = (uint64_t)context->sections.items[context->sections.count - 1].base;
    return base + asm_section_offset(context) / context->isa->unit_bytes;
}

const struct gpucode_names *asm_names(const struct asm_context *context)
{
    return context->options->names;
}

unsigned asm_current_section(const struct asm_context *context)
{
    return asm_section_number(context);
}

void asm_patch(struct asm_context *context, unsigned section, uint64_t unit, uint64_t bits, unsigned size)
{
    size_t offset = context->sections.items[section].start + (size_t)unit * context->isa->unit_bytes;
    if (context->out.failed || offset + size > context->out.length)
        return;
    for (unsigned i = 0; i < size; i++)
        context->out.bytes[offset + i] = (char)(bits >> 8 * i);
}

bool asm_label_at(const struct asm_context *context, unsigned index, struct asm_label *label)
{
    if (index >= context->symbols.count)
        return false;
    const struct asm_symbol *symbol = &context->symbols.items[index];
    *label = (struct asm_label){symbol->name, symbol->length, symbol->section, (uint64_t)symbol->value};
    return true;
}

void asm_label_error(struct asm_context *context, unsigned index, enum message message, const char *hint)
{
    const struct asm_symbol *symbol = &context->symbols.items[index];
    asm_report(context, symbol->source, symbol->at, symbol->length, message, hint, symbol->name);
}

bool asm_no_prefix(struct asm_context *context)
{
    if (context->emitted)
        return false;
    context->out.length = context->prefix = 0;
    context->sections.items[0].start = 0;
    return true;
}

void *asm_memory(struct asm_context *context, size_t size)
{
    void *memory = arena_alloc(&context->arena, size);
    context->failed |= !memory;
    return memory;
}

void **asm_state(struct asm_context *context)
{
    return &context->isa_state;
}

bool asm_define_label(struct asm_context *context, const char *name, size_t length, const char *at)
{
    return asm_define(context, name, length, asm_section_number(context), (int64_t)asm_place(context), context->source,
                      at);
}

bool asm_oversize(const struct asm_context *context)
{
    return context->options->oversize;
}

uint64_t asm_size(const struct asm_context *context)
{
    return context->out.length - context->prefix;
}

void asm_report_source(struct asm_context *context, enum message message, const char *hint, const char *first,
                       const char *second)
{
    struct place place = {.file = context->source->file};
    report(&context->options->on_diagnostic, &place, message, hint, first, second);
    context->errors += message_severity(message) == GPUCODE_ERROR;
}

/* --- statements ---------------------------------------------------------------------------------------- */

static bool assemble_insn(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    struct isa_build build;
    const char *start = scan->at;
    if (asm_section_offset(context) % context->isa->unit_bytes)
        return isa_fail(scan, start, 1, MSG_UNALIGNED, NULL, NULL, 0, NULL);
    scan->address = asm_place(context);
    if (!isa_parse(scan, &build))
        return false;
    for (unsigned i = 0; i < build.pending_count; i++) {
        struct asm_fixup fixup = {.offset = context->out.length,
                                  .section = asm_section_number(context),
                                  .row = build.row,
                                  .field = build.pending[i].field,
                                  .size = build.row->facts.size,
                                  .value = build.pending[i].value,
                                  .source = context->source};
        if (!ASM_PUSH(context, context->fixups, fixup))
            return false;
    }
    asm_emit(context, build.bits, build.row->facts.size);
    report_remark(context, &scan->note);
    return true;
}

/* Length of the label name before a colon here, 0 when this is no label. */
static size_t label_length(const struct isa_scan *scan)
{
    size_t length = isa_name(scan);
    if (!length)
        return 0;
    const char *at = scan->at + length;
    while (at < scan->end && (*at == ' ' || *at == '\t'))
        at++;
    return at < scan->end && *at == ':' ? length : 0;
}

static bool statement(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    scan->error.set = scan->note.set = false;
    context->statement = scan->at;
    size_t length = label_length(scan);
    if (length) {
        const char *name = scan->at;
        if (asm_section_offset(context) % context->isa->unit_bytes)
            return isa_fail(scan, name, length, MSG_UNALIGNED, NULL, NULL, 0, NULL);
        if (!asm_define_label(context, name, length, name))
            return false;
        scan->at = (const char *)memchr(name, ':', (size_t)(scan->end - name)) + 1;
        return true;
    }
    if (*scan->at == '/' && context->isa->syntax.block_comments && scan->end - scan->at >= 2) {
        const char *start = scan->at;
        scan->at = scan->end;
        return isa_fail(scan, start, 2, MSG_COMMENT_END, NULL, NULL, 0, NULL);
    }
    int taken = context->isa->assembler->statement(context, scan);
    if (taken == 2) {
        isa_skip(scan);
        return statement(context);
    }
    if (taken)
        return taken > 0;
    if (*scan->at == '.')
        return asm_directive(context);
    if (context->macros.count && (length = isa_name(scan)) != 0) {
        taken = asm_expand_macro(context, length);
        if (taken)
            return taken > 0;
    }
    return assemble_insn(context);
}

/* After a statement: the end of the line or a separator, where the instruction set wants one. */
static bool end_statement(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    const struct isa_syntax *syntax = &context->isa->syntax;
    if (syntax->newlines_are_space)
        return true;
    bool label = scan->at > context->statement && scan->at[-1] == ':'; /* an instruction may follow on its line */
    isa_skip_line(scan);
    isa_skip_hash(scan);
    if (label || scan->at >= scan->end || *scan->at == '\n')
        return true;
    if (syntax->separator && *scan->at == syntax->separator) {
        scan->at++;
        return true;
    }
    return scan->at == context->source->text || isa_expected(scan, "the end of the statement");
}

static void skip_to_next_line(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    /* where the text stopped making sense may be further than where reading stands */
    const char *at = scan->at;
    if (scan->error.set && scan->error.at > at && scan->error.at <= scan->end)
        at = scan->error.at;
    const char *newline = at < scan->end ? memchr(at, '\n', (size_t)(scan->end - at)) : NULL;
    scan->at = newline ? newline + 1 : scan->end;
}

static void assemble_text(struct asm_context *context)
{
    struct isa_scan *scan = &context->scan;
    while (!context->failed && !context->out.failed && !context->stopped) {
        isa_skip(scan);
        isa_skip_hash(scan);
        while (scan->at < scan->end &&
               (*scan->at == '\n' || (context->isa->syntax.separator && *scan->at == context->isa->syntax.separator))) {
            scan->at++;
            isa_skip(scan);
            isa_skip_hash(scan);
        }
        if (scan->at >= scan->end) {
            if (!asm_pop_text(context))
                return;
            continue;
        }
        const struct asm_source *source = context->source;
        if (!statement(context) || (context->source == source && !end_statement(context))) {
            report_remark(context, &scan->error);
            skip_to_next_line(context);
        }
    }
}

/* --- the target ---------------------------------------------------------------------------------------- */

/*
 * The `.target` directive of the text, if it stands on a line of its own; null: none, or no such target, whose name
 * is *wrong then.
 */
static const struct gpucode_target *named_target(const char *text, size_t length, const char **wrong, size_t *span)
{
    static const char word[] = ".target";
    for (const char *at = text, *end = text + length; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        while (at < stop && (*at == ' ' || *at == '\t'))
            at++;
        if ((size_t)(stop - at) > sizeof word && memcmp(at, word, sizeof word - 1) == 0 &&
            (at[sizeof word - 1] == ' ' || at[sizeof word - 1] == '\t')) {
            for (at += sizeof word - 1; at < stop && (*at == ' ' || *at == '\t');)
                at++;
            char name[64];
            size_t name_length = 0;
            while (at + name_length < stop && name_length < sizeof name - 1 &&
                   (isa_name_byte(at[name_length]) || at[name_length] == ':' || at[name_length] == '-')) {
                name[name_length] = at[name_length];
                name_length++;
            }
            name[name_length] = 0;
            const struct gpucode_target *target = gpucode_target_find(name);
            if (!target && name_length) {
                *wrong = at;
                *span = name_length;
            }
            return target;
        }
        at = stop + 1;
    }
    return NULL;
}

/* The target that the source names; *wrong is the name of one that does not exist. */
static const struct gpucode_target *source_target(const char *text, size_t length, const char **wrong, size_t *span)
{
    const struct gpucode_target *found = named_target(text, length, wrong, span);
    for (const struct isa *const *set = isa_all; !found && *set; set++)
        if ((*set)->assembler->detect)
            found = (*set)->assembler->detect(text, length);
    return found;
}

const struct gpucode_target *gpucode_source_target(const char *text, size_t length)
{
    const char *wrong;
    size_t span;
    return text ? source_target(text, length, &wrong, &span) : NULL;
}

static void choose_target(struct asm_context *context, const char *text, size_t length)
{
    const char *wrong = NULL;
    size_t span = 0;
    const struct gpucode_target *found = source_target(text, length, &wrong, &span);
    context->target = context->options->target ? context->options->target : found;
    if (!context->target && wrong) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)span, wrong);
        char hint[160];
        isa_target_hint(hint, sizeof hint, name, strlen(name));
        asm_report(context, context->source, wrong, span, MSG_NO_SUCH_TARGET, hint, name);
    }
    if (context->options->target && found &&
        (found->isa != context->target->isa || found->generation != context->target->generation ||
         found->names != context->target->names)) {
        struct place place = {.file = context->source->file};
        report(&context->options->on_diagnostic, &place, MSG_TARGET_CONTRADICTION, NULL, found->name,
               context->target->name);
    }
}

static void report_no_target(struct asm_context *context)
{
    char hint[ISA_TARGET_LIST_SIZE];
    isa_target_list(hint, sizeof hint);
    asm_report(context, context->source, context->source->text, 1, MSG_NO_TARGET, hint);
}

/* --- all of it ------------------------------------------------------------------------------------------ */

static void assemble(struct asm_context *context, const struct asm_source *source)
{
    choose_target(context, source->text, source->length);
    if (!context->target) {
        if (!context->errors)
            report_no_target(context);
        return;
    }
    context->isa = context->target->isa;
    context->scan = (struct isa_scan){.at = source->text,
                                      .end = source->text + source->length,
                                      .isa = context->isa,
                                      .target = context->target,
                                      .names = context->options->names,
                                      .symbol = asm_symbol_value,
                                      .user = context};
    if (context->isa->assembler->begin)
        context->isa->assembler->begin(context, source->text, source->length);
    context->prefix = context->isa->assembler->prefix;
    buffer_append(&context->out, "\0\0\0\0\0\0\0", context->prefix);
    if (!ASM_PUSH(context, context->sections, (struct asm_section){"", context->prefix, 0}))
        return;
    assemble_text(context);
    if (context->failed || context->out.failed || context->stopped)
        return;
    if (context->isa->assembler->end_section)
        context->isa->assembler->end_section(context, true);
    asm_resolve_fixups(context);
    if (context->isa->assembler->finish)
        context->isa->assembler->finish(context);
}

static void release(struct asm_context *context)
{
    free(context->frames.items);
    free(context->sections.items);
    free(context->symbols.items);
    free(context->symbol_hash);
    free(context->fixups.items);
    free(context->macros.items);
    free(context->lines.items);
    buffer_free(&context->out);
    arena_free(&context->arena);
}

enum gpucode_status gpucode_assemble(const char *text, size_t length, const struct gpucode_asm_options *options,
                                     struct gpucode_program **out)
{
    static const struct gpucode_asm_options defaults;
    if ((!text && length) || !out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    struct asm_context context = {.options = options ? options : &defaults};
    const char *file = context.options->file ? context.options->file : "<input>";
    /* programs outlive the text they were made from */
    struct asm_source *source = arena_alloc(&context.arena, sizeof *source);
    char *copy = context.options->record_lines ? arena_copy(&context.arena, text, length) : NULL;
    const char *name = arena_copy(&context.arena, file, strlen(file));
    if (!source || !name || (context.options->record_lines && !copy)) {
        release(&context);
        return GPUCODE_ERROR_MEMORY;
    }
    *source = (struct asm_source){.file = name,
                                  .text = copy   ? copy
                                          : text ? text
                                                 : "",
                                  .length = length,
                                  .first_line = 1};
    context.source = source;
    assemble(&context, source);
    enum gpucode_status status = GPUCODE_OK;
    if (context.failed || context.out.failed)
        status = GPUCODE_ERROR_MEMORY;
    else if (context.errors)
        status = GPUCODE_ERROR_INPUT;
    else if (!asm_make_program(&context, out))
        status = GPUCODE_ERROR_MEMORY;
    release(&context);
    return status;
}
