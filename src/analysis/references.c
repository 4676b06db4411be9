/* SPDX-License-Identifier: MIT */
/* Who reads, writes, calls and jumps: one pass over the code with the values in hand. */
#include "analysis/build.h"

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
