/* SPDX-License-Identifier: MIT */
/* What the forms of `diff` have in common: names, and edits counted by their kind. */
#include "cli/differences.h"

#include <stdlib.h>
#include <string.h>

void differences_name(const struct differences *differences, const struct gpucode_compared_section *section,
                      const struct gpucode_compared_function *function, char name[GPUCODE_NAME_MAX])
{
    unsigned side = function->change == GPUCODE_CHANGE_GONE ? GPUCODE_OLD : GPUCODE_NEW;
    understood_name(differences->understood[side], section->section[side], function->function[side], name);
}

bool differences_is_usual(const struct differences *differences, const struct gpucode_compared_section *section,
                          unsigned packet)
{
    unsigned most = 0, same = 0;
    uint32_t handlers[GPUCODE_COMPARED_PACKETS] = {0};
    const struct gpucode_image *image = differences->understood[GPUCODE_NEW]->input->image;
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++)
        gpucode_image_handler(image, section->section[GPUCODE_NEW], i, &handlers[i]);
    for (unsigned i = 0; i < GPUCODE_COMPARED_PACKETS; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < GPUCODE_COMPARED_PACKETS; k++)
            count += handlers[i] == handlers[k];
        most = count > most ? count : most;
        same = handlers[i] == handlers[packet] ? count : same;
    }
    return most > 1 && same == most;
}

struct kind {
    const char *text;
    unsigned count, order;
};

static int compare_kinds(const void *a, const void *b)
{
    const struct kind *left = a, *right = b;
    int order = strcmp(left->text, right->text);
    return order ? order : (left->order > right->order) - (left->order < right->order);
}

static int compare_counts(const void *a, const void *b)
{
    const struct kind *left = a, *right = b;
    if (left->count != right->count)
        return left->count > right->count ? -1 : 1;
    return (left->order > right->order) - (left->order < right->order);
}

/* Edits that differ by registers alone are of one kind. */
static unsigned gather_kinds(const struct gpucode_comparison *comparison, struct kind *kinds, unsigned total)
{
    unsigned count = 0;
    for (unsigned i = 0; i < total; i++) {
        const struct gpucode_edit *edit = gpucode_comparison_edit(comparison, i);
        kinds[i] = (struct kind){edit->kind, edit->count, i};
    }
    qsort(kinds, total, sizeof *kinds, compare_kinds);
    for (unsigned i = 0; i < total; i++) {
        if (count && strcmp(kinds[count - 1].text, kinds[i].text) == 0)
            kinds[count - 1].count += kinds[i].count;
        else
            kinds[count++] = kinds[i];
    }
    qsort(kinds, count, sizeof *kinds, compare_counts);
    return count;
}

void differences_kinds(const struct differences *differences, bool (*put)(void *user, const char *text, unsigned count),
                       void *user)
{
    const struct gpucode_comparison *comparison = differences->comparison;
    unsigned total = 0;
    while (gpucode_comparison_edit(comparison, total))
        total++;
    struct kind *kinds = total ? calloc(total, sizeof *kinds) : NULL;
    unsigned count = kinds ? gather_kinds(comparison, kinds, total) : 0;
    for (unsigned i = 0; i < count; i++) {
        const struct gpucode_edit *edit = gpucode_comparison_edit(comparison, kinds[i].order);
        bool one = edit->count == kinds[i].count; /* the registers are known */
        if (!put(user, one ? edit->text : kinds[i].text, kinds[i].count))
            break;
    }
    free(kinds);
}
