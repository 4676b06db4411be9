/* SPDX-License-Identifier: MIT */
/* Who reads, writes, calls and jumps: one pass over the code with the values in hand. */
#include "analysis/build.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

struct collecting {
    struct gpucode_analysis *analysis;
    struct analysis_code *code;
    struct list list;
    uint32_t *first; /* of each unit: 1 + its first reference; 0: not looked at */
    uint32_t unit;
    bool again; /* the unit was looked at before: it is a slot and runs by itself too */
};

static bool is_same(const struct gpucode_reference *a, const struct gpucode_reference *b)
{
    return a->kind == b->kind && a->space == b->space && a->number == b->number && a->exact == b->exact &&
           a->via == b->via;
}

static void add(void *user, const struct gpucode_reference *reference)
{
    struct collecting *c = user;
    for (size_t i = c->again ? c->first[c->unit] - 1 : c->list.count; i < c->list.count; i++) {
        struct gpucode_reference *before = (struct gpucode_reference *)c->list.items + i;
        if (before->unit != c->unit || !is_same(before, reference))
            continue;
        before->has_value &= reference->has_value && before->value == reference->value;
        return;
    }
    struct gpucode_reference *kept = list_add(&c->list, sizeof *kept);
    if (!kept)
        return;
    *kept = *reference;
    kept->section = c->code->section;
    kept->unit = c->unit;
}

static void add_flow(struct collecting *c, uint32_t unit)
{
    const struct analysis_code *code = c->code;
    const struct analysis_word *word = &code->words[unit];
    struct gpucode_reference reference = {.space = GPUCODE_SPACE_CODE, .exact = true, .number = word->target};
    reference.kind = word->kind == ANALYSIS_CALL ? GPUCODE_REFERENCE_CALL : GPUCODE_REFERENCE_JUMP;
    if (!word->known && word->kind == ANALYSIS_INDIRECT) {
        for (size_t i = analysis_first_from(code->jumps, code->jump_count, sizeof *code->jumps, unit);
             i < code->jump_count && code->jumps[i].edge.from == unit; i++) {
            reference.number = code->jumps[i].edge.to;
            add(c, &reference);
        }
        return;
    }
    if (!word->known || !(word->kind == ANALYSIS_CALL || word->kind == ANALYSIS_JUMP || word->kind == ANALYSIS_BRANCH ||
                          word->kind == ANALYSIS_SKIP || word->kind == ANALYSIS_INDIRECT))
        return;
    if (word->kind != ANALYSIS_INDIRECT) {
        add(c, &reference);
        return;
    }
    const struct analysis_table *table = &code->tables[word->target];
    for (uint32_t i = 0; i < table->count; i++) {
        reference.number = table->base + 2 * i;
        if (reference.number < code->units)
            add(c, &reference);
    }
}

static void look_at(struct collecting *c, const struct analysis_piece *piece, isa_value *state)
{
    const struct isa_analysis *set = c->analysis->set;
    struct analysis_code *code = c->code;
    bool in_slot = false;
    for (uint32_t unit = piece->start; unit < piece->end; unit++) {
        const struct analysis_word *word = &code->words[unit];
        if (in_slot && analysis_is_transfer(word))
            break; /* it has no effect there */
        in_slot = word->slot;
        c->unit = unit;
        c->again = c->first[unit];
        if (!c->again)
            c->first[unit] = (uint32_t)c->list.count + 1;
        set->references(code->facts, &code->pool, unit, state, add, c);
        add_flow(c, unit);
        if (set->interrupt && unit == code->interrupt_at)
            add(c, &(struct gpucode_reference){.kind = GPUCODE_REFERENCE_ADDRESS,
                                               .space = GPUCODE_SPACE_CODE,
                                               .number = code->interrupt,
                                               .exact = true});
        set->step(code->facts, &code->pool, unit, LEVEL_UNKNOWN, state);
    }
}

static void add_table(struct collecting *c)
{
    uint32_t handler;
    c->again = false;
    for (unsigned i = 0; gpucode_image_handler(c->analysis->image, c->code->section, i, &handler); i++) {
        c->unit = c->code->units + i;
        add(c, &(struct gpucode_reference){.kind = GPUCODE_REFERENCE_ADDRESS,
                                           .space = GPUCODE_SPACE_CODE,
                                           .number = handler,
                                           .exact = true,
                                           .in_table = true,
                                           .packet = i});
    }
}

static int compare_units(const void *a, const void *b)
{
    const struct gpucode_reference *left = *(struct gpucode_reference *const *)a,
                                   *right = *(struct gpucode_reference *const *)b;
    if (left->unit != right->unit)
        return left->unit < right->unit ? -1 : 1;
    return left < right ? -1 : left > right; /* as they were found: they stand in one array */
}

/* In the order of places; false: out of memory, *more false: the caller has enough. */
static bool tell(struct collecting *c, bool (*found)(void *user, const struct gpucode_reference *reference), void *user,
                 bool *more)
{
    struct gpucode_reference **order = calloc(c->list.count + 1, sizeof *order);
    for (size_t i = 0; order && i < c->list.count; i++)
        order[i] = (struct gpucode_reference *)c->list.items + i;
    if (order)
        qsort(order, c->list.count, sizeof *order, compare_units);
    for (size_t i = 0; order && *more && i < c->list.count; i++)
        *more = found(user, order[i]);
    free(order);
    return order;
}

enum gpucode_status gpucode_analysis_references(struct gpucode_analysis *analysis,
                                                bool (*found)(void *user, const struct gpucode_reference *reference),
                                                void *user)
{
    if (!analysis || !found)
        return GPUCODE_ERROR_ARGUMENT;
    isa_value state[ANALYSIS_REGISTERS_MAX];
    bool good = true, more = true;
    for (unsigned i = 0; good && more && i < analysis->section_count; i++) {
        struct collecting c = {.analysis = analysis, .code = &analysis->code[i]};
        c.first = calloc((size_t)c.code->units + 1, sizeof *c.first);
        for (uint32_t k = 0; c.first && k < c.code->piece_count; k++) {
            memcpy(state, analysis_state(analysis, c.code, k), analysis->set->registers * sizeof *state);
            look_at(&c, &c.code->pieces[k], state);
        }
        add_table(&c);
        good = c.first && !c.list.failed && !c.code->pool.failed && tell(&c, found, user, &more);
        free(c.first);
        free(c.list.items);
    }
    return good ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* Numbers in code that are places of code: where code moves, they have to change. */

struct lists {
    struct list constants, lost, stale, jumps;
};

static void keep(struct list *list, const void *item, size_t size)
{
    void *kept = list_add(list, size);
    if (kept)
        memcpy(kept, item, size);
}

static void add_constant(void *user, const struct gpucode_code_constant *constant)
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
        add_constant(lists, &(struct gpucode_code_constant){.kind = GPUCODE_CONSTANT_JUMPS,
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
    const struct isa_constants out = {add_constant, add_lost, add_stale, add_jump, &lists};
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
