/* SPDX-License-Identifier: MIT */
/* The slots in turn: what takes time, who goes next, and the run loop. */
#include "hwsq_messages.h"
#include "isa/hwsq/machine/machine.h"

/* --- finishing what takes time ------------------------------------------------------------------------ */

static void send_poke(struct hwsq_run *run, struct hwsq_slot *slot)
{
    struct hwsq_state *state = run->state;
    uint32_t old = 0;
    if (run->core->hook_kinds & GPUCODE_EVENT_WRITE)
        old = hwsq_effective(run->core, state, slot->address);
    slot->hold = HWSQ_FREE; /* before the write, which may be to TRIGGER */
    uint32_t address = slot->address, value = slot->data, flags[32];
    for (unsigned i = 0; i < 32; i++)
        flags[i] = hwsq_flag_now(state, i);
    hwsq_mmio_write(run->core, state, address, value, false);
    hwsq_tell(run, GPUCODE_EVENT_WRITE, GPUCODE_SPACE_GPU, address, value, old);
    for (unsigned i = 0; i < 32; i++) /* a script may write to the flags' own registers */
        if (flags[i] != hwsq_flag_now(state, i))
            hwsq_tell(run, GPUCODE_EVENT_CHANGE, GPUCODE_SPACE_FLAG, i, hwsq_flag_now(state, i), flags[i]);
    run->core->time += state->choice.poke_clocks;
}

/* Ends what the slot is in the middle of; false when nothing in the machine will end it. */
static bool end_hold(struct hwsq_run *run, struct hwsq_slot *slot)
{
    struct machine_core *core = run->core;
    uint64_t time;
    switch (slot->hold) {
    case HWSQ_IN_WAIT:
        core->time = slot->until; /* since it began no other slot has had the unit */
        break;
    case HWSQ_IN_EWAIT:
        time = hwsq_event_time(run->state, slot->event, slot->value, core->time);
        if (time == UINT64_MAX) {
            isa_stop(run->stop, GPUCODE_STOP_IDLE, MSG_HWSQ_EVENT_NEVER, slot->event, slot->value);
            return false;
        }
        if (core->edges.map)
            isa_edge_dynamic(&core->edges, UINT64_C(1) << 32 | slot->at, time > core->time);
        core->time = time;
        hwsq_tell(run, GPUCODE_EVENT_READ, GPUCODE_SPACE_EVENT, slot->event, slot->value, slot->since);
        break;
    case HWSQ_IN_POKE:
        if (!hwsq_enabled(run->state)) {
            isa_stop(run->stop, GPUCODE_STOP_IDLE, MSG_HWSQ_DISABLED, slot->address);
            return false;
        }
        if (!hwsq_poke_time(run->state, slot->address, core->time, &time)) {
            isa_stop(run->stop, GPUCODE_STOP_IDLE, MSG_HWSQ_MEMORY_PAUSED, slot->address);
            return false;
        }
        core->time = time;
        send_poke(run, slot);
        return true;
    case HWSQ_OFF_CODE:
        isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_HWSQ_RUN_OFF, slot->at);
        return false;
    default:
        return true;
    }
    slot->hold = HWSQ_FREE;
    return true;
}

/* --- slots ---------------------------------------------------------------------------------------------- */

static bool is_ready(const struct hwsq_slot *slot)
{
    return slot->running && !slot->illegal;
}

/* The slot that goes next, or HWSQ_SLOTS: none can. */
static unsigned choose_slot(const struct hwsq_state *state, uint32_t processor)
{
    enum { ALTERNATE, COMPLETE };
    enum { RUNS, WAITS };
    unsigned count = state->chip->slots;
    /* a slot in the middle of something holds the unit */
    for (unsigned i = 0; i < count; i++)
        if (is_ready(&state->slot[i]) && state->slot[i].hold != HWSQ_FREE)
            return i;
    for (unsigned i = 0; i < count; i++)
        if (state->slot[i].running && state->slot[i].illegal && state->choice.other_slot == WAITS)
            return HWSQ_SLOTS;
    if (processor != ISA_ALL_PROCESSORS)
        return is_ready(&state->slot[processor]) ? processor : HWSQ_SLOTS;
    for (unsigned i = 0; state->choice.slots == COMPLETE && i < count; i++)
        if (is_ready(&state->slot[i]) && state->slot[i].begun)
            return i; /* it began first, and runs until it ends */
    for (unsigned i = 0; i < count; i++) {
        unsigned slot = state->choice.slots == COMPLETE ? i : (state->turn + i) % count;
        if (is_ready(&state->slot[slot]))
            return slot;
    }
    return HWSQ_SLOTS;
}

static void report_end(const struct hwsq_run *run, uint32_t processor)
{
    struct hwsq_state *state = run->state;
    for (unsigned i = 0; i < state->chip->slots; i++) {
        if ((processor != ISA_ALL_PROCESSORS && i != processor) || !state->slot[i].illegal)
            continue;
        run->stop->processor = i;
        isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_HWSQ_HANG, state->slot[i].at);
        return;
    }
    isa_stop(run->stop, GPUCODE_STOP_END, MSG_HWSQ_END);
}

uint64_t hwsq_run_slots(struct machine_core *core, void *opaque, unsigned processor, uint64_t limit,
                        struct gpucode_stop *stop)
{
    struct hwsq_state *state = opaque;
    struct hwsq_run run = {core, state, stop, 0};
    uint64_t count = 0;
    state->stop_asked = false;
    for (;;) {
        run.index = choose_slot(state, processor);
        if (run.index == HWSQ_SLOTS) {
            report_end(&run, processor);
            return count;
        }
        stop->processor = run.index;
        struct hwsq_slot *slot = &state->slot[run.index];
        if (slot->hold != HWSQ_FREE) {
            /* what began before the limit ends when the machine goes on, but for writes that can go out at once */
            uint64_t time;
            bool at_once = slot->hold == HWSQ_IN_POKE && hwsq_enabled(state) &&
                           hwsq_poke_time(state, slot->address, core->time, &time) && time == core->time;
            if (count == limit && !at_once)
                break;
            if (!end_hold(&run, slot))
                return count;
        } else if (count == limit) {
            break;
        } else {
            if (!hwsq_run_insn(&run, slot))
                return count;
            count++;
            state->turn = (uint8_t)((run.index + 1) % state->chip->slots);
        }
        if (state->stop_asked && slot->hold != HWSQ_IN_POKE) {
            stop->reason = GPUCODE_STOP_HOOK;
            return count;
        }
    }
    stop->reason = GPUCODE_STOP_LIMIT;
    return count;
}
