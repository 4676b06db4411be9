/* SPDX-License-Identifier: MIT */
/*
 * What an instruction set may ask about numbers of the source that are places of code: what analysis finds of the
 * program, and where a number stands. Sources that need it are few; what it costs is paid by them.
 */
#include "asm/context.h"
#include "asm/record.h"

#include <gpucode/analysis.h>
#include <gpucode/image.h>

#include <stdlib.h>
#include <string.h>

const struct gpucode_analysis *asm_analyse(struct asm_context *context, const void *bytes, size_t size)
{
    const struct gpucode_image_options options = {.target = context->target};
    gpucode_analysis_free(context->analysis);
    gpucode_image_free(context->image);
    context->analysis = NULL;
    context->image = NULL;
    enum gpucode_status status = gpucode_image_open(bytes, size, &options, &context->image);
    if (status == GPUCODE_OK)
        status = gpucode_analyse(context->image, NULL, &context->analysis);
    context->failed |= status == GPUCODE_ERROR_MEMORY;
    return context->analysis;
}

/* The source once more, with the places of its units. */
static void read_again(struct asm_context *context)
{
    const struct asm_source *source = context->sources.items[0];
    struct gpucode_asm_options *options = arena_alloc(&context->arena, sizeof *options);
    struct asm_context *again = calloc(1, sizeof *again);
    context->failed |= !options || !again;
    context->again = again;
    if (!options || !again)
        return;
    *options = *context->options;
    options->target = context->target;
    options->on_diagnostic = (struct gpucode_diagnostic_handler){0};
    options->record_lines = true;
    options->passed = NULL;
    *again = (struct asm_context){
        .calls = context->calls, .options = options, .read_all = context->read_all, .is_again = true};
    context->read_all(again, source->text, source->length);
    context->failed |= again->failed || again->out.failed;
}

/* The statement whose code stands at a unit of the image; null: unknown. */
static const struct asm_line *find_statement(const struct asm_context *again, uint32_t unit)
{
    size_t low = 0, high = again->lines.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (again->lines.items[middle].unit <= unit)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &again->lines.items[low - 1] : NULL;
}

/* Its last number, or all of it where it has none; comments are not its. */
static size_t find_digits(const char *at, const char *end, const char **start)
{
    const char *stop = at, *found = at;
    while (stop < end && *stop != '\n' && *stop != ';')
        stop++;
    for (const char *place = at; place < stop; place++)
        if (*place >= '0' && *place <= '9' && (place == at || !isa_name_byte(place[-1])) && place[-(place > at)] != '$')
            found = place;
    *start = found;
    while (found < stop && isa_name_byte(*found))
        found++;
    return found > *start ? (size_t)(found - *start) : 1;
}

void asm_report_number(struct asm_context *context, uint32_t unit, message_id message, const char *hint,
                       const char *name, const char *detail)
{
    if (!context->again)
        read_again(context);
    const struct asm_line *line = context->failed ? NULL : find_statement(context->again, unit);
    const struct asm_source *there = line ? line->place.source : NULL;
    if (!there || there->number >= context->sources.count) {
        asm_calls_of(context)->report_source(context, message, hint, name, detail);
        return;
    }
    const struct asm_source *source = context->sources.items[there->number];
    const char *at;
    size_t span = find_digits(source->text + (line->at - there->text), source->text + source->length, &at);
    asm_report(context, source, at, span, message, hint, name, detail);
}
