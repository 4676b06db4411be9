/* SPDX-License-Identifier: MIT */
/* Counts the edits of changed functions by their text. */
#include "analysis/compare.h"

#include <stdlib.h>
#include <string.h>

struct edit {
    struct gpucode_edit out;
    uint32_t order; /* of appearance */
};

/* "+ TEXT", "- TEXT", "OLD -> NEW" of a line that is not the same. */
static char *write_edit(struct compare_pair *pair, const struct gpucode_compared_line *line, bool kind)
{
    struct compare_registers registers = {0};
    char text[2][GPUCODE_TEXT_MAX];
    for (unsigned s = 0; s < 2; s++)
        if (line->unit[s] != GPUCODE_NONE)
            compare_text(&pair->side[s], line->unit[s], kind ? &registers : NULL, text[s]);
    if (line->unit[0] == GPUCODE_NONE)
        return arena_format(pair->arena, "+ %s", text[1]);
    if (line->unit[1] == GPUCODE_NONE)
        return arena_format(pair->arena, "- %s", text[0]);
    return arena_format(pair->arena, "%s -> %s", text[0], text[1]);
}

bool compare_list_edits(struct compare_pair *pair, struct list *edits)
{
    for (uint32_t i = 0; i < pair->out->function_count; i++) {
        const struct gpucode_compared_function *function = &pair->out->functions[i];
        for (uint32_t k = 0; k < function->line_count; k++) {
            if (function->lines[k].same)
                continue;
            struct edit *edit = list_add(edits, sizeof *edit);
            if (!edit)
                return false;
            edit->order = (uint32_t)edits->count;
            edit->out = (struct gpucode_edit){write_edit(pair, &function->lines[k], false),
                                              write_edit(pair, &function->lines[k], true), 1};
            if (!edit->out.text || !edit->out.kind)
                return false;
        }
    }
    return true;
}

static int compare_texts(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    int order = strcmp(left->out.text, right->out.text);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

static int compare_counts(const void *a, const void *b)
{
    const struct edit *left = a, *right = b;
    if (left->out.count != right->out.count)
        return left->out.count > right->out.count ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

bool compare_count_edits(struct gpucode_comparison *comparison, struct list *list)
{
    struct edit *edits = list->items;
    size_t count = 0;
    if (list->count)
        qsort(edits, list->count, sizeof *edits, compare_texts);
    for (size_t i = 0; i < list->count; i++) {
        if (count && strcmp(edits[count - 1].out.text, edits[i].out.text) == 0)
            edits[count - 1].out.count++;
        else
            edits[count++] = edits[i];
    }
    if (count)
        qsort(edits, count, sizeof *edits, compare_counts);
    comparison->edit_count = (unsigned)count;
    comparison->edits = arena_array(&comparison->arena, count + 1, sizeof *comparison->edits);
    for (size_t i = 0; comparison->edits && i < count; i++)
        comparison->edits[i] = edits[i].out;
    return comparison->edits;
}
