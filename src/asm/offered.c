/* SPDX-License-Identifier: MIT */
/* What the assembler offers to the directives of instruction sets; see isa/assembler.h. */
#include "asm/context.h"
#include "asm/record.h"

#include <gpucode/analysis.h>
#include <gpucode/image.h>
#include <stdlib.h>
#include <string.h>

/*
 * What an instruction set may ask about numbers of the source that are places of code: what analysis finds of the
 * program, and where a number stands. Sources that need it are few; what it costs is paid by them.
 */

/* As the functions of isa/assembler.h for instruction sets: analyse, number_report */
static const struct gpucode_analysis *asm_analyse(struct asm_context *context, const void *bytes, size_t size)
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

static void asm_report_number(struct asm_context *context, uint32_t unit, message_id message, const char *hint,
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

static const struct gpucode_target *offer_target(const struct asm_context *context)
{
    return context->target;
}

static const struct gpucode_names *offer_names(const struct asm_context *context)
{
    return context->options->names;
}

static unsigned offer_section(const struct asm_context *context)
{
    return asm_section_number(context);
}

static uint32_t offer_start(const struct asm_context *context, unsigned section)
{
    return (uint32_t)((context->sections.items[section].start - context->prefix) / context->isa->unit_bytes);
}

static void offer_patch(struct asm_context *context, unsigned section, uint64_t unit, uint64_t bits, unsigned size)
{
    size_t offset = context->sections.items[section].start + (size_t)unit * context->isa->unit_bytes;
    if (context->out.failed || offset + size > context->out.length)
        return;
    for (unsigned i = 0; i < size; i++)
        context->out.bytes[offset + i] = (char)(bits >> 8 * i);
}

static bool offer_label(const struct asm_context *context, unsigned index, struct asm_label *label)
{
    if (index >= context->symbols.count)
        return false;
    const struct asm_symbol *symbol = &context->symbols.items[index];
    *label = (struct asm_label){symbol->name, symbol->length, symbol->section, (uint64_t)symbol->value};
    return true;
}

static void offer_label_report(struct asm_context *context, unsigned index, message_id message, const char *hint,
                               const char *detail)
{
    const struct asm_symbol *symbol = &context->symbols.items[index];
    const struct asm_source *source = context->sources.items[symbol->source];
    asm_report(context, source, source->text + symbol->at, symbol->length, message, hint, symbol->name, detail);
}

static const void *offer_output(const struct asm_context *context, size_t *size, size_t *prefix)
{
    *size = context->out.length;
    *prefix = context->prefix;
    return context->out.bytes;
}

static bool offer_waits(const struct asm_context *context, unsigned section, uint64_t unit)
{
    size_t bytes = context->isa->unit_bytes;
    size_t place = (context->sections.items[section].start - context->prefix) / bytes + (size_t)unit;
    size_t low = 0, high = context->waited.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (context->waited.items[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low < context->waited.count && context->waited.items[low] == place;
}

static bool offer_no_prefix(struct asm_context *context)
{
    if (context->emitted)
        return false;
    context->out.length = context->prefix = 0;
    context->sections.items[0].start = 0;
    return true;
}

static void *offer_memory(struct asm_context *context, size_t size)
{
    void *memory = arena_alloc(&context->arena, size);
    context->failed |= !memory;
    return memory;
}

static void **offer_state(struct asm_context *context)
{
    return &context->isa_state;
}

static bool offer_oversize(const struct asm_context *context)
{
    return context->options->oversize;
}

static uint64_t offer_size(const struct asm_context *context)
{
    return context->out.length - context->prefix;
}

static void offer_report_source(struct asm_context *context, message_id message, const char *hint, const char *first,
                                const char *second)
{
    struct place place = {.file = context->source->file};
    asm_record_place(context, NULL, &place);
    report(&context->options->on_diagnostic, &place, message, hint, first, second);
    context->errors += message_severity(message) == GPUCODE_ERROR;
}

static bool offer_define(struct asm_context *context, const char *name, size_t length, const char *at)
{
    size_t count = context->symbols.count;
    bool good = asm_add_label(context, name, length, at);
    if (good && context->symbols.count > count)
        asm_record_words(context, asm_record_mark(context), GPUCODE_TOKEN_LABEL, at, 1, (uint32_t)count + 1);
    return good;
}

static void offer_ask_before(struct asm_context *context, bool ask)
{
    context->asks_before = ask;
    asm_begin_quick(context);
}

const struct asm_calls asm_offered = {
    .target = offer_target,
    .names = offer_names,
    .current_section = offer_section,
    .section_start = offer_start,
    .patch = offer_patch,
    .label_at = offer_label,
    .label_report = offer_label_report,
    .output = offer_output,
    .waits = offer_waits,
    .no_prefix = offer_no_prefix,
    .memory = offer_memory,
    .state = offer_state,
    .oversize = offer_oversize,
    .size = offer_size,
    .report_source = offer_report_source,
    .emit = asm_put,
    .number = asm_put_number,
    .place = asm_address,
    .define_label = offer_define,
    .known = asm_take_known,
    .data = asm_take_data,
    .padding = asm_take_padding,
    .fill = asm_fill_to,
    .analyse = asm_analyse,
    .ask_before = offer_ask_before,
    .number_report = asm_report_number,
};
