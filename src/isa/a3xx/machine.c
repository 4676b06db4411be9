/* SPDX-License-Identifier: MIT */
/* The A3XX machine: running threads, and looking into them. */
#include "isa/a3xx/machine.h"

#include "base/text.h"

/* --- running ----------------------------------------------------------------------------------------------------- */

static void enter(struct a3xx_run *run, unsigned index)
{
    struct a3xx_state *state = run->state;
    run->index = index;
    run->thread = &state->thread[index];
    run->place[A3XX_IN_FULL] = run->thread->full;
    run->place[A3XX_IN_HALF] = run->thread->half;
}

/* What stands between a thread and its next instruction: the end of the code, a breakpoint, the hook. */
static bool stopped_before(struct a3xx_run *run)
{
    struct a3xx_state *state = run->state;
    struct a3xx_thread *thread = run->thread;
    run->at = thread->pc;
    if (thread->pc >= state->program.count) {
        A3XX_HALT(run, GPUCODE_STOP_FAULT, MSG_A3XX_RUN_OFF, (unsigned)thread->pc);
        return true;
    }
    if (!thread->seen && state->breaks[thread->pc]) {
        run->stop->reason = GPUCODE_STOP_BREAKPOINT;
        run->halted = true;
    } else if (!thread->seen && run->core->hook_kinds & GPUCODE_EVENT_INSN) {
        a3xx_tell(run, GPUCODE_EVENT_INSN, GPUCODE_A3XX_FULL, thread->pc, state->program.ops[thread->pc].bits, 0);
        if (run->hook_stops) {
            run->hook_stops = false;
            run->stop->reason = GPUCODE_STOP_HOOK;
            run->halted = true;
        }
    }
    thread->seen = run->halted;
    if (!run->halted && run->core->coverage)
        state->covered[thread->pc] = 1;
    return run->halted;
}

/* Runs the instruction at the thread's pc. */
static void advance(struct a3xx_run *run)
{
    const struct a3xx_op *op = &run->state->program.ops[run->at];
    run->next = run->at + 1;
    if (__builtin_expect(run->core->hook_kinds & GPUCODE_EVENT_USE, 0))
        a3xx_tell_uses(run, op);
    a3xx_execute(run, op);
    if (!run->halted) {
        run->thread->pc = run->next;
        run->core->count++;
    }
    if (run->hook_stops && !run->halted) {
        run->hook_stops = false;
        run->stop->reason = GPUCODE_STOP_HOOK;
        run->halted = true;
    }
}

static uint64_t run_alone(struct a3xx_run *run, uint64_t limit)
{
    const struct a3xx_op *ops = run->state->program.ops;
    uint64_t count = 0;
    while (count < limit && !run->thread->ended && !run->halted) {
        if (stopped_before(run))
            break;
        run->core->time += 1u + ops[run->at].repeat;
        advance(run);
        count++;
    }
    return count;
}

/* The sources of derivatives of all threads, before one of them changes its own. */
static void look_around(struct a3xx_run *run, const struct a3xx_op *op)
{
    run->has_quad = true;
    for (unsigned i = 0; i < A3XX_THREADS; i++) {
        enter(run, i);
        for (unsigned k = 0; k < 4; k++)
            if (op->bits >> (40 + k) & 1)
                run->quad[i][k] = a3xx_fetch_component(run, &op->source[0], k);
    }
}

static bool derives(const struct a3xx_op *op)
{
    return op->row == A3XX_DSX || op->row == A3XX_DSY || op->row == A3XX_DSXPP || op->row == A3XX_DSYPP;
}

/*
 * All threads: those that stand at the least instruction number go first, one instruction each, so that paths that part
 * meet again where the first of them waits.
 */
static uint64_t run_together(struct a3xx_run *run, uint64_t limit)
{
    struct a3xx_state *state = run->state;
    uint64_t count = 0;
    while (count < limit && !run->halted) {
        uint32_t least = UINT32_MAX;
        for (unsigned i = 0; i < A3XX_THREADS; i++)
            if (!state->thread[i].ended && state->thread[i].pc < least)
                least = state->thread[i].pc;
        if (least == UINT32_MAX)
            break;
        const struct a3xx_op *op = least < state->program.count ? &state->program.ops[least] : NULL;
        run->at = least;
        run->has_quad = false;
        if (op && derives(op))
            look_around(run, op);
        bool first = true;
        for (unsigned i = 0; i < A3XX_THREADS && count < limit && !run->halted; i++) {
            if (state->thread[i].ended || state->thread[i].pc != least)
                continue;
            enter(run, i);
            run->stop->processor = i;
            if (stopped_before(run))
                break;
            run->core->time += first ? 1u + op->repeat : 0;
            first = false;
            advance(run);
            count++;
        }
    }
    return count;
}

static uint64_t run_threads(struct machine_core *core, void *opaque, unsigned processor, uint64_t limit,
                            struct gpucode_stop *stop)
{
    struct a3xx_state *state = opaque;
    struct a3xx_run run = {.core = core,
                           .state = state,
                           .stop = stop,
                           .place = {[A3XX_IN_CONST] = state->consts, [A3XX_IN_POOL] = state->program.pool},
                           .flush = !state->choice.keep_denormals};
    stop->reason = GPUCODE_STOP_LIMIT;
    bool together = processor == ISA_ALL_PROCESSORS && state->choice.threads > 1;
    unsigned index = processor == ISA_ALL_PROCESSORS ? 0 : processor;
    enter(&run, index);
    stop->processor = index;
    uint64_t count = together ? run_together(&run, limit) : run_alone(&run, limit);
    bool ended = true;
    for (unsigned i = together ? 0 : index; i < (together ? state->choice.threads : index + 1); i++)
        ended &= state->thread[i].ended;
    if (!run.halted && ended)
        isa_stop(stop, GPUCODE_STOP_END, MSG_A3XX_ENDED);
    return count;
}

/* --- making it --------------------------------------------------------------------------------------------------- */

static enum gpucode_status create(struct machine_core *core, void *opaque, const struct gpucode_setting *settings)
{
    struct a3xx_state *state = opaque;
    if (!a3xx_read_policies(core, &state->choice, settings))
        return GPUCODE_ERROR_INPUT;
    size_t units = core->layout->info.units;
    state->breaks = arena_array(&core->arena, units + 1, 1);
    state->covered = arena_array(&core->arena, units + 1, 1);
    if (!state->breaks || !state->covered || !a3xx_prepare(core, state->choice.special_saturates, &state->program))
        return GPUCODE_ERROR_MEMORY;
    bool mapped = pages_map(&core->files, A3XX_LOCAL_BASE, A3XX_LOCAL_BYTES);
    for (unsigned i = 0; i < state->choice.threads && state->choice.private_bytes; i++)
        mapped &= pages_map(&core->files, A3XX_PRIVATE_BASE(i), state->choice.private_bytes);
    return mapped ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* --- looking into it --------------------------------------------------------------------------------------------- */

static const char *processor(const void *state, unsigned index)
{
    static const char *const names[] = {"0", "1", "2", "3"};
    return index < ((const struct a3xx_state *)state)->choice.threads ? names[index] : NULL;
}

static unsigned section(const void *state, unsigned index)
{
    (void)state;
    (void)index;
    return 0;
}

static uint64_t pc(const void *state, unsigned index)
{
    return ((const struct a3xx_state *)state)->thread[index].pc;
}

static bool set_pc(void *opaque, unsigned index, uint64_t where)
{
    struct a3xx_state *state = opaque;
    if (where >= state->program.count)
        return false;
    state->thread[index].pc = (uint32_t)where;
    state->thread[index].ended = state->thread[index].seen = false;
    return true;
}

static bool set_break(struct machine_core *core, void *opaque, unsigned index, uint64_t where, bool on)
{
    struct a3xx_state *state = opaque;
    (void)core;
    (void)index; /* for all threads */
    if (where >= state->program.count)
        return false;
    state->breaks[where] = on;
    return true;
}

static uint8_t *covered(const void *opaque, unsigned index, size_t *units)
{
    const struct a3xx_state *state = opaque;
    (void)index;
    *units = state->program.count;
    return state->covered;
}

const struct isa_machine a3xx_machine = {
    .state_size = sizeof(struct a3xx_state),
    .policies = a3xx_policies,
    .create = create,
    .run = run_threads,
    .processor = processor,
    .section = section,
    .pc = pc,
    .set_pc = set_pc,
    .read = a3xx_space_read,
    .write = a3xx_space_write,
    .space = a3xx_space_info,
    .find = a3xx_space_find,
    .name = a3xx_space_name,
    .set_break = set_break,
    .covered = covered,
};
