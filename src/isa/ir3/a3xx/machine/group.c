/* SPDX-License-Identifier: MIT */
/*
 * Running a group of threads. Threads whose pc is the same run the instruction together, in one issue, in the order of
 * their numbers. After divergence one path runs at a time: the one with the most calls on its stack, then the one with
 * the lowest pc. So a path reaches the pc at which the others wait, which is where they reconverge: a path that
 * branches back runs before those that left the loop, and a path inside a function runs before those after its call.
 *
 * A run may end between two threads of an issue, because limits count the instructions of threads. The state then
 * remembers which threads have not run it yet, so that the result does not depend on how a run is cut into pieces.
 */
#include "isa/ir3/a3xx/machine/group.h"

/* --- which path runs next ------------------------------------------------------------------------------------- */

/* Does the first thread go before the second? */
static bool goes_before(const struct a3xx_state *state, const struct a3xx_thread *one, const struct a3xx_thread *other)
{
    if (state->choice.reconvergence != A3XX_RECONVERGE_LEAST && one->depth != other->depth)
        return one->depth > other->depth;
    return one->pc < other->pc;
}

static bool same_path(const struct a3xx_thread *one, const struct a3xx_thread *other)
{
    return one->path[0] == other->path[0] && one->path[1] == other->path[1];
}

/* The threads that go next; false: all have ended. */
static bool choose_issue(const struct a3xx_state *state, struct a3xx_issue *issue)
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
    bool any_path = state->choice.reconvergence != A3XX_RECONVERGE_MARKS ||
                    a3xx_op_at(state, best->pc)->group_role & A3XX_GROUP_MARK;
    issue->at = best->pc;
    issue->reconvergence = UINT32_MAX;
    issue->others = false;
    issue->count = issue->next = 0;
    for (uint32_t i = 0; i < width; i++) {
        const struct a3xx_thread *thread = &state->thread[i];
        if (thread->ended)
            continue;
        if (thread->pc == issue->at && (any_path || same_path(thread, best))) {
            issue->members[issue->count++] = (uint16_t)i;
        } else {
            issue->others = true;
            if (thread->pc == issue->at)
                issue->reconvergence = issue->at + 1; /* the same pc on another path: it is chosen next */
            else if (thread->pc > issue->at && thread->pc < issue->reconvergence)
                issue->reconvergence = thread->pc;
        }
    }
    return true;
}

/* The rest of an issue that the run before left half done; false: there is none. */
static bool resume_issue(struct a3xx_state *state, struct a3xx_issue *issue)
{
    issue->count = issue->next = 0;
    for (uint32_t i = 0; state->group.open && i < state->choice.threads; i++) {
        if (state->thread[i].due && !state->thread[i].ended)
            issue->members[issue->count++] = (uint16_t)i;
        state->thread[i].due = false;
    }
    issue->at = state->group.at;
    issue->others = state->group.diverged;
    issue->reconvergence = issue->at + 1; /* the next one is chosen anew */
    state->group.open = false;
    return issue->count;
}

static void suspend_issue(struct a3xx_state *state, const struct a3xx_issue *issue)
{
    state->group.open = issue->next < issue->count;
    state->group.at = issue->at;
    state->group.diverged = issue->others;
    for (unsigned i = issue->next; i < issue->count; i++)
        state->thread[issue->members[i]].due = true;
}

/*
 * After a complete issue: moves it to the next instruction where the same threads run that too. choose_issue() would
 * say the same as long as paths neither diverge (flow) nor reconverge, so it is not asked.
 */
static bool issue_goes_on(const struct a3xx_state *state, struct a3xx_issue *issue)
{
    if (a3xx_op_at(state, issue->at)->group_role & A3XX_GROUP_FLOW || issue->at + 1 == issue->reconvergence)
        return false;
    issue->at++;
    issue->next = 0;
    return true;
}

/* --- running ----------------------------------------------------------------------------------------------------- */

/*
 * Reads the sources of derivatives of all threads in the quad of run->thread, before one of them changes its own. For
 * threads about to run the instruction its (sy) counts as done; of the others the registers are read as they are.
 */
static void gather_quad_sources(struct a3xx_run *run, const struct a3xx_op *op)
{
    struct a3xx_state *state = run->state;
    struct a3xx_group *group = &state->group;
    unsigned index = run->index, quad = index / A3XX_QUAD, first = quad * A3XX_QUAD;
    run->quad = group;
    run->quad_count = state->choice.threads - first < A3XX_QUAD ? state->choice.threads - first : A3XX_QUAD;
    if (group->quad == quad + 1)
        return;
    group->quad = quad + 1;
    bool all = a3xx_looks_around(op);
    unsigned values = a3xx_around_count(op), mask = all ? UINT32_MAX : A3XX_FIELD(op->bits, WRITE_MASK);
    for (unsigned i = 0; i < run->quad_count; i++) {
        a3xx_enter(run, first + i);
        run->waited = run->strict && op->bits & A3XX_SY && run->thread->pc == run->at && !run->thread->ended;
        for (unsigned k = 0; k < values; k++)
            if (mask >> k & 1)
                group->around[i][k] = a3xx_fetch_component(run, &op->source[0], k);
    }
    run->waited = false;
    a3xx_enter(run, index);
}

/* The first thread of an issue runs: its slots pass. */
static void begin_issue(struct a3xx_run *run, const struct a3xx_issue *issue, uint32_t slots)
{
    run->core->time += slots;
    run->state->group.diverged_slots += issue->others ? slots : 0;
    run->state->group.begun = true;
}

/* Runs a whole issue without hooks, breakpoints and derivatives; false: a fault ended it. */
static bool run_unseen(struct a3xx_run *run, struct a3xx_issue *issue, const struct a3xx_op *op)
{
    unsigned count = issue->count, i = 0;
    begin_issue(run, issue, 1u + op->repeat);
    for (; i < count; i++) {
        a3xx_enter(run, issue->members[i]);
        run->next = issue->at + 1;
        a3xx_perform(run, op);
        if (run->halted)
            break;
        run->thread->pc = run->next;
    }
    for (unsigned k = 0; k < i && a3xx_sets_path(run->state, op); k++)
        a3xx_join_path(&run->state->thread[issue->members[k]], run->core->time);
    issue->next = i;
    run->core->count += i;
    run->state->group.thread_slots += (uint64_t)i * (1u + op->repeat);
    return i == count;
}

/* Runs an issue; false: the run ends in its middle. */
static bool run_issue(struct a3xx_run *run, struct a3xx_issue *issue, uint64_t *left)
{
    struct a3xx_state *state = run->state;
    const struct a3xx_op *op = a3xx_op_at(state, issue->at);
    uint32_t slots = 1u + op->repeat;
    bool careful = issue->first || issue->at >= state->program.count || state->all.breaks[issue->at] ||
                   run->core->coverage || run->core->edges.map || run->core->hook_kinds & GPUCODE_EVENT_INSN;
    run->at = issue->at;
    run->quad = NULL;
    if (!careful && !run->core->hook_kinds && *left >= issue->count && !(op->group_role & A3XX_GROUP_QUAD)) {
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
            begin_issue(run, issue, slots);
        if (op->group_role & A3XX_GROUP_QUAD)
            gather_quad_sources(run, op);
        --*left;
        if (run->halted || !a3xx_advance(run)) /* a source of the quad's may lie outside of the registers */
            return false;
        if (a3xx_sets_path(state, op))
            a3xx_join_path(run->thread, run->core->time);
        state->group.thread_slots += slots;
    }
    return issue->next == issue->count;
}

/* Does anybody want to know of each instruction? */
static bool is_watched(const struct a3xx_run *run)
{
    return run->core->hook_kinds || run->core->coverage || run->core->edges.map;
}

uint64_t a3xx_run_group(struct a3xx_run *run, uint64_t limit)
{
    struct a3xx_state *state = run->state;
    struct a3xx_issue issue;
    uint64_t left = limit;
    issue.first = true;
    bool chosen = resume_issue(state, &issue), watched = is_watched(run);
    while (left && !run->halted) {
        if (!chosen) {
            state->group.begun = false;
            state->group.quad = 0;
            if (!choose_issue(state, &issue))
                break;
        }
        enum a3xx_went went = watched || state->group.begun ? A3XX_WENT_NOWHERE : a3xx_run_lanes(run, &issue, &left);
        chosen = went != A3XX_WENT_APART;
        if (!chosen || !left)
            continue;
        if (!run_issue(run, &issue, &left))
            break;
        state->group.begun = false;
        state->group.quad = 0;
        chosen = left && !run->halted && issue_goes_on(state, &issue);
    }
    suspend_issue(state, &issue);
    run->stop->processor = run->index;
    return limit - left;
}
