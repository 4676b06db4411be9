/* SPDX-License-Identifier: MIT */
/* Lint: asks the instruction set's rules and puts their findings in order. */
#include "isa/lint.h"
#include "analysis/build.h"
#include "base/arena.h"
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

static const struct analysis_calls calls = {.packet_name = gpucode_analysis_packet_name,
                                            .reached_by = gpucode_analysis_reached_by,
                                            .at_level = analysis_at_level};

/* Says which function each finding is in. */
static void name_functions(struct lint_context *context, const struct gpucode_analysis *analysis)
{
    char name[GPUCODE_NAME_MAX];
    for (struct lint_found *found = context->found; found; found = found->next) {
        uint32_t owner = gpucode_analysis_owner(analysis, found->finding.section, (uint32_t)found->finding.unit);
        found->finding.analysed = true;
        if (owner != GPUCODE_NONE && gpucode_analysis_name(analysis, found->finding.section, owner, name, sizeof name))
            found->finding.function = arena_copy(&context->arena, name, strlen(name));
    }
}

/* Runs the rules. The analysis must live until the findings were reported. */
static enum gpucode_status check_all(struct lint_context *context, const struct gpucode_image *image)
{
    struct gpucode_analysis *analysis;
    if (!context->rules->check_analysed)
        return context->rules->check(context, image_layout(image)) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
    enum gpucode_status status = gpucode_analyse(image, NULL, &analysis);
    if (status != GPUCODE_OK)
        return status;
    bool good = context->rules->check_analysed(context, analysis, &calls);
    if (good)
        name_functions(context, analysis);
    gpucode_analysis_free(analysis);
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
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
    enum gpucode_status status = check_all(&context, image);
    context.failed |= status == GPUCODE_ERROR_MEMORY;
    if (status == GPUCODE_OK && !context.failed && context.options->report)
        report_all(&context);
    if (count)
        *count = context.count;
    arena_free(&context.arena);
    return context.failed ? GPUCODE_ERROR_MEMORY : status;
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

bool gpucode_lint_example(const struct gpucode_target *target, const char *code, struct gpucode_lint_example *example)
{
    const struct isa_lint *rules = target ? target->isa->timing.lint : NULL;
    if (!code || !example)
        return false;
    for (const struct isa_lint_example *each = rules ? rules->examples : NULL; each && each->code; each++)
        if (strcmp(each->code, code) == 0) {
            *example = (struct gpucode_lint_example){each->target, each->wrong, each->right};
            return true;
        }
    return false;
}

/* --- scheduling: the instruction set does the work ---------------------------------------------------------------- */

enum gpucode_status gpucode_schedule(const struct gpucode_image *image, const struct gpucode_schedule_options *options,
                                     struct gpucode_scheduled *out)
{
    static const struct gpucode_schedule_options none = {0};
    if (!out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = (struct gpucode_scheduled){0};
    if (!image || (options && (unsigned)options->strip > GPUCODE_STRIP_ALL))
        return GPUCODE_ERROR_ARGUMENT;
    if (!image->isa->timing.schedule)
        return GPUCODE_ERROR_UNSUPPORTED;
    struct buffer buffer = {0};
    enum gpucode_status status =
        image->isa->timing.schedule->schedule(image_layout(image), options ? options : &none, &buffer, out);
    if (status == GPUCODE_OK && !buffer.failed) {
        out->bytes = malloc(buffer.length + 1);
        if (out->bytes && buffer.length)
            memcpy(out->bytes, buffer.bytes, buffer.length);
        out->size = buffer.length;
    }
    buffer_free(&buffer);
    if (status == GPUCODE_OK && !out->bytes)
        status = GPUCODE_ERROR_MEMORY;
    if (status != GPUCODE_OK)
        gpucode_scheduled_free(out);
    return status;
}

void gpucode_scheduled_free(struct gpucode_scheduled *scheduled)
{
    if (!scheduled)
        return;
    FREE_ALL(scheduled->bytes, scheduled->origins);
    *scheduled = (struct gpucode_scheduled){0};
}
