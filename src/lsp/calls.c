/* SPDX-License-Identifier: MIT */
/* Who calls whom, by the analysis of the program where there is one, else by what instructions say of themselves. */
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

/* A call or jump from one function into another: units of the image. */
struct call {
    uint32_t at, to;
};

struct calls {
    struct document *document;
    struct call *list;
    size_t count, room;
    uint32_t *starts; /* of functions, ascending */
    size_t start_count, start_room;
};

static void add_call(struct calls *calls, uint32_t at, uint32_t to)
{
    if (calls->count == calls->room) {
        size_t room = calls->room * 2 + 64;
        struct call *list = memory_resize(calls->list, room * sizeof *list);
        if (!list)
            return;
        calls->list = list;
        calls->room = room;
    }
    calls->list[calls->count++] = (struct call){at, to};
}

static void add_start(struct calls *calls, uint32_t unit)
{
    if (calls->start_count == calls->start_room) {
        size_t room = calls->start_room * 2 + 64;
        uint32_t *starts = memory_resize(calls->starts, room * sizeof *starts);
        if (!starts)
            return;
        calls->starts = starts;
        calls->start_room = room;
    }
    calls->starts[calls->start_count++] = unit;
}

static void calls_of_analysis(struct calls *calls, const struct gpucode_analysis *analysis)
{
    const struct gpucode_image_info *info = gpucode_image_info(calls->document->image);
    for (unsigned section = 0; section < info->section_count; section++) {
        uint32_t start = info->sections[section].start;
        const struct gpucode_function *function, *other;
        for (unsigned i = 0; (function = gpucode_analysis_function(analysis, section, i)); i++) {
            add_start(calls, start + function->start);
            for (uint32_t k = 0; k < function->call_count; k++)
                add_call(calls, start + function->calls[k].at, start + function->calls[k].to);
            for (uint32_t k = 0; k < function->tail_count; k++)
                if ((other = gpucode_analysis_function(analysis, section, function->tails[k].function)))
                    add_call(calls, start + function->tails[k].at, start + other->start);
        }
    }
}

static int compare_units(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Without an analysis: functions are what is called, and what the program begins with. */
static void calls_of_flow(struct calls *calls)
{
    const struct gpucode_program *program = gpucode_source_program(calls->document->source);
    const struct gpucode_target *target = gpucode_source_chip(calls->document->source);
    const struct gpucode_image *image = document_image(calls->document);
    if (!program || !image)
        return;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    const unsigned char *bytes = gpucode_program_bytes(program);
    size_t size = gpucode_program_size(program), unit_bytes = gpucode_target_unit_bytes(target);
    add_start(calls, 0);
    for (unsigned section = 0; section < info->section_count; section++) {
        const struct gpucode_section *part = &info->sections[section];
        for (uint32_t unit = 0; unit < part->size;) {
            size_t at = info->prefix + (size_t)(part->start + unit) * unit_bytes;
            struct gpucode_insn insn;
            struct gpucode_flow flow;
            if (at >= size || gpucode_decode(target, bytes + at, size - at, unit, &insn) != GPUCODE_OK) {
                unit++;
                continue;
            }
            if (gpucode_insn_flow(&insn, &flow) && flow.kind == GPUCODE_FLOW_CALL && flow.known &&
                flow.target < part->size) {
                add_start(calls, part->start + (uint32_t)flow.target);
                add_call(calls, part->start + unit, part->start + (uint32_t)flow.target);
            }
            unit += insn.size / (uint32_t)unit_bytes ? insn.size / (uint32_t)unit_bytes : 1;
        }
    }
}

static void calls_find(struct calls *calls, struct document *document)
{
    *calls = (struct calls){.document = document};
    const struct gpucode_analysis *analysis = document_analysis(document);
    if (analysis)
        calls_of_analysis(calls, analysis);
    else
        calls_of_flow(calls);
    if (calls->start_count)
        qsort(calls->starts, calls->start_count, sizeof *calls->starts, compare_units);
}

static void calls_free(struct calls *calls)
{
    free(calls->list);
    free(calls->starts);
}

/* The start of the function that holds a unit; GPUCODE_NONE: none does. */
static uint32_t function_of(const struct calls *calls, uint32_t unit)
{
    uint32_t found = GPUCODE_NONE;
    for (size_t i = 0; i < calls->start_count && calls->starts[i] <= unit; i++)
        found = calls->starts[i];
    return found;
}

/* --- items --------------------------------------------------------------------------------------------------- */

/* The label at a unit. */
static const struct gpucode_source_symbol *label_at(const struct document *document, uint32_t unit)
{
    uint32_t count;
    const struct gpucode_source_symbol *symbols = gpucode_source_symbols(document->source, &count);
    for (uint32_t i = 0; i < count; i++)
        if (symbols[i].kind == GPUCODE_SOURCE_LABEL && symbols[i].unit == unit)
            return &symbols[i];
    return NULL;
}

/* {name, kind, uri, range, selectionRange, data} of the function that begins at a unit; null: it has no place. */
static json_t *item_of(struct lsp *lsp, const struct calls *calls, uint32_t unit)
{
    uint32_t file;
    struct gpucode_span span, first;
    struct document *document = calls->document;
    if (unit == GPUCODE_NONE || !place_of_unit(document, unit, 0, &file, &first))
        return NULL;
    const struct gpucode_source_symbol *label = label_at(document, unit);
    const struct gpucode_word *word = label ? gpucode_source_word(document->source, label->definition) : NULL;
    span = first;
    if (word && word->file == file)
        span = word->span;
    struct gpucode_span whole = span;
    if (first.offset + first.length > whole.offset)
        whole.length = first.offset + first.length - whole.offset;
    json_t *location = view_location(lsp, document, file, whole);
    char name[32] = "the beginning";
    if (unit)
        snprintf(name, sizeof name, "0x%x", unit);
    json_t *item = json_pack("{s:o, s:i, s:O, s:O, s:o, s:i}", "name",
                             label ? json_of_bytes(label->name, strlen(label->name)) : json_string(name), "kind", 12,
                             "uri", json_object_get(location, "uri"), "range", json_object_get(location, "range"),
                             "selectionRange", text_range(lsp, &document->texts[file], span), "data", (int)unit);
    json_decref(location);
    return item;
}

/* The unit at a place: of a label or its use what it stands for, else the instruction. */
static uint32_t unit_at(const struct view *view)
{
    const struct gpucode_word *named = view_named(view);
    const struct gpucode_source_symbol *symbol = named ? view_symbol(view, named->symbol) : NULL;
    if (symbol && symbol->kind == GPUCODE_SOURCE_LABEL)
        return symbol->unit;
    return view->word == GPUCODE_NONE ? GPUCODE_NONE : view->words[view->word].unit;
}

void answer_prepare_calls(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    struct calls calls;
    if (!view_open_at(lsp, params, &view, answer) || view.word == GPUCODE_NONE)
        return;
    uint32_t unit = unit_at(&view);
    calls_find(&calls, view.document);
    json_t *item = unit == GPUCODE_NONE ? NULL : item_of(lsp, &calls, function_of(&calls, unit));
    if (item)
        answer->result = json_pack("[o]", item);
    calls_free(&calls);
}

/* Adds a call to the entry of the same other function, or makes one. */
static void add_entry(struct lsp *lsp, const struct calls *calls, json_t *list, const char *key, uint32_t other,
                      uint32_t at)
{
    uint32_t file;
    struct gpucode_span span;
    const json_t *entry;
    size_t i;
    if (!place_of_unit(calls->document, at, 0, &file, &span))
        return;
    json_t *range = text_range(lsp, &calls->document->texts[file], span);
    json_array_foreach(list, i, entry) if (number_of(json_object_get(entry, key), "data", -1) == other)
    {
        json_array_append_new(json_object_get(entry, "fromRanges"), range);
        return;
    }
    json_t *item = item_of(lsp, calls, other);
    if (item)
        json_array_append_new(list, json_pack("{s:o, s:[o]}", key, item, "fromRanges", range));
    else
        json_decref(range);
}

static void answer_calls(struct lsp *lsp, const json_t *params, struct answer *answer, bool incoming)
{
    const json_t *item = json_object_get(params, "item");
    struct view view;
    struct calls calls;
    json_t *where = json_pack("{s:{s:s}}", "textDocument", "uri", text_of(item, "uri"));
    bool open = view_open(lsp, where, &view, answer);
    json_decref(where);
    if (!open)
        return;
    int64_t unit = number_of(item, "data", -1);
    if (unit < 0 || unit > UINT32_MAX) {
        lsp_fail(answer, ERROR_PARAMS, "the item has no data of ours");
        return;
    }
    calls_find(&calls, view.document);
    answer->result = json_array();
    for (size_t i = 0; i < calls.count; i++) {
        uint32_t from = function_of(&calls, calls.list[i].at);
        if (incoming && calls.list[i].to == unit)
            add_entry(lsp, &calls, answer->result, "from", from, calls.list[i].at);
        else if (!incoming && from == unit)
            add_entry(lsp, &calls, answer->result, "to", function_of(&calls, calls.list[i].to), calls.list[i].at);
    }
    calls_free(&calls);
}

void answer_incoming_calls(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    answer_calls(lsp, params, answer, true);
}

void answer_outgoing_calls(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    answer_calls(lsp, params, answer, false);
}
