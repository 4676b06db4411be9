/* SPDX-License-Identifier: MIT */
/* The A3XX machine: running one thread, making machines, and looking into them. */
#include "a3xx_messages.h"
#include "isa/ir3/a3xx/machine/group.h"
#include "isa/ir3/a3xx/machine/lanes.h"
#include "isa/ir3/machine/spaces.h"

#include "base/text.h"

/* --- running ----------------------------------------------------------------------------------------------------- */

static uint64_t run_alone(struct a3xx_run *run, uint64_t limit)
{
    struct a3xx_thread *thread = run->thread;
    struct machine_core *core = run->core;
    const struct a3xx_op *ops = run->state->program.ops;
    const uint16_t *breaks = run->state->all.breaks;
    uint32_t end = run->state->program.count;
    uint64_t count = 0;
    while (count < limit && !thread->ended && !run->halted) {
        run->at = thread->pc;
        bool careful = run->at >= end || breaks[run->at] || thread->seen || core->coverage ||
                       core->hook_kinds & GPUCODE_EVENT_INSN;
        if (careful && a3xx_stopped_before(run))
            break;
        core->time += 1u + ops[run->at].repeat;
        a3xx_advance(run);
        count++;
    }
    return count;
}

static uint64_t run_threads(struct machine_core *core, void *opaque, unsigned thread, uint64_t limit,
                            struct gpucode_stop *stop)
{
    struct a3xx_state *state = opaque;
    struct a3xx_run run = {.execute = a3xx_execute,
                           .core = core,
                           .state = state,
                           .stop = stop,
                           .stride = state->stride,
                           .rows = {a3xx_file(state, false), a3xx_file(state, true)},
                           .preset = a3xx_calculates_by_presets(&state->choice),
                           .place = {[A3XX_IN_CONST] = state->all.consts, [A3XX_IN_POOL] = state->program.pool},
                           .flush = !state->choice.keep_denormals,
                           .strict = state->choice.strict};
    stop->reason = GPUCODE_STOP_LIMIT;
    if (run.strict) {
        run.flights = a3xx_flights(state);
        run.timed = a3xx_timed_values(state);
    }
    bool together = thread == ISA_ALL_PROCESSORS && state->choice.threads > 1;
    unsigned index = thread == ISA_ALL_PROCESSORS ? 0 : thread;
    a3xx_enter(&run, index);
    stop->processor = index;
    uint64_t time = core->time, count = together ? a3xx_run_group(&run, limit) : run_alone(&run, limit);
    if (!together && state->choice.threads > 1) {
        state->group.thread_slots += core->time - time;
        state->thread[index].due &= !count; /* it has run the instruction */
    }
    bool ended = true;
    for (unsigned i = together ? 0 : index; i < (together ? state->choice.threads : index + 1); i++)
        ended &= state->thread[i].ended;
    if (!run.halted && ended)
        isa_stop(stop, GPUCODE_STOP_END, MSG_A3XX_ENDED);
    return count;
}

/* --- making it --------------------------------------------------------------------------------------------------- */

static size_t state_size(const struct machine_core *core, const struct gpucode_setting *settings)
{
    (void)core;
    if (isa_policy_choice(a3xx_policies, settings, "a3xx-timing"))
        return a3xx_strict_size(a3xx_width(settings));
    return a3xx_state_size(a3xx_width(settings));
}

static enum gpucode_status create_machine(struct machine_core *core, void *opaque,
                                          const struct gpucode_setting *settings)
{
    struct a3xx_state *state = opaque;
    if (!a3xx_read_policies(core, &state->choice, settings))
        return GPUCODE_ERROR_INPUT;
    state->stride = a3xx_stride(state->choice.threads);
    state->lanes = a3xx_lane_set();
    if (!shader_state_begin(core, &state->all, state->choice.threads) ||
        !a3xx_prepare(core, state->choice.special_saturates, state->stride, &state->program))
        return GPUCODE_ERROR_MEMORY;
    for (uint32_t i = 0; i < state->program.count; i++)
        a3xx_find_lane_kind(&state->program, &state->program.ops[i]);
    if (state->choice.strict && !a3xx_strict_start(core, state))
        return GPUCODE_ERROR_MEMORY;
    core->files.lazy_end = A3XX_PRIVATE_BASE(state->choice.threads); /* local and private memory: zeros */
    return a3xx_changes_begin(core, state) ? GPUCODE_OK : GPUCODE_ERROR_MEMORY;
}

/* --- looking into it --------------------------------------------------------------------------------------------- */

static uint64_t pc_of_thread(const void *state, unsigned index)
{
    return ((const struct a3xx_state *)state)->thread[index].pc;
}

static bool set_pc(void *opaque, unsigned index, uint64_t where)
{
    struct a3xx_state *state = opaque;
    if (where >= state->program.count)
        return false;
    state->thread[index].pc = (uint32_t)where;
    state->thread[index].path[0] = UINT32_MAX; /* alone */
    state->thread[index].path[1] = index;
    state->thread[index].ended = state->thread[index].seen = state->thread[index].due = false;
    return true;
}

static bool frame_of_thread(const struct machine_core *core, const void *opaque, unsigned index, unsigned number,
                            struct gpucode_frame *found)
{
    struct a3xx_state *state = (struct a3xx_state *)opaque;
    const struct a3xx_thread *thread = &state->thread[index];
    (void)core;
    if (number >= thread->depth)
        return false;
    *found = (struct gpucode_frame){.pc = a3xx_stack(state, index)[thread->depth - 1 - number]};
    return true;
}

static bool is_call_next(const struct machine_core *core, const void *opaque, unsigned index, uint64_t *back)
{
    const struct a3xx_state *state = opaque;
    const struct a3xx_thread *thread = &state->thread[index];
    (void)core;
    *back = (uint64_t)thread->pc + 1;
    return !thread->ended && thread->pc < state->program.count &&
           a3xx_flow(state->program.ops[thread->pc].row) == GPUCODE_FLOW_CALL;
}

static bool counter_at(const void *opaque, unsigned index, struct gpucode_counter *found)
{
    const struct a3xx_state *state = opaque;
    const struct gpucode_counter counters[] = {
        {"thread-slots", state->group.thread_slots,
         "Issue slots, counted for each thread of the group that ran in them."},
        {"parted-slots", state->group.diverged_slots,
         "Issue slots in which threads of the group waited that stood elsewhere and had not ended."},
    };
    if (state->choice.threads == 1 || index >= sizeof counters / sizeof *counters)
        return false;
    *found = counters[index];
    return true;
}

const struct isa_machine a3xx_machine = {
    .measure = state_size,
    .policies = a3xx_policies,
    .create = create_machine,
    .run = run_threads,
    .processor = shader_fiber_name,
    .section = shader_fiber_section,
    .pc = pc_of_thread,
    .set_pc = set_pc,
    .read = a3xx_space_read,
    .write = a3xx_space_write,
    .space = shader_space_info,
    .find = shader_space_find,
    .name = shader_space_name,
    .set_break = shader_set_break,
    .covered = shader_coverage,
    .frame = frame_of_thread,
    .call = is_call_next,
    .counter = counter_at,
    .mark = a3xx_mark,
    .put_back = a3xx_put_back,
    .has_textures = true,
    .has_accesses = true,
    .has_edges = true,
};
