/* SPDX-License-Identifier: MIT */
/* What all files of the assembler need: room in arrays, lines of sources, messages, parts of statements. */
#include "asm/context.h"
#include "asm/record.h"

#include <stdlib.h>

bool asm_grow_to(struct asm_context *context, void **items, size_t *room, size_t wanted, size_t size)
{
    void *grown = wanted > SIZE_MAX / 2 / size ? NULL : realloc(*items, wanted * size);
    if (!grown) {
        context->failed = true;
        return false;
    }
    *items = grown;
    *room = wanted;
    return true;
}

bool asm_grow(struct asm_context *context, void **items, size_t *room, size_t count, size_t size)
{
    return asm_grow_to(context, items, room, count ? count + count / 2 + 1 : 64, size);
}

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

void asm_begin_quick(struct asm_context *context)
{
    const struct gpucode_asm_options *options = context->options;
    const struct isa *isa = context->isa;
    bool asked = context->record || context->asks_before || options->record_tokens || options->record_lines;
    bool possible = !asked && isa->text.parse && !isa->text.syntax.prefix && !(isa->unit_bytes & (isa->unit_bytes - 1));
    size_t length = (size_t)(context->scan.end - context->scan.at);
    const char *end = context->scan.at + (length > ASM_QUICK_ROOM ? length - ASM_QUICK_ROOM : 0);
    while (possible && end > context->scan.at && end[-1] != '\n')
        end--;
    context->quick_end = possible ? end : NULL;
}

void asm_pass(const struct asm_context *context, const struct asm_source *source, const char *at)
{
    if (context->options->passed && source == context->sources.items[0])
        context->options->passed(context->options->user, (size_t)(at - source->text));
}

/* What a report wants to know of a place; `slot` says which of the remembered places to count from. */
static struct place place_of(struct asm_context *context, unsigned slot, const struct asm_source *source,
                             const char *at, size_t span)
{
    struct asm_place *line = &context->told[slot];
    asm_find_line(line, source, line->source == source && line->start < at ? line->start : source->text);
    while ((size_t)(at - line->start) > ASM_PASSED_AT_ONCE) {
        const char *step = line->start + ASM_PASSED_AT_ONCE;
        asm_find_line(line, source, step);
        asm_pass(context, source, step);
        if (line->start + ASM_PASSED_AT_ONCE <= step) /* a line as long as this */
            break;
    }
    asm_find_line(line, source, at);
    return (struct place){.file = source->file,
                          .text = line->start,
                          .length = source->length - (size_t)(line->start - source->text),
                          .at = at,
                          .span = span,
                          .first_line = line->number};
}

void asm_mend(struct asm_context *context, const char *fix, const char *at, size_t span)
{
    place_mend(&context->fix, fix, at, span);
}

static void report_parents(struct asm_context *context, const struct asm_source *source)
{
    for (unsigned depth = 0; source->parent && depth < ASM_PARENTS_SHOWN; source = source->parent, depth++) {
        struct place place = place_of(context, 1 + depth, source->parent, source->parent_at, 1);
        asm_record_place(context, source->parent, &place);
        report(&context->options->on_diagnostic, &place, source->is_macro ? MSG_EXPANDED_HERE : MSG_INCLUDED_HERE,
               NULL);
    }
}

void asm_report(struct asm_context *context, const struct asm_source *source, const char *at, size_t span,
                message_id message, const char *hint, ...)
{
    unsigned slot = message_severity(message) == GPUCODE_NOTE ? ASM_NOTE_PLACE : 0;
    struct place place = place_of(context, slot, source, at, span);
    place.fix = context->fix.fix;
    place.fix_at = context->fix.fix_at;
    place.fix_span = context->fix.fix_span;
    context->fix.fix = NULL;
    asm_record_place(context, source, &place);
    va_list args;
    va_start(args, hint);
    report_v(&context->options->on_diagnostic, &place, message, hint, args);
    va_end(args);
    if (message_severity(message) == GPUCODE_ERROR) {
        context->errors++;
        report_parents(context, source);
    }
}

unsigned asm_macro_parameter(const struct asm_macro *macro, const char *at, size_t *length)
{
    const char *end = macro->body_end;
    *length = 0;
    while (at + *length < end && isa_name_byte(at[*length]))
        ++*length;
    unsigned i = 0;
    while (*length && i < macro->parameter_count &&
           (strlen(macro->parameters[i]) != *length || memcmp(macro->parameters[i], at, *length) != 0))
        i++;
    return *length ? i : macro->parameter_count;
}

enum gpucode_token_kind asm_operand_span(const struct asm_context *context, const struct isa_word *piece,
                                         const char **start, size_t *length)
{
    const struct isa_operand_class *kind = &context->isa->text.operand_classes[piece->field->kind];
    const char *end = piece->end;
    *start = piece->start;
    bool flag = *start < context->pieces.mnemonic;
    while (*start < end && (**start == ' ' || **start == '\t' || **start == ','))
        ++*start;
    while (end > *start && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    *length = flag || kind->type != GPUCODE_OPERAND_MODIFIER ? (size_t)(end - *start) : 0;
    return flag ? GPUCODE_TOKEN_FLAG : GPUCODE_TOKEN_OPERAND;
}
