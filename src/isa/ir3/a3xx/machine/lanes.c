/* SPDX-License-Identifier: MIT */
/*
 * A group's way through code in which nobody looks on: instruction by instruction, each for all threads of the issue at
 * once, while their program counters stand in one place. What else there is to an issue, group.c does.
 */
#include "isa/ir3/a3xx/machine/lanes.h"
#include "isa/ir3/a3xx/machine/group.h"

/* A way of the same threads: what has come together since it began. */
struct way {
    uint32_t width;    /* of the group, in lanes */
    uint64_t issues;   /* of instructions */
    uint64_t slots;    /* that they took */
    bool joins;        /* policy marks: they are on one path from here on */
    uint64_t joined;   /* since then */
    uint32_t joins_at; /* the pc that they went on to */
};

static void fill_mask(struct a3xx_issue *issue, uint32_t width, uint32_t threads)
{
    issue->masked = issue->count < threads;
    if (!issue->masked)
        return;
    memset(issue->mask, 0, width * sizeof *issue->mask);
    for (unsigned i = 0; i < issue->count; i++)
        issue->mask[issue->members[i]] = UINT32_MAX;
}

static uint32_t block_of(const struct way *way, uint32_t first)
{
    return way->width - first < A3XX_LANES_BLOCK ? way->width - first : A3XX_LANES_BLOCK;
}

static const uint32_t *mask_of(const struct a3xx_issue *issue)
{
    return issue->masked ? issue->mask : NULL;
}

/* What an instruction of category 0 does to the threads. */
struct fork {
    uint32_t next[A3XX_LANES_ROOM], fate[A3XX_LANES_ROOM];
};

/* Writes down where the threads are: at issue->at, or each where `next` says. */
static void leave_way(struct a3xx_run *run, struct a3xx_issue *issue, const struct way *way, const uint32_t *next)
{
    struct a3xx_state *state = run->state;
    for (unsigned i = 0; i < issue->count; i++) {
        struct a3xx_thread *thread = &state->thread[issue->members[i]];
        thread->seen = false;
        thread->pc = next ? next[issue->members[i]] : issue->at;
        if (way->joins) {
            thread->path[0] = (uint32_t)way->joined;
            thread->path[1] = next ? thread->pc : way->joins_at;
        }
    }
    issue->first = false;
    issue->next = issue->count; /* nobody is due */
    a3xx_enter(run, issue->members[issue->count - 1]);
    run->core->count += way->issues * issue->count;
    state->group.thread_slots += way->slots * issue->count;
    state->group.diverged_slots += issue->others ? way->slots : 0;
    if (run->strict)
        a3xx_timed_part(run, issue);
}

/* Kills and ends threads; true: some have ended. */
static bool seal_fates(struct a3xx_state *state, const struct a3xx_issue *issue, const uint32_t *fate)
{
    uint32_t all = 0;
    for (unsigned i = 0; i < issue->count; i++) {
        struct a3xx_thread *thread = &state->thread[issue->members[i]];
        uint32_t own = fate[issue->members[i]];
        thread->killed |= (own & A3XX_LANE_KILLED) != 0;
        thread->ended |= (own & A3XX_LANE_ENDED) != 0;
        all |= own;
    }
    return all & A3XX_LANE_ENDED;
}

/* An instruction of category 0 that all threads run. */
static enum a3xx_went go(struct a3xx_run *run, struct a3xx_issue *issue, const struct a3xx_op *op, struct way *way)
{
    struct fork fork;
    uint32_t lanes = issue->masked ? way->width : run->state->choice.threads;
    if (run->strict && op->syncs)
        a3xx_timed_sync(run, issue, op, way->width);
    bool by_register = op->source[0].place == A3XX_IN_FULL || op->source[0].place == A3XX_IN_HALF;
    const uint32_t *predicate = !by_register  ? NULL
                                : run->strict ? a3xx_timed_source(run, issue, &op->source[0], 0)
                                              : a3xx_lane_row(run, &op->source[0], 0);
    for (uint32_t first = 0; first < way->width; first += A3XX_LANES_BLOCK)
        run->state->lanes->go(run, op, issue->at, predicate, first, block_of(way, first), fork.next + first,
                              fork.fate + first);
    bool ended =
        !run->state->lanes->agree(fork.fate, mask_of(issue), lanes, 0) && seal_fates(run->state, issue, fork.fate);
    bool together = run->state->lanes->agree(fork.next, mask_of(issue), lanes, fork.next[issue->members[0]]);
    if (run->strict)
        a3xx_timed_pass(run, issue, 1);
    if (together)
        way->joins_at = issue->at = fork.next[issue->members[0]];
    if (together && !issue->others && !ended)
        return A3XX_WENT_ON;
    leave_way(run, issue, way, fork.next);
    return A3XX_WENT_APART;
}

static void calculate_step(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                           unsigned step, const struct a3xx_lane_rows *rows, const struct way *way)
{
    for (uint32_t first = 0; first < way->width; first += A3XX_LANES_BLOCK)
        run->state->lanes->calculate(run, op, step, rows, mask_of(issue), first, block_of(way, first));
}

static void calculate(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                      const struct way *way)
{
    for (unsigned step = 0; step <= op->repeat; step++) {
        if (!run->strict) {
            calculate_step(run, issue, op, step, NULL, way);
            continue;
        }
        struct a3xx_lane_rows rows = a3xx_timed_rows(run, issue, op, step);
        if (rows.result)
            calculate_step(run, issue, op, step, &rows, way);
        a3xx_timed_pass(run, issue, 1);
    }
}

/* Does any other instruction; false: the threads cannot do it at once, and nothing has changed. */
static bool perform(struct a3xx_run *run, const struct a3xx_issue *issue, const struct a3xx_op *op,
                    const struct way *way)
{
    if (op->lanes == A3XX_LANES_TRANSFER)
        return a3xx_transfer_lanes(run, issue, op, way->width);
    if (op->lanes == A3XX_LANES_LOOK)
        return a3xx_look_up_lanes(run, issue, op, way->width);
    if (run->strict && op->syncs)
        a3xx_timed_sync(run, issue, op, way->width);
    if (op->lanes != A3XX_LANES_NOTHING)
        calculate(run, issue, op, way);
    else if (run->strict)
        a3xx_timed_pass(run, issue, 1u + op->repeat);
    return true;
}

/* Is it one that lanes can run, with nobody waiting for it? */
static const struct a3xx_op *op_ahead(const struct a3xx_run *run, const struct a3xx_issue *issue)
{
    const struct a3xx_state *state = run->state;
    const struct a3xx_op *op = a3xx_op_at(state, issue->at);
    bool can = op->lanes != A3XX_LANES_NOT && issue->at < state->program.count && !state->all.breaks[issue->at];
    return can && (!run->strict || a3xx_timed_can(run, issue, op)) ? op : NULL;
}

enum a3xx_went a3xx_run_lanes(struct a3xx_run *run, struct a3xx_issue *issue, uint64_t *left)
{
    struct a3xx_state *state = run->state;
    uint32_t threads = state->choice.threads;
    struct way way = {.width = (threads + A3XX_LANES - 1) / A3XX_LANES * A3XX_LANES};
    const struct a3xx_op *op = op_ahead(run, issue);
    if (!op || issue->next || *left < issue->count || threads < A3XX_QUAD || issue->count < A3XX_QUAD ||
        issue->count * A3XX_LANES < way.width)
        return A3XX_WENT_NOWHERE;
    if (run->strict && !a3xx_timed_meet(run, issue))
        return A3XX_WENT_NOWHERE;
    fill_mask(issue, way.width, threads);
    for (; op && *left >= issue->count; op = op_ahead(run, issue)) {
        uint32_t slots = 1u + op->repeat;
        if (op->lanes != A3XX_LANES_FLOW && !perform(run, issue, op, &way))
            break;
        *left -= issue->count;
        run->core->time += slots;
        way.slots += slots;
        way.issues++;
        if (a3xx_sets_path(state, op)) {
            way.joins = true;
            way.joined = run->core->time;
            way.joins_at = issue->at + 1;
        }
        if (op->lanes == A3XX_LANES_FLOW) {
            enum a3xx_went went = go(run, issue, op, &way);
            if (went == A3XX_WENT_APART)
                return went;
        } else if (++issue->at == issue->reconvergence) {
            break;
        }
    }
    if (!way.issues)
        return A3XX_WENT_NOWHERE;
    leave_way(run, issue, &way, NULL);
    if (issue->at == issue->reconvergence)
        return A3XX_WENT_APART;
    if (*left)
        issue->next = 0;
    return A3XX_WENT_ON;
}
