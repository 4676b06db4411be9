/* SPDX-License-Identifier: MIT */
/* Inlay hints: values of constants, places of labels, and the time that instructions take. */
#include "lsp/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hints {
    struct lsp *lsp;
    const struct view *view;
    size_t from, to;
    json_t *list;
};

static void add_hint(const struct hints *hints, size_t offset, const char *label, const char *tip, int kind)
{
    if (offset < hints->from || offset > hints->to)
        return;
    struct position position = text_position(hints->lsp, hints->view->text, offset);
    json_t *hint = json_pack("{s:{s:I, s:I}, s:s, s:b}", "position", "line", (json_int_t)position.line, "character",
                             (json_int_t)position.character, "label", label, "paddingLeft", 1);
    if (kind)
        json_object_set_new(hint, "kind", json_integer(kind));
    if (tip)
        json_object_set_new(hint, "tooltip", json_string(tip));
    json_array_append_new(hints->list, hint);
}

static void hint_names(const struct hints *hints)
{
    char label[64];
    for (uint32_t i = 0; i < hints->view->word_count; i++) {
        const struct gpucode_word *word = &hints->view->words[i];
        const struct gpucode_source_symbol *symbol = view_symbol(hints->view, word->symbol);
        size_t end = word->span.offset + word->span.length;
        if (!symbol || word->part || (word->expanded && word->defines))
            continue;
        if (word->span.offset > hints->to)
            break;
        if (word->kind == GPUCODE_TOKEN_LABEL && symbol->kind == GPUCODE_SOURCE_LABEL) {
            const char *bytes = hints->view->text->bytes;
            end += strspn(bytes + end, " \t");
            end += bytes[end] == ':';
            snprintf(label, sizeof label, "0x%" PRIx64, (uint64_t)symbol->value);
            add_hint(hints, end, label, "units from the start of the section", 0);
        } else if (word->kind == GPUCODE_TOKEN_USE && symbol->kind == GPUCODE_SOURCE_CONSTANT) {
            snprintf(label, sizeof label, "= 0x%" PRIx64, (uint64_t)symbol->value);
            add_hint(hints, end, label, NULL, 1);
        }
    }
}

/* Instructions in the order of the image, each after its text with when it begins and ends. */
static void hint_times(const struct hints *hints)
{
    struct document *document = hints->view->document;
    const struct gpucode_image *image = document_image(document);
    const struct gpucode_program *program = gpucode_source_program(hints->view->source);
    if (!image || !program)
        return;
    const struct gpucode_image_info *info = gpucode_image_info(image);
    const unsigned char *bytes = gpucode_program_bytes(program);
    size_t size = gpucode_program_size(program), unit_bytes = gpucode_target_unit_bytes(hints->view->target);
    uint64_t total = 0;
    for (uint32_t unit = 0; unit < info->units;) {
        size_t at = info->prefix + (size_t)unit * unit_bytes;
        struct gpucode_insn insn;
        struct gpucode_cost cost;
        uint32_t file;
        struct gpucode_span span;
        char label[96], tip[96];
        if (at >= size || gpucode_decode(hints->view->target, bytes + at, size - at, unit, &insn) != GPUCODE_OK) {
            unit++;
            continue;
        }
        if (gpucode_insn_cost(&insn, &cost) && cost.count) {
            snprintf(label, sizeof label, "%" PRIu64 "-%" PRIu64 " %s", total, total + cost.count, cost.unit);
            snprintf(tip, sizeof tip, "%s: %" PRIu64 ", in front of it %" PRIu64, cost.unit, cost.count, total);
            total += cost.count;
            if (place_of_unit(document, unit, 0, &file, &span) && file == hints->view->file)
                add_hint(hints, span.offset + span.length, label, tip, 0);
        }
        unit += insn.size / (uint32_t)unit_bytes ? insn.size / (uint32_t)unit_bytes : 1;
    }
}

static int compare_hints(const void *left, const void *right)
{
    const json_t *a = json_object_get(*(json_t *const *)left, "position");
    const json_t *b = json_object_get(*(json_t *const *)right, "position");
    int64_t line = number_of(a, "line", 0) - number_of(b, "line", 0);
    int64_t character = number_of(a, "character", 0) - number_of(b, "character", 0);
    return line ? (line > 0) - (line < 0) : (character > 0) - (character < 0);
}

/* In the order of the text. */
static json_t *sorted(json_t *list)
{
    size_t count = json_array_size(list), i;
    json_t **items = memory_alloc((count + 1) * sizeof *items), *item, *out = json_array();
    if (!items) {
        json_decref(out);
        return list;
    }
    json_array_foreach(list, i, item) items[i] = item;
    qsort(items, count, sizeof *items, compare_hints);
    for (i = 0; i < count; i++)
        json_array_append(out, items[i]);
    free(items);
    json_decref(list);
    return out;
}

void answer_hints(struct lsp *lsp, const json_t *params, struct answer *answer)
{
    struct view view;
    const json_t *range = json_object_get(params, "range");
    struct hints hints = {.lsp = lsp, .view = &view};
    if (!view_open(lsp, params, &view, answer))
        return;
    if (!text_take(lsp, view.text, json_object_get(range, "start"), &hints.from) ||
        !text_take(lsp, view.text, json_object_get(range, "end"), &hints.to)) {
        lsp_fail(answer, ERROR_PARAMS, "range is missing, or none");
        return;
    }
    hints.list = json_array();
    hint_names(&hints);
    if (view.target)
        hint_times(&hints);
    answer->result = sorted(hints.list);
}
