/* SPDX-License-Identifier: MIT */
/* Lint: asks the instruction set's rules and puts their findings in order. */
#include "isa/lint.h"

#include "image/image.h"
#include "isa/isa.h"

#include <stdlib.h>
#include <string.h>

static int compare_places(const void *a, const void *b)
{
    const struct lint_found *left = *(struct lint_found *const *)a, *right = *(struct lint_found *const *)b;
    if (left->finding.section != right->finding.section)
        return left->finding.section < right->finding.section ? -1 : 1;
    if (left->finding.unit != right->finding.unit)
        return left->finding.unit < right->finding.unit ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

static void report_all(struct lint_context *context)
{
    struct lint_found **sorted = arena_array(&context->arena, LINT_FINDINGS_MAX, sizeof *sorted);
    if (!sorted) {
        context->failed = true;
        return;
    }
    unsigned count = 0;
    for (struct lint_found *found = context->found; found; found = found->next)
        sorted[count++] = found;
    qsort(sorted, count, sizeof *sorted, compare_places);
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
