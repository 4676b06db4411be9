/* SPDX-License-Identifier: MIT */
/* Numbers in code that are places of code: where code moves, they have to change. */
#include "analysis/build.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct lists {
    struct list constants, lost, stale, jumps;
};

static void keep(struct list *list, const void *item, size_t size)
{
    void *kept = list_add(list, size);
    if (kept)
        memcpy(kept, item, size);
}

static void add(void *user, const struct gpucode_code_constant *constant)
{
    keep(&((struct lists *)user)->constants, constant, sizeof *constant);
}

static void add_lost(void *user, const struct gpucode_lost_place *lost)
{
    keep(&((struct lists *)user)->lost, lost, sizeof *lost);
}

static void add_stale(void *user, const struct gpucode_code_constant *constant)
{
    keep(&((struct lists *)user)->stale, constant, sizeof *constant);
}

static void add_jump(void *user, const struct analysis_jump *jump)
{
    keep(&((struct lists *)user)->jumps, jump, sizeof *jump);
}

/* Keeps the jumps, each pair of places once; *changed: they are not those that the analysis was made with. */
static bool keep_jumps(struct gpucode_analysis *analysis, struct list *list, bool *changed)
{
    struct analysis_jump *all = list->items;
    size_t count = 0;
    if (list->count)
        qsort(all, list->count, sizeof *all, analysis_compare_seen);
    for (size_t i = 0; i < list->count; i++)
        if (!count || analysis_compare_seen(&all[count - 1], &all[i]))
            all[count++] = all[i];
        else
            all[count - 1].alone &= all[i].alone;
    list->count = count;
    *changed = count != analysis->jump_count;
    for (size_t i = 0; i < count && !*changed; i++)
        *changed = analysis_compare_seen(&all[i], &analysis->jumps[i]) || all[i].alone != analysis->jumps[i].alone;
    analysis->jump_count = count;
    analysis->jumps = list_keep(list, &analysis->arena, sizeof *all);
    return analysis->jumps;
}

static void add_tables(const struct analysis_code *code, struct lists *lists)
{
    for (uint32_t i = 0; i < code->table_count; i++) {
        const struct analysis_table *table = &code->tables[i];
        if (!(code->marks[table->at] & ANALYSIS_RUNS) || table->base >= code->units)
            continue;
        uint32_t left = code->units - table->base, count = 2 * table->count;
        add(lists, &(struct gpucode_code_constant){.kind = GPUCODE_CONSTANT_JUMPS,
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
    int order = ORDER(a->section, b->section);
    order = order ? order : ORDER(a->at, b->at);
    order = order ? order : ORDER(a->kind, b->kind);
    order = order ? order : ORDER(a->half, b->half);
    return order ? order : ORDER(b->count, a->count);
}

/* Those of one number once, a whole one ahead of a half. */
static void join(struct list *list)
{
    struct gpucode_code_constant *all = list->items;
    size_t count = 0;
    if (list->count)
        qsort(all, list->count, sizeof *all, compare);
    for (size_t i = 0; i < list->count; i++)
        if (!count || all[count - 1].section != all[i].section || all[count - 1].at != all[i].at)
            all[count++] = all[i];
    list->count = count;
}

bool analysis_find_constants(struct gpucode_analysis *analysis, bool *changed)
{
    struct lists lists = {0};
    const struct isa_constants out = {add, add_lost, add_stale, add_jump, &lists};
    bool good = true;
    for (unsigned i = 0; good && i < analysis->section_count; i++) {
        add_tables(&analysis->code[i], &lists);
        if (analysis->set->constants)
            good = analysis->set->constants(analysis, &analysis->code[i], &out);
    }
    join(&lists.constants);
    join(&lists.stale);
    lists.constants.failed |= !good;
    analysis->constant_count = lists.constants.count;
    analysis->lost_count = lists.lost.count;
    analysis->stale_count = lists.stale.count;
    analysis->constants = list_keep(&lists.constants, &analysis->arena, sizeof(struct gpucode_code_constant));
    analysis->lost = list_keep(&lists.lost, &analysis->arena, sizeof(struct gpucode_lost_place));
    analysis->stale = list_keep(&lists.stale, &analysis->arena, sizeof(struct gpucode_code_constant));
    bool kept = keep_jumps(analysis, &lists.jumps, changed);
    return kept && analysis->constants && analysis->lost && analysis->stale;
}

const struct gpucode_code_constant *gpucode_analysis_constants(const struct gpucode_analysis *analysis, size_t *count)
{
    if (!analysis || !count)
        return NULL;
    *count = analysis->constant_count;
    return analysis->constants;
}

const struct gpucode_lost_place *gpucode_analysis_lost(const struct gpucode_analysis *analysis, size_t *count)
{
    if (!analysis || !count)
        return NULL;
    *count = analysis->lost_count;
    return analysis->lost;
}
