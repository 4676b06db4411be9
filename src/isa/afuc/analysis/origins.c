/* SPDX-License-Identifier: MIT */
/*
 * Back from where a register is used to the instructions that its value comes from: through moves, sums and shifts,
 * block by block, out of routines to their callers, and through calls into the routines that made the value: from there
 * back to that call alone. A number may come in two halves, `mov $r, HIGH << 16` and `or $r, $r, LOW`.
 */
#include "isa/afuc/analysis/facts.h"

#include <stdlib.h>

#define STEPS_MAX 256        /* stretches looked at for one use */
#define CONTEXTS_MAX 32      /* calls gone into for one use */
#define PAIRS_MAX 16         /* halves */
#define TAILS_MAX 16         /* functions that a callee goes on in */
#define LOOKED_MAX 1024      /* places that control may come from, or functions that one goes on in */
#define LOOKED_LEAST 1000000 /* words looked at in all, */
#define LOOKED_EACH 64       /* and so many more for each word of code */
#define SHIFT_MAX 2          /* places in bytes are four times those in words */

/* In `before`: the piece ends with a call, and its callee is at hand. */
#define FROM_CALL UINT32_C(0x80000000)

/* --- what comes in front of blocks --- */

static void note(struct afuc_origins *origins, uint32_t unit, uint32_t piece, uint32_t *filled)
{
    const struct analysis_code *code = origins->code;
    uint32_t block = unit < code->units ? code->block_of[unit] : GPUCODE_NONE;
    if (block == GPUCODE_NONE)
        return;
    if (filled)
        origins->before[origins->before_of[block] + filled[block]++] = piece;
    else
        origins->before_of[block + 1]++;
}

static void note_all(struct afuc_origins *origins, uint32_t *filled)
{
    const struct analysis_code *code = origins->code;
    for (uint32_t i = 0; i < code->block_count; i++) {
        const struct gpucode_block *block = &code->blocks[i];
        for (uint32_t k = 0; k < block->edge_count; k++)
            if (block->edges[k].known)
                note(origins, block->edges[k].to, code->piece_of[i + 1] - 1, filled);
    }
    for (uint32_t i = 0; i < code->piece_count; i++) {
        uint32_t call = code->pieces[i].call;
        if (call != GPUCODE_NONE && code->words[call].known)
            note(origins, code->words[call].target, i | FROM_CALL, filled);
    }
}

/* `filled` null: counts. */
static void note_returns(struct afuc_origins *origins, uint32_t *filled)
{
    const struct analysis_code *code = origins->code;
    for (uint32_t f = 0; f < code->function_count; f++)
        for (uint32_t i = 0; i < code->functions[f].block_count; i++) {
            const struct gpucode_block *block = &code->blocks[code->functions[f].blocks[i]];
            bool returns = false;
            for (uint32_t k = 0; k < block->edge_count; k++) {
                returns |= block->edges[k].kind == GPUCODE_EDGE_RETURN;
                origins->unknown[f] |= block->edges[k].kind == GPUCODE_EDGE_UNRESOLVED;
            }
            if (returns && filled)
                origins->returns[origins->returns_of[f] + filled[f]++] = code->functions[f].blocks[i];
            else if (returns)
                origins->returns_of[f + 1]++;
        }
}

static bool find_returns(struct afuc_origins *origins)
{
    size_t functions = (size_t)origins->code->function_count + 2;
    origins->returns_of = calloc(functions, sizeof *origins->returns_of);
    origins->unknown = calloc(functions, sizeof *origins->unknown);
    uint32_t *filled = calloc(functions, sizeof *filled);
    bool good = origins->returns_of && origins->unknown && filled;
    if (good) {
        note_returns(origins, NULL);
        for (uint32_t f = 0; f < origins->code->function_count; f++)
            origins->returns_of[f + 1] += origins->returns_of[f];
        origins->returns =
            calloc((size_t)origins->returns_of[origins->code->function_count] + 1, sizeof *origins->returns);
        good = origins->returns;
    }
    if (good)
        note_returns(origins, filled);
    free(filled);
    return good;
}

bool afuc_origins_begin(struct afuc_origins *origins, const struct afuc_facts *facts, const struct analysis_code *code)
{
    *origins =
        (struct afuc_origins){.facts = facts, .code = code, .left = LOOKED_LEAST + (uint64_t)LOOKED_EACH * code->units};
    origins->before_of = calloc((size_t)code->block_count + 2, sizeof *origins->before_of);
    uint32_t *filled = calloc((size_t)code->block_count + 1, sizeof *filled);
    bool good = origins->before_of && filled;
    if (good) {
        note_all(origins, NULL);
        for (uint32_t i = 0; i < code->block_count; i++)
            origins->before_of[i + 1] += origins->before_of[i];
        origins->before = calloc((size_t)origins->before_of[code->block_count] + 1, sizeof *origins->before);
        good = origins->before;
    }
    if (good)
        note_all(origins, filled);
    free(filled);
    return good && find_returns(origins);
}

void afuc_origins_end(struct afuc_origins *origins)
{
    free(origins->returns);
    free(origins->returns_of);
    free(origins->unknown);
    free(origins->before);
    free(origins->before_of);
}

/* --- the way back --- */

/* A call that was gone into from behind. */
struct context {
    uint32_t piece;                /* which ends with it */
    unsigned parent;               /* index + 1 of the one that this one was met in; 0: none */
    uint32_t functions[TAILS_MAX]; /* the callee, and what it goes on in */
    unsigned function_count;
};

/* A stretch to look at: units of `piece` in front of `end`, for what is in `reg`. */
struct stretch {
    uint32_t piece, end;
    uint32_t low;     /* the instruction that adds the lower half; GPUCODE_NONE: none */
    unsigned context; /* index + 1; 0: none */
    uint8_t reg, shift;
    bool added;
};

/* Halves that came together. */
struct pair {
    struct afuc_origin origin;
    bool wrong; /* the lower one belongs to another as well */
};

struct walk {
    struct afuc_origins *origins;
    struct stretch list[STEPS_MAX]; /* looked at, and to be looked at */
    unsigned count;
    struct context contexts[CONTEXTS_MAX];
    unsigned context_count;
    struct pair pairs[PAIRS_MAX];
    unsigned pair_count;
    bool lost;
    void (*found)(void *user, const struct afuc_origin *origin);
    void *user;
};

/* Takes from what may be looked at; false: nothing is left. */
static bool pay(struct walk *walk, uint64_t words)
{
    bool enough = walk->origins->left >= words;
    walk->origins->left = enough ? walk->origins->left - words : 0;
    walk->lost |= !enough;
    return enough;
}

static void go_to(struct walk *walk, const struct stretch *to)
{
    if (!pay(walk, 1 + walk->count / 8))
        return;
    if (to->reg == 0 || to->reg >= REG_FIRST_SPECIAL || walk->count == STEPS_MAX) {
        walk->lost |= to->reg != 0; /* $00 is 0, which is not a place */
        return;
    }
    for (unsigned i = 0; i < walk->count; i++) {
        const struct stretch *seen = &walk->list[i];
        if (seen->piece == to->piece && seen->end == to->end && seen->reg == to->reg && seen->shift == to->shift &&
            seen->added == to->added && seen->low == to->low && seen->context == to->context)
            return;
    }
    walk->list[walk->count++] = *to;
}

/* --- numbers --- */

static void find_number(struct walk *walk, const struct stretch *stretch, uint32_t unit, uint64_t value, bool added)
{
    walk->found(walk->user, &(struct afuc_origin){.at = unit,
                                                  .low = GPUCODE_NONE,
                                                  .number = walk->origins->facts->ops[unit].imm,
                                                  .value = value << stretch->shift,
                                                  .added = added});
}

/* The upper half of a number whose lower one was met: kept until it is known that each belongs to the other alone. */
static void find_high(struct walk *walk, const struct stretch *stretch, uint32_t unit)
{
    const struct afuc_op *high = &walk->origins->facts->ops[unit], *low = &walk->origins->facts->ops[stretch->low];
    uint64_t number = (uint64_t)high->imm << 16 | low->imm;
    struct afuc_origin origin = {unit, stretch->low, number, number << stretch->shift, stretch->added};
    bool wrong = high->shift != 16 || walk->pair_count == PAIRS_MAX;
    for (unsigned i = 0; i < walk->pair_count; i++) {
        struct pair *pair = &walk->pairs[i];
        if (pair->origin.low != stretch->low && pair->origin.at != unit)
            continue;
        if (pair->origin.low == stretch->low && pair->origin.at == unit && pair->origin.value == origin.value)
            return;
        pair->wrong |= pair->origin.number != number;
        wrong |= pair->origin.number != number;
    }
    if (wrong)
        walk->lost = true;
    if (walk->pair_count < PAIRS_MAX)
        walk->pairs[walk->pair_count++] = (struct pair){origin, wrong};
}

static void find_pairs(struct walk *walk)
{
    for (unsigned i = 0; i < walk->pair_count; i++) {
        walk->lost |= walk->pairs[i].wrong;
        if (!walk->pairs[i].wrong)
            walk->found(walk->user, &walk->pairs[i].origin);
    }
}

/* --- instructions --- */

static void look_at_move(struct walk *walk, const struct stretch *stretch, uint32_t unit)
{
    const struct afuc_op *op = &walk->origins->facts->ops[unit];
    if (stretch->low == GPUCODE_NONE)
        find_number(walk, stretch, unit, (uint64_t)op->imm << op->shift, stretch->added);
    else
        find_high(walk, stretch, unit);
}

/* `add` of an immediate: a number of its own, or the lower half of one. */
static void look_at_sum(struct walk *walk, const struct stretch *stretch, uint32_t unit)
{
    struct stretch from = *stretch;
    from.end = unit;
    from.reg = walk->origins->facts->ops[unit].a;
    from.added = true;
    if (stretch->low == GPUCODE_NONE)
        find_number(walk, stretch, unit, walk->origins->facts->ops[unit].imm, true);
    else
        walk->lost = true;
    from.low = GPUCODE_NONE;
    go_to(walk, &from);
}

static void look_at_or(struct walk *walk, const struct stretch *stretch, uint32_t unit)
{
    struct stretch from = *stretch;
    from.end = unit;
    from.reg = walk->origins->facts->ops[unit].a;
    walk->lost |= stretch->low != GPUCODE_NONE;
    if (!from.reg) { /* with zero: a `mov` in other words */
        find_number(walk, stretch, unit, walk->origins->facts->ops[unit].imm, stretch->added);
        return;
    }
    from.low = unit;
    go_to(walk, &from);
}

/* The instruction at `unit` writes the register. */
static void look_at(struct walk *walk, const struct stretch *stretch, uint32_t unit)
{
    const struct afuc_facts *facts = walk->origins->facts;
    const struct afuc_op *op = &facts->ops[unit];
    struct stretch from = *stretch;
    from.end = unit;
    if (!afuc_is_insn(op) || op->flags || !facts->rows[op->row].acts || op->d != stretch->reg) {
        walk->lost = true;
        return;
    }
    switch (op->row) {
    case AFUC_MOV_IMM:
    case AFUC_MOV_IMM_A5XX:
        look_at_move(walk, stretch, unit);
        return;
    case AFUC_MOV:
        from.reg = op->b;
        go_to(walk, &from);
        return;
    case AFUC_ADD:
        walk->lost |= from.low != GPUCODE_NONE;
        from.low = GPUCODE_NONE;
        from.added = true;
        from.reg = op->a;
        go_to(walk, &from);
        from.reg = op->b;
        go_to(walk, &from);
        return;
    case AFUC_ADD_IMM:
        look_at_sum(walk, stretch, unit);
        return;
    case AFUC_OR_IMM:
        look_at_or(walk, stretch, unit);
        return;
    case AFUC_SHL_IMM16:
    case AFUC_SHL_IMM12:
        from.shift = (uint8_t)(from.shift + (op->imm > SHIFT_MAX ? SHIFT_MAX + 1 : op->imm));
        walk->lost |= from.shift > SHIFT_MAX || from.low != GPUCODE_NONE;
        from.reg = op->a;
        if (from.shift <= SHIFT_MAX && from.low == GPUCODE_NONE)
            go_to(walk, &from);
        return;
    default:
        walk->lost = true;
        return;
    }
}

/* --- calls --- */

static void add_function(struct context *context, uint32_t function)
{
    for (unsigned i = 0; i < context->function_count; i++)
        if (context->functions[i] == function)
            return;
    if (context->function_count < TAILS_MAX)
        context->functions[context->function_count++] = function;
}

static bool owns(const struct analysis_code *code, uint32_t function, uint32_t block)
{
    uint32_t low = code->owner_of[block], end = code->owner_of[block + 1], high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (code->owners[middle] < function)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && code->owners[low] == function;
}

static bool belongs_to(const struct analysis_code *code, const struct context *context, uint32_t block)
{
    for (unsigned i = 0; i < context->function_count; i++)
        if (owns(code, context->functions[i], block))
            return true;
    return false;
}

/* The context of a call's callee, a new one or one that was made before; 0: there are too many. */
static unsigned context_of(struct walk *walk, uint32_t piece, uint32_t callee, unsigned parent)
{
    const struct analysis_code *code = walk->origins->code;
    for (unsigned i = 0; i < walk->context_count; i++)
        if (walk->contexts[i].piece == piece && walk->contexts[i].parent == parent)
            return i + 1;
    if (walk->context_count == CONTEXTS_MAX)
        return 0;
    struct context *context = &walk->contexts[walk->context_count++];
    *context = (struct context){.piece = piece, .parent = parent};
    add_function(context, callee);
    for (unsigned i = 0; i < context->function_count; i++) {
        const struct gpucode_function *function = &code->functions[context->functions[i]];
        walk->lost |= function->tail_count > LOOKED_MAX || walk->origins->unknown[context->functions[i]];
        for (uint32_t k = 0; k < function->tail_count && k < LOOKED_MAX; k++)
            add_function(context, function->tails[k].function);
    }
    return walk->context_count;
}

/* Goes on wherever the callee returns. */
static void go_into(struct walk *walk, struct stretch stretch, uint32_t piece, uint32_t callee)
{
    const struct analysis_code *code = walk->origins->code;
    stretch.context = context_of(walk, piece, callee, stretch.context);
    const struct context *context = stretch.context ? &walk->contexts[stretch.context - 1] : NULL;
    walk->lost |= !context || context->function_count == TAILS_MAX;
    for (unsigned i = 0; context && i < context->function_count; i++) {
        uint32_t function = context->functions[i], k = walk->origins->returns_of[function];
        for (; k < walk->origins->returns_of[function + 1] && walk->count < STEPS_MAX; k++) {
            stretch.piece = code->piece_of[walk->origins->returns[k] + 1] - 1;
            stretch.end = code->pieces[stretch.piece].end;
            go_to(walk, &stretch);
        }
        walk->lost |= k < walk->origins->returns_of[function + 1];
    }
}

/* Goes on at the end of a piece, in front of what follows it or of the callee that it calls. */
static void go_behind(struct walk *walk, struct stretch stretch, uint32_t piece, bool from_callee)
{
    const struct analysis_code *code = walk->origins->code;
    uint32_t call = code->pieces[piece].call;
    if (call != GPUCODE_NONE && !from_callee) {
        uint32_t to = code->words[call].known ? code->words[call].target : GPUCODE_NONE;
        uint32_t callee = to < code->units ? code->function_at[to] : GPUCODE_NONE;
        if (callee == GPUCODE_NONE) {
            walk->lost = true;
            return;
        }
        if (code->writes[callee] >> stretch.reg & 1) {
            go_into(walk, stretch, piece, callee);
            return;
        }
    }
    stretch.piece = piece;
    stretch.end = code->pieces[piece].end;
    go_to(walk, &stretch);
}

/* Goes on in front of a block: where its function began, that is where it was called. */
static void go_before(struct walk *walk, struct stretch stretch, uint32_t block)
{
    const struct afuc_origins *origins = walk->origins;
    const struct analysis_code *code = origins->code;
    const struct context *context = stretch.context ? &walk->contexts[stretch.context - 1] : NULL;
    uint32_t start = code->blocks[block].start, function = code->function_at[start];
    /* what boot, packets and interruptions begin with is not known */
    if (!context && function != GPUCODE_NONE && code->functions[function].kind != GPUCODE_FUNCTION_ROUTINE)
        walk->lost = true;
    uint32_t first = origins->before_of[block], end = origins->before_of[block + 1];
    if (end - first > LOOKED_MAX) {
        walk->lost = true;
        end = first + LOOKED_MAX;
    }
    uint32_t i = first;
    for (; i < end && walk->count < STEPS_MAX; i++) {
        uint32_t piece = origins->before[i] & ~FROM_CALL;
        pay(walk, 1);
        bool called = origins->before[i] & FROM_CALL;
        if (!context || (!called && belongs_to(code, context, code->pieces[piece].block)))
            go_behind(walk, stretch, piece, called);
    }
    walk->lost |= i < end;
    if (context && context->functions[0] == function) {
        uint32_t piece = context->piece;
        stretch.context = context->parent;
        go_behind(walk, stretch, piece, true);
    }
}

static void look_back(struct walk *walk, struct stretch stretch)
{
    const struct afuc_origins *origins = walk->origins;
    const struct analysis_code *code = origins->code;
    uint32_t unit = stretch.end, start = code->pieces[stretch.piece].start;
    bool written = false;
    while (!written && unit > start)
        written = afuc_writes(origins->facts, --unit) >> stretch.reg & 1;
    if (!pay(walk, stretch.end - unit + 1))
        return;
    if (written) {
        look_at(walk, &stretch, unit);
        return;
    }
    uint32_t block = code->pieces[stretch.piece].block;
    if (stretch.piece > code->piece_of[block])
        go_behind(walk, stretch, stretch.piece - 1, false);
    else
        go_before(walk, stretch, block);
}

bool afuc_origins_each(struct afuc_origins *origins, uint32_t piece, uint32_t unit, unsigned reg,
                       void (*found)(void *user, const struct afuc_origin *origin), void *user)
{
    struct walk walk;
    walk.origins = origins;
    walk.count = walk.context_count = walk.pair_count = 0; /* the lists need no clearing */
    walk.lost = false;
    walk.found = found;
    walk.user = user;
    go_to(&walk, &(struct stretch){.piece = piece, .end = unit, .low = GPUCODE_NONE, .reg = (uint8_t)reg});
    for (unsigned i = 0; i < walk.count && origins->left; i++)
        look_back(&walk, walk.list[i]);
    find_pairs(&walk);
    return !walk.lost;
}
