/* SPDX-License-Identifier: MIT */
/*
 * What rows alone tell the analysis: where control goes, what is read and written. Values are not followed. Code that
 * nothing leads to, other macros of a file for example, begins functions of its own.
 */
#include "isa/analysis.h"
#include "isa/isa.h"
#include "isa/plain/plain.h"

#include <string.h>

struct plain_facts {
    const struct gpucode_target *target;
    const unsigned char *bytes;
    size_t size;   /* bytes of the section */
    uint32_t next; /* the first unit after the instruction that was looked at last */
};

static void *begin(struct arena *arena, const struct isa_layout *layout, unsigned section)
{
    const struct gpucode_image_info *info = &layout->info;
    const struct gpucode_section *place = &info->sections[section];
    size_t unit = info->target->isa->unit_bytes;
    struct plain_facts *facts = arena_alloc(arena, sizeof *facts);
    if (facts)
        *facts = (struct plain_facts){.target = info->target,
                                      .bytes = layout->bytes + info->prefix + place->start * unit,
                                      .size = place->size * unit};
    return facts;
}

static bool decode(const struct plain_facts *facts, uint32_t unit, struct gpucode_insn *insn)
{
    size_t offset = (size_t)unit * facts->target->isa->unit_bytes;
    return offset < facts->size &&
           gpucode_decode(facts->target, facts->bytes + offset, facts->size - offset, unit, insn) == GPUCODE_OK;
}

static uint32_t header(const void *facts, uint32_t units)
{
    (void)facts, (void)units;
    return 0;
}

static struct analysis_word word(void *user, uint32_t unit)
{
    static const uint8_t kinds[] = {
        [GPUCODE_FLOW_NEXT] = ANALYSIS_PLAIN,    [GPUCODE_FLOW_JUMP] = ANALYSIS_JUMP,
        [GPUCODE_FLOW_BRANCH] = ANALYSIS_BRANCH, [GPUCODE_FLOW_CALL] = ANALYSIS_CALL,
        [GPUCODE_FLOW_RETURN] = ANALYSIS_RETURN, [GPUCODE_FLOW_STOP] = ANALYSIS_STOP,
    };
    struct plain_facts *facts = user;
    struct analysis_word word = {.kind = ANALYSIS_PLAIN, .target = GPUCODE_NONE};
    struct gpucode_insn insn;
    struct gpucode_flow flow;
    if (unit < facts->next) {
        word.inside = true;
        return word;
    }
    facts->next = unit + 1;
    if (!decode(facts, unit, &insn)) {
        word.kind = ANALYSIS_WRONG;
        return word;
    }
    facts->next = unit + insn.size / facts->target->isa->unit_bytes;
    if (!gpucode_insn_flow(&insn, &flow))
        return word;
    word.kind = kinds[flow.kind];
    word.ends = flow.ends;
    word.slot = flow.delay_slots || flow.ending_slots;
    word.known = flow.known && flow.target <= UINT32_MAX;
    word.target = word.known ? (uint32_t)flow.target : GPUCODE_NONE;
    if (word.kind == ANALYSIS_JUMP && !word.known)
        word.kind = ANALYSIS_INDIRECT;
    word.unstacks = word.kind == ANALYSIS_RETURN;
    return word;
}

static bool table(const void *facts, const struct analysis_word *words, struct analysis_table *table)
{
    (void)facts, (void)words, (void)table;
    return false;
}

static void enter(const void *facts, struct isa_value_pool *pool, enum gpucode_function_kind kind, isa_value *state)
{
    (void)facts, (void)pool, (void)kind, (void)state;
}

static void step(void *facts, struct isa_value_pool *pool, uint32_t unit, unsigned level, isa_value *state)
{
    (void)facts, (void)pool, (void)unit, (void)level, (void)state;
}

static uint64_t writes(const void *facts, uint32_t unit)
{
    (void)facts, (void)unit;
    return 0;
}

static int decide(const void *facts, const struct isa_value_pool *pool, uint32_t unit, const isa_value *state)
{
    (void)facts, (void)pool, (void)unit, (void)state;
    return 0;
}

/* A reference for each register that takes part; what is chosen among several is said of the first. */
static void add_effect(const struct gpucode_effect *effect, enum gpucode_reference_kind kind,
                       void (*add)(void *user, const struct gpucode_reference *reference), void *user)
{
    struct gpucode_reference reference = {.kind = kind, .space = effect->space, .exact = effect->known};
    if (effect->kind == GPUCODE_EFFECT_MEMORY)
        reference.space = GPUCODE_SPACE_MEMORY;
    unsigned count = effect->kind == GPUCODE_EFFECT_MEMORY || !effect->known || !effect->count ? 1 : effect->count;
    for (unsigned i = 0; i < count; i++) {
        if (effect->mask && i < 32 && !(effect->mask >> i & 1))
            continue;
        reference.number = effect->kind == GPUCODE_EFFECT_MEMORY ? 0 : effect->number + i;
        add(user, &reference);
    }
}

static void references(void *facts, struct isa_value_pool *pool, uint32_t unit, const isa_value *state,
                       void (*add)(void *user, const struct gpucode_reference *reference), void *user)
{
    struct gpucode_effect effects[GPUCODE_EFFECTS_MAX];
    struct gpucode_insn insn;
    (void)pool, (void)state;
    if (!decode(facts, unit, &insn))
        return;
    unsigned count = gpucode_insn_effects(&insn, effects, GPUCODE_EFFECTS_MAX);
    for (unsigned i = 0; i < count && i < GPUCODE_EFFECTS_MAX; i++) {
        if (effects[i].use & GPUCODE_USE_READ)
            add_effect(&effects[i], GPUCODE_REFERENCE_READ, add, user);
        if (effects[i].use & GPUCODE_USE_WRITE)
            add_effect(&effects[i], GPUCODE_REFERENCE_WRITE, add, user);
    }
}

const struct isa_analysis isa_plain_analysis = {
    .begin = begin,
    .header = header,
    .word = word,
    .table = table,
    .enter = enter,
    .step = step,
    .writes = writes,
    .decide = decide,
    .references = references,
    .start = "start", /* as listings call it */
};
