/* SPDX-License-Identifier: MIT */
/*
 * Follows values. A state holds a value for each register; where paths meet, states are joined. A routine begins with
 * what all its calls bring; after a call stand the callee's values of what it, or anything below it, writes.
 */
#include "analysis/build.h"
#include "base/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- lists of callers --- */

/* Pieces by the function that they call. */
static bool list_callers(struct analysis_run *run)
{
    struct analysis_code *code = run->code;
    run->caller_of = calloc((size_t)code->function_count + 2, sizeof *run->caller_of);
    run->callers = calloc((size_t)code->piece_count + 1, sizeof *run->callers);
    run->tailer_of = calloc((size_t)code->function_count + 2, sizeof *run->tailer_of);
    if (!run->caller_of || !run->callers || !run->tailer_of)
        return false;
    size_t tails = 0;
    for (uint32_t i = 0; i < code->function_count; i++)
        tails += code->functions[i].tail_count;
    run->tailers = calloc(tails + 1, sizeof *run->tailers);
    uint32_t *filled = calloc(2 * (size_t)code->function_count + 1, sizeof *filled);
    if (!run->tailers || !filled) {
        free(filled);
        return false;
    }
    for (unsigned pass = 0; pass < 2; pass++) { /* count, then fill */
        for (uint32_t i = 0; i < code->piece_count; i++) {
            uint32_t call = code->pieces[i].call;
            uint32_t to = call != GPUCODE_NONE && code->words[call].known ? code->words[call].target : code->units;
            uint32_t f = to < code->units ? code->function_at[to] : GPUCODE_NONE;
            if (f != GPUCODE_NONE && pass)
                run->callers[run->caller_of[f] + filled[f]++] = i;
            else if (f != GPUCODE_NONE)
                run->caller_of[f + 1]++;
        }
        for (uint32_t i = 0; i < code->function_count; i++)
            for (uint32_t k = 0; k < code->functions[i].tail_count; k++) {
                uint32_t f = code->functions[i].tails[k].function;
                if (pass)
                    run->tailers[run->tailer_of[f] + filled[code->function_count + f]++] = i;
                else
                    run->tailer_of[f + 1]++;
            }
        for (uint32_t i = 0; !pass && i < code->function_count; i++) {
            run->caller_of[i + 1] += run->caller_of[i];
            run->tailer_of[i + 1] += run->tailer_of[i];
        }
    }
    free(filled);
    return true;
}

static bool analysis_run_begin(struct analysis_run *run, struct gpucode_analysis *analysis, struct analysis_code *code)
{
    size_t registers = analysis->set->registers;
    *run = (struct analysis_run){
        .analysis = analysis, .code = code, .registers = (unsigned)registers, .level = LEVEL_UNKNOWN};
    run->states = calloc(((size_t)code->piece_count + 1) * registers, sizeof *run->states);
    run->exits = calloc(((size_t)code->function_count + 1) * registers, sizeof *run->exits);
    run->seen = calloc((size_t)code->piece_count + 1, sizeof *run->seen);
    run->queued = calloc((size_t)code->piece_count + 1, sizeof *run->queued);
    run->left = calloc((size_t)code->function_count + 1, sizeof *run->left);
    run->state = calloc(2 * registers, sizeof *run->state);
    return run->states && run->exits && run->seen && run->queued && run->left && run->state && list_callers(run);
}

void analysis_run_end(struct analysis_run *run)
{
    FREE_ALL(run->states, run->exits, run->seen, run->queued, run->left, run->state, run->callers, run->caller_of,
             run->tailers, run->tailer_of, run->todo.items, run->visited.items, run->exited.items);
}

/* Forgets what was followed, for the next level or function. */
static void analysis_run_forget(struct analysis_run *run)
{
    while (run->visited.count) {
        uint32_t piece = list_pop(&run->visited);
        run->seen[piece] = false;
        memset(run->states + (size_t)piece * run->registers, 0, run->registers * sizeof *run->states);
    }
    while (run->exited.count) {
        uint32_t function = list_pop(&run->exited);
        run->left[function] = false;
        memset(run->exits + (size_t)function * run->registers, 0, run->registers * sizeof *run->exits);
    }
}

/* --- joining --- */

static bool join_into(struct analysis_run *run, isa_value *to, const isa_value *from,
                      isa_value (*join)(struct isa_value_pool *pool, isa_value a, isa_value b))
{
    bool changed = false;
    for (unsigned i = 0; i < run->registers; i++) {
        if (to[i] == from[i])
            continue;
        isa_value joined = join(&run->code->pool, to[i], from[i]);
        changed |= joined != to[i];
        to[i] = joined;
    }
    return changed;
}

static void queue(struct analysis_run *run, uint32_t piece)
{
    if (run->queued[piece])
        return;
    run->queued[piece] = list_push(&run->todo, piece);
}

static void arrive(struct analysis_run *run, uint32_t piece, const isa_value *state)
{
    bool enters = analysis_is_entry(run->code, run->code->pieces[piece].start);
    bool first = !run->seen[piece];
    if (first) {
        run->seen[piece] = true;
        list_push(&run->visited, piece);
    }
    if (join_into(run, run->states + (size_t)piece * run->registers, state,
                  enters ? isa_value_join_calls : isa_value_join) ||
        first)
        queue(run, piece);
}

static void arrive_at(struct analysis_run *run, uint32_t unit, const isa_value *state)
{
    const struct analysis_code *code = run->code;
    if (unit < code->units && code->block_of[unit] != GPUCODE_NONE)
        arrive(run, code->piece_of[code->block_of[unit]], state);
}

/* Enters a function, as its kind has it or at the run's level. */
static void analysis_run_enter(struct analysis_run *run, uint32_t function)
{
    const struct isa_analysis *set = run->analysis->set;
    struct analysis_code *code = run->code;
    isa_value state[ANALYSIS_REGISTERS_MAX] = {0};
    if (run->level == LEVEL_UNKNOWN)
        set->enter(code->facts, &code->pool, code->functions[function].kind, state);
    else
        set->enter_level(code->facts, &code->pool, run->level, state);
    arrive_at(run, code->functions[function].start, state);
}

/* --- calls and returns --- */

/* A function's exit has changed: those that jump to it leave with the same, and what stands after its calls follows.
 */
static void leave_function(struct analysis_run *run, uint32_t function, const isa_value *state)
{
    struct list todo = {0};
    list_push(&todo, function);
    bool begun = false;
    while (todo.count) {
        uint32_t at = list_pop(&todo);
        const isa_value *from = begun ? run->exits + (size_t)function * run->registers : state;
        bool first = !run->left[at];
        if (first) {
            run->left[at] = true;
            list_push(&run->exited, at);
        }
        bool changed = join_into(run, run->exits + (size_t)at * run->registers, from, isa_value_join) || first;
        begun = true;
        if (!changed)
            continue;
        for (uint32_t i = run->caller_of[at]; i < run->caller_of[at + 1]; i++)
            if (run->seen[run->callers[i]])
                queue(run, run->callers[i]);
        for (uint32_t i = run->tailer_of[at]; i < run->tailer_of[at + 1]; i++)
            list_push(&todo, run->tailers[i]);
    }
    run->failed |= todo.failed;
    free(todo.items);
}

static void leave_block(struct analysis_run *run, uint32_t block, const isa_value *state)
{
    const struct analysis_code *code = run->code;
    for (uint32_t i = code->owner_of[block]; i < code->owner_of[block + 1]; i++)
        leave_function(run, code->owners[i], state);
}

/* Makes of the state in front of a call's return the one after it; false: it does not come back. */
static bool come_back(struct analysis_run *run, uint32_t function, isa_value *state)
{
    const struct analysis_code *code = run->code;
    const isa_value *exit = run->exits + (size_t)function * run->registers;
    bool folds = run->level != LEVEL_UNKNOWN;
    if (folds && !run->left[function])
        return false;
    for (unsigned i = 0; i < run->registers; i++)
        if (code->writes[function] >> i & 1)
            state[i] = code->returns[function] ? exit[i] : ISA_VALUE_UNKNOWN;
    return true;
}

static void call(struct analysis_run *run, uint32_t piece, isa_value *state)
{
    const struct analysis_code *code = run->code;
    const struct analysis_word *word = &code->words[code->pieces[piece].call];
    bool back = true;
    if (word->known && word->target < code->units) {
        uint32_t function = code->function_at[word->target];
        arrive_at(run, word->target, state);
        back = come_back(run, function, state);
    } else {
        for (unsigned i = 0; i < run->registers; i++) /* what is called lies outside: anything may have happened */
            state[i] = ISA_VALUE_UNKNOWN;
    }
    if (!back)
        return;
    const struct gpucode_block *block = &code->blocks[code->pieces[piece].block];
    if (piece + 1 < code->piece_of[code->pieces[piece].block + 1])
        arrive(run, piece + 1, state);
    else if (block->edge_count)
        arrive_at(run, block->edges[0].to, state);
}

/* --- pieces --- */

/* Steps through the piece; returns which way its branch goes, as decide() does. */
static int step_through(struct analysis_run *run, const struct analysis_piece *piece, isa_value *state)
{
    const struct isa_analysis *set = run->analysis->set;
    struct analysis_code *code = run->code;
    int way = 0;
    bool in_slot = false;
    for (uint32_t unit = piece->start; unit < piece->end; unit++) {
        const struct analysis_word *word = &code->words[unit];
        bool transfers = analysis_is_transfer(word);
        if (in_slot && transfers)
            break; /* it has no effect there */
        if (word->kind == ANALYSIS_BRANCH && run->level != LEVEL_UNKNOWN)
            way = set->decide(code->facts, &code->pool, unit, state);
        set->step(code->facts, &code->pool, unit, run->level, state);
        in_slot = word->slot;
    }
    return way;
}

static void look_at(struct analysis_run *run, uint32_t number)
{
    const struct analysis_code *code = run->code;
    const struct analysis_piece *piece = &code->pieces[number];
    isa_value *state = run->state;
    memcpy(state, run->states + (size_t)number * run->registers, run->registers * sizeof *state);
    int way = step_through(run, piece, state);
    if (piece->call != GPUCODE_NONE) {
        call(run, number, state);
        return;
    }
    const struct gpucode_block *block = &code->blocks[piece->block];
    for (uint32_t i = 0; i < block->edge_count; i++) {
        const struct gpucode_edge *edge = &block->edges[i];
        if ((way > 0 && edge->kind == GPUCODE_EDGE_NEXT) || (way < 0 && edge->kind == GPUCODE_EDGE_TAKEN))
            continue;
        if (edge->kind == GPUCODE_EDGE_RETURN || edge->kind == GPUCODE_EDGE_UNRESOLVED)
            leave_block(run, piece->block, state);
        else if (edge->known)
            arrive_at(run, edge->to, state);
    }
}

/* Follows until nothing changes. False: out of memory. */
static bool analysis_run_finish(struct analysis_run *run)
{
    struct list round = {0};
    while (run->todo.count && !run->todo.failed) {
        round = run->todo;
        run->todo = (struct list){0};
        for (size_t i = 0; i < round.count; i++) {
            uint32_t piece = ((uint32_t *)round.items)[i];
            run->queued[piece] = false;
            look_at(run, piece);
        }
        free(round.items);
    }
    return !run->todo.failed && !run->visited.failed && !run->exited.failed && !run->failed && !run->code->pool.failed;
}

/* --- all code --- */

bool analysis_follow(struct gpucode_analysis *analysis, struct analysis_code *code)
{
    struct analysis_run run;
    bool good = analysis_run_begin(&run, analysis, code);
    for (uint32_t i = 0; good && i < code->function_count; i++)
        if (code->functions[i].kind != GPUCODE_FUNCTION_ROUTINE)
            analysis_run_enter(&run, i);
    good = good && analysis_run_finish(&run);
    code->states =
        arena_array(&analysis->arena, (size_t)code->piece_count + 1, analysis->set->registers * sizeof *code->states);
    if (good && code->states)
        memcpy(code->states, run.states, (size_t)code->piece_count * run.registers * sizeof *code->states);
    analysis_run_end(&run);
    return good && code->states;
}

/* --- one function at a level --- */

bool analysis_at_level(struct gpucode_analysis *analysis, struct analysis_code *code, uint32_t function, unsigned level,
                       void (*visit)(void *user, struct analysis_code *code, uint32_t piece, const isa_value *state),
                       void *user)
{
    struct analysis_run *run = analysis->run;
    if (run && run->code != code) {
        analysis_run_end(run);
        free(run);
        run = analysis->run = NULL;
    }
    if (!run) {
        run = analysis->run = calloc(1, sizeof *run);
        if (!run || !analysis_run_begin(run, analysis, code))
            return false;
    }
    analysis_run_forget(run);
    run->level = level;
    analysis_run_enter(run, function);
    bool good = analysis_run_finish(run);
    for (size_t i = 0; good && i < run->visited.count; i++) {
        uint32_t piece = ((uint32_t *)run->visited.items)[i];
        visit(user, code, piece, run->states + (size_t)piece * run->registers);
    }
    return good;
}
