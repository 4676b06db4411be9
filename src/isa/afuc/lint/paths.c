/* SPDX-License-Identifier: MIT */
/*
 * Registers that nothing has written on some path from a handler's entry, through calls: scratch registers that are
 * read, and $rem where (rep) counts by it.
 */
#include "isa/afuc/lint/lint.h"

#include "afuc_messages.h"

#include <string.h>

/* $02 to $11 have no value at a handler's entry, and $rem is the packet's own. */
#define SCRATCH UINT32_C(0x0003fffc)
#define FOLLOWED (SCRATCH | UINT32_C(1) << REG_REM)

struct paths {
    struct rules *rules;
    uint32_t *must;   /* of each function: registers that it writes on all paths to its return */
    uint32_t *before; /* of each piece: registers that some path has not written */
    bool *seen, *queued;
    uint32_t *todo, count;
};

/* Registers that a piece writes. */
static uint32_t written_by(const struct rules *rules, const struct analysis_piece *piece)
{
    uint32_t writes = 0;
    bool in_slot = false;
    for (uint32_t unit = piece->start; unit < piece->end; unit++) {
        if (in_slot && analysis_is_transfer(&rules->code->words[unit]))
            break;
        writes |= rules_writes(rules, &rules->facts->ops[unit]);
        in_slot = rules->code->words[unit].slot;
    }
    return writes;
}

static uint32_t must_of_call(const struct paths *paths, uint32_t call)
{
    const struct analysis_code *code = paths->rules->code;
    const struct analysis_word *word = &code->words[call];
    bool known = word->known && word->target < code->units;
    return known ? paths->must[code->function_at[word->target]] : FOLLOWED;
}

/* --- what functions write on all paths --- */

/* Registers written on all paths to the start of each block of a function; `written` is of blocks. */
static uint32_t find_must(const struct paths *paths, uint32_t index, uint32_t *written, uint32_t *todo, bool *in)
{
    const struct analysis_code *code = paths->rules->code;
    const struct gpucode_function *function = &code->functions[index];
    uint32_t must = FOLLOWED, count = 0;
    for (uint32_t i = 0; i < function->block_count; i++)
        written[function->blocks[i]] = FOLLOWED;
    uint32_t first = code->block_of[function->start];
    written[first] = 0;
    todo[count++] = first;
    in[first] = true;
    while (count) {
        uint32_t number = todo[--count];
        in[number] = false;
        const struct gpucode_block *block = &code->blocks[number];
        uint32_t now = written[number];
        for (uint32_t k = code->piece_of[number]; k < code->piece_of[number + 1]; k++) {
            now |= written_by(paths->rules, &code->pieces[k]);
            if (code->pieces[k].call != GPUCODE_NONE)
                now |= must_of_call(paths, code->pieces[k].call);
        }
        now &= FOLLOWED;
        for (uint32_t k = 0; k < block->edge_count; k++) {
            const struct gpucode_edge *edge = &block->edges[k];
            if (edge->kind == GPUCODE_EDGE_RETURN)
                must &= now;
            if (!edge->known || edge->to >= code->units)
                continue;
            uint32_t to = code->block_of[edge->to];
            if (code->marks[edge->to] & ANALYSIS_ENTRY && edge->to != function->start) {
                must &= now | paths->must[code->function_at[edge->to]];
            } else if (written[to] & ~now) {
                written[to] &= now;
                if (!in[to])
                    todo[count++] = to;
                in[to] = true;
            }
        }
    }
    return must;
}

/* Callees come first; where calls recur it goes on until nothing changes. */
static bool find_all_must(struct paths *paths)
{
    const struct rules *rules = paths->rules;
    const struct analysis_code *code = rules->code;
    uint32_t *written = lint_memory(rules->context, (size_t)code->block_count + 1, sizeof *written);
    uint32_t *todo = lint_memory(rules->context, (size_t)code->block_count + 1, sizeof *todo);
    bool *in = lint_memory(rules->context, (size_t)code->block_count + 1, sizeof *in);
    if (!written || !todo || !in)
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        paths->must[i] = FOLLOWED;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < code->function_count; i++) {
            uint32_t function = code->order[i], must = find_must(paths, function, written, todo, in);
            changed |= must != paths->must[function];
            paths->must[function] = must;
        }
        changed &= code->recurs;
    }
    return true;
}

/* --- what some path has not written --- */

static void arrive(struct paths *paths, uint32_t piece, uint32_t unwritten)
{
    bool first = !paths->seen[piece];
    if (!first && !(unwritten & ~paths->before[piece]))
        return;
    paths->seen[piece] = true;
    paths->before[piece] |= unwritten;
    if (!paths->queued[piece])
        paths->todo[paths->count++] = piece;
    paths->queued[piece] = true;
}

static void arrive_at(struct paths *paths, uint32_t unit, uint32_t unwritten)
{
    const struct analysis_code *code = paths->rules->code;
    if (unit < code->units && code->block_of[unit] != GPUCODE_NONE)
        arrive(paths, code->piece_of[code->block_of[unit]], unwritten);
}

static void leave(struct paths *paths, uint32_t number)
{
    const struct analysis_code *code = paths->rules->code;
    const struct analysis_piece *piece = &code->pieces[number];
    const struct gpucode_block *block = &code->blocks[piece->block];
    uint32_t unwritten = paths->before[number] & ~written_by(paths->rules, piece);
    if (piece->call != GPUCODE_NONE) {
        if (code->words[piece->call].known)
            arrive_at(paths, code->words[piece->call].target, unwritten);
        unwritten &= ~must_of_call(paths, piece->call);
        if (number + 1 < code->piece_of[piece->block + 1]) {
            arrive(paths, number + 1, unwritten);
            return;
        }
    }
    for (uint32_t i = 0; i < block->edge_count; i++)
        if (block->edges[i].known)
            arrive_at(paths, block->edges[i].to, unwritten);
}

static void tell(const struct paths *paths, uint32_t number)
{
    struct rules *rules = paths->rules;
    const struct analysis_piece *piece = &rules->code->pieces[number];
    uint32_t unwritten = paths->before[number];
    bool in_slot = false;
    for (uint32_t unit = piece->start; unit < piece->end; unit++) {
        const struct afuc_op *op = &rules->facts->ops[unit];
        if (in_slot && analysis_is_transfer(&rules->code->words[unit]))
            break;
        in_slot = rules->code->words[unit].slot;
        uint32_t read = rules_reads(rules, op) & unwritten & SCRATCH;
        if (read)
            FIND_OF(rules, unit, MSG_LINT_AFUC_UNINIT, (unsigned)__builtin_ctz(read));
        bool repeats = afuc_is_insn(op) && op->flags & OP_REP;
        if (repeats && !rules_takes_data(rules, op) && unwritten >> REG_REM & 1)
            FIND(rules, unit, MSG_LINT_AFUC_REP_REM);
        unwritten &= ~rules_writes(rules, op);
    }
}

bool rules_paths(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    size_t pieces = (size_t)code->piece_count + 1;
    struct paths paths = {.rules = rules,
                          .must = lint_memory(rules->context, (size_t)code->function_count + 1, sizeof *paths.must),
                          .before = lint_memory(rules->context, pieces, sizeof *paths.before),
                          .seen = lint_memory(rules->context, pieces, sizeof *paths.seen),
                          .queued = lint_memory(rules->context, pieces, sizeof *paths.queued),
                          .todo = lint_memory(rules->context, pieces, sizeof *paths.todo)};
    if (!paths.must || !paths.before || !paths.seen || !paths.queued || !paths.todo || !find_all_must(&paths))
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        if (rules_is_handler(&code->functions[i]))
            arrive_at(&paths, code->functions[i].start, FOLLOWED);
    while (paths.count) {
        uint32_t piece = paths.todo[--paths.count];
        paths.queued[piece] = false;
        leave(&paths, piece);
    }
    for (uint32_t i = 0; i < code->piece_count; i++)
        if (paths.seen[i])
            tell(&paths, i);
    return true;
}

/* Words of a packet that are taken where none can be left: $rem is 0 on all paths of the handler. */

enum left { LEFT_NOT_SEEN, LEFT_NONE, LEFT_SOME };

struct taking {
    struct rules *rules;
    uint8_t *before; /* of each block: enum left */
    bool *queued;
    uint32_t *todo, count;
};

static enum left behind(const struct rules *rules, uint32_t unit, enum left left)
{
    const struct afuc_op *op = &rules->facts->ops[unit];
    if (!(rules_writes(rules, op) >> REG_REM & 1))
        return left;
    bool clears = afuc_is_move(op->row) ? op->imm == 0 : op->row == AFUC_MOV && op->b == 0;
    return op->flags & OP_REP || clears ? LEFT_NONE : LEFT_SOME;
}

static void arrive_with(struct taking *taking, uint32_t unit, enum left left)
{
    const struct analysis_code *code = taking->rules->code;
    if (unit >= code->units || code->block_of[unit] == GPUCODE_NONE)
        return;
    uint32_t block = code->block_of[unit];
    if (taking->before[block] >= left)
        return;
    taking->before[block] = (uint8_t)left;
    if (!taking->queued[block])
        taking->todo[taking->count++] = block;
    taking->queued[block] = true;
}

/* Steps through a block and goes on; or, with `telling`, tells what it takes. */
static void look_at(struct taking *taking, uint32_t number, bool telling)
{
    struct rules *rules = taking->rules;
    const struct analysis_code *code = rules->code;
    const struct gpucode_block *block = &code->blocks[number];
    enum left left = taking->before[number], taken, next;
    const struct afuc_op *branch = NULL;
    bool in_slot = false;
    taken = next = left;
    for (uint32_t unit = block->start; unit < block->end; unit++) {
        const struct analysis_word *word = &code->words[unit];
        const struct afuc_op *op = &rules->facts->ops[unit];
        if (in_slot && analysis_is_transfer(word))
            break;
        bool header = in_slot && code->words[unit - 1].kind == ANALYSIS_DISPATCH;
        if (telling && left == LEFT_NONE && !header && rules_takes_data(rules, op) && !(op->flags & OP_REP))
            FIND(rules, unit, MSG_LINT_AFUC_REM);
        left = behind(rules, unit, left);
        if (in_slot && code->words[unit - 1].kind == ANALYSIS_CALL)
            left = LEFT_SOME; /* who knows what is called does, after the slot */
        taken = next = left;
        if (branch && rules_writes(rules, op) >> REG_REM & 1)
            branch = NULL; /* the slot has the last word */
        if (word->kind == ANALYSIS_BRANCH && op->a == REG_REM && op->shift == 0 &&
            (op->row == AFUC_BRNE_IMM || op->row == AFUC_BREQ_IMM))
            branch = op;
        in_slot = word->slot;
    }
    if (telling)
        return;
    if (branch) {
        taken = branch->row == AFUC_BREQ_IMM ? LEFT_NONE : LEFT_SOME;
        next = branch->row == AFUC_BREQ_IMM ? LEFT_SOME : LEFT_NONE;
    }
    for (uint32_t i = 0; i < block->edge_count; i++)
        if (block->edges[i].known)
            arrive_with(taking, block->edges[i].to, block->edges[i].kind == GPUCODE_EDGE_TAKEN ? taken : next);
}

bool rules_rem(struct rules *rules)
{
    const struct analysis_code *code = rules->code;
    size_t blocks = (size_t)code->block_count + 1;
    struct taking taking = {.rules = rules,
                            .before = lint_memory(rules->context, blocks, sizeof *taking.before),
                            .queued = lint_memory(rules->context, blocks, sizeof *taking.queued),
                            .todo = lint_memory(rules->context, blocks, sizeof *taking.todo)};
    if (!taking.before || !taking.queued || !taking.todo)
        return false;
    for (uint32_t i = 0; i < code->function_count; i++)
        if (rules_is_handler(&code->functions[i]))
            arrive_with(&taking, code->functions[i].start, LEFT_SOME);
    while (taking.count) {
        uint32_t block = taking.todo[--taking.count];
        taking.queued[block] = false;
        look_at(&taking, block, false);
    }
    for (uint32_t i = 0; i < code->block_count; i++)
        if (taking.before[i])
            look_at(&taking, i, true);
    return true;
}
