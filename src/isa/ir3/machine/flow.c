/* SPDX-License-Identifier: MIT */
/* Where the fibers of an issue go from it: rows of category 0, barriers, aliases. */
#include "ir3_messages.h"
#include "isa/ir3/machine/machine.h"

static void go(struct ir3_run *run, unsigned lane, const struct ir3_op *op)
{
    run->next[lane] = run->at + (uint32_t)op->offset;
}

static bool predicate(const struct ir3_run *run, const struct ir3_op *op, unsigned lane, unsigned which)
{
    const struct ir3_operand *source = &op->source[which];
    bool set = ir3_read_register(run->state, run->lane[lane], false, IR3_P0 + (uint32_t)source->access.number) & 1;
    return set != op->inverts[which];
}

void ir3_branch(struct ir3_run *run, const struct ir3_op *op, enum ir3_branch how)
{
    bool any = false, all = true;
    bool takes[IR3_WAVE_MAX];
    if (how == IR3_BRANCH_EACH) {
        const uint32_t *row = ir3_row_of(run->state, false, IR3_P0 + (uint32_t)op->source[0].access.number);
        const uint32_t to[2] = {run->at + (op->inverts[0] ? (uint32_t)op->offset : 1),
                                run->at + (op->inverts[0] ? 1 : (uint32_t)op->offset)};
        const uint32_t turn = to[0] ^ to[1];
        if (run->dense)
            for (unsigned i = 0; i < run->lanes; i++)
                run->next[i] = to[0] ^ (turn & (0 - (row[run->lane[0] + i] & 1)));
        else
            for (unsigned i = 0; i < run->lanes; i++)
                run->next[i] = to[row[run->lane[i]] & 1];
        return;
    }
    for (unsigned i = 0; i < run->lanes; i++) {
        takes[i] = predicate(run, op, i, 0);
        if (how == IR3_BRANCH_BOTH)
            takes[i] = takes[i] && predicate(run, op, i, 1);
        if (how == IR3_BRANCH_EITHER)
            takes[i] = takes[i] || predicate(run, op, i, 1);
        any |= takes[i];
        all &= takes[i];
    }
    for (unsigned i = 0; i < run->lanes; i++)
        if (how == IR3_BRANCH_ANY ? any : how == IR3_BRANCH_ALL ? all : takes[i])
            go(run, i, op);
}

static void call(struct ir3_run *run, const struct ir3_op *op)
{
    for (unsigned i = 0; i < run->lanes; i++) {
        struct ir3_fiber *fiber = &run->state->fiber[run->lane[i]];
        if (fiber->depth == IR3_CALL_MAX) {
            run->index = run->lane[i];
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_CALL_DEPTH, (unsigned)fiber->depth);
            return;
        }
    }
    for (unsigned i = 0; i < run->lanes; i++) {
        struct ir3_fiber *fiber = &run->state->fiber[run->lane[i]];
        fiber->call[fiber->depth++] = run->at + 1;
        go(run, i, op);
    }
}

static void return_to_callers(struct ir3_run *run)
{
    for (unsigned i = 0; i < run->lanes; i++) {
        struct ir3_fiber *fiber = &run->state->fiber[run->lane[i]];
        if (!fiber->depth) {
            run->index = run->lane[i];
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_RET);
            return;
        }
        run->next[i] = fiber->call[--fiber->depth];
    }
}

/* All of the first cluster of eight with active fibers but the last of them go. */
static void leave_last(struct ir3_run *run, const struct ir3_op *op)
{
    unsigned cluster = (run->lane[0] - run->first) / 8, last = 0;
    for (unsigned i = 0; i < run->lanes; i++)
        last = (run->lane[i] - run->first) / 8 == cluster ? i : last;
    for (unsigned i = 0; i < run->lanes; i++)
        if (i < last || (i > last && run->state->choice.others_jump))
            go(run, i, op);
}

static void kill_fibers(struct ir3_run *run, const struct ir3_op *op)
{
    for (unsigned i = 0; i < run->lanes; i++)
        if (predicate(run, op, i, 0)) {
            struct ir3_fiber *fiber = &run->state->fiber[run->lane[i]];
            fiber->killed = true;
            fiber->ended |= run->state->choice.kill_ends;
        }
}

static void predicate_fibers(struct ir3_run *run, enum ir3_predication how)
{
    run->wave->predication = (uint8_t)how;
    for (unsigned i = 0; i < run->width; i++)
        run->state->fiber[run->first + i].predicate = ir3_read_register(run->state, run->first + i, false, IR3_P0) & 1;
}

static void skip_preamble(struct ir3_run *run, const struct ir3_op *op)
{
    bool runs = !run->state->preamble || run->state->choice.preamble_every;
    run->state->preamble = true;
    for (unsigned i = 0; i < run->lanes && !runs; i++)
        go(run, i, op);
}

/* alias.rt: a component of a render target is this value, whatever its register has. */
static void alias_target(struct ir3_run *run, const struct ir3_operand *source, uint64_t bits)
{
    unsigned target = ir3_bits(bits, 39, 32) / 4, component = ir3_bits(bits, 33, 32);
    bool half_float = !(bits & (IR3_BIT(48) | IR3_BIT(50)));
    uint32_t values[IR3_WAVE_MAX];
    if (target >= GPUCODE_IR3_TARGETS || !run->lanes)
        return; /* the const or immediate is the same for all */
    ir3_fetch(run, source, 0, 0, values);
    run->state->target[target][component] = half_float ? a3xx_widen(values[0]) : values[0];
    run->state->target[target][GPUCODE_IR3_TARGET_GIVEN] |= 1u << component;
}

/* alias.tex: the next texture instruction finds `source` in place of a register. */
static void add_alias(struct ir3_run *run, const struct ir3_op *op)
{
    struct ir3_wave *wave = run->wave;
    uint64_t bits = op->insn.bits;
    unsigned kind = ir3_bits(bits, 52, 51);
    bool half = !(bits & IR3_BIT(50));
    const struct ir3_operand immediate = {.access = {.file = A3XX_FILE_IMMEDIATE, .half = half},
                                          .keep = UINT32_MAX,
                                          .value = {(uint32_t)bits, (uint32_t)bits, (uint32_t)bits, (uint32_t)bits}};
    if (bits & IR3_BIT(49)) {
        IR3_HALT(run, GPUCODE_STOP_UNKNOWN, MSG_IR3_FORM, "alias",
                 "of memory; which accesses find the alias is not known");
        return;
    }
    if (bits & IR3_BIT(47)) {
        alias_target(run, kind > 1 ? &immediate : &op->source[0], bits);
        return;
    }
    if (wave->aliases == IR3_ALIASES)
        return;
    struct ir3_alias *alias = &wave->alias[wave->aliases++];
    *alias = (struct ir3_alias){.number = (uint8_t)ir3_bits(bits, 39, 32), .half = half};
    alias->source = kind > 1 ? immediate : op->source[0];
}

static void wait_for_all(struct ir3_run *run)
{
    for (unsigned i = 0; i < run->members; i++)
        run->state->fiber[run->member[i]].waits = true;
}

static void jump(struct ir3_run *run, const struct ir3_op *op, unsigned first)
{
    for (unsigned i = first; i < run->lanes; i++)
        go(run, i, op);
}

void ir3_flow(struct ir3_run *run, const struct ir3_op *op)
{
    switch (op->row) {
    case IR3_END:
        for (unsigned i = 0; i < run->members; i++)
            run->state->fiber[run->member[i]].ended = true;
        return;
    case IR3_RET:
        return_to_callers(run);
        return;
    case IR3_CALL:
        call(run, op);
        return;
    case IR3_JUMP:
        jump(run, op, 0);
        return;
    case IR3_GETONE: /* the first one stays */
        jump(run, op, 1);
        return;
    case IR3_GETLAST:
        if (run->lanes)
            leave_last(run, op);
        return;
    case IR3_SHPS:
        skip_preamble(run, op);
        return;
    case IR3_PREDT:
        predicate_fibers(run, IR3_PREDICATION_TRUE);
        return;
    case IR3_PREDF:
        predicate_fibers(run, IR3_PREDICATION_FALSE);
        return;
    case IR3_PREDE:
        run->wave->predication = IR3_PREDICATION_NONE;
        return;
    case IR3_KILL:
        kill_fibers(run, op);
        return;
    case IR3_BAR:
        wait_for_all(run);
        return;
    case IR3_ALIAS:
        add_alias(run, op);
        return;
    default: /* nop, shpe, chmask */
        return;
    }
}
