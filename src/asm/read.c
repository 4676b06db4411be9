/* SPDX-License-Identifier: MIT */
/* Sources for editors: what was recorded, brought into the order of the files. */
#include "asm/record.h"
#include "base/arena.h"

#include "asm/context.h"
#include <stdlib.h>

struct gpucode_source {
    struct arena arena; /* of the lists */
    struct arena texts; /* what they refer to; empty where the program has it */
    struct gpucode_program *program;
    const struct gpucode_target *target;
    struct asm_listed listed;
};

static struct gpucode_span span_in(const struct asm_source *source, const char *at, size_t length)
{
    size_t offset = (size_t)(at - source->text);
    return (struct gpucode_span){offset, length < source->length - offset ? length : source->length - offset};
}

/* --- diagnostics ----------------------------------------------------------------------------------------- */

static struct gpucode_source_diagnostic diagnostic_of(const struct asm_heard *heard)
{
    struct gpucode_source_diagnostic diagnostic = {.severity = heard->severity,
                                                   .code = heard->code,
                                                   .message = heard->message,
                                                   .hint = heard->hint,
                                                   .file = GPUCODE_NONE,
                                                   .exact = true};
    if (!heard->source || !heard->at)
        return diagnostic;
    const struct asm_source *source = heard->source;
    const char *at = heard->at;
    size_t length = heard->span;
    diagnostic.exact = asm_record_origin(&source, &at, &length);
    diagnostic.file = source->file_number;
    diagnostic.span = span_in(source, at, length);
    const struct asm_source *fixed = heard->source;
    length = heard->fix_span;
    if (!heard->replacement || !diagnostic.exact)
        return diagnostic;
    at = heard->fix_at;
    if (asm_record_origin(&fixed, &at, &length) && fixed == source) {
        diagnostic.replacement = heard->replacement;
        diagnostic.replaced = span_in(source, at, length);
    }
    return diagnostic;
}

static bool list_diagnostics(struct asm_context *context, struct arena *arena, struct asm_listed *listed)
{
    const struct asm_record *record = context->record;
    listed->diagnostics = arena_array(arena, record->heard.count + 1, sizeof *listed->diagnostics);
    for (size_t i = 0; listed->diagnostics && i < record->heard.count; i++)
        listed->diagnostics[i] = diagnostic_of(&record->heard.items[i]);
    listed->diagnostic_count = (uint32_t)record->heard.count;
    return listed->diagnostics;
}

/* --- files and statements -------------------------------------------------------------------------------- */

static bool list_files(const struct asm_context *context, struct arena *arena, struct asm_listed *listed)
{
    const struct asm_record *record = context->record;
    listed->files = arena_array(arena, record->files.count + 1, sizeof *listed->files);
    listed->starts = arena_array(arena, record->starts.count + 1, sizeof *listed->starts);
    if (!listed->files || !listed->starts)
        return false;
    for (size_t i = 0; i < record->files.count; i++) {
        const struct asm_source *source = record->files.items[i];
        listed->files[i].file = (struct gpucode_source_file){source->file, source->text, source->length};
    }
    listed->file_count = (uint32_t)record->files.count;
    /* a file's statements one after the other; a file that is read twice counts once */
    for (uint32_t file = 0; file < listed->file_count; file++) {
        struct asm_listed_file *list = &listed->files[file];
        list->first_start = listed->start_count;
        for (size_t i = 0; i < record->starts.count; i++) {
            const struct asm_start *start = &record->starts.items[i];
            if (start->source == record->files.items[file])
                listed->starts[listed->start_count++] = (size_t)(start->at - start->source->text);
        }
        list->start_count = listed->start_count - list->first_start;
    }
    return true;
}

bool gpucode_source_statement(const struct gpucode_source *source, uint32_t file, size_t offset,
                              struct gpucode_span *span)
{
    if (!source || !span || file >= source->listed.file_count)
        return false;
    const struct asm_listed_file *list = &source->listed.files[file];
    const size_t *starts = source->listed.starts + list->first_start;
    size_t low = 0, high = list->start_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (starts[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return false;
    size_t end = low < list->start_count ? starts[low] : list->file.length;
    *span = (struct gpucode_span){starts[low - 1], end - starts[low - 1]};
    return true;
}

/* --- all of it ------------------------------------------------------------------------------------------- */

static void free_record(struct asm_record *record)
{
    FREE_ALL(record->words.items, record->comments.items, record->starts.items, record->heard.items,
             record->files.items, record->pieces.items);
}

static bool make_source(struct asm_context *context, bool good, struct gpucode_source **out)
{
    struct gpucode_source *source = calloc(1, sizeof *source);
    if (!source)
        return false;
    source->target = context->target;
    bool listed = list_files(context, &source->arena, &source->listed) &&
                  list_diagnostics(context, &source->arena, &source->listed) &&
                  asm_list_words(context, &source->arena, &source->listed);
    if (!listed || (good && !asm_make_program(context, &source->program))) {
        arena_free(&source->arena);
        free(source);
        return false;
    }
    source->texts = context->arena; /* empty where the program has it */
    context->arena = (struct arena){0};
    *out = source;
    return true;
}

enum gpucode_status gpucode_source_read(const char *text, size_t length, const struct gpucode_asm_options *options,
                                        struct gpucode_source **out)
{
    static const struct gpucode_asm_options defaults;
    if ((!text && length) || !out)
        return GPUCODE_ERROR_ARGUMENT;
    *out = NULL;
    struct asm_record record = {.options = options ? *options : defaults};
    struct asm_context context = {.calls = &asm_offered, .options = &record.options, .record = &record};
    record.on_diagnostic = record.options.on_diagnostic;
    record.options.on_diagnostic = (struct gpucode_diagnostic_handler){asm_record_report, &context};
    asm_read_all(&context, text, length);
    enum gpucode_status status = asm_status(&context);
    if (status != GPUCODE_ERROR_MEMORY && !make_source(&context, status == GPUCODE_OK, out))
        status = GPUCODE_ERROR_MEMORY;
    free_record(&record);
    asm_free_context(&context);
    return status;
}

void gpucode_source_free(struct gpucode_source *source)
{
    if (!source)
        return;
    gpucode_program_free(source->program);
    arena_free(&source->texts);
    arena_free(&source->arena);
    free(source);
}

const struct gpucode_target *gpucode_source_chip(const struct gpucode_source *source)
{
    return source ? source->target : NULL;
}

const struct gpucode_program *gpucode_source_program(const struct gpucode_source *source)
{
    return source ? source->program : NULL;
}

bool gpucode_source_file(const struct gpucode_source *source, uint32_t index, struct gpucode_source_file *file)
{
    if (!source || !file || index >= source->listed.file_count)
        return false;
    *file = source->listed.files[index].file;
    return true;
}

const struct gpucode_word *gpucode_source_words(const struct gpucode_source *source, uint32_t file, uint32_t *count)
{
    if (!source || !count || file >= source->listed.file_count)
        return NULL;
    const struct asm_listed_file *list = &source->listed.files[file];
    *count = list->word_count;
    return source->listed.words ? source->listed.words + list->first_word : NULL;
}

uint32_t gpucode_source_word_at(const struct gpucode_source *source, uint32_t file, size_t offset)
{
    uint32_t count = 0, found = GPUCODE_NONE;
    const struct gpucode_word *words = gpucode_source_words(source, file, &count);
    uint32_t low = 0, high = count;
    while (low < high) { /* after the last that begins at or before the place */
        uint32_t middle = low + (high - low) / 2;
        if (words[middle].span.offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    /* shorter ones stand after longer ones; one that covers the place wins over one that ends at it */
    bool covers = false;
    for (uint32_t i = low, looked = 0; i-- && looked < 64; looked++) {
        size_t end = words[i].span.offset + words[i].span.length;
        if (end < offset || (end == offset && found != GPUCODE_NONE))
            continue;
        if (found == GPUCODE_NONE || (!covers && end > offset) ||
            (end > offset && words[i].span.length < words[found].span.length))
            found = i;
        covers |= end > offset;
    }
    return found;
}

const struct gpucode_word *gpucode_source_word(const struct gpucode_source *source, uint32_t index)
{
    return source && index < source->listed.word_count ? &source->listed.words[index] : NULL;
}

const struct gpucode_source_symbol *gpucode_source_symbols(const struct gpucode_source *source, uint32_t *count)
{
    if (!source || !count)
        return NULL;
    *count = source->listed.symbol_count;
    return source->listed.symbols;
}

const struct gpucode_source_diagnostic *gpucode_source_diagnostics(const struct gpucode_source *source, uint32_t *count)
{
    if (!source || !count)
        return NULL;
    *count = source->listed.diagnostic_count;
    return source->listed.diagnostics;
}
