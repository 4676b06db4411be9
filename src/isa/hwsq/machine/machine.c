/* SPDX-License-Identifier: MIT */
/* The HWSQ machine: running code. What opcodes do stands in insn.def; this file has the functions they name. */
#include "isa/hwsq/machine/machine.h"

#include "base/text.h"
#include "isa/scan.h"
#include <gpucode/hwsq.h>

#include <string.h>

#define EXIT_OPCODE 0x7f
#define CODE_MAX ((size_t)16 << 20) /* with hwsq-oversize */

/* One instruction on its way, and what its action may touch. */
struct run {
    struct machine_core *core;
    struct hwsq_state *state;
    struct gpucode_stop *stop;
    unsigned index; /* of the slot */
};

static void tell(struct run *run, enum gpucode_event_kind kind, unsigned space, uint64_t address, uint64_t value,
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

static void wait_units(struct run *M, struct hwsq_slot *S, uint64_t units)
{
    tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_GENERAL, GPUCODE_HWSQ_WAIT, units, 0);
    uint64_t clocks = units * 32 + (units ? M->state->choice.tick_phase : 0);
    if (!clocks)
        return;
    S->hold = HWSQ_IN_WAIT;
    S->since = M->core->time;
    S->until = S->since + clocks;
}

/* As gpucode_machine_read() has it: bit 1 driven, bit 0 the value. */
static uint32_t flag_now(const struct hwsq_state *state, unsigned flag)
{
    return (state->flag_enable >> flag & 1) << 1 | (state->flag_value >> flag & 1);
}

static void set_flag(struct run *M, struct hwsq_slot *S, unsigned flag, bool enable, unsigned value)
{
    enum { KEEP, CLEAR };
    enum { NOTES, SWAPPED };
    (void)S;
    struct hwsq_state *state = M->state;
    uint32_t bit = UINT32_C(1) << flag, flags = state->flag_value, enables = state->flag_enable;
    uint32_t old = flag_now(state, flag);
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
    tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_FLAG, flag, enable ? 2 + value : 0, old);
    if (flag_now(state, flag) != old)
        tell(M, GPUCODE_EVENT_CHANGE, GPUCODE_SPACE_FLAG, flag, flag_now(state, flag), old);
}

static void wait_event(struct run *M, struct hwsq_slot *S, unsigned event, unsigned value)
{
    tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_EVENT, event, value, 0);
    S->hold = HWSQ_IN_EWAIT;
    S->since = M->core->time;
    S->event = (uint8_t)event;
    S->value = (uint8_t)value;
}

static void poke(struct run *M, struct hwsq_slot *S, uint32_t address)
{
    (void)M;
    S->address = address;
    S->hold = HWSQ_IN_POKE;
    S->since = M->core->time;
}

static void leave(struct run *M, struct hwsq_slot *S)
{
    S->ip = S->at;
    S->running = false;
    tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_GENERAL, GPUCODE_HWSQ_EXIT, 0, 0);
}

static void illegal(struct run *M, struct hwsq_slot *S)
{
    enum { AFTER, AT };
    S->illegal = true;
    if (M->state->choice.illegal_ip == AT)
        S->ip = S->at;
    tell(M, GPUCODE_EVENT_ACTION, GPUCODE_SPACE_GENERAL, GPUCODE_HWSQ_ILLEGAL, M->state->code[S->at], 0);
}

/* --- finishing what takes time ------------------------------------------------------------------------ */

static void write_out(struct run *run, struct hwsq_slot *slot)
{
    struct hwsq_state *state = run->state;
    uint32_t old = 0;
    if (run->core->hook_kinds & GPUCODE_EVENT_WRITE)
        old = hwsq_effective(run->core, state, slot->address);
    slot->hold = HWSQ_FREE; /* before the write, which may be to TRIGGER */
    uint32_t address = slot->address, value = slot->data, flags[32];
    for (unsigned i = 0; i < 32; i++)
        flags[i] = flag_now(state, i);
    hwsq_mmio_write(run->core, state, address, value, false);
    tell(run, GPUCODE_EVENT_WRITE, GPUCODE_SPACE_GPU, address, value, old);
    for (unsigned i = 0; i < 32; i++) /* a script may write to the flags' own registers */
        if (flags[i] != flag_now(state, i))
            tell(run, GPUCODE_EVENT_CHANGE, GPUCODE_SPACE_FLAG, i, flag_now(state, i), flags[i]);
    run->core->time += state->choice.poke_clocks;
}

/* Ends what the slot is in the middle of; false when nothing in the machine will end it. */
static bool finish(struct run *run, struct hwsq_slot *slot)
{
    struct machine_core *core = run->core;
    uint64_t time;
    switch (slot->hold) {
    case HWSQ_IN_WAIT:
        if (core->time < slot->until)
            core->time = slot->until;
        break;
    case HWSQ_IN_EWAIT:
        time = hwsq_event_time(run->state, slot->event, slot->value, core->time);
        if (time == UINT64_MAX) {
            isa_stop(run->stop, GPUCODE_STOP_IDLE, MSG_HWSQ_EVENT_NEVER, slot->event, slot->value);
            return false;
        }
        core->time = time;
        tell(run, GPUCODE_EVENT_READ, GPUCODE_SPACE_EVENT, slot->event, slot->value, slot->since);
        break;
    case HWSQ_IN_POKE:
        if (!hwsq_enabled(run->state)) {
            isa_stop(run->stop, GPUCODE_STOP_IDLE, MSG_HWSQ_DISABLED, slot->address);
            return false;
        }
        write_out(run, slot);
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

/* --- one opcode ---------------------------------------------------------------------------------------- */

#define IMM ((uint32_t)(bits >> 8))
#define FLAG ((unsigned)bits & 31)
#define EVENT ((unsigned)(bits >> 8) & 31)
#define VALUE ((unsigned)(bits >> 16) & 1)
#define LENGTH (bits & 3)
#define SHIFT (bits >> 2 & 15)
#define M run
#define S slot

static void act(struct run *run, struct hwsq_slot *slot, int row, uint64_t bits)
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
static bool fetch(const struct run *run, uint32_t at, int *row, unsigned *size, uint64_t *bits)
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
static void tell_changes(struct run *run, const struct hwsq_slot *before, const struct hwsq_slot *slot)
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
            tell(run, GPUCODE_EVENT_CHANGE, GPUCODE_SPACE_GENERAL, changes[i].number, changes[i].now, changes[i].old);
}

/* Runs the opcode at ip; the slot is free. False: the machine stops before it. */
static bool step(struct run *run, struct hwsq_slot *slot)
{
    enum { STOP, WRAP };
    enum { MASKED, ILLEGAL };
    struct hwsq_state *state = run->state;
    struct machine_core *core = run->core;
    if (state->choice.run_off == WRAP)
        slot->ip %= state->code_bytes;
    slot->at = slot->ip;
    const uint8_t *breaks = state->breaks + (size_t)run->index * state->code_bytes;
    if (!state->seen && slot->at < state->code_bytes && breaks[slot->at]) {
        state->seen = true;
        run->stop->reason = GPUCODE_STOP_BREAKPOINT;
        return false;
    }
    if (!state->seen) {
        tell(run, GPUCODE_EVENT_INSN, GPUCODE_SPACE_GENERAL, slot->at, 0, 0);
        if (state->stop_asked) {
            state->stop_asked = false;
            state->seen = true;
            run->stop->reason = GPUCODE_STOP_HOOK;
            return false;
        }
    }
    state->seen = false;
    int row;
    unsigned size;
    uint64_t bits;
    if (!fetch(run, slot->at, &row, &size, &bits)) {
        slot->hold = HWSQ_OFF_CODE;
        isa_stop(run->stop, GPUCODE_STOP_FAULT, MSG_HWSQ_RUN_OFF, slot->at);
        return false;
    }
    const struct hwsq_slot before = *slot;
    slot->ip = slot->at + size;
    slot->begun = true;
    core->count++;
    core->time += state->choice.opcode_clocks;
    if (core->coverage && slot->at < state->code_bytes)
        state->covered[(size_t)run->index * state->code_bytes + slot->at] = 1;
    bool reserved = row >= 0 && bits & hwsq_rows.rows[row].facts.ignored && state->choice.ewait_reserved == ILLEGAL;
    if (row >= 0 && !reserved)
        act(run, slot, row, bits);
    else if (state->chip->unknown_hangs)
        illegal(run, slot);
    else
        slot->ip = slot->at + 1; /* a byte that does nothing */
    if (core->hook_kinds & GPUCODE_EVENT_CHANGE)
        tell_changes(run, &before, slot);
    return true;
}

/* --- slots ---------------------------------------------------------------------------------------------- */

static bool is_ready(const struct hwsq_slot *slot)
{
    return slot->running && !slot->illegal;
}

/* The slot that goes next, or HWSQ_SLOTS: none can. */
static unsigned choose(const struct hwsq_state *state, uint32_t processor)
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

static void say_why(const struct run *run, uint32_t processor)
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

static uint64_t run_slots(struct machine_core *core, void *opaque, unsigned processor, uint64_t limit,
                          struct gpucode_stop *stop)
{
    struct hwsq_state *state = opaque;
    struct run run = {core, state, stop, 0};
    uint64_t count = 0;
    state->stop_asked = false;
    for (;;) {
        run.index = choose(state, processor);
        if (run.index == HWSQ_SLOTS) {
            say_why(&run, processor);
            return count;
        }
        stop->processor = run.index;
        struct hwsq_slot *slot = &state->slot[run.index];
        if (slot->hold != HWSQ_FREE) {
            /* what began before the limit ends when the machine goes on, but for writes that can go out at once */
            if (count == limit && !(slot->hold == HWSQ_IN_POKE && hwsq_enabled(state)))
                break;
            if (!finish(&run, slot))
                return count;
        } else if (count == limit) {
            break;
        } else {
            if (!step(&run, slot))
                return count;
            count++;
            state->turn = (uint8_t)((run.index + 1) % state->chip->slots);
        }
        if (state->stop_asked && slot->hold != HWSQ_IN_POKE) {
            state->stop_asked = false;
            stop->reason = GPUCODE_STOP_HOOK;
            return count;
        }
    }
    stop->reason = GPUCODE_STOP_LIMIT;
    return count;
}

/* --- making it ------------------------------------------------------------------------------------------ */

static size_t code_room(const struct machine_core *core)
{
    size_t room = hwsq_chip_of(core->target)->code_bytes, size = (core->layout->size + 3) & ~(size_t)3;
    return size > room && size <= CODE_MAX ? size : room;
}

static size_t measure(const struct machine_core *core, const struct gpucode_setting *settings)
{
    (void)settings;
    return sizeof(struct hwsq_state) + code_room(core);
}

static enum gpucode_status create(struct machine_core *core, void *opaque, const struct gpucode_setting *settings)
{
    enum { A, B, BOTH, NONE };
    struct hwsq_state *state = opaque;
    state->chip = hwsq_chip_of(core->target);
    state->has_pause = core->target->generation != HWSQ_NV17;
    state->code_bytes = (uint32_t)code_room(core);
    if (core->layout->size > state->chip->code_bytes &&
        (!isa_policy_choice(hwsq_policies, settings, "hwsq-oversize") || core->layout->size > CODE_MAX)) {
        report(&core->on_diagnostic, NULL, MSG_HWSQ_SCRIPT_LARGE, NULL, core->layout->size, core->target->name,
               (unsigned)state->chip->code_bytes);
        return GPUCODE_ERROR_INPUT;
    }
    if (!hwsq_read_policies(core, state, settings))
        return GPUCODE_ERROR_INPUT;
    memset(state->code, isa_policy_choice(hwsq_policies, settings, "hwsq-fill") ? 0 : EXIT_OPCODE, state->code_bytes);
    memcpy(state->code, core->layout->bytes, core->layout->size);
    state->breaks = arena_array(&core->arena, HWSQ_SLOTS, state->code_bytes);
    state->covered = arena_array(&core->arena, HWSQ_SLOTS, state->code_bytes);
    if (!state->breaks || !state->covered)
        return GPUCODE_ERROR_MEMORY;
    state->debug_6 = (isa_policy_choice(hwsq_policies, settings, "hwsq-enable") ? 0u : 1u << 3) |
                     isa_policy_choice(hwsq_policies, settings, "hwsq-override-mode") << 4;
    unsigned which = isa_policy_choice(hwsq_policies, settings, "hwsq-start");
    unsigned entry = isa_policy_choice(hwsq_policies, settings, "hwsq-entry");
    if (state->chip->slots == 1 && which != NONE)
        which = A;
    for (unsigned i = 0; i < state->chip->slots; i++)
        if (which == BOTH || which == i) {
            state->slot[i].running = true;
            state->slot[i].ip = state->entry[entry];
        }
    return GPUCODE_OK;
}

/* --- looking into it ------------------------------------------------------------------------------------ */

static const char *processor(const void *state, unsigned index)
{
    static const char *const names[] = {"A", "B"};
    return index < ((const struct hwsq_state *)state)->chip->slots ? names[index] : NULL;
}

static unsigned section(const void *state, unsigned index)
{
    (void)state;
    (void)index;
    return 0;
}

static uint64_t pc(const void *state, unsigned index)
{
    return ((const struct hwsq_state *)state)->slot[index].ip;
}

/* The slot runs from there on. */
static bool set_pc(void *opaque, unsigned index, uint64_t where)
{
    struct hwsq_state *state = opaque;
    if (where >= state->code_bytes)
        return false;
    struct hwsq_slot *slot = &state->slot[index];
    slot->ip = (uint32_t)where;
    slot->running = true;
    slot->illegal = slot->begun = false;
    slot->hold = HWSQ_FREE;
    state->seen = false;
    return true;
}

static uint32_t *general(struct hwsq_slot *slot, uint32_t number)
{
    return number == HWSQ_GENERAL_IP     ? &slot->ip
           : number == HWSQ_GENERAL_ADDR ? &slot->address
           : number == HWSQ_GENERAL_DATA ? &slot->data
                                         : NULL;
}

static bool read(const struct machine_core *core, const void *opaque, unsigned index, unsigned space, uint32_t number,
                 uint32_t *value)
{
    const struct hwsq_state *state = opaque;
    struct hwsq_slot slot = state->slot[index];
    const uint32_t *plain = general(&slot, number);
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        if (number >= HWSQ_GENERAL_COUNT)
            return false;
        *value = plain ? *plain : number == HWSQ_GENERAL_RUNNING ? slot.running : slot.illegal;
        return true;
    case GPUCODE_SPACE_FLAG:
        if (number > 31)
            return false;
        *value = (state->flag_enable >> number & 1) << 1 | (state->flag_value >> number & 1);
        return true;
    case GPUCODE_SPACE_EVENT:
        if (number > 31)
            return false;
        *value = hwsq_event(state, number, core->time);
        return true;
    case GPUCODE_SPACE_GPU:
        return hwsq_mmio_read(core, state, number, value);
    case HWSQ_SPACE_EFFECTIVE:
        *value = hwsq_effective(core, state, number);
        return true;
    default:
        return false;
    }
}

static bool write(struct machine_core *core, void *opaque, unsigned index, unsigned space, uint32_t number,
                  uint32_t value)
{
    struct hwsq_state *state = opaque;
    uint32_t *plain = general(&state->slot[index], number);
    switch (space) {
    case GPUCODE_SPACE_GENERAL:
        if (!plain)
            return false;
        *plain = value;
        return true;
    case GPUCODE_SPACE_FLAG:
        if (number > 31 || value > 3)
            return false;
        if (number == HWSQ_FB_PAUSE && state->has_pause && (value == 3) != hwsq_pause_asked(state))
            hwsq_pause_changes(state, core->time);
        state->flag_enable = (state->flag_enable & ~(UINT32_C(1) << number)) | value >> 1 << number;
        state->flag_value = (state->flag_value & ~(UINT32_C(1) << number)) | (value & 1) << number;
        return true;
    case GPUCODE_SPACE_EVENT: /* 0 and 1 hold the event there, 2 lets it go */
        if (number > 31 || value > 2)
            return false;
        state->driven = (state->driven & ~(UINT32_C(1) << number)) | (uint32_t)(value < 2) << number;
        state->driven_value = (state->driven_value & ~(UINT32_C(1) << number)) | (value & 1) << number;
        return true;
    case GPUCODE_SPACE_GPU:
        return hwsq_mmio_write(core, state, number, value, true);
    default:
        return false;
    }
}

static bool space_info(const struct machine_core *core, unsigned space, struct gpucode_space_info *info)
{
    static const struct {
        unsigned space;
        struct gpucode_space_info info;
    } spaces[] = {
        {GPUCODE_SPACE_GENERAL, {"general", "", HWSQ_GENERAL_COUNT}},
        {GPUCODE_SPACE_FLAG, {"flag", "#", 32, .shared = true}},
        {GPUCODE_SPACE_EVENT, {"event", "#", 32, .shared = true}},
        {GPUCODE_SPACE_GPU, {"gpu", "", UINT32_MAX, .shared = true, .addressed = true}},
        {HWSQ_SPACE_EFFECTIVE, {"effective", "", UINT32_MAX, .shared = true, .addressed = true, .effective = true}},
    };
    (void)core;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (spaces[i].space == space) {
            *info = spaces[i].info;
            return true;
        }
    return false;
}

static const char *const general_names[HWSQ_GENERAL_COUNT] = {"IP", "RUNNING", "ILLEGAL", "ADDR", "DATA"};

static bool find(const struct machine_core *core, const char *name, size_t length, unsigned *space, uint32_t *number)
{
    for (unsigned i = 0; i < HWSQ_GENERAL_COUNT; i++)
        if (strlen(general_names[i]) == length && memcmp(general_names[i], name, length) == 0) {
            *space = GPUCODE_SPACE_GENERAL;
            *number = i;
            return true;
        }
    static const enum gpucode_space spaces[] = {GPUCODE_SPACE_FLAG, GPUCODE_SPACE_EVENT, GPUCODE_SPACE_GPU};
    bool hash = length && *name == '#';
    for (unsigned i = 0; i < 3; i++)
        if (!(hash && spaces[i] == GPUCODE_SPACE_GPU) &&
            isa_number_of(core->target->names, core->names, spaces[i], name + hash, length - hash, number)) {
            *space = spaces[i];
            return true;
        }
    struct isa_scan scan = {.at = name, .end = name + length, .isa = core->target->isa, .target = core->target};
    uint64_t value;
    if (!isa_number(&scan, &value) || scan.at != scan.end || value > UINT32_MAX)
        return false;
    *space = GPUCODE_SPACE_GPU;
    *number = (uint32_t)value;
    return true;
}

static size_t name_of(const struct machine_core *core, unsigned space, uint32_t number, char *text)
{
    if (space == GPUCODE_SPACE_GENERAL)
        return number < HWSQ_GENERAL_COUNT ? (size_t)(text_string(text, general_names[number]) - text) : 0;
    if (space == HWSQ_SPACE_EFFECTIVE)
        space = GPUCODE_SPACE_GPU;
    if (space >= GPUCODE_SPACE_COUNT)
        return 0;
    return (size_t)(isa_name_of(core->target->names, core->names, (enum gpucode_space)space, number, text) - text);
}

static bool set_break(struct machine_core *core, void *opaque, unsigned index, uint64_t where, bool on)
{
    struct hwsq_state *state = opaque;
    (void)core;
    if (where >= state->code_bytes)
        return false;
    state->breaks[index * (size_t)state->code_bytes + where] = on;
    return true;
}

static uint8_t *covered(const void *opaque, unsigned index, size_t *units)
{
    const struct hwsq_state *state = opaque;
    *units = state->code_bytes;
    return state->covered + index * (size_t)state->code_bytes;
}

const struct isa_machine hwsq_machine = {
    .state_size = sizeof(struct hwsq_state),
    .measure = measure,
    .policies = hwsq_policies,
    .create = create,
    .run = run_slots,
    .processor = processor,
    .section = section,
    .pc = pc,
    .set_pc = set_pc,
    .read = read,
    .write = write,
    .space = space_info,
    .find = find,
    .name = name_of,
    .set_break = set_break,
    .covered = covered,
};
