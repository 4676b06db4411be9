/* SPDX-License-Identifier: MIT */
/* What the rules of instruction sets find, kept until it is reported. */
#include "isa/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct gpucode_finding *lint_find(struct lint_context *context, unsigned section, uint64_t unit, unsigned units,
                                  message_id message, const char *reference, ...)
{
    char text[256];
    const char *code = message_code(message);
    if (context->count >= LINT_FINDINGS_MAX) {
        context->count++;
        return NULL;
    }
    for (const struct lint_found *other = context->found; other; other = other->next)
        if (other->finding.section == section && other->finding.unit == unit && other->finding.code == code)
            return NULL;
    va_list args;
    va_start(args, reference);
    message_text(text, sizeof text, message, args);
    va_end(args);
    struct lint_found *found = arena_alloc(&context->arena, sizeof *found);
    const char *copy = arena_copy(&context->arena, text, strlen(text));
    if (!found || !copy) {
        context->failed = true;
        return NULL;
    }
    *found = (struct lint_found){.finding = {.severity = message_severity(message),
                                             .code = code,
                                             .section = section,
                                             .unit = unit,
                                             .units = units ? units : 1,
                                             .message = copy,
                                             .reason = gpucode_explain(code),
                                             .reference = reference},
                                 .number = context->count++,
                                 .next = context->found};
    context->found = found;
    return &found->finding;
}

const char *lint_text(struct lint_context *context, const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return arena_copy(&context->arena, text, strlen(text));
}

uint64_t lint_limit(const struct lint_context *context, const char *name)
{
    for (const struct gpucode_lint_limit *limit = context->options->limits; limit && limit->name; limit++)
        if (strcmp(limit->name, name) == 0)
            return limit->value;
    for (const struct gpucode_lint_limit *limit = context->rules->limits; limit->name; limit++)
        if (strcmp(limit->name, name) == 0)
            return limit->value;
    return 0;
}

bool lint_entry(const struct lint_context *context, unsigned index, uint64_t *unit)
{
    if (!context->options->entries || index >= context->options->entry_count)
        return false;
    *unit = context->options->entries[index];
    return true;
}

const struct gpucode_declaration *lint_declaration(const struct lint_context *context, unsigned index)
{
    return context->options->declarations && index < context->options->declaration_count
               ? &context->options->declarations[index]
               : NULL;
}

void *lint_memory(struct lint_context *context, size_t count, size_t size)
{
    return arena_array(&context->arena, count, size);
}
