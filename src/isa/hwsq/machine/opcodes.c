/* SPDX-License-Identifier: MIT */
/* One opcode of HWSQ at work. What opcodes do stands in insn.def; this file has the functions they name. */
#include "hwsq_messages.h"
#include "isa/hwsq/machine/machine.h"

#include <gpucode/hwsq.h>

void hwsq_tell(struct hwsq_run *run, enum gpucode_event_kind kind, unsigned space, uint64_t address, uint64_t value,
               uint64_t old)
{
    if (!(run->core->hook_kinds & kind))
        return;
    struct gpucode_event event = {.kind = kind,
                                  .processor = run->index,
                                  .pc = run->state->slot[run->index].at,
                                  .time = run->core->time,
                                  .space = space,
                                  .address = address,
                                  .value = value,
                                  .old = old};
    run->state->stop_asked |= isa_event(run->core, &event);
}

/* --- what opcodes do --------------------------------------------------------------------------------- */

static void wait_units(struct hwsq_run *M, struct hwsq_slot *S, uint64_t units)
{
    hwsq_tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_GENERAL, GPUCODE_HWSQ_WAIT, units, 0);
    uint64_t clocks = units * 32 + (units ? M->state->choice.tick_phase : 0);
    if (!clocks)
        return;
    S->hold = HWSQ_IN_WAIT;
    S->since = M->core->time;
    S->until = S->since + clocks;
}

static void set_flag(struct hwsq_run *M, struct hwsq_slot *S, unsigned flag, bool enable, unsigned value)
{
    enum { KEEP, CLEAR };
    enum { NOTES, SWAPPED };
    (void)S;
    struct hwsq_state *state = M->state;
    uint32_t bit = UINT32_C(1) << flag, flags = state->flag_value, enables = state->flag_enable;
    uint32_t old = hwsq_flag_now(state, flag);
    if (enable && state->choice.set_direction == SWAPPED)
        value = !value;
    enables = enable ? enables | bit : enables & ~bit;
    if (enable || state->choice.unset_value == CLEAR)
        flags = value ? flags | bit : flags & ~bit;
    if (state->has_pause && flag == HWSQ_FB_PAUSE &&
        (enables & flags & bit) != (state->flag_enable & state->flag_value & bit))
        hwsq_pause_changes(state, M->core->time);
    state->flag_value = flags;
    state->flag_enable = enables;
    hwsq_tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_FLAG, flag, enable ? 2 + value : 0, old);
    if (hwsq_flag_now(state, flag) != old)
        hwsq_tell(M, GPUCODE_EVENT_CHANGE, GPUCODE_SPACE_FLAG, flag, hwsq_flag_now(state, flag), old);
}

static void wait_event(struct hwsq_run *M, struct hwsq_slot *S, unsigned event, unsigned value)
{
    hwsq_tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_EVENT, event, value, 0);
    S->hold = HWSQ_IN_EWAIT;
    S->since = M->core->time;
    S->event = (uint8_t)event;
    S->value = (uint8_t)value;
}

static void poke_register(struct hwsq_run *M, struct hwsq_slot *S, uint32_t address)
{
    (void)M;
    S->address = address;
    S->hold = HWSQ_IN_POKE;
    S->since = M->core->time;
}

static void exit_script(struct hwsq_run *M, struct hwsq_slot *S)
{
    S->ip = S->at;
    S->running = false;
    hwsq_tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_GENERAL, GPUCODE_HWSQ_EXIT, 0, 0);
}

static void hang_slot(struct hwsq_run *M, struct hwsq_slot *S)
{
    enum { AFTER, AT };
    S->illegal = true;
    if (M->state->choice.illegal_ip == AT)
        S->ip = S->at;
    hwsq_tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_GENERAL, GPUCODE_HWSQ_ILLEGAL, M->state->code[S->at], 0);
}

/* --- one opcode ---------------------------------------------------------------------------------------- */

#define IMM ((uint32_t)(bits >> 8))
#define FLAG ((unsigned)bits & 31)
#define EVENT ((unsigned)(bits >> 8) & 31)
#define VALUE ((unsigned)(bits >> 16) & 1)
#define LENGTH (bits & 3)
#define SHIFT (bits >> 2 & 15)
#define M run
#define S slot

static void run_action(struct hwsq_run *run, struct hwsq_slot *slot, int row, uint64_t bits)
{
    switch (row) {
#define INSN(id, mnemonic, generations, pattern, text, effects, evidence, source, doc, ...)                            \
    case HWSQ_##id:                                                                                                    \
        __VA_ARGS__ break;
#include "isa/hwsq/text/insn.def"
#undef INSN
    default:
        break;
    }
}

#undef M
#undef S

/* False: the code has ended before the instruction. */
static bool fetch_insn(const struct hwsq_run *run, uint32_t at, int *row, unsigned *size, uint64_t *bits)
{
    enum { STOP, WRAP };
    const struct hwsq_state *state = run->state;
    bool wrap = state->choice.run_off == WRAP;
    if (at >= state->code_bytes && !wrap)
        return false;
    *bits = 0;
    for (unsigned i = 0; i < 5; i++)
        if (wrap || at + i < state->code_bytes)
            *bits |= (uint64_t)state->code[(at + i) % state->code_bytes] << 8 * i;
    *row = isa_decode_row(&hwsq_rows, run->core->target->generation, *bits);
    *size = *row < 0 ? 1 : hwsq_rows.rows[*row].facts.size;
    *bits &= ~UINT64_C(0) >> (64 - 8 * *size);
    return wrap || state->code_bytes - at >= *size;
}

/* Tells of the slot's own registers that the opcode has changed. */
static void tell_changes(struct hwsq_run *run, const struct hwsq_slot *before, const struct hwsq_slot *slot)
{
    const struct {
        enum hwsq_general number;
        uint32_t now, old;
    } changes[] = {
        {HWSQ_GENERAL_IP, slot->ip, before->ip},
        {HWSQ_GENERAL_RUNNING, slot->running, before->running},
        {HWSQ_GENERAL_ILLEGAL, slot->illegal, before->illegal},
        {HWSQ_GENERAL_ADDR, slot->address, before->address},
        {HWSQ_GENERAL_DATA, slot->data, before->data},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (changes[i].now != changes[i].old)
            hwsq_tell(run, GPUCODE_EVENT_CHANGE, GPUCODE_SPACE_GENERAL, changes[i].number, changes[i].now,
                      changes[i].old);
}

/* The place after an instruction, by the policy hwsq-run-off. */
static uint32_t advanced(const struct hwsq_state *state, uint32_t place)
{
    enum { STOP, WRAP };
    return state->choice.run_off == WRAP ? place % state->code_bytes : place;
}

bool hwsq_run_insn(struct hwsq_run *run, struct hwsq_slot *slot)
{
    enum { MASKED, ILLEGAL };
    struct hwsq_state *state = run->state;
    struct machine_core *core = run->core;
    slot->at = slot->ip = advanced(state, slot->ip);
    const uint8_t *breaks = state->breaks + (size_t)run->index * state->code_bytes;
    if (!state->seen && slot->at < state->code_bytes && breaks[slot->at]) {
        state->seen = true;
        run->stop->reason = GPUCODE_STOP_BREAKPOINT;
        return false;
    }
    if (!state->seen) {
        hwsq_tell(run, GPUCODE_EVENT_INSN, GPUCODE_SPACE_GENERAL, slot->at, 0, 0);
        if (state->stop_asked) {
            state->seen = true;
            run->stop->reason = GPUCODE_STOP_HOOK;
            return false;
        }
    }
    state->seen = false;
    int row;
    unsigned size;
    uint64_t bits;
    if (!fetch_insn(run, slot->at, &row, &size, &bits)) {
        slot->hold = HWSQ_OFF_CODE;
        isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_HWSQ_RUN_OFF, slot->at);
        return false;
    }
    const struct hwsq_slot before = *slot;
    slot->ip = advanced(state, slot->at + size);
    slot->begun = true;
    core->count++;
    core->time += state->choice.opcode_clocks;
    if (core->coverage && slot->at < state->code_bytes)
        state->covered[(size_t)run->index * state->code_bytes + slot->at] = 1;
    bool reserved = row >= 0 && bits & hwsq_rows.rows[row].facts.ignored && state->choice.ewait_reserved == ILLEGAL;
    if (row >= 0 && !reserved)
        run_action(run, slot, row, bits);
    else if (state->chip->unknown_hangs)
        hang_slot(run, slot);
    else
        slot->ip = advanced(state, slot->at + 1); /* a byte that does nothing */
    if (core->edges.map)
        isa_edge_dynamic(&core->edges, slot->at, slot->ip);
    if (core->hook_kinds & GPUCODE_EVENT_CHANGE)
        tell_changes(run, &before, slot);
    return true;
}
