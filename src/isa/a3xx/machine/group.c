/* SPDX-License-Identifier: MIT */
/*
 * Running a group: threads that stand at the same instruction run it together, in one issue, one after the other in the
 * order of their numbers. Where they part, one path runs at a time: the one with the most calls, then the one at the
 * least instruction number, so that it comes to where the others wait. A path that goes back runs before those that
 * left the loop, and one in a function, wherever that lies, before those that wait behind the call.
 *
 * A run may end between two threads of an issue (limits count the instructions of threads); then the state says whose
 * turn is still to come, so that it does not depend on how a run is cut into pieces.
 */
#include "isa/a3xx/machine/thread.h"

/* The threads of an issue, and what is around them. */
struct issue {
    uint32_t at;
    uint32_t meet;  /* where the others are met on the way straight on; UINT32_MAX: nowhere */
    bool others;    /* threads that have not ended stand elsewhere */
    bool first;     /* of this run */
    unsigned count; /* of members */
    unsigned next;  /* of them */
    uint16_t members[GPUCODE_A3XX_THREADS_MAX];
};

/* --- whose turn it is -------------------------------------------------------------------------------------------- */

/* The instruction at a pc, which may lie behind the code: nothing. */
static const struct a3xx_op *op_at(const struct a3xx_state *state, uint32_t pc)
{
    return &state->program.ops[pc < state->program.count ? pc : state->program.count];
}

/* Does the first thread go before the second? */
static bool goes_before(const struct a3xx_state *state, const struct a3xx_thread *one, const struct a3xx_thread *other)
{
    if (state->choice.meeting != A3XX_MEET_LEAST && one->depth != other->depth)
        return one->depth > other->depth;
    return one->pc < other->pc;
}

static bool same_path(const struct a3xx_thread *one, const struct a3xx_thread *other)
{
    return one->path[0] == other->path[0] && one->path[1] == other->path[1];
}

/* The threads that go next; false: all have ended. */
static bool choose(const struct a3xx_state *state, struct issue *issue)
{
    const struct a3xx_thread *best = NULL;
    uint32_t width = state->choice.threads;
    for (uint32_t i = 0; i < width; i++) {
        const struct a3xx_thread *thread = &state->thread[i];
        if (!thread->ended && (!best || goes_before(state, thread, best)))
            best = thread;
    }
    if (!best)
        return false;
    bool anybody = state->choice.meeting != A3XX_MEET_MARKS || op_at(state, best->pc)->turn & A3XX_TURN_MARK;
    issue->at = best->pc;
    issue->meet = UINT32_MAX;
    issue->others = false;
    issue->count = issue->next = 0;
    for (uint32_t i = 0; i < width; i++) {
        const struct a3xx_thread *thread = &state->thread[i];
        if (thread->ended)
            continue;
        if (thread->pc == issue->at && (anybody || same_path(thread, best))) {
            issue->members[issue->count++] = (uint16_t)i;
        } else {
            issue->others = true;
            if (thread->pc == issue->at)
                issue->meet = issue->at + 1; /* not met, but its turn is next */
            else if (thread->pc > issue->at && thread->pc < issue->meet)
                issue->meet = thread->pc;
        }
    }
    return true;
}

/* The rest of the issue in whose middle the run before ended; false: there is none. */
static bool take_up(struct a3xx_state *state, struct issue *issue)
{
    issue->count = issue->next = 0;
    for (uint32_t i = 0; state->group.open && i < state->choice.threads; i++) {
        if (state->thread[i].due && !state->thread[i].ended)
            issue->members[issue->count++] = (uint16_t)i;
        state->thread[i].due = false;
    }
    issue->at = state->group.at;
    issue->others = state->group.parted;
    issue->meet = issue->at + 1; /* the next one is chosen anew */
    state->group.open = false;
    return issue->count;
}

static void put_down(struct a3xx_state *state, const struct issue *issue)
{
    state->group.open = issue->next < issue->count;
    state->group.at = issue->at;
    state->group.parted = issue->others;
    for (unsigned i = issue->next; i < issue->count; i++)
        state->thread[issue->members[i]].due = true;
}

/*
 * Behind an issue that all its threads ran: the same threads again, if choose() would say so; it need not be asked
 * before paths part or meet.
 */
static bool goes_on(const struct a3xx_state *state, struct issue *issue)
{
    if (op_at(state, issue->at)->turn & A3XX_TURN_FLOW || issue->at + 1 == issue->meet)
        return false;
    issue->at++;
    issue->next = 0;
    return true;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

/*
 * The sources of derivatives in the quad of run->thread, before one of its threads changes its own. Threads that stand
 * at the instruction see them as it will, behind its (sy); the others as their registers stand.
 */
static void look_around(struct a3xx_run *run, const struct a3xx_op *op)
{
    struct a3xx_state *state = run->state;
    struct a3xx_group *group = &state->group;
    unsigned index = run->index, quad = index / A3XX_QUAD, first = quad * A3XX_QUAD;
    run->quad = group;
    run->quad_count = state->choice.threads - first < A3XX_QUAD ? state->choice.threads - first : A3XX_QUAD;
    if (group->quad == quad + 1)
        return;
    group->quad = quad + 1;
    for (unsigned i = 0; i < run->quad_count; i++) {
        a3xx_enter(run, first + i);
        run->waited = run->strict && op->bits & A3XX_SY && run->thread->pc == run->at && !run->thread->ended;
        for (unsigned k = 0; k < a3xx_around_count(op); k++)
            if (a3xx_looks_around(op) || A3XX_FIELD(op->bits, WRITE_MASK) >> k & 1)
                group->around[i][k] = a3xx_fetch_component(run, &op->source[0], k);
    }
    run->waited = false;
    a3xx_enter(run, index);
}

/* The first thread of an issue runs: its slots pass. */
static void begin(struct a3xx_run *run, const struct issue *issue, uint32_t slots)
{
    run->core->time += slots;
    run->state->group.parted_slots += issue->others ? slots : 0;
    run->state->group.begun = true;
}

/* Threads that part or meet in an issue and go on to the same instruction are on one path from there on. */
static void set_path(const struct a3xx_run *run, struct a3xx_thread *thread)
{
    thread->path[0] = (uint32_t)run->core->time;
    thread->path[1] = thread->pc;
}

static bool sets_path(const struct a3xx_state *state, const struct a3xx_op *op)
{
    return state->choice.meeting == A3XX_MEET_MARKS && op->turn & (A3XX_TURN_FLOW | A3XX_TURN_MARK);
}

/* Runs a whole issue that nothing looks at and that looks at no other thread; false: a fault ended it. */
static bool run_unseen(struct a3xx_run *run, struct issue *issue, const struct a3xx_op *op)
{
    unsigned count = issue->count, i = 0;
    begin(run, issue, 1u + op->repeat);
    for (; i < count; i++) {
        a3xx_enter(run, issue->members[i]);
        run->next = issue->at + 1;
        a3xx_perform(run, op);
        if (run->halted)
            break;
        run->thread->pc = run->next;
    }
    for (unsigned k = 0; k < i && sets_path(run->state, op); k++)
        set_path(run, &run->state->thread[issue->members[k]]);
    issue->next = i;
    run->core->count += i;
    run->state->group.thread_slots += (uint64_t)i * (1u + op->repeat);
    return i == count;
}

/* Runs an issue; false: the run ends in its middle. */
static bool run_issue(struct a3xx_run *run, struct issue *issue, uint64_t *left)
{
    struct a3xx_state *state = run->state;
    const struct a3xx_op *op = op_at(state, issue->at);
    uint32_t slots = 1u + op->repeat;
    bool careful = issue->first || issue->at >= state->program.count || state->breaks[issue->at] ||
                   run->core->coverage || run->core->hook_kinds & GPUCODE_EVENT_INSN;
    run->at = issue->at;
    run->quad = NULL;
    if (!careful && !run->core->hook_kinds && *left >= issue->count && !(op->turn & A3XX_TURN_DERIVE)) {
        *left -= issue->count;
        bool whole = run_unseen(run, issue, op);
        *left += issue->count - issue->next - !whole; /* the one with the fault counts too */
        return whole;
    }
    issue->first = false;
    for (; issue->next < issue->count && !run->halted; issue->next++) {
        if (!*left)
            return false;
        a3xx_enter(run, issue->members[issue->next]);
        if (careful) {
            run->counted = state->group.begun ? slots : 0;
            if (a3xx_stopped_before(run))
                return false;
            run->counted = 0;
        }
        if (!state->group.begun)
            begin(run, issue, slots);
        if (op->turn & A3XX_TURN_DERIVE)
            look_around(run, op);
        --*left;
        if (run->halted || !a3xx_advance(run)) /* a source of the quad's may lie outside of the registers */
            return false;
        if (sets_path(state, op))
            set_path(run, run->thread);
        state->group.thread_slots += slots;
    }
    return issue->next == issue->count;
}

uint64_t a3xx_run_group(struct a3xx_run *run, uint64_t limit)
{
    struct a3xx_state *state = run->state;
    struct issue issue;
    uint64_t left = limit;
    issue.first = true;
    bool chosen = take_up(state, &issue);
    while (left && !run->halted) {
        if (!chosen) {
            state->group.begun = false;
            state->group.quad = 0;
            if (!choose(state, &issue))
                break;
        }
        if (!run_issue(run, &issue, &left))
            break;
        state->group.begun = false;
        state->group.quad = 0;
        chosen = left && !run->halted && goes_on(state, &issue);
    }
    put_down(state, &issue);
    run->stop->processor = run->index;
    return limit - left;
}
