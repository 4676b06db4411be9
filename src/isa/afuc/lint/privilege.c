/* SPDX-License-Identifier: MIT */
/*
 * Rules about levels of privilege: a mask that is too narrow for the level takes one level for another (CVE-2025-21479
 * was such a mask), masks of one image should agree, and what only the ring may do should be impossible elsewhere.
 */
#include "afuc_messages.h"
#include "isa/afuc/lint/lint.h"

#include <string.h>

/* Masks of tests are few; more are not looked at. */
#define MASKS_MAX 1024

struct masks {
    struct isa_level list[MASKS_MAX];
    unsigned count;
};

struct testing {
    struct rules rules; /* first: rules_each() hands it on */
    struct masks masks;
};

static void look(struct rules *rules, uint32_t unit, uint32_t slot_of, const isa_value *state)
{
    struct masks *masks = &((struct testing *)rules)->masks;
    const struct afuc_op *op = &rules->facts->ops[unit];
    struct isa_level levels[ISA_LEVELS_MAX];
    (void)slot_of;
    if (rules->code->words[unit].kind != ANALYSIS_BRANCH || op->a >= REG_FIRST_SPECIAL || !op->a)
        return;
    unsigned count = isa_value_levels(&rules->code->pool, state[op->a], levels);
    for (unsigned i = 0; i < count; i++) {
        bool known = levels[i].at == UINT32_MAX; /* not masked */
        for (unsigned k = 0; k < masks->count; k++)
            known |= masks->list[k].at == levels[i].at && masks->list[k].mask == levels[i].mask;
        if (!known && masks->count < MASKS_MAX)
            masks->list[masks->count++] = levels[i];
    }
}

/* The mask that most tests have; of several the one with most bits. */
static uint32_t usual_mask(const struct masks *masks)
{
    uint32_t best = 0;
    unsigned most = 0;
    for (unsigned i = 0; i < masks->count; i++) {
        unsigned count = 0;
        for (unsigned k = 0; k < masks->count; k++)
            count += masks->list[k].mask == masks->list[i].mask;
        bool wider = __builtin_popcount(masks->list[i].mask) > __builtin_popcount(best);
        if (count > most || (count == most && wider)) {
            most = count;
            best = masks->list[i].mask;
        }
    }
    return best;
}

static void check_masks(struct rules *rules, const struct masks *masks)
{
    uint32_t whole = rules->facts->setup->generation >= AFUC_A7XX ? 7 : 3, usual = usual_mask(masks);
    for (unsigned i = 0; i < masks->count; i++) {
        const struct isa_level *level = &masks->list[i];
        if (whole & ~level->mask)
            FIND_OF(rules, level->at, MSG_LINT_AFUC_MASK, (unsigned)level->mask, (unsigned)whole);
        if (level->mask != usual)
            FIND_OF(rules, level->at, MSG_LINT_AFUC_INCONSISTENT, (unsigned)level->mask, (unsigned)usual);
    }
}

struct dominating {
    struct rules *rules;
    unsigned level;
    const char *name;
};

static void visit(void *user, struct analysis_code *code, uint32_t piece, const isa_value *before)
{
    struct dominating *dominating = user;
    struct rules *rules = dominating->rules;
    isa_value state[STATE_COUNT], written;
    bool in_slot = false;
    memcpy(state, before, sizeof state);
    for (uint32_t unit = code->pieces[piece].start; unit < code->pieces[piece].end; unit++) {
        if (in_slot && analysis_is_transfer(&code->words[unit]))
            break;
        in_slot = code->words[unit].slot;
        unsigned effects = afuc_effects(rules->facts, &code->pool, unit, state);
        if (effects & GPUCODE_PRIVILEGE_REGISTER_ANY)
            FIND_OF(rules, unit, MSG_LINT_AFUC_DOMINATOR, "any register can be written", dominating->name);
        else if (effects & GPUCODE_PRIVILEGE_PAGE_TABLE)
            FIND_OF(rules, unit, MSG_LINT_AFUC_DOMINATOR, "the page tables can be changed", dominating->name);
        afuc_step(rules->facts, &code->pool, unit, dominating->level, state, &written);
    }
}

bool rules_privilege(struct rules *rules)
{
    struct testing testing = {.rules = *rules};
    const char *const *levels = afuc_analysis.levels(rules->facts->target);
    if (!levels)
        return true;
    rules_each(&testing.rules, look);
    check_masks(rules, &testing.masks);
    for (uint32_t i = 0; i < rules->code->function_count; i++)
        for (unsigned level = 1; rules_is_handler(&rules->code->functions[i]) && levels[level]; level++) {
            struct dominating dominating = {rules, level, levels[level]};
            if (!rules->calls->at_level(rules->analysis, rules->code, i, level, visit, &dominating))
                return false;
        }
    return true;
}
