/* SPDX-License-Identifier: MIT */
/* Numbers in code that are places of code: where code moves, they have to change. */
#include "analysis/build.h"

#include <stdlib.h>

static void add(void *user, const struct gpucode_code_constant *constant)
{
    struct gpucode_code_constant *kept = list_add(user, sizeof *kept);
    if (kept)
        *kept = *constant;
}

static void add_tables(const struct analysis_code *code, struct list *list)
{
    for (uint32_t i = 0; i < code->table_count; i++) {
        const struct analysis_table *table = &code->tables[i];
        if (!(code->marks[table->at] & ANALYSIS_RUNS) || table->base >= code->units)
            continue;
        uint32_t left = code->units - table->base, count = 2 * table->count;
        add(list, &(struct gpucode_code_constant){.kind = GPUCODE_CONSTANT_JUMPS,
                                                  .section = code->section,
                                                  .at = table->adds,
                                                  .to_section = code->section,
                                                  .to = table->base,
                                                  .count = count < left ? count : left,
                                                  .scale = 1});
    }
}

/* Of two that are the same number the one that says most: kinds stand in that order. */
static int compare(const void *left, const void *right)
{
    const struct gpucode_code_constant *a = left, *b = right;
    if (a->section != b->section)
        return a->section < b->section ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->count > b->count ? -1 : a->count < b->count;
}

bool analysis_find_constants(struct gpucode_analysis *analysis)
{
    struct list list = {0};
    bool good = true;
    for (unsigned i = 0; good && i < analysis->section_count; i++) {
        add_tables(&analysis->code[i], &list);
        if (analysis->set->constants)
            good = analysis->set->constants(analysis, &analysis->code[i], add, &list);
    }
    struct gpucode_code_constant *all = list.items;
    size_t count = 0;
    if (list.count)
        qsort(all, list.count, sizeof *all, compare);
    for (size_t i = 0; i < list.count; i++)
        if (!count || all[count - 1].section != all[i].section || all[count - 1].at != all[i].at)
            all[count++] = all[i];
    list.count = count;
    list.failed |= !good;
    analysis->constant_count = count;
    analysis->constants = list_keep(&list, &analysis->arena, sizeof *all);
    return analysis->constants;
}

const struct gpucode_code_constant *gpucode_analysis_constants(const struct gpucode_analysis *analysis, size_t *count)
{
    if (!analysis || !count)
        return NULL;
    *count = analysis->constant_count;
    return analysis->constants;
}
