/* SPDX-License-Identifier: MIT */
/* Rules about one word and the constants in front of it, and about the packet table. */
#include "isa/afuc/lint/lint.h"

#include "afuc_messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scratch registers, which need no name: control registers from here on, to the last of early and of late chips. */
#define SCRATCH_FIRST 0x100u
#define SCRATCH_LAST_EARLY 0x17fu
#define SCRATCH_LAST_LATE 0x2ffu

static bool has_name(const struct isa_names *names, uint32_t number, char name[GPUCODE_NAME_MAX])
{
    char *end = isa_name_of(names, NULL, GPUCODE_SPACE_CONTROL, number, name);
    *end = 0;
    return end != name;
}

static void check_control(struct rules *rules, uint32_t unit, const isa_value *state)
{
    static const struct isa_names *const others[] = {&afuc_names_a5xx, &afuc_names_a6xx, &afuc_names_a7xx,
                                                     &afuc_names_a7xx_gen3, &afuc_names_gen8};
    const struct afuc_op *op = &rules->facts->ops[unit];
    bool late = rules->facts->setup->generation >= AFUC_A7XX;
    uint32_t number;
    char name[GPUCODE_NAME_MAX];
    if (!isa_value_is(&rules->code->pool, afuc_number(rules->facts, &rules->code->pool, op, state), &number) ||
        (number >= SCRATCH_FIRST && number <= (late ? SCRATCH_LAST_LATE : SCRATCH_LAST_EARLY)) ||
        has_name(rules->facts->target->names, number, name))
        return;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (has_name(others[i], number, name)) {
            FIND_OF(rules, unit, MSG_LINT_AFUC_CREG_GEN, (unsigned)number, name);
            return;
        }
}

static void check_shift(struct rules *rules, uint32_t unit, const isa_value *state)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    uint32_t count = op->imm;
    if (rules->facts->rows[op->row].has_t &&
        !isa_value_is(&rules->code->pool, afuc_source_value(&rules->code->pool, state, op->b), &count))
        return;
    if (count >= 32)
        FIND_OF(rules, unit, MSG_LINT_AFUC_SHIFT, (unsigned)count);
}

static void check_global(struct rules *rules, uint32_t unit)
{
    uint32_t globals = rules_writes(rules, &rules->facts->ops[unit]) & UINT32_C(0x03fc0000);
    uint64_t packets[2];
    if (globals && rules->calls->reached_by(rules->analysis, rules->code->section, unit, packets) &&
        (packets[0] & rules->handled[0] || packets[1] & rules->handled[1]))
        FIND_OF(rules, unit, MSG_LINT_AFUC_GLOBAL, (unsigned)__builtin_ctz(globals));
}

static void check_modifiers(struct rules *rules, uint32_t unit)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    const struct row_facts *row = &rules->facts->rows[op->row];
    if (row->has_o && op->flags & OP_PREINCREMENT && op->b == 0)
        FIND(rules, unit, MSG_LINT_AFUC_PREINC);
    bool through = op->d == REG_NOWHERE || (op->d >= REG_FIRST_SPECIAL && op->d <= REG_DATA);
    if (afuc_extra(rules->facts, op) >= 2 && !through)
        FIND_OF(rules, unit, MSG_LINT_AFUC_XMOV, afuc_extra(rules->facts, op));
    if (op->flags & OP_PEEK && rules->facts->setup->generation < AFUC_A7XX)
        FIND(rules, unit, MSG_LINT_AFUC_PEEK);
}

static void check_secure(struct rules *rules, uint32_t unit)
{
    const struct analysis_code *code = rules->code;
    const struct analysis_word *next = unit + 1 < code->units ? &code->words[unit + 1] : NULL;
    if (!next || next->kind != ANALYSIS_JUMP || next->target == unit + 3)
        FIND(rules, unit, MSG_LINT_AFUC_SECURE);
}

static void look(struct rules *rules, uint32_t unit, uint32_t slot_of, const isa_value *state)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    (void)slot_of;
    if (afuc_facts_word(rules->facts, unit) == 0 && rules->facts->setup->generation != AFUC_A5XX)
        FIND(rules, unit, MSG_LINT_AFUC_ZERO);
    if (!afuc_is_insn(op))
        return;
    if (op->row == AFUC_CREAD || op->row == AFUC_CWRITE || op->row == AFUC_CREAD_A5XX || op->row == AFUC_CWRITE_A5XX)
        check_control(rules, unit, state);
    if (rules->facts->rows[op->row].shifts)
        check_shift(rules, unit, state);
    if (op->row == AFUC_SETSECURE)
        check_secure(rules, unit);
    check_global(rules, unit);
    check_modifiers(rules, unit);
}

/* Packets of one wrong entry are one finding: a table that was not filled in has a hundred of them. */
static void check_table(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    char name[GPUCODE_NAME_MAX], packets[GPUCODE_NAME_MAX + 32];
    uint32_t handlers[AFUC_TABLE_ENTRIES];
    unsigned count = 0;
    while (count < AFUC_TABLE_ENTRIES && afuc_handler(rules->analysis->layout, code->section, count, &handlers[count]))
        count++;
    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0, after = 0;
        for (unsigned k = 0; k < count; k++)
            *(k < i ? &before : &after) += k != i && handlers[k] == handlers[i];
        if (before || (handlers[i] >= code->boot && handlers[i] < code->units))
            continue;
        rules->calls->packet_name(rules->analysis, i, name, sizeof name);
        snprintf(packets, sizeof packets, after ? "%s and %u more packets" : "%s", name, after);
        FIND_OF(rules, code->units + i, MSG_LINT_AFUC_TABLE, packets, (unsigned)handlers[i]);
    }
}

bool rules_words(struct rules *rules)
{
    rules_each(rules, look);
    check_table(rules);
    return true;
}

/* Rules about delay slots. */

#define BACK_WORDS 8 /* from a branch back to the cmp that it asks about */

/* Which values of a register let a branch go. */
struct condition {
    bool bit, set; /* bit `number` is set, or clear; else the value is `number`, or is not */
    uint32_t number;
};

static struct condition condition_of(const struct afuc_op *op)
{
    return (struct condition){op->row == AFUC_BRNE_BIT || op->row == AFUC_BREQ_BIT,
                              op->row == AFUC_BREQ_BIT || op->row == AFUC_BREQ_IMM, op->shift};
}

/* Is there a value that lets both go? */
static bool both_can(const struct afuc_op *a, const struct afuc_op *b)
{
    struct condition first = condition_of(a), second = condition_of(b);
    if (first.bit && second.bit)
        return first.number != second.number || first.set == second.set;
    if (first.bit || second.bit) {
        struct condition bit = first.bit ? first : second, value = first.bit ? second : first;
        return !value.set || ((value.number >> bit.number & 1) != 0) == bit.set;
    }
    if (first.set && second.set)
        return first.number == second.number;
    return first.set == second.set || first.number != second.number;
}

/* Units that control comes to from elsewhere than the one in front of them; null: out of memory. */
static bool *find_jumped(const struct analysis_code *code)
{
    bool *jumped = calloc((size_t)code->units + 1, sizeof *jumped);
    for (uint32_t i = 0; jumped && i < code->block_count; i++)
        for (uint32_t k = 0; k < code->blocks[i].edge_count; k++) {
            const struct gpucode_edge *edge = &code->blocks[i].edges[k];
            if (edge->known && edge->kind != GPUCODE_EDGE_NEXT && edge->to < code->units)
                jumped[edge->to] = true;
        }
    for (uint32_t i = 0; jumped && i < code->function_count; i++)
        jumped[code->functions[i].start] = true;
    return jumped;
}

/* The cmp whose result a register holds at a unit, if control can only have come straight down from it; or null. */
static const struct afuc_op *compared(const struct rules *rules, const bool *jumped, uint32_t unit, unsigned reg)
{
    const struct analysis_word *words = rules->code->words;
    for (uint32_t at = unit; at-- > 0 && unit - at <= BACK_WORDS;) {
        const struct afuc_op *op = &rules->facts->ops[at];
        bool falls = words[at].kind == ANALYSIS_PLAIN || words[at].kind == ANALYSIS_BRANCH;
        if (jumped[at + 1] || !falls || (at && words[at - 1].slot && words[at - 1].kind != ANALYSIS_BRANCH))
            return NULL;
        if (!(afuc_writes(rules->facts, at) >> reg & 1))
            continue;
        bool compares =
            op->row == AFUC_CMP || op->row == AFUC_CMP_A5XX || op->row == AFUC_CMP_IMM || op->row == AFUC_CMP_IMM_A5XX;
        return compares && !op->flags && op->d == reg ? op : NULL;
    }
    return NULL;
}

/* A cmp has three results: can both branches go with one of them? */
static bool both_can_after(const struct rules *rules, const struct afuc_op *cmp, const struct afuc_op *a,
                           const struct afuc_op *b)
{
    static const uint32_t operands[][2] = {{0, 0}, {0, 1}, {1, 0}};
    struct afuc_facts *facts = rules->facts;
    for (unsigned i = 0; i < sizeof operands / sizeof *operands; i++) {
        uint32_t result = afuc_evaluate(facts->machine, facts->processor, cmp, operands[i][0], operands[i][1], 0);
        facts->processor->gpr[a->a] = result;
        if (afuc_branches(facts->machine, facts->processor, a) && afuc_branches(facts->machine, facts->processor, b))
            return true;
    }
    return false;
}

/* Can the branch in the slot of a branch go where that one goes? */
static bool both_go(const struct rules *rules, const bool *jumped, uint32_t unit)
{
    const struct analysis_word *word = &rules->code->words[unit], *slot = word + 1;
    const struct afuc_op *op = &rules->facts->ops[unit], *other = op + 1;
    if (word->kind != ANALYSIS_BRANCH || slot->kind != ANALYSIS_BRANCH || op->a != other->a)
        return true;
    if (!both_can(op, other))
        return false;
    const struct afuc_op *cmp = op->a < REG_FIRST_SPECIAL ? compared(rules, jumped, unit, op->a) : NULL;
    return !cmp || both_can_after(rules, cmp, op, other);
}

static void check_slot(struct rules *rules, const bool *jumped, uint32_t unit)
{
    const struct analysis_word *word = &rules->code->words[unit], *slot = word + 1;
    const struct afuc_op *other = &rules->facts->ops[unit + 1];
    switch (slot->kind) {
    case ANALYSIS_BRANCH:
    case ANALYSIS_JUMP:
    case ANALYSIS_INDIRECT:
        if (both_go(rules, jumped, unit))
            FIND(rules, unit + 1, MSG_LINT_AFUC_DELAY_BRANCH);
        break;
    case ANALYSIS_CALL:
    case ANALYSIS_RETURN:
    case ANALYSIS_DISPATCH:
    case ANALYSIS_SKIP:
        FIND(rules, unit + 1, MSG_LINT_AFUC_DELAY_WAITIN);
        break;
    default:
        break;
    }
    if (word->kind == ANALYSIS_DISPATCH && (!afuc_is_insn(other) || other->row != AFUC_MOV || other->d != REG_HEADER ||
                                            other->b != REG_DATA || other->flags & (OP_REP | OP_PEEK)))
        FIND(rules, unit + 1, MSG_LINT_AFUC_WAITIN_SLOT);
}

bool rules_slots(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    bool *jumped = find_jumped(code);
    for (uint32_t i = 0; jumped && i + 1 < code->units; i++)
        if (code->marks[i] & ANALYSIS_RUNS && code->words[i].slot)
            check_slot(rules, jumped, i);
    free(jumped);
    return jumped;
}

/*
 * Rules about levels of privilege: a mask that is too narrow for the level takes one level for another (CVE-2025-21479
 * was such a mask), masks of one image should agree, and what only the ring may do should be impossible elsewhere.
 */

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

static void look_by_level(struct rules *rules, uint32_t unit, uint32_t slot_of, const isa_value *state)
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
    rules_each(&testing.rules, look_by_level);
    check_masks(rules, &testing.masks);
    for (uint32_t i = 0; i < rules->code->function_count; i++)
        for (unsigned level = 1; rules_is_handler(&rules->code->functions[i]) && levels[level]; level++) {
            struct dominating dominating = {rules, level, levels[level]};
            if (!rules->calls->at_level(rules->analysis, rules->code, i, level, visit, &dominating))
                return false;
        }
    return true;
}
