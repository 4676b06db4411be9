/* SPDX-License-Identifier: MIT */
/*
 * Which fibers run next. Waves take turns in the order of their numbers, each for as long as it can go on or for a
 * number of issues; within one, the path with the most calls runs, of those the one at the least instruction number. So
 * after divergence the way at the later address waits, and the other one comes to where it waits.
 */
#include "ir3_messages.h"
#include "isa/ir3/machine/machine.h"

#define TURN 4096 /* issues that a wave runs while others could */

/* --- groups ------------------------------------------------------------------------------------------------------- */

static uint32_t group_count(const struct ir3_state *state, unsigned axis)
{
    uint32_t count = state->setup[GPUCODE_IR3_GROUPS + axis];
    return count ? count : 1;
}

static void give_group(struct ir3_state *state)
{
    uint32_t place = state->setup[GPUCODE_IR3_GROUP_PLACE], number = (place & 0xffff) - 1;
    for (unsigned i = 0; place && i < 3; i++) {
        uint32_t value = state->setup[GPUCODE_IR3_GROUP + i];
        if (place >> 16 && number + i < A3XX_CONST_COUNT)
            state->all.consts[number + i] = value;
        for (uint32_t fiber = 0; !(place >> 16) && fiber < state->choice.fibers; fiber++)
            ir3_write_register(state, fiber, false, number + i, value);
    }
}

/* What all groups begin with is what there is when the first one does. */
static void begin_group(struct machine_core *core, struct ir3_state *state)
{
    size_t words = ir3_files_words(state->stride), shared = sizeof state->wave[0].shared / sizeof(uint32_t);
    uint32_t *files = ir3_files(state), *kept = files + words, *kept_shared = kept + words;
    uint32_t *kept_consts = kept_shared + shared * ir3_waves_most(state->choice.fibers);
    bool first = !state->begun;
    memcpy(first ? kept : files, first ? files : kept, words * sizeof *files);
    memcpy(first ? kept_consts : state->all.consts, first ? state->all.consts : kept_consts, sizeof state->all.consts);
    for (uint32_t i = 0; i < state->waves; i++) {
        struct ir3_wave *wave = &state->wave[i];
        uint32_t *at = kept_shared + shared * i;
        memcpy(first ? at : wave->shared, first ? wave->shared : at, sizeof wave->shared);
        wave->predication = wave->aliases = 0;
    }
    for (uint32_t i = 0; i < state->choice.fibers && !first; i++) {
        struct ir3_fiber *fiber = &state->fiber[i];
        fiber->pc = fiber->depth = 0;
        fiber->path = 0;
        fiber->ended = fiber->killed = fiber->waits = fiber->seen = false;
    }
    if (!first)
        pages_free(&core->files);
    core->files.lazy_end = IR3_PRIVATE_BASE(state->choice.fibers);
    for (unsigned i = 0; i < GPUCODE_IR3_TARGETS; i++)
        state->target[i][GPUCODE_IR3_TARGET_GIVEN] = 0;
    state->begun = true;
    state->preamble = false;
    state->turn = 0;
    give_group(state);
    ir3_timing_begin(state);
}

/* The next work group; false: there is none. */
static bool next_group(struct machine_core *core, struct ir3_state *state)
{
    uint32_t *group = &state->setup[GPUCODE_IR3_GROUP];
    unsigned axis = 0;
    while (axis < 3 && group[axis] + 1 >= group_count(state, axis))
        axis++;
    if (axis == 3)
        return false;
    for (unsigned i = 0; i < axis; i++)
        group[i] = 0;
    group[axis]++;
    begin_group(core, state);
    return true;
}

/* --- which path runs next ----------------------------------------------------------------------------------------- */

static const struct ir3_op *op_at(const struct ir3_state *state, uint32_t pc)
{
    return pc < state->program.count ? &state->program.ops[pc] : NULL;
}

static bool goes_before(const struct ir3_fiber *one, const struct ir3_fiber *other)
{
    return one->depth != other->depth ? one->depth > other->depth : one->pc < other->pc;
}

static bool is_ready(const struct ir3_fiber *fiber)
{
    return !fiber->ended && !fiber->waits;
}

static void enter_wave(struct ir3_run *run, uint32_t number)
{
    const struct ir3_choices *choice = &run->state->choice;
    run->wave = &run->state->wave[number];
    run->first = number * choice->width;
    run->width = choice->fibers - run->first < choice->width ? choice->fibers - run->first : choice->width;
}

/* The fibers of the wave that go next; false: none can. */
static bool choose_members(struct ir3_run *run)
{
    const struct ir3_state *state = run->state;
    const struct ir3_fiber *best = NULL;
    run->members = 0;
    for (uint32_t i = 0; i < run->width; i++) {
        const struct ir3_fiber *fiber = &state->fiber[run->first + i];
        if (is_ready(fiber) && (!best || goes_before(fiber, best)))
            best = fiber;
    }
    if (!best)
        return false;
    run->at = best->pc;
    const struct ir3_op *op = op_at(state, run->at);
    bool any_path = state->choice.anywhere || (op && op->joins);
    run->parted = false;
    run->all = true;
    run->bound = UINT32_MAX;
    for (uint32_t i = 0; i < run->width; i++) {
        const struct ir3_fiber *fiber = &state->fiber[run->first + i];
        if (is_ready(fiber) && fiber->pc == run->at && fiber->depth == best->depth &&
            (any_path || fiber->path == best->path))
            run->member[run->members++] = (uint16_t)(run->first + i);
        else {
            run->parted |= !fiber->ended;
            run->all = run->all && !is_ready(fiber);
            if (is_ready(fiber) && fiber->depth == best->depth && fiber->pc < run->bound)
                run->bound = fiber->pc;
        }
    }
    return true;
}

/* Those that take part: predication leaves some out, which go along. */
static void choose_lanes(struct ir3_run *run)
{
    bool wanted = run->wave->predication == IR3_PREDICATION_TRUE;
    run->lanes = 0;
    for (unsigned i = 0; i < run->members; i++)
        if (!run->wave->predication || run->state->fiber[run->member[i]].predicate == wanted)
            run->lane[run->lanes++] = run->member[i];
    run->dense = run->lanes && run->lane[run->lanes - 1] - run->lane[0] == (int)run->lanes - 1;
}

/* --- barriers ----------------------------------------------------------------------------------------------------- */

/* No fiber can go on. True: those that wait at a barrier can now. */
static bool pass_barrier(struct ir3_run *run)
{
    struct ir3_state *state = run->state;
    const struct ir3_fiber *waits = NULL;
    uint32_t count = state->choice.fibers;
    for (uint32_t i = 0; i < count && !waits; i++)
        waits = state->fiber[i].waits && !state->fiber[i].ended ? &state->fiber[i] : NULL;
    if (!waits)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (state->fiber[i].ended || state->fiber[i].pc != waits->pc) {
            run->index = (unsigned)(waits - state->fiber);
            IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_BARRIER, run->index, (unsigned)i);
            return false;
        }
    for (uint32_t i = 0; i < count; i++)
        state->fiber[i].waits = false;
    state->turn = 0;
    return true;
}

/* The wave that runs next, and its fibers; false: all have ended, or the run is halted. */
static bool choose_issue(struct ir3_run *run)
{
    struct ir3_state *state = run->state;
    do {
        for (uint32_t i = 0; i < state->waves; i++) {
            uint32_t number = (state->turn + i) % state->waves;
            enter_wave(run, number);
            if (choose_members(run)) {
                state->taken = number == state->turn ? state->taken : 0;
                state->turn = number;
                return true;
            }
        }
    } while (pass_barrier(run) || (!run->halted && next_group(run->core, state)));
    return false;
}

/* --- running ------------------------------------------------------------------------------------------------------ */

static void stop_before(struct ir3_run *run, unsigned fiber, enum gpucode_stop_reason reason)
{
    run->stop->reason = reason;
    run->index = fiber;
    run->halted = true;
    run->state->fiber[fiber].seen = true;
}

/* Does anything stop a fiber before the issue: a breakpoint, the hook? */
static bool stopped_before(struct ir3_run *run, const struct ir3_op *op)
{
    struct ir3_state *state = run->state;
    for (unsigned i = 0; i < run->members; i++) {
        unsigned fiber = run->member[i];
        if (state->fiber[fiber].seen)
            continue;
        if (state->all.breaks[run->at] && shader_breaks(&state->all, fiber, run->at)) {
            stop_before(run, fiber, GPUCODE_STOP_BREAKPOINT);
            return true;
        }
        if (run->core->hook_kinds & GPUCODE_EVENT_INSN)
            ir3_raise(run, GPUCODE_EVENT_INSN, fiber, GPUCODE_A3XX_FULL, run->at, op->insn.bits, 0);
        if (run->hook_stops) {
            run->hook_stops = false;
            stop_before(run, fiber, GPUCODE_STOP_HOOK);
            return true;
        }
        state->fiber[fiber].seen = true;
    }
    return false;
}

/* Moves the fibers on. Those that went the same way stay on one path. */
static void move_on(struct ir3_run *run, const struct ir3_op *op)
{
    struct ir3_state *state = run->state;
    bool parts = op->flow || op->joins;
    state->serial += parts;
    for (unsigned i = 0; i < run->members; i++) {
        struct ir3_fiber *fiber = &state->fiber[run->member[i]];
        fiber->seen = false;
        fiber->pc = fiber->ended ? fiber->pc : run->at + 1;
    }
    for (unsigned i = 0; i < run->lanes && op->flow; i++)
        if (!state->fiber[run->lane[i]].ended)
            state->fiber[run->lane[i]].pc = run->next[i];
    for (unsigned i = 0; i < run->members && parts; i++) {
        struct ir3_fiber *fiber = &state->fiber[run->member[i]];
        fiber->path = state->serial << 32 | fiber->pc;
        if (run->core->edges.map)
            isa_edge(&run->core->edges, 0, run->at, fiber->pc != run->at + 1, fiber->pc);
    }
}

/* What the instruction does. False: the run is halted. */
static inline bool do_issue(struct ir3_run *run, const struct ir3_op *op)
{
    if (run->state->choice.strict && !ir3_timing_check(run, op))
        return false;
    if (op->row == IR3_RAW)
        ir3_trap(run, op);
    else if (run->lanes || op->category == 0 || op->category == 7)
        ir3_execute(run, op);
    return !run->halted;
}

/* `count` issues have taken so many slots. */
static void take_account(struct ir3_run *run, uint64_t count, uint64_t slots)
{
    run->core->time += slots;
    run->core->count += count;
    run->state->thread_slots += run->lanes * slots;
    run->state->parted_slots += run->parted ? slots : 0;
}

/* The wave has had a turn of another issue; true: the next wave has one. */
static bool take_turn(struct ir3_state *state)
{
    if (++state->taken < TURN)
        return false;
    state->taken = 0;
    state->turn = (state->turn + 1) % state->waves;
    return true;
}

static bool run_issue(struct ir3_run *run)
{
    struct ir3_state *state = run->state;
    const struct ir3_op *op = op_at(state, run->at);
    run->index = run->member[0];
    if (!op) {
        IR3_HALT(run, GPUCODE_STOP_FAULT, MSG_IR3_RUN_OFF, (unsigned)run->at);
        return false;
    }
    if ((run->core->hook_kinds & GPUCODE_EVENT_INSN || state->all.breaks[run->at]) && stopped_before(run, op))
        return false;
    choose_lanes(run);
    for (unsigned i = 0; i < run->lanes && op->flow; i++)
        run->next[i] = run->at + 1;
    if (!do_issue(run, op))
        return false;
    take_account(run, 1, (uint64_t)op->steps + op->idle);
    if (run->core->coverage)
        state->all.covered[run->at] = 1;
    move_on(run, op);
    if (state->choice.strict && op->flow)
        ir3_timing_part(run);
    take_turn(state);
    if (run->hook_stops) {
        run->hook_stops = false;
        run->stop->reason = GPUCODE_STOP_HOOK;
        run->halted = true;
    }
    return true;
}

/* Where all fibers go from a branch, or they part: false. */
static bool goes_together(const struct ir3_run *run, uint32_t *next)
{
    uint32_t other = 0;
    for (unsigned i = 1; i < run->lanes; i++)
        other |= run->next[i] ^ run->next[0];
    *next = run->next[0];
    return !other;
}

/*
 * The members as far as they go on together, with one look at where they stand; returns how many issues. What a fiber
 * has of its path is written when they are not together any more.
 */
static uint64_t run_straight(struct ir3_run *run, uint64_t limit)
{
    struct ir3_state *state = run->state;
    const uint32_t end = run->bound < state->program.count ? run->bound : state->program.count;
    const bool together = run->all && run->lanes == run->members, one = run->lanes == 1;
    const uint16_t *breaks = state->all.breaks;
    uint64_t count = 0, slots = 0, path = 0;
    bool turned = false, apart = false;
    while (!turned && !apart && count < limit && run->at < end && !breaks[run->at]) {
        const struct ir3_op *op = &state->program.ops[run->at];
        uint32_t next = run->at + 1;
        if (together ? !op->steers : !op->straight)
            break;
        for (unsigned i = 0; i < run->lanes && op->flow; i++)
            run->next[i] = next;
        run->index = run->member[0];
        if (!do_issue(run, op))
            break;
        count++;
        slots += (uint64_t)op->steps + op->idle;
        if (run->core->coverage)
            state->all.covered[run->at] = 1;
        turned = take_turn(state);
        if (op->flow && one)
            next = run->next[0];
        else if (op->flow)
            apart = !goes_together(run, &next);
        if (apart) {
            move_on(run, op);
            if (state->choice.strict)
                ir3_timing_part(run);
            break;
        }
        if (op->flow || op->joins)
            path = ++state->serial << 32 | next;
        run->at = next;
    }
    take_account(run, count, slots);
    for (unsigned i = 0; i < run->members && count && !apart; i++) { /* where none ran, what was told stays told */
        struct ir3_fiber *fiber = &state->fiber[run->member[i]];
        fiber->pc = run->at;
        fiber->seen = false;
        fiber->path = path ? path : fiber->path;
    }
    return count;
}

/* May the issues after this one be run so? */
static bool may_go_straight(const struct ir3_run *run)
{
    return !run->core->hook_kinds && !run->core->edges.map;
}

uint64_t ir3_run_waves(struct ir3_run *run, uint64_t limit, const struct ir3_fiber *one)
{
    uint64_t count = 0, own = 0;
    if (!run->state->begun && limit)
        begin_group(run->core, run->state);
    while ((one ? own : count) < limit && !run->halted && !(one && one->ended) && choose_issue(run)) {
        if (!one && may_go_straight(run)) {
            choose_lanes(run);
            uint64_t ran = run_straight(run, limit - count);
            count += ran;
            if (ran || run->halted)
                continue;
        }
        bool ran = run_issue(run);
        count += ran;
        for (unsigned i = 0; i < run->members && one && ran; i++)
            own += &run->state->fiber[run->member[i]] == one;
    }
    return one ? own : count;
}
