/* SPDX-License-Identifier: MIT */
/* Lint: asks the instruction set's rules and puts their findings in order. */
#include "isa/lint.h"

#include "image/image.h"
#include "isa/isa.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More are counted and not kept: code with so many is garbage. */
#define FINDINGS_MAX 1000

struct found {
    struct gpucode_finding finding;
    unsigned number; /* keeps the order of those at one place */
    struct found *next;
};

struct lint_context {
    const struct gpucode_lint_options *options;
    const struct isa_lint *rules;
    struct arena arena;
    struct found *found;
    unsigned count;
    bool failed;
};

struct gpucode_finding *lint_find(struct lint_context *context, unsigned section, uint64_t unit, unsigned units,
                                  enum message message, const char *reference, ...)
{
    char text[256];
    const char *code = message_code(message);
    if (context->count >= FINDINGS_MAX) {
        context->count++;
        return NULL;
    }
    for (const struct found *other = context->found; other; other = other->next)
        if (other->finding.section == section && other->finding.unit == unit && other->finding.code == code)
            return NULL;
    va_list args;
    va_start(args, reference);
    message_text(text, sizeof text, message, args);
    va_end(args);
    struct found *found = arena_alloc(&context->arena, sizeof *found);
    const char *copy = arena_copy(&context->arena, text, strlen(text));
    if (!found || !copy) {
        context->failed = true;
        return NULL;
    }
    *found = (struct found){.finding = {.severity = message_severity(message),
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

static int compare(const void *a, const void *b)
{
    const struct found *left = *(struct found *const *)a, *right = *(struct found *const *)b;
    if (left->finding.section != right->finding.section)
        return left->finding.section < right->finding.section ? -1 : 1;
    if (left->finding.unit != right->finding.unit)
        return left->finding.unit < right->finding.unit ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

static void report_all(struct lint_context *context)
{
    struct found **sorted = arena_array(&context->arena, FINDINGS_MAX, sizeof *sorted);
    if (!sorted) {
        context->failed = true;
        return;
    }
    unsigned count = 0;
    for (struct found *found = context->found; found; found = found->next)
        sorted[count++] = found;
    qsort(sorted, count, sizeof *sorted, compare);
    for (unsigned i = 0; i < count; i++)
        context->options->report(context->options->user, &sorted[i]->finding);
}

enum gpucode_status gpucode_lint(const struct gpucode_image *image, const struct gpucode_lint_options *options,
                                 unsigned *count)
{
    static const struct gpucode_lint_options none = {0};
    if (!image)
        return GPUCODE_ERROR_ARGUMENT;
    if (!image->isa->timing.lint)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct lint_context context = {.options = options ? options : &none, .rules = image->isa->timing.lint};
    context.failed |= !context.rules->check(&context, image_layout(image));
    if (!context.failed && context.options->report)
        report_all(&context);
    if (count)
        *count = context.count;
    arena_free(&context.arena);
    return context.failed ? GPUCODE_ERROR_MEMORY : GPUCODE_OK;
}

bool gpucode_lint_limit_at(const struct gpucode_target *target, unsigned index, struct gpucode_lint_limit *limit,
                           const char **doc)
{
    if (!target || !limit || !target->isa->timing.lint)
        return false;
    const struct isa_lint *rules = target->isa->timing.lint;
    for (unsigned i = 0; rules->limits[i].name; i++)
        if (i == index) {
            *limit = rules->limits[i];
            if (doc)
                *doc = rules->limit_docs[i];
            return true;
        }
    return false;
}
