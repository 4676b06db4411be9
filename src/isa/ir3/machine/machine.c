/* SPDX-License-Identifier: MIT */
/* The machine of ir3: making machines, running them, and looking into them. */
#include "isa/ir3/machine/machine.h"
#include "ir3_messages.h"
#include "isa/ir3/machine/spaces.h"
#include "isa/ir3/machine/state.h"
#include "isa/ir3/machine/values.h"

#include "base/text.h"

/* --- running ------------------------------------------------------------------------------------------------------ */

/* Loops over fibers have the usual arithmetic. */
static void choose_loops(struct ir3_run *run)
{
    const struct ir3_choices *choice = &run->state->choice;
    run->calculate = ir3_values_plain;
#ifdef GPUCODE_WITH_AVX2
    if (a3xx_has_avx2())
        run->calculate = ir3_values_avx2;
#endif
    if (choice->keep_denormals || choice->fused || choice->nan_wins || choice->ne_false_for_nan ||
        choice->compare_one || choice->shift_past || choice->nearest_zero || choice->sad_difference ||
        choice->count_full)
        run->calculate = NULL;
}

static uint64_t run_fibers(struct machine_core *core, void *opaque, unsigned fiber, uint64_t limit,
                           struct gpucode_stop *stop)
{
    struct ir3_state *state = opaque;
    struct ir3_run run = {.core = core,
                          .state = state,
                          .stop = stop,
                          .flush = !state->choice.keep_denormals,
                          .files = ir3_files(state),
                          .stride = state->stride};
    choose_loops(&run);
    stop->reason = GPUCODE_STOP_LIMIT;
    bool one = fiber != ISA_ALL_PROCESSORS;
    run.index = one ? fiber : 0;
    uint64_t count = ir3_run_waves(&run, limit, one ? &state->fiber[fiber] : NULL);
    bool ended = true;
    for (uint32_t i = 0; i < state->choice.fibers; i++)
        ended &= state->fiber[i].ended;
    stop->processor = run.halted || !one ? run.index : fiber;
    if (!run.halted && ended && count < limit)
        isa_stop(stop, GPUCODE_STOP_END, MSG_IR3_ENDED);
    return count;
}

/* --- making it ---------------------------------------------------------------------------------------------------- */

/* An odd number of vectors, because rows a power of two apart are in each other's way in the cache. */
static uint32_t stride_of(uint32_t fibers)
{
    return fibers < 4 ? fibers : (fibers + 15) / 16 * 16 | 16;
}

static size_t state_size(const struct machine_core *core, const struct gpucode_setting *settings)
{
    uint32_t fibers = ir3_fibers_of(settings), stride = stride_of(fibers);
    bool strict = isa_policy_choice(ir3_policies, settings, "ir3-timing");
    (void)core;
    return sizeof(struct ir3_state) + fibers * sizeof(struct ir3_fiber) +
           sizeof(uint32_t) * (ir3_files_words(stride) + ir3_kept_words(stride, fibers)) +
           (strict ? ir3_timing_size(fibers) : 0);
}

static enum gpucode_status create_machine(struct machine_core *core, void *opaque,
                                          const struct gpucode_setting *settings)
{
    struct ir3_state *state = opaque;
    if (!ir3_read_policies(core, &state->choice, settings))
        return GPUCODE_ERROR_INPUT;
    uint32_t fibers = state->choice.fibers;
    state->stride = stride_of(fibers);
    state->waves = (fibers + state->choice.width - 1) / state->choice.width;
    if (!shader_state_begin(core, &state->all, fibers) || !ir3_prepare(core, &state->program))
        return GPUCODE_ERROR_MEMORY;
    core->files.lazy_end = IR3_PRIVATE_BASE(fibers); /* local and private memory: zeros */
    return GPUCODE_OK;
}

/* --- looking into it ---------------------------------------------------------------------------------------------- */

static uint64_t pc_of_fiber(const void *opaque, unsigned index)
{
    return ((const struct ir3_state *)opaque)->fiber[index].pc;
}

static bool set_pc(void *opaque, unsigned index, uint64_t where)
{
    struct ir3_state *state = opaque;
    struct ir3_fiber *fiber = &state->fiber[index];
    if (where >= state->program.count)
        return false;
    fiber->pc = (uint32_t)where;
    fiber->path = UINT64_MAX - index; /* alone */
    fiber->ended = fiber->waits = fiber->seen = false;
    return true;
}

static bool frame_of_fiber(const struct machine_core *core, const void *opaque, unsigned index, unsigned number,
                           struct gpucode_frame *found)
{
    const struct ir3_fiber *fiber = &((const struct ir3_state *)opaque)->fiber[index];
    (void)core;
    if (number >= fiber->depth)
        return false;
    *found = (struct gpucode_frame){.pc = fiber->call[fiber->depth - 1 - number]};
    return true;
}

static bool is_call_next(const struct machine_core *core, const void *opaque, unsigned index, uint64_t *back)
{
    const struct ir3_state *state = opaque;
    const struct ir3_fiber *fiber = &state->fiber[index];
    (void)core;
    *back = (uint64_t)fiber->pc + 1;
    return !fiber->ended && fiber->pc < state->program.count && state->program.ops[fiber->pc].row == IR3_CALL;
}

static bool counter_at(const void *opaque, unsigned index, struct gpucode_counter *found)
{
    const struct ir3_state *state = opaque;
    const struct gpucode_counter counters[] = {
        {"thread-slots", state->thread_slots, "Issue slots, counted for each fiber that took part in them."},
        {"parted-slots", state->parted_slots,
         "Issue slots in which fibers of the same wave stood elsewhere and had not ended."},
    };
    if (state->choice.fibers == 1 || index >= sizeof counters / sizeof *counters)
        return false;
    *found = counters[index];
    return true;
}

const struct isa_machine ir3_machine = {
    .measure = state_size,
    .policies = ir3_policies,
    .create = create_machine,
    .run = run_fibers,
    .processor = shader_fiber_name,
    .section = shader_fiber_section,
    .pc = pc_of_fiber,
    .set_pc = set_pc,
    .read = ir3_space_read,
    .write = ir3_space_write,
    .space = shader_space_info,
    .find = shader_space_find,
    .name = shader_space_name,
    .set_break = shader_set_break,
    .covered = shader_coverage,
    .frame = frame_of_fiber,
    .call = is_call_next,
    .counter = counter_at,
    .has_accesses = true,
    .has_edges = true,
};
