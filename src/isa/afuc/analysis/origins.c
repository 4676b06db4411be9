/* SPDX-License-Identifier: MIT */
/*
 * Back from where a register is used to the instructions that its value comes from: through moves, sums and shifts,
 * block by block, out of routines to their callers. Calls that write the register end the way.
 */
#include "isa/afuc/analysis/origins.h"

#include <stdlib.h>

#define STEPS_MAX 256 /* stretches looked at for one use */
#define SHIFT_MAX 2   /* places in bytes are four times those in words */

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

bool afuc_origins_begin(struct afuc_origins *origins, const struct afuc_facts *facts, const struct analysis_code *code)
{
    *origins = (struct afuc_origins){facts, code, NULL, NULL};
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
    return good;
}

void afuc_origins_end(struct afuc_origins *origins)
{
    free(origins->before);
    free(origins->before_of);
}

/* --- the way back --- */

/* A stretch to look at: units of `piece` in front of `end`, for what is in `reg`. */
struct stretch {
    uint32_t piece, end;
    uint8_t reg, shift;
    bool added;
};

struct walk {
    const struct afuc_origins *origins;
    struct stretch list[STEPS_MAX]; /* looked at, and to be looked at */
    unsigned count;
    void (*found)(void *user, const struct afuc_origin *origin);
    void *user;
};

static void go_to(struct walk *walk, const struct stretch *to)
{
    if (to->reg == 0 || to->reg >= REG_FIRST_SPECIAL)
        return;
    for (unsigned i = 0; i < walk->count; i++) {
        const struct stretch *seen = &walk->list[i];
        if (seen->piece == to->piece && seen->end == to->end && seen->reg == to->reg && seen->shift == to->shift &&
            seen->added == to->added)
            return;
    }
    if (walk->count < STEPS_MAX)
        walk->list[walk->count++] = *to;
}

/* The instruction at `unit` writes the register. */
static void look_at(struct walk *walk, const struct stretch *stretch, uint32_t unit)
{
    const struct afuc_facts *facts = walk->origins->facts;
    const struct afuc_op *op = &facts->ops[unit];
    struct stretch from = *stretch;
    from.end = unit;
    if (!afuc_is_insn(op) || op->flags || !facts->rows[op->row].acts || op->d != stretch->reg)
        return;
    switch (op->row) {
    case AFUC_MOV_IMM:
    case AFUC_MOV_IMM_A5XX:
        walk->found(walk->user,
                    &(struct afuc_origin){unit, ((uint64_t)op->imm << op->shift) << stretch->shift, stretch->added});
        return;
    case AFUC_MOV:
        from.reg = op->b;
        go_to(walk, &from);
        return;
    case AFUC_ADD:
        from.added = true;
        from.reg = op->a;
        go_to(walk, &from);
        from.reg = op->b;
        go_to(walk, &from);
        return;
    case AFUC_ADD_IMM:
        walk->found(walk->user, &(struct afuc_origin){unit, (uint64_t)op->imm << stretch->shift, true});
        from.added = true;
        from.reg = op->a;
        go_to(walk, &from);
        return;
    case AFUC_SHL_IMM16:
    case AFUC_SHL_IMM12:
        if (op->imm + from.shift > SHIFT_MAX)
            return;
        from.shift = (uint8_t)(from.shift + op->imm);
        from.reg = op->a;
        go_to(walk, &from);
        return;
    default:
        return;
    }
}

/* Goes on at the end of a piece; a call there must leave the register alone. */
static void go_behind(struct walk *walk, struct stretch stretch, uint32_t piece, bool from_callee)
{
    const struct analysis_code *code = walk->origins->code;
    uint32_t call = code->pieces[piece].call;
    if (call != GPUCODE_NONE && !from_callee) {
        uint32_t to = code->words[call].known ? code->words[call].target : GPUCODE_NONE;
        uint32_t callee = to < code->units ? code->function_at[to] : GPUCODE_NONE;
        if (callee == GPUCODE_NONE || code->writes[callee] >> stretch.reg & 1)
            return;
    }
    stretch.piece = piece;
    stretch.end = code->pieces[piece].end;
    go_to(walk, &stretch);
}

static void look_back(struct walk *walk, struct stretch stretch)
{
    const struct afuc_origins *origins = walk->origins;
    const struct analysis_code *code = origins->code;
    for (uint32_t unit = stretch.end; unit-- > code->pieces[stretch.piece].start;)
        if (afuc_writes(origins->facts, unit) >> stretch.reg & 1) {
            look_at(walk, &stretch, unit);
            return;
        }
    uint32_t block = code->pieces[stretch.piece].block;
    if (stretch.piece > code->piece_of[block]) {
        go_behind(walk, stretch, stretch.piece - 1, false);
        return;
    }
    for (uint32_t i = origins->before_of[block]; i < origins->before_of[block + 1]; i++)
        go_behind(walk, stretch, origins->before[i] & ~FROM_CALL, origins->before[i] & FROM_CALL);
}

void afuc_origins_each(const struct afuc_origins *origins, uint32_t piece, uint32_t unit, unsigned reg,
                       void (*found)(void *user, const struct afuc_origin *origin), void *user)
{
    struct walk walk = {.origins = origins, .found = found, .user = user};
    go_to(&walk, &(struct stretch){piece, unit, (uint8_t)reg, 0, false});
    for (unsigned i = 0; i < walk.count; i++)
        look_back(&walk, walk.list[i]);
}
